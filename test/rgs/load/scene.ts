import { type ContractWallet, toContractWallet } from '../../../lib/proof/subject/players';
import type { AccountStore } from '../../../lib/operator/wallet';
import type { BookedStore } from './book';
import { type ServiceLoad, type ServiceLoadOptions, startServiceLoad } from './run';
import { until } from '../../servers/until';
import { OPERATOR_ID, startWalletServer } from '../../servers/wallet-server';

/** How the scene is played. */
export interface LoadSceneOptions
  extends Partial<Pick<ServiceLoadOptions, 'connections' | 'lostReplyShare' | 'seed'>> {
  /** The wallet's deadline; short, so that an outage can outlast it. */
  readonly deadlineMs?: number;
  readonly players?: number;
}

/** A service that plays rounds against a wallet over a store. */
export interface LoadScene {
  readonly load: ServiceLoad;
  /** Resolves once so many more calls were answered 200. */
  processed(calls: number): Promise<void>;
  /** Resolves once one more call was answered 5xx: its outcome is unknown (D7). */
  outlastsDeadline(): Promise<void>;
  /**
   * Ends the play, and resolves to how the books differ, with what was answered against the protocol. `reader` reads
   * the store's books where the store itself has short limits, which a busy machine may exceed.
   */
  finish(reader?: BookedStore): Promise<readonly string[]>;
  /** Prints the figures. */
  tell(what: string): void;
  close(): Promise<void>;
}

/** Opens players, one of them poor so that debits are declined too, and begins to play. */
export async function startLoadScene(
  made: AccountStore | ContractWallet,
  { deadlineMs = 1_000, players = 8, connections = 24, ...options }: LoadSceneOptions = {},
): Promise<LoadScene> {
  const operatorId = OPERATOR_ID;
  const { store } = toContractWallet(made);
  const starts = await openPlayers(made, operatorId, players);
  const wallet = await startWalletServer(store, { deadlineMs });
  const { origin, signer } = wallet;
  const load = startServiceLoad({
    ...options,
    origins: [origin],
    signer,
    players: [...starts.keys()],
    currency: 'EUR',
    decimals: store.decimals,
    connections,
  });
  const { figures } = load;
  return {
    load,
    async processed(calls) {
      const goal = figures.processed + calls;
      await until('calls to be processed', () => figures.processed >= goal);
    },
    async outlastsDeadline() {
      const { failed } = figures;
      await until('a call to fail', () => figures.failed > failed);
    },
    async finish(reader = store) {
      await load.stop();
      return [...load.violations, ...(await load.book.differences(reader, operatorId, starts))];
    },
    tell(what) {
      process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`);
    },
    async close() {
      load.abandon();
      await wallet.close();
    },
  };
}

/** Opens so many players, and resolves to what each begins with. */
export async function openPlayers(
  made: AccountStore | ContractWallet,
  operatorId: string,
  players: number,
): Promise<Map<string, bigint>> {
  const wallet = toContractWallet(made);
  const starts = new Map<string, bigint>();
  for (let index = 0; index < players; index += 1) {
    const [playerId, real] = [`player ${index}`, index === 0 ? 3_000n : 100_000_000n];
    const balances = { real: { units: real } };
    const player = { operatorId, playerId, currency: 'EUR', balances };
    await until(`${playerId} to be opened`, async () => {
      const result = (await wallet.players.openPlayer(player)) as { readonly kind?: string };
      return result.kind !== 'unknown';
    });
    starts.set(playerId, real);
  }
  return starts;
}

/** A server that can die and come back over its data. */
export interface MortalServer {
  kill9(): Promise<void>;
  restart(): Promise<void>;
}

/**
 * Kills the server again and again, each time after so many more calls were processed. Every third
 * outage outlasts the wallet's deadline; the others may be over before calls fail.
 */
export async function killUnderLoad(
  server: MortalServer,
  scene: LoadScene,
  { kills, callsBetween }: { readonly kills: number; readonly callsBetween: number },
): Promise<void> {
  for (let kill = 1; kill <= kills; kill += 1) {
    await scene.processed(callsBetween);
    await server.kill9();
    if (kill % 3 === 0) await scene.outlastsDeadline();
    await server.restart();
  }
}
