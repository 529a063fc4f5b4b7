import assert from 'node:assert/strict';
import type { Debit } from '../../../protocol/operator-api';
import type { RoundKey } from '../../../operator/wallet';
import { voidOf } from '../../subject/voided-call';
import { sendCall } from '../../subject/voided-call';
import { playerWith, purseOf, snapshotOf } from '../case';
import { real } from '../changes';
import type { ContractWallet } from '../../subject/players';
import type { Case } from '../suite';

const plain = Object.freeze({ useBonusFirst: false, creditTo: 'real' });

/** Debits without `isFirstDebit`: the first, where the round has no accepted first debit (D2.3). */
export function unsaidRules(check: Case<ContractWallet>): void {
  check(
    'a debit that does not say so is the first one behind a first debit that is declined (D2.3, D5.4)',
    async (wallet) => {
      const round = await playerWith(wallet.players, 100n);
      const call = [debit('d', 101n, true), debit('e', 20n, null)];
      const declined = ['BALANCETOOLOW', 'DEBITFAILEDBEFORE'];
      assert.deepEqual(await answersTo(wallet, round, call), declined);
      assert.equal((await snapshotOf(wallet.store, round)).head.state, 'closed');
      for (const [isFirst, answer] of [
        [true, 'DEBITFAILEDBEFORE'],
        [false, 'TRANSACTIONALREADYEXISTS'],
      ] as const) {
        assert.deepEqual(await answersTo(wallet, round, [debit('e', 20n, isFirst)]), [answer]);
      }
      assert.deepEqual(await answersTo(wallet, round, [voidOf('e')]), ['processed']);
      assert.equal((await snapshotOf(wallet.store, round)).head.state, 'voided');
      const late = await answersTo(wallet, round, [debit('f', 5n, true)]);
      assert.deepEqual(late, ['GAMEROUNDVOIDED']);
      assert.deepEqual(await purseOf(wallet.store, round), real(100n));
    },
  );

  check(
    'a debit that does not say so is a follow-up behind a first debit that is accepted (D2.3)',
    async (wallet) => {
      const round = await playerWith(wallet.players, 100n);
      for (const amount of [20n, 500n]) {
        const call = [debit('d', 50n, true), debit(`e${amount}`, amount, null)];
        const answer = amount === 20n ? 'processed' : 'BALANCETOOLOW';
        assert.deepEqual(await answersTo(wallet, round, call), ['processed', answer]);
        await answersTo(wallet, round, [voidOf(`e${amount}`)]);
        assert.equal((await snapshotOf(wallet.store, round)).head.state, 'open');
        assert.deepEqual(await purseOf(wallet.store, round), real(50n));
      }
    },
  );
}

async function answersTo(
  wallet: ContractWallet,
  round: RoundKey,
  transactions: Parameters<typeof sendCall>[2],
): Promise<string[]> {
  const { verdicts, unknown } = await sendCall(wallet, round, transactions, plain);
  assert.equal(unknown?.cause.message ?? null, null, 'the call must be answered');
  return verdicts.map((one) => (one.outcome === 'refused' ? one.code : one.outcome));
}

function debit(hash: string, amount: bigint, isFirstDebit: boolean | null): Debit {
  const usual = { currency: 'EUR', discount: 0n, serial: null };
  return { type: 'debit', hash, amount, isFirstDebit, ...usual };
}
