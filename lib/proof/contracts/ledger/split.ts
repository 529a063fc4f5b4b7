import assert from 'node:assert/strict';
import { emptyPurse, subtractPurses } from '../../../protocol/money';
import { open, playerWith } from '../case';
import { bonusFunds, type Funds, nameOf, realFunds, splitRowsOf } from '../split-table';
import type { Case } from '../suite';
import { assertDone, assertRefused, debitOf, type RetryingLedger } from './case';

/** Who pays a debit without a bonus balance: real money, whatever the requested order. */
export function realSplitRules(check: Case<RetryingLedger>): void {
  for (const funds of realFunds) checkSplit(check, funds);
}

/** Who pays a debit: each amount, order and balance as `splitDebit` says. */
export function bonusSplitRules(check: Case<RetryingLedger>): void {
  for (const funds of bonusFunds) checkSplit(check, funds);

  check('bonus money of another currency pays nothing: else it buys stakes', async (ledger) => {
    const player = await playerWith(ledger.players, 10n);
    await open(ledger.players, player, 'USD', 0n, 100n);
    assertRefused(await ledger.debit(debitOf(player, 11n, { bonusFirst: true })), 'tooLow');
    assertDone(await ledger.debit(debitOf(player, 10n, { bonusFirst: true })), 10n);
    assert.deepEqual(await ledger.purse(player, 'USD'), { real: 0n, bonus: 100n });
  });
}

/** Each debit of the table is posted, compared and reversed. */
function checkSplit(check: Case<RetryingLedger>, funds: Funds): void {
  const breaks = 'else the wrong balance pays';
  check(`debits of ${nameOf(funds)} are split as splitDebit says: ${breaks}`, async (ledger) => {
    const player = await playerWith(ledger.players, funds.real, funds.bonus ?? undefined);
    const before = { real: funds.real, bonus: funds.bonus ?? 0n };
    for (const { amount, bonusFirst, takes, name } of splitRowsOf(funds)) {
      const debit = debitOf(player, amount, { bonusFirst });
      const answer = await ledger.debit(debit);
      if (takes === null) assertRefused(answer, 'tooLow');
      else assert.deepEqual(assertDone(answer, amount), takes, name);
      const after = subtractPurses(before, takes ?? emptyPurse);
      assert.deepEqual(await ledger.purse(player), after, name);
      await ledger.reverse(debit);
    }
    assert.deepEqual(await ledger.purse(player), before);
  });
}
