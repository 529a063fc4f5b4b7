import assert from 'node:assert/strict';
import type {
  AccountStore,
  Actor,
  CashMovement,
  CashPageResult,
  AccountBooks,
  CashQuery,
  PlayerKey,
} from '../../../operator/wallet';

/** A store with every method that its books need. */
export type BookStore = AccountStore & Required<Pick<AccountStore, 'correct' | 'cash' | 'books'>>;

/** A person. */
export const maria: Actor = Object.freeze({ id: 'maria', name: 'Maria Muster' });

/** A page of a player's cash, which must be known. */
export async function pageOf(
  store: BookStore,
  player: PlayerKey,
  query?: CashQuery,
): Promise<Extract<CashPageResult, { kind: 'known' }>> {
  const page = await store.cash(player, query);
  assert.ok(page.kind === 'known', `the cash must be known, not ${page.kind}`);
  return page;
}

/** All movements of a player, newest first, in pages of this size. */
export async function allCash(
  store: BookStore,
  player: PlayerKey,
  limit = 50,
): Promise<readonly CashMovement[]> {
  const all: CashMovement[] = [];
  let before: string | null = null;
  do {
    const page = await pageOf(store, player, { limit, ...(before === null ? {} : { before }) });
    all.push(...page.movements);
    assert.ok(page.movements.length <= limit, 'a page must not be longer than its limit');
    before = page.next;
  } while (before !== null);
  return all;
}

/** The books of a player by currency. */
export async function booksOf(
  store: BookStore,
  { operatorId, playerId }: PlayerKey,
): Promise<ReadonlyMap<string, AccountBooks>> {
  const all = new Map<string, AccountBooks>();
  for await (const books of store.books({ operatorId, playerId })) {
    assert.ok(!all.has(books.currency), 'an account has its books once');
    all.set(books.currency, books);
  }
  return all;
}
