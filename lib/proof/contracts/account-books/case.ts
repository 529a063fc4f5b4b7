import assert from 'node:assert/strict';
import type {
  AccountStore,
  Actor,
  CashMovement,
  CashPageResult,
  AccountBooks,
  CashQuery,
  PlayerKey,
  Players,
} from '../../../operator/wallet';

/** A store with every method that its books need. */
export interface BookStore extends AccountStore {
  readonly players: Players & Required<Pick<Players, 'correct' | 'cash' | 'books'>>;
}

/** A person. */
export const maria: Actor = Object.freeze({ id: 'maria', name: 'Maria Muster' });

/** A page of a player's cash, which must be known. */
export async function pageOf(
  players: BookStore['players'],
  player: PlayerKey,
  query?: CashQuery,
): Promise<Extract<CashPageResult, { kind: 'known' }>> {
  const page = await players.cash(player, query);
  assert.ok(page.kind === 'known', `the cash must be known, not ${page.kind}`);
  return page;
}

/** All movements of a player, newest first, in pages of this size. */
export async function allCash(
  players: BookStore['players'],
  player: PlayerKey,
  limit = 50,
): Promise<readonly CashMovement[]> {
  const all: CashMovement[] = [];
  let before: string | null = null;
  do {
    const page = await pageOf(players, player, { limit, ...(before === null ? {} : { before }) });
    all.push(...page.movements);
    assert.ok(page.movements.length <= limit, 'a page must not be longer than its limit');
    before = page.next;
  } while (before !== null);
  return all;
}

/** The books of a player by currency. */
export async function booksOf(
  players: BookStore['players'],
  { operatorId, playerId }: PlayerKey,
): Promise<ReadonlyMap<string, AccountBooks>> {
  const all = new Map<string, AccountBooks>();
  for await (const books of players.books({ operatorId, playerId })) {
    assert.ok(!all.has(books.currency), 'an account has its books once');
    all.set(books.currency, books);
  }
  return all;
}

/** The player of a round alone. */
export function keyOf({ operatorId, playerId }: PlayerKey): PlayerKey {
  return { operatorId, playerId };
}
