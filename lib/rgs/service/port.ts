import type {
  ConnectReply,
  EngineCall,
  EngineReplies,
  EngineRequests,
} from '../../protocol/engine-api';
import type {
  AssignedFreePlays,
  ConfigurationQuery,
  FreePlayRequest,
  LaunchRequest,
  OperatorNotice,
  ServedGame,
  StatisticsQuery,
  StatisticsRow,
} from '../../protocol/operator-api/served';

import type { Cause } from './lines';

export type {
  AssignedFreePlays,
  FreePlayRequest,
  LaunchRequest,
  OperatorNotice,
  StatisticsQuery,
  StatisticsRow,
} from '../../protocol/operator-api/served';

/**
 * The calls of game providers (game-engine-api 4), after authentication and reading. The last argument of every call is
 * its own number in a trace; what is sent for it names that number.
 */
export interface EngineService {
  /**
   * Works one call of a verified game provider.
   * @throws EngineRefusedError
   */
  call<Name extends EngineCall>(
    gameProviderId: string,
    name: Name,
    request: EngineRequests[Name],
    cause?: Cause,
  ): Promise<EngineReplies[Name]>;
}

/** The unsigned calls of a browser (E5). All throw EngineRefusedError. */
export interface BrowserService {
  /** Burns the launch token, and opens a session (E5.2). */
  connect(launchToken: string, cause?: Cause): Promise<ConnectReply>;
  /** A new long token for the old one (E5.5). */
  reconnect(token: string): Promise<ConnectReply>;
  /** Revokes the token; an open round stays open. */
  disconnect(token: string): Promise<void>;
}

/** The operator's calls at the RGS (operator-api 4.3 to 4.5, E24). All throw EngineRefusedError. */
export interface OperatorService {
  /** The launch URL. `afterReply` is called once the reply is sent (O 3, rule 7). */
  getGameURL(
    operatorId: string,
    request: LaunchRequest,
    cause?: Cause,
  ): Promise<{ readonly url: string; readonly afterReply: () => void }>;
  assignPlayerFreerounds(
    operatorId: string,
    request: FreePlayRequest,
    cause?: Cause,
  ): Promise<AssignedFreePlays>;
  getStats(
    operatorId: string,
    query: StatisticsQuery,
    cause?: Cause,
  ): Promise<readonly StatisticsRow[]>;
  /** The provider's configuration of a game, as JSON text (E21.3). */
  getGameConfiguration(
    operatorId: string,
    query: ConfigurationQuery,
    cause?: Cause,
  ): Promise<string>;
  getGameList(operatorId: string): Promise<readonly ServedGame[]>;
  /** The specification has no more than the names of these two: what comes is kept, and shown (E24.4). */
  registerPlayer(operatorId: string, notice: OperatorNotice): Promise<void>;
  sendRealityCheckResponse(operatorId: string, notice: OperatorNotice): Promise<void>;
}

/** What a person decides about a round that needs one (E16.2). */
export type Resolution = 'close' | 'resend' | 'giveUp';
