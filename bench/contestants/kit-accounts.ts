import type { AccountStore, FullStore, WalletStore } from '../../lib/operator/wallet';
import {
  currency,
  limitAmount,
  operatorId as usualOperator,
  secret,
  startCents,
  threeLimits,
} from '../terms';

/** Who may call a contestant that is made with the kit. */
export const operators = [{ operatorId: usualOperator, secrets: [secret] }];

const opensAtOnce = 50;

/** Opens the players in a store of the kit, and closes it. */
export async function openInStore(
  store: AccountStore,
  players: readonly string[],
  operatorId = usualOperator,
): Promise<void> {
  try {
    await store.ready();
    const balances = { real: (startCents / 100).toFixed(2) };
    for (let at = 0; at < players.length; at += opensAtOnce) {
      const batch = players.slice(at, at + opensAtOnce);
      const results = await Promise.all(
        batch.map((playerId) =>
          store.players.openPlayer({ operatorId, playerId, currency, balances }),
        ),
      );
      if (results.some(({ kind }) => kind !== 'opened')) throw new Error('a player is not opened');
    }
  } finally {
    await store.close();
  }
}

/** Gives each player three limits in a store of the kit, and closes it. */
export async function limitInStore(store: FullStore, players: readonly string[]): Promise<void> {
  try {
    await store.ready();
    for (const playerId of players) {
      for (const [kind, window] of threeLimits) {
        const order = { kind, window, currency, amount: limitAmount };
        const player = { operatorId: usualOperator, playerId };
        const { kind: answer } = await store.players.setLimit(player, order);
        if (answer !== 'done') throw new Error(`a limit was answered ${answer}`);
      }
    }
  } finally {
    await store.close();
  }
}

/** What each player has in a store of the kit, in cents; closes the store. */
export async function balancesInStore(
  store: AccountStore,
  players: readonly string[],
  operatorId = usualOperator,
): Promise<number[]> {
  try {
    await store.ready();
    const found: number[] = [];
    for (const playerId of players) {
      const result = await store.rounds.accounts({ operatorId, playerId });
      if (result.kind === 'unknown') throw result.cause;
      const [account] = result.accounts ?? [];
      found.push(Number(account?.real) / 10 ** (store.decimals - 2));
    }
    return found;
  } finally {
    await store.close();
  }
}

/** The store as one that cannot follow: a call that goes on with a round takes a load and a commit. */
export function withoutFollowUps(store: WalletStore): WalletStore {
  Object.defineProperty(store.rounds, 'follow', { value: undefined });
  return store;
}
