import { createOperatorHandler } from '../../operator/http/handler';
import { createMemoryStore } from '../../operator/stores/memory';
import { openPlayers, type FilePlayer } from '../serve/players';
import type { Player } from '../../proof/demo/scenarios';
import type { Identity } from './identity';
import { type OpenPort, openPort } from './listen';

/** The wallet in memory that stands in where none is given. */
export interface OwnWallet {
  readonly url: string;
  /** Opens a player who did not exist, with 1000.00. */
  newPlayer(): Promise<Player>;
  close(): Promise<void>;
}

/** Minor units. */
const newBalance = '100000';

/** Who plays where no file says it. */
export const defaultPlayers: readonly FilePlayer[] = ['ann', 'bob'].map((playerId) => ({
  playerId,
  currency: 'EUR',
  balances: { real: newBalance },
}));

/** Starts the kit's own wallet on a free port of this machine. */
export async function startWallet(
  { id: operatorId, secret }: Identity,
  players: readonly FilePlayer[],
  file: string,
): Promise<OwnWallet> {
  const store = createMemoryStore();
  const operators = [{ operatorId, secrets: [secret] }];
  const handler = createOperatorHandler({ store, operators });
  await openPlayers(store, operators, players, file);
  const port: OpenPort = await openPort(0, '127.0.0.1');
  port.serve(handler.handle);
  let count = 0;
  return {
    url: port.url,
    async newPlayer() {
      const player = { playerId: `player-${++count}`, currency: 'EUR' };
      await openPlayers(
        store,
        operators,
        [{ ...player, balances: { real: newBalance } }],
        'players',
      );
      return player;
    },
    async close() {
      await port.close();
      await handler.close();
      await store.close();
    },
  };
}
