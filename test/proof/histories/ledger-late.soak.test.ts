import { afterAll, describe, it } from '@jest/globals';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createMemoryLedger, walletStoreHistories } from '../../../lib/proof';
import { freshId } from '../../../lib/proof/subject/runner';
import type { ContractStoreOptions, ContractWallet } from '../../../lib/proof/subject/players';
import { generateHistory } from '../../../lib/proof/histories/generator';
import { runHistory } from '../../../lib/proof/histories/run';
import { withLateAnswers } from '../faults/late-answers';
import { testSeed } from '../../support/seed';
import type { Rounds } from '../../../lib/operator/wallet';

const runner = { describe, it, afterAll };

/** A ledger and a journal in memory with random delays. */
function createLateWallet(options: ContractStoreOptions): ContractWallet {
  const players = createMemoryLedger();
  const ledger = withLateAnswers(players, ['debit', 'credit', 'reverse', 'balances']);
  const kept = createMemoryStore(options);
  const rounds = withLateAnswers<Rounds>(kept.rounds, ['load', 'commit', 'readRound']);
  const journal = { ...kept, rounds };
  return { store: createLedgerStore({ ledger, journal }), players };
}

describe('over a ledger and a journal that answer late', () => {
  walletStoreHistories({ seed: testSeed, runner, createStore: createLateWallet });

  // Histories that found something once, where answers came in a certain order.
  const found: readonly (readonly [seed: number, what: string])[] = [
    [57178151, 'a pending debit that became another one as a second call started the round'],
    [1542508540, 'a pending debit that became another one as the debit before it was refused'],
    [931106124, 'the same, with a third call that was told of it'],
    [2094632064, 'a pending credit that a void dropped, and whose hash another content took'],
    [1117721763, 'a debit whose money stayed away from a round that was voided'],
    [478090140, 'voids of one call that were taken back in another order'],
    [912345870, 'a refusal that was recorded, and whose call was told of the void alone'],
    [12352110, 'a void that took back a debit and a credit of as much'],
    [6559, 'a credit that a void dropped, and whose own hash was voided before (D5.5)'],
  ];

  it.each(found)('keeps its books in history %d, again and again: %s', async (seed) => {
    const wallet = createLateWallet({ decimals: 4, retentionMs: 3_600_000 });
    const history = generateHistory(seed);
    let left = 100;
    const play = async (): Promise<void> => {
      while (left-- > 0) await runHistory(wallet, freshId('operator'), history);
    };
    await Promise.all(Array.from({ length: 10 }, play));
    await wallet.store.close();
  });
});
