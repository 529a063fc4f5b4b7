import assert from 'node:assert/strict';
import { countKinds, playerWith } from '../case';
import type { Case } from '../suite';
import { assertDone, assertRefused, atOnce, creditOf, debitOf, type LedgerDesk } from './case';

/** Reversals: what was voided nets to zero, whatever the order of arrival. */
export function reversalRules(check: Case<LedgerDesk>): void {
  check('a debit is given back once: else a void pays twice', async (desk) => {
    const player = await playerWith(desk.players, 100n);
    const debit = debitOf(player, 30n);
    assertDone(await desk.debit(debit), 30n);
    await desk.reverse(debit);
    await desk.reverse(debit);
    assert.deepEqual(await desk.purse(player), { real: 100n, bonus: 0n });
  });

  check('a credit is taken back once: else a void takes twice', async (desk) => {
    const player = await playerWith(desk.players, 100n);
    const credit = creditOf(player, 30n);
    assertDone(await desk.credit(credit));
    await desk.reverse(credit);
    await desk.reverse(credit);
    assert.deepEqual(await desk.purse(player), { real: 100n, bonus: 0n });
  });

  check('20 concurrent reversals of a key move once: else a resent void doubles', async (desk) => {
    const player = await playerWith(desk.players, 100n);
    const [debit, credit] = [debitOf(player, 30n), creditOf(player, 7n)];
    assertDone(await desk.debit(debit), 30n);
    assertDone(await desk.credit(credit));
    await Promise.all([
      atOnce(20, () => desk.reverse(debit)),
      atOnce(20, () => desk.reverse(credit)),
    ]);
    assert.deepEqual(await desk.purse(player), { real: 100n, bonus: 0n });
  });

  check('a reversed key is refused: else a late repeat takes it again', async (desk) => {
    const player = await playerWith(desk.players, 100n);
    const [debit, credit] = [debitOf(player, 30n), creditOf(player, 7n)];
    assertDone(await desk.debit(debit), 30n);
    assertDone(await desk.credit(credit));
    await desk.reverse(debit);
    await desk.reverse(credit);
    assertRefused(await desk.debit(debit));
    assertRefused(await desk.credit(credit));
    assert.deepEqual(await desk.purse(player), { real: 100n, bonus: 0n });
  });

  check('what arrives after its reversal is refused: else it is taken for good', async (desk) => {
    const player = await playerWith(desk.players, 100n);
    const [debit, credit] = [debitOf(player, 30n), creditOf(player, 7n)];
    await desk.reverse(debit);
    await desk.reverse(credit);
    assertRefused(await desk.debit(debit));
    assertRefused(await desk.credit(credit));
    await desk.reverse(debit);
    assertRefused(await desk.debit(debit));
    assert.deepEqual(await desk.purse(player), { real: 100n, bonus: 0n });
  });

  check('the reversal of a refused key moves nothing: else a void gives money', async (desk) => {
    const player = await playerWith(desk.players, 10n);
    const debit = debitOf(player, 30n);
    assertRefused(await desk.debit(debit), 'tooLow');
    await desk.reverse(debit);
    assert.deepEqual(await desk.purse(player), { real: 10n, bonus: 0n });
    assertRefused(await desk.debit(debit));
  });

  check('a reversal for an unknown player is done: else its void never ends', async (desk) => {
    const known = await playerWith(desk.players, 10n);
    const debit = debitOf({ ...known, playerId: `${known.playerId}-later` }, 5n);
    await desk.reverse(debit);
    const { operatorId, playerId } = debit;
    const balances = { real: { units: 100n } };
    await desk.players.openPlayer({ operatorId, playerId, currency: 'EUR', balances });
    assertRefused(await desk.debit(debit));
    assert.deepEqual(await desk.purse(debit), { real: 100n, bonus: 0n });
  });

  check('a concurrent posting and reversal net to zero: else a race costs money', async (desk) => {
    const player = await playerWith(desk.players, 1000n);
    const rounds = Array.from({ length: 10 }, () => ({
      debit: debitOf(player, 30n),
      credit: creditOf(player, 7n),
    }));
    await Promise.all(
      rounds.flatMap(({ debit, credit }, at) => [
        ...(at % 2 === 0 ? [desk.debit(debit), desk.reverse(debit)] : []),
        ...(at % 2 === 1 ? [desk.reverse(debit), desk.debit(debit)] : []),
        desk.debit(debit),
        desk.credit(credit),
        desk.reverse(credit),
        desk.credit(credit),
      ]),
    );
    assert.deepEqual(await desk.purse(player), { real: 1000n, bonus: 0n });
    for (const { debit, credit } of rounds) {
      assertRefused(await desk.debit(debit));
      assertRefused(await desk.credit(credit));
    }
    assert.deepEqual(await desk.purse(player), { real: 1000n, bonus: 0n });
  });

  check('a credit is taken back below zero: else a spent payout is kept', async (desk) => {
    const player = await playerWith(desk.players, 0n);
    const credit = creditOf(player, 30n);
    assertDone(await desk.credit(credit));
    assertDone(await desk.debit(debitOf(player, 25n)), 25n);
    await desk.reverse(credit);
    assert.deepEqual(await desk.purse(player), { real: -25n, bonus: 0n });
    assertRefused(await desk.debit(debitOf(player, 1n)), 'tooLow');
    assertDone(await desk.credit(creditOf(player, 30n)));
    assert.deepEqual(await desk.purse(player), { real: 5n, bonus: 0n });
  });

  check('a blocked player gets a stake back: else a void waits for a clerk', async (desk) => {
    const player = await playerWith(desk.players, 100n);
    const debit = debitOf(player, 30n);
    assertDone(await desk.debit(debit), 30n);
    await desk.players.setBlocked(player, true);
    await desk.reverse(debit);
    assert.deepEqual(await desk.purse(player), { real: 100n, bonus: 0n });
  });

  check('a reversal touches no other key: else a void undoes another round', async (desk) => {
    const player = await playerWith(desk.players, 100n);
    const debits = [debitOf(player, 10n), debitOf(player, 20n), debitOf(player, 30n)] as const;
    const answers = await Promise.all(debits.map((debit) => desk.debit(debit)));
    assert.deepEqual(countKinds(answers), { done: 3 });
    await desk.reverse(debits[1]);
    assert.deepEqual(await desk.purse(player), { real: 60n, bonus: 0n });
    assertDone(await desk.debit(debits[0]), 10n);
    assertDone(await desk.debit(debits[2]), 30n);
    assert.deepEqual(await desk.purse(player), { real: 60n, bonus: 0n });
  });
}
