import { type CallOptions, CallRunner } from '../../protocol/client/run-call';
import { type ExactJson, exactValue } from '../../protocol/json/exact';
import { readClientOptions, type RgsClientOptions } from './options';
import { knownCall } from './known-call';
import {
  type FreePlayPackage,
  type GameConfiguration,
  type GameList,
  readConfiguration,
  readGameList,
  readPackage,
  readStatistics,
  type Statistics,
} from './read-reply';
import {
  type FreeroundsRequest,
  type FurtherRequest,
  type GameConfigurationRequest,
  readConfigurationRequest,
  readFreerounds,
  readFurtherRequest,
  readStatisticsRequest,
  type StatisticsRequest,
} from './read-request';

/**
 * The operator's calls at the RGS (operator-api 4.3 to 4.5), each signed anew at every attempt. Every
 * method rejects with an {@link RgsClientError}; check its `code`.
 */
export interface RgsClient {
  /** Grants free plays. Retried after a failure, because a serial is granted once (operator-api 4.3). */
  assignPlayerFreerounds(
    request: FreeroundsRequest,
    options?: CallOptions,
  ): Promise<FreePlayPackage>;
  /** Statistics per day, or as grouped (operator-api 4.4). */
  getStats(request?: StatisticsRequest, options?: CallOptions): Promise<Statistics>;
  /** The configuration of a game for a currency (operator-api 4.5). */
  getGameConfiguration(
    request: GameConfigurationRequest,
    options?: CallOptions,
  ): Promise<GameConfiguration>;
  /** The games that may be launched. */
  getGameList(options?: CallOptions): Promise<GameList>;
  /**
   * Another call, such as getGameURL, signed by the named fields. Sent once, unless `isRepeatable` is set.
   * Resolves to the reply as received; null if it was empty.
   */
  call(request: FurtherRequest, options?: CallOptions): Promise<ExactJson>;
}

/**
 * A client for one operator. It holds no resources: connections are kept by the process, or are those of its `fetch`.
 * @throws TypeError that names the wrong option; no value is repeated.
 */
export function createRgsClient(options: RgsClientOptions): RgsClient {
  const runner = new CallRunner(readClientOptions(options));
  return Object.freeze<RgsClient>({
    async assignPlayerFreerounds(request, call) {
      const outgoing = readFreerounds(request);
      const { serial } = request;
      return runner.run(outgoing, (document) => readPackage(document, serial), call);
    },
    async getStats(request = {}, call) {
      return runner.run(readStatisticsRequest(request), readStatistics, call);
    },
    async getGameConfiguration(request, call) {
      const outgoing = readConfigurationRequest(request);
      const { currency } = request;
      return runner.run(outgoing, (document) => readConfiguration(document, currency), call);
    },
    async getGameList(call) {
      return runner.run(knownCall('getGameList', {}), readGameList, call);
    },
    async call(request, call) {
      return runner.run(readFurtherRequest(request), exactValue, call);
    },
  });
}
