import assert from 'node:assert/strict';
import type { AccountStoreContractOptions } from '../account-store/suite';
import { defineSuite, type Rules } from '../suite';
import { booksRules } from './books';
import type { BookStore } from './case';
import { correctionRules, movementRules } from './movements';
import { pageRules } from './pages';

const rules: Rules<BookStore> = {
  movements: movementRules,
  corrections: correctionRules,
  'the list of cash': pageRules,
  'the books': booksRules,
};

/** The optional methods of the players that the suite demands. */
const needed = ['correct', 'cash', 'books'] as const;

/**
 * Defines what a store must pass in addition to `accountStoreContract` so that its books are complete: each
 * movement of cash is recorded and listed, with who and why, and what an account holds is its cash and its
 * rounds to the unit. It needs the optional methods `correct`, `cash` and `books`; a store without them does without this suite. No case can be left out.
 */
export function accountBooksContract({ runner, createStore }: AccountStoreContractOptions): void {
  defineSuite(runner, 'a store with complete books', rules, {
    make: async (options) => {
      const store = await createStore(options);
      for (const name of needed) {
        assert.ok(store.players[name] !== undefined, `the players have no ${name}`);
      }
      await store.ready();
      return store as BookStore;
    },
    close: (store) => store.close(),
  });
}
