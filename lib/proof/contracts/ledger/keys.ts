import assert from 'node:assert/strict';
import { anotherRound, countKinds, playerWith } from '../case';
import type { Case } from '../suite';
import { assertDone, assertRefused, atOnce, creditOf, debitOf, type RetryingLedger } from './case';

/** Keys: a posting moves money once, however often and from wherever it is sent. */
export function keyRules(it: Case<RetryingLedger>): void {
  it('a debit moves once per key: else a stake is taken twice', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    const debit = debitOf(player, 30n);
    const first = assertDone(await ledger.debit(debit), 30n);
    await ledger.debit(debitOf(player, 5n));
    assert.deepEqual(assertDone(await ledger.debit(debit), 30n), first);
    assert.deepEqual(await ledger.purse(player), { real: 65n, bonus: 0n });
  });

  it('a known debit is done also when funds are gone: else it is lost', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    const debit = debitOf(player, 60n);
    assertDone(await ledger.debit(debit), 60n);
    assertDone(await ledger.debit(debitOf(player, 40n)), 40n);
    assertDone(await ledger.debit(debit), 60n);
    await ledger.players.setBlocked(player, true);
    assertDone(await ledger.debit(debit), 60n);
    assert.deepEqual(await ledger.purse(player), { real: 0n, bonus: 0n });
  });

  it('a credit moves once per key: else a payout is paid twice', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    const credit = creditOf(player, 30n);
    assertDone(await ledger.credit(credit));
    assertDone(await ledger.credit(credit));
    assert.deepEqual(await ledger.purse(player), { real: 130n, bonus: 0n });
  });

  it('another key moves again: else a second stake is free', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    assertDone(await ledger.debit(debitOf(player, 30n)), 30n);
    assertDone(await ledger.debit(debitOf(player, 30n)), 30n);
    assertDone(await ledger.debit(debitOf(anotherRound(player), 30n)), 30n);
    assert.deepEqual(await ledger.purse(player), { real: 10n, bonus: 0n });
  });

  it('a key is refused with another amount: else a forged repeat passes', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    const [debit, credit] = [debitOf(player, 30n), creditOf(player, 20n)];
    assertDone(await ledger.debit(debit), 30n);
    assertDone(await ledger.credit(credit));
    assertRefused(await ledger.debit({ ...debit, amount: 31n }));
    assertRefused(await ledger.credit({ ...credit, purse: { real: 21n, bonus: 0n } }));
    assertDone(await ledger.debit(debit), 30n);
    assert.deepEqual(await ledger.purse(player), { real: 90n, bonus: 0n });
  });

  it('a key is refused for another player: else one pays for the other', async (ledger) => {
    const [one, other] = [
      await playerWith(ledger.players, 100n),
      await playerWith(ledger.players, 9n),
    ];
    const { operatorId, playerId } = other;
    const [debit, credit] = [debitOf(one, 3n), creditOf(one, 2n)];
    assertDone(await ledger.debit(debit), 3n);
    assertDone(await ledger.credit(credit));
    assertRefused(await ledger.debit({ ...debit, operatorId, playerId }));
    assertRefused(await ledger.credit({ ...credit, operatorId, playerId }));
    assert.deepEqual(await ledger.purse(one), { real: 99n, bonus: 0n });
    assert.deepEqual(await ledger.purse(other), { real: 9n, bonus: 0n });
  });

  it('a key is refused for another kind: else a debit is reported as paid out', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    const [debit, credit] = [debitOf(player, 30n), creditOf(player, 20n)];
    assertDone(await ledger.debit(debit), 30n);
    assertDone(await ledger.credit(credit));
    assertRefused(await ledger.credit({ ...credit, key: debit.key }));
    assertRefused(await ledger.debit({ ...debit, key: credit.key }));
    assertRefused(await ledger.credit({ ...creditOf(player, 30n), ...nameOf(debit) }));
    assertRefused(await ledger.debit({ ...debitOf(player, 20n), ...nameOf(credit) }));
    assertRefused(await ledger.debit({ ...debit, currency: 'USD' }));
    assert.deepEqual(await ledger.purse(player), { real: 90n, bonus: 0n });
  });

  it('a refusal stays when funds come: else a declined stake is taken', async (ledger) => {
    const player = await playerWith(ledger.players, 10n);
    const debit = debitOf(player, 30n);
    assertRefused(await ledger.debit(debit), 'tooLow');
    assertDone(await ledger.credit(creditOf(player, 100n)));
    assertRefused(await ledger.debit(debit));
    assertDone(await ledger.debit(debitOf(player, 30n)), 30n);
    assert.deepEqual(await ledger.purse(player), { real: 80n, bonus: 0n });
  });

  it('a refusal stays when the block is lifted: else the same', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    const debit = debitOf(player, 30n);
    await ledger.players.setBlocked(player, true);
    assertRefused(await ledger.debit(debit), 'blocked');
    await ledger.players.setBlocked(player, false);
    assertRefused(await ledger.debit(debit));
    assert.deepEqual(await ledger.purse(player), { real: 100n, bonus: 0n });
  });

  it('a refusal stays when the account is opened: else the same', async (ledger) => {
    const known = await playerWith(ledger.players, 100n);
    const newPlayer = { ...anotherRound(known), playerId: `${known.playerId}-later` };
    const debit = debitOf(newPlayer, 30n);
    const abroad = debitOf(known, 30n, { currency: 'USD' });
    assertRefused(await ledger.debit(debit), 'noPlayer');
    assertRefused(await ledger.debit(abroad), 'noCurrency');
    const balances = { real: { units: 100n } };
    const { operatorId, playerId } = newPlayer;
    await ledger.players.openPlayer({ operatorId, playerId, currency: 'EUR', balances });
    await ledger.players.openPlayer({
      operatorId,
      playerId: known.playerId,
      currency: 'USD',
      balances,
    });
    assertRefused(await ledger.debit(debit));
    assertRefused(await ledger.debit(abroad));
    assert.deepEqual(await ledger.purse(newPlayer), { real: 100n, bonus: 0n });
    assert.deepEqual(await ledger.purse(known, 'USD'), { real: 100n, bonus: 0n });
  });
}

function nameOf({ key, hash }: { readonly key: string; readonly hash: string }) {
  return { key, hash };
}

/** Concurrency: several processes post at the same time. */
export function concurrencyRules(it: Case<RetryingLedger>): void {
  it('20 concurrent postings of a key move once: else a resend doubles', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    const [debit, credit] = [debitOf(player, 7n), creditOf(player, 3n)];
    const answers = await Promise.all([
      atOnce(20, () => ledger.debit(debit)),
      atOnce(20, () => ledger.credit(credit)),
    ]);
    assert.deepEqual(countKinds(answers.flat()), { done: 40 });
    assert.deepEqual(await ledger.purse(player), { real: 96n, bonus: 0n });
  });

  it('20 concurrent postings of a refused key are all refused: else two answers', async (ledger) => {
    const player = await playerWith(ledger.players, 6n);
    const debit = debitOf(player, 7n);
    const answers = await atOnce(20, () => ledger.debit(debit));
    assert.deepEqual(countKinds(answers), { refused: 20 });
    assert.deepEqual(await ledger.purse(player), { real: 6n, bonus: 0n });
  });

  it('20 concurrent debits take no more than the balance: else rounds overdraw', async (ledger) => {
    const player = await playerWith(ledger.players, 95n);
    const debits = Array.from({ length: 20 }, () => debitOf(anotherRound(player), 10n));
    const answers = await Promise.all(debits.map((debit) => ledger.debit(debit)));
    assert.deepEqual(countKinds(answers), { done: 9, refused: 11 });
    assert.deepEqual(await ledger.purse(player), { real: 5n, bonus: 0n });
    const again = await Promise.all(debits.map((debit) => ledger.debit(debit)));
    assert.deepEqual(
      again.map(({ kind }) => kind),
      answers.map(({ kind }) => kind),
    );
  });

  it('concurrent debits and credits lose no update: else a payout vanishes', async (ledger) => {
    const player = await playerWith(ledger.players, 1000n);
    await Promise.all([
      atOnce(20, async () => assertDone(await ledger.debit(debitOf(player, 10n)), 10n)),
      atOnce(20, async () => assertDone(await ledger.credit(creditOf(player, 3n)))),
      atOnce(20, () => ledger.accounts(player)),
    ]);
    assert.deepEqual(await ledger.purse(player), { real: 860n, bonus: 0n });
  });

  it('of two concurrent amounts under one key one is done: else both move', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    const debit = debitOf(player, 10n);
    const answers = await atOnce(20, (at) =>
      ledger.debit({ ...debit, amount: at % 2 === 0 ? 10n : 11n }),
    );
    assert.deepEqual(countKinds(answers), { done: 10, refused: 10 });
    const { real } = await ledger.purse(player);
    assert.ok(real === 90n || real === 89n, `one of both must have moved, and ${real} are left`);
  });
}
