import { describe, expect, test } from '@jest/globals';

import type { RoundChange } from '../../../lib/operator/gameround';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { Account, AccountsResult, Rounds } from '../../../lib/operator/wallet';
import { freshId } from '../../../lib/proof/subject/runner';
import { toContractWallet } from '../../../lib/proof/subject/players';
import type { History } from '../../../lib/proof/histories/action';
import { PlayerBook } from '../../../lib/proof/histories/player';
import { runHistory } from '../../../lib/proof/histories/run';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';

const money = { currency: 'EUR', serial: null } as const;
const debit: Transaction = {
  type: 'debit',
  hash: 'd0',
  isFirstDebit: true,
  amount: 10n,
  discount: 0n,
  ...money,
};
const credit: Transaction = { type: 'credit', hash: 'c0', amount: 25n, ...money };
const voiding: Transaction = { type: 'void', hash: 'd0', amount: null, currency: null };

/** A player with 100, a call, and a read of the accounts while it is in progress. */
function historyOf(transactions: readonly Transaction[]): History {
  return {
    policy: { useBonusFirst: false, creditTo: 'real' },
    players: [{ real: 100n, bonus: null, dollars: false }],
    batches: [
      [
        { kind: 'call', player: 0, round: 0, transactions },
        { kind: 'read', player: 0 },
      ],
    ],
  };
}

type Seams = Pick<Rounds, 'accounts' | 'commit'>;

/** Plays the history to a memory store that has some methods replaced. */
async function play(history: History, change: (kept: Seams) => Partial<Seams>): Promise<void> {
  const store = createMemoryStore();
  const { rounds } = store;
  const [accounts, commit] = [rounds.accounts.bind(rounds), rounds.commit.bind(rounds)];
  Object.assign(rounds, change({ accounts, commit }));
  await runHistory(toContractWallet(store), freshId('operator'), history);
}

/** The first read of accounts sees this much real money at a commit; later ones see what is there. */
function showing(units: bigint, isAt: (change: RoundChange) => boolean) {
  return ({ commit, accounts }: Seams): Seams => {
    let show: ((result: AccountsResult) => void) | null = null;
    return {
      accounts: (player) => {
        return show === null ? new Promise((resolve) => (show = resolve)) : accounts(player);
      },
      commit: (round, change) => {
        if (isAt(change)) show?.({ kind: 'known', accounts: [euros(units)] });
        return commit(round, change);
      },
    };
  };
}

const euros = (real: bigint): Account => ({ currency: 'EUR', real, bonus: null });
const takes = ({ movements }: RoundChange) => movements.some(({ kind }) => kind === 'take');
const reverses = ({ movements }: RoundChange) => movements.some(({ kind }) => kind === 'reverse');

describe('a store that keeps the money fails the histories (O10)', () => {
  test('if a read sees the accounts between two movements of one commit', async () => {
    const playing = play(historyOf([debit, credit]), showing(90n, takes));
    await expect(playing).rejects.toThrow('O10: EUR 90 real 0 bonus was seen');
  });

  test('if a read sees the accounts between two movements of the first of two commits', async () => {
    const playing = play(historyOf([debit, credit, voiding]), showing(90n, takes));
    await expect(playing).rejects.toThrow('O10: EUR 90 real 0 bonus was seen');
  });

  test('if a commit answers the accounts as they were before it', async () => {
    const playing = play(historyOf([debit, credit]), ({ commit, accounts }) => ({
      commit: async (round, change) => {
        const before = await accounts(round);
        const result = await commit(round, change);
        if (result.kind !== 'committed' || before.kind !== 'known') return result;
        return { kind: 'committed', accounts: before.accounts };
      },
    }));
    await expect(playing).rejects.toThrow('O10: EUR 100 real 0 bonus was seen');
  });

  test('if a commit answers the accounts without its last movement', async () => {
    const playing = play(historyOf([debit, credit]), ({ commit }) => ({
      commit: async (round, change) => {
        const result = await commit(round, change);
        return result.kind === 'committed' && takes(change)
          ? { kind: 'committed', accounts: [euros(90n)] }
          : result;
      },
    }));
    await expect(playing).rejects.toThrow('O10: EUR 90 real 0 bonus was seen');
  });
});

/** Notes work that took 10 of 100, and settles with all 100 there. */
function settleUnmoved(movesApart: boolean): void {
  const book = new PlayerBook({ real: 100n, bonus: null, dollars: false }, movesApart);
  book.did({ stages: [[new Map([['EUR', { real: -10n, bonus: 0n }]])]] });
  book.settle([euros(100n)]);
}

test('commits that nobody saw are in the accounts once nothing is in progress (O10)', () => {
  expect(() => settleUnmoved(false)).toThrow('O10: EUR 100 real 0 bonus was seen');
  expect(() => settleUnmoved(true)).not.toThrow();
});

describe('a store that keeps the money passes the histories (O10)', () => {
  test('if a read sees the accounts before a commit', async () => {
    await play(historyOf([debit, credit]), showing(100n, takes));
  });

  test('if a read sees the accounts between two commits of one call', async () => {
    await play(historyOf([debit, credit, voiding]), showing(115n, reverses));
  });
});
