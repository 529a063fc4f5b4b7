import assert from 'node:assert/strict';
import { countKinds, playerWith } from '../case';
import type { Case } from '../suite';
import { assertDone, assertRefused, atOnce, creditOf, debitOf, type RetryingLedger } from './case';

/** Reversals: what was voided nets to zero, whatever the order of arrival. */
export function reversalRules(it: Case<RetryingLedger>): void {
  it('a debit is given back once: else a void pays twice', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    const debit = debitOf(player, 30n);
    assertDone(await ledger.debit(debit), 30n);
    await ledger.reverse(debit);
    await ledger.reverse(debit);
    assert.deepEqual(await ledger.purse(player), { real: 100n, bonus: 0n });
  });

  it('a credit is taken back once: else a void takes twice', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    const credit = creditOf(player, 30n);
    assertDone(await ledger.credit(credit));
    await ledger.reverse(credit);
    await ledger.reverse(credit);
    assert.deepEqual(await ledger.purse(player), { real: 100n, bonus: 0n });
  });

  it('20 concurrent reversals of a key move once: else a resent void doubles', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    const [debit, credit] = [debitOf(player, 30n), creditOf(player, 7n)];
    assertDone(await ledger.debit(debit), 30n);
    assertDone(await ledger.credit(credit));
    await Promise.all([
      atOnce(20, () => ledger.reverse(debit)),
      atOnce(20, () => ledger.reverse(credit)),
    ]);
    assert.deepEqual(await ledger.purse(player), { real: 100n, bonus: 0n });
  });

  it('a reversed key is refused: else a late repeat takes it again', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    const [debit, credit] = [debitOf(player, 30n), creditOf(player, 7n)];
    assertDone(await ledger.debit(debit), 30n);
    assertDone(await ledger.credit(credit));
    await ledger.reverse(debit);
    await ledger.reverse(credit);
    assertRefused(await ledger.debit(debit));
    assertRefused(await ledger.credit(credit));
    assert.deepEqual(await ledger.purse(player), { real: 100n, bonus: 0n });
  });

  it('what arrives after its reversal is refused: else it is taken for good', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    const [debit, credit] = [debitOf(player, 30n), creditOf(player, 7n)];
    await ledger.reverse(debit);
    await ledger.reverse(credit);
    assertRefused(await ledger.debit(debit));
    assertRefused(await ledger.credit(credit));
    await ledger.reverse(debit);
    assertRefused(await ledger.debit(debit));
    assert.deepEqual(await ledger.purse(player), { real: 100n, bonus: 0n });
  });

  it('the reversal of a refused key moves nothing: else a void gives money', async (ledger) => {
    const player = await playerWith(ledger.players, 10n);
    const debit = debitOf(player, 30n);
    assertRefused(await ledger.debit(debit), 'tooLow');
    await ledger.reverse(debit);
    assert.deepEqual(await ledger.purse(player), { real: 10n, bonus: 0n });
    assertRefused(await ledger.debit(debit));
  });

  it('a reversal for an unknown player is done: else its void never ends', async (ledger) => {
    const known = await playerWith(ledger.players, 10n);
    const debit = debitOf({ ...known, playerId: `${known.playerId}-later` }, 5n);
    await ledger.reverse(debit);
    const { operatorId, playerId } = debit;
    const balances = { real: { units: 100n } };
    await ledger.players.openPlayer({ operatorId, playerId, currency: 'EUR', balances });
    assertRefused(await ledger.debit(debit));
    assert.deepEqual(await ledger.purse(debit), { real: 100n, bonus: 0n });
  });

  it('a concurrent posting and reversal net to zero: else a race costs money', async (ledger) => {
    const player = await playerWith(ledger.players, 1000n);
    const rounds = Array.from({ length: 10 }, () => ({
      debit: debitOf(player, 30n),
      credit: creditOf(player, 7n),
    }));
    await Promise.all(
      rounds.flatMap(({ debit, credit }, at) => [
        ...(at % 2 === 0 ? [ledger.debit(debit), ledger.reverse(debit)] : []),
        ...(at % 2 === 1 ? [ledger.reverse(debit), ledger.debit(debit)] : []),
        ledger.debit(debit),
        ledger.credit(credit),
        ledger.reverse(credit),
        ledger.credit(credit),
      ]),
    );
    assert.deepEqual(await ledger.purse(player), { real: 1000n, bonus: 0n });
    for (const { debit, credit } of rounds) {
      assertRefused(await ledger.debit(debit));
      assertRefused(await ledger.credit(credit));
    }
    assert.deepEqual(await ledger.purse(player), { real: 1000n, bonus: 0n });
  });

  it('a credit is taken back below zero: else a spent payout is kept', async (ledger) => {
    const player = await playerWith(ledger.players, 0n);
    const credit = creditOf(player, 30n);
    assertDone(await ledger.credit(credit));
    assertDone(await ledger.debit(debitOf(player, 25n)), 25n);
    await ledger.reverse(credit);
    assert.deepEqual(await ledger.purse(player), { real: -25n, bonus: 0n });
    assertRefused(await ledger.debit(debitOf(player, 1n)), 'tooLow');
    assertDone(await ledger.credit(creditOf(player, 30n)));
    assert.deepEqual(await ledger.purse(player), { real: 5n, bonus: 0n });
  });

  it('a blocked player gets a stake back: else a void waits for a clerk', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    const debit = debitOf(player, 30n);
    assertDone(await ledger.debit(debit), 30n);
    await ledger.players.setBlocked(player, true);
    await ledger.reverse(debit);
    assert.deepEqual(await ledger.purse(player), { real: 100n, bonus: 0n });
  });

  it('a reversal touches no other key: else a void undoes another round', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    const debits = [debitOf(player, 10n), debitOf(player, 20n), debitOf(player, 30n)] as const;
    const answers = await Promise.all(debits.map((debit) => ledger.debit(debit)));
    assert.deepEqual(countKinds(answers), { done: 3 });
    await ledger.reverse(debits[1]);
    assert.deepEqual(await ledger.purse(player), { real: 60n, bonus: 0n });
    assertDone(await ledger.debit(debits[0]), 10n);
    assertDone(await ledger.debit(debits[2]), 30n);
    assert.deepEqual(await ledger.purse(player), { real: 60n, bonus: 0n });
  });
}
