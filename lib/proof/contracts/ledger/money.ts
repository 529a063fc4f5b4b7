import assert from 'node:assert/strict';
import { maxUnits } from '../../../protocol/money/amount';
import { emptyPurse, subtractPurses } from '../../../protocol/money/purse';
import { anotherRound, freshRound, open, orderOf, playerWith } from '../case';
import { freshId } from '../../subject/runner';
import { sorted } from '../../subject/players';
import type { Case } from '../suite';
import { assertDone, assertRefused, creditOf, debitOf, type RetryingLedger } from './case';
import { bonusFunds, type Funds, nameOf, realFunds, splitRowsOf } from '../split-table';

/** Who may play, and with which money. */
export function accountRules(it: Case<RetryingLedger>): void {
  it('a debit takes up to the whole balance and no more: else players overdraw', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    assertRefused(await ledger.debit(debitOf(player, 101n)), 'tooLow');
    assertDone(await ledger.debit(debitOf(player, 100n)), 100n);
    assertRefused(await ledger.debit(debitOf(player, 1n)), 'tooLow');
    assert.deepEqual(await ledger.purse(player), { real: 0n, bonus: 0n });
  });

  it('a blocked player is not debited, and is paid: else a payout is kept', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    await ledger.players.setBlocked(player, true);
    assertRefused(await ledger.debit(debitOf(player, 10n)), 'blocked');
    assertRefused(await ledger.debit(debitOf(player, 0n)), 'blocked');
    assertDone(await ledger.credit(creditOf(player, 7n)));
    await ledger.players.setBlocked(player, false);
    assertDone(await ledger.debit(debitOf(player, 107n)), 107n);
  });

  it('a debit of 0 is done even without funds: else free plays fail', async (ledger) => {
    const player = await playerWith(ledger.players, 0n);
    const debit = debitOf(player, 0n);
    assertDone(await ledger.debit(debit), 0n);
    assertDone(await ledger.debit(debit), 0n);
    await ledger.reverse(debit);
    assertRefused(await ledger.debit(debit));
    assert.deepEqual(await ledger.purse(player), { real: 0n, bonus: 0n });
  });

  it('an unknown player is refused as noPlayer: else the RGS gets a wrong error', async (ledger) => {
    const unknownPlayer = freshRound();
    assertRefused(await ledger.debit(debitOf(unknownPlayer, 1n)), 'noPlayer');
    assertRefused(await ledger.debit(debitOf(unknownPlayer, 0n)), 'noPlayer');
    assertRefused(await ledger.credit(creditOf(unknownPlayer, 1n)), 'noPlayer');
    assert.equal(await ledger.accounts(unknownPlayer), null);
  });

  it('a currency without an account is noCurrency: else one pays another', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    assertRefused(await ledger.debit(debitOf(player, 1n, { currency: 'USD' })), 'noCurrency');
    assertRefused(await ledger.credit(creditOf(player, 1n, { currency: 'USD' })), 'noCurrency');
    assert.equal((await ledger.accounts(player))?.length, 1);
  });

  it('currencies are apart: else euros pay for dollars', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    await open(ledger.players, player, 'USD', 50n);
    assertRefused(await ledger.debit(debitOf(player, 60n, { currency: 'USD' })), 'tooLow');
    assertDone(await ledger.debit(debitOf(player, 50n, { currency: 'USD' })), 50n);
    assertDone(await ledger.credit(creditOf(player, 8n, { currency: 'USD' })));
    assert.deepEqual(await ledger.purse(player), { real: 100n, bonus: 0n });
    assert.deepEqual(await ledger.purse(player, 'USD'), { real: 8n, bonus: 0n });
  });

  it('the accounts of an answer are those of balances: else a wrong balance is shown', async (ledger) => {
    const player = await playerWith(ledger.players, 100n);
    await open(ledger.players, player, 'USD', 50n);
    const [debit, credit] = [debitOf(player, 30n), creditOf(player, 8n, { currency: 'USD' })];
    const posts = [() => ledger.debit(debit), () => ledger.credit(credit)];
    for (const post of [...posts, ...posts]) {
      const answer = await post();
      assertDone(answer, 30n);
      if (answer.kind !== 'done' || answer.accounts === undefined) continue;
      assert.deepEqual(sorted(answer.accounts), await ledger.accounts(player));
    }
  });

  it('cash and postings meet in one balance: else money is in two places', async (ledger) => {
    const player = await playerWith(ledger.players, 10n);
    await ledger.players.deposit(orderOf(player, 90n));
    assertDone(await ledger.debit(debitOf(player, 60n)), 60n);
    assert.equal((await ledger.players.withdraw(orderOf(player, 41n))).kind, 'refused');
    assert.equal((await ledger.players.withdraw(orderOf(player, 40n))).kind, 'done');
    assert.deepEqual(await ledger.purse(player), { real: 0n, bonus: 0n });
  });
}

const oddIds = [
  "o'brien",
  '"; DROP TABLE accounts; --',
  'a/b?c=d&e=%2F..',
  '{tag}:*',
  ' blank ',
  'ÄÖ-ж-漢字-🎰',
  '__proto__',
  'anna',
  'Anna',
  'x'.repeat(128),
];

/** Whose money it is: identifiers, tenants, and amounts to the last unit. */
export function identityRules(it: Case<RetryingLedger>): void {
  it('operators are apart: else one’s player plays on another’s money', async (ledger) => {
    const one = await playerWith(ledger.players, 100n);
    const other = { ...one, operatorId: freshId('operator') };
    assertRefused(await ledger.debit(debitOf(other, 1n)), 'noPlayer');
    await open(ledger.players, other, 'EUR', 5n);
    assertDone(await ledger.debit(debitOf(one, 30n)), 30n);
    assertDone(await ledger.debit(debitOf(other, 5n)), 5n);
    await ledger.players.setBlocked(other, true);
    assertDone(await ledger.debit(debitOf(one, 1n)), 1n);
    assert.deepEqual(await ledger.purse(one), { real: 69n, bonus: 0n });
    assert.deepEqual(await ledger.purse(other), { real: 0n, bonus: 0n });
  });

  it('any identifier is kept as it is: else two players share an account', async (ledger) => {
    const { operatorId } = freshRound();
    for (const [at, id] of oddIds.entries()) {
      const round = { operatorId, playerId: id, gameRound: id };
      await open(ledger.players, round, 'EUR', BigInt(100 + at));
      const debit = debitOf(round, 10n, { hash: id });
      assertDone(await ledger.debit(debit), 10n);
      assertDone(await ledger.debit(debit), 10n);
      await ledger.reverse(debit);
      assertDone(await ledger.credit(creditOf(round, 1n, { hash: id })));
    }
    for (const [at, playerId] of oddIds.entries()) {
      const has = await ledger.purse({ operatorId, playerId });
      assert.deepEqual(has, { real: BigInt(101 + at), bonus: 0n }, `the player ${playerId}`);
    }
    assert.equal(await ledger.accounts({ operatorId, playerId: 'blank' }), null);
  });

  it('amounts are exact up to 2^53-1 units: else large ones lose a unit', async (ledger) => {
    const player = await playerWith(ledger.players, maxUnits);
    const debit = debitOf(player, maxUnits);
    assertDone(await ledger.debit(debit), maxUnits);
    assert.deepEqual(await ledger.purse(player), { real: 0n, bonus: 0n });
    assertDone(await ledger.credit(creditOf(player, maxUnits - 1n)));
    assertDone(await ledger.debit(debitOf(player, maxUnits - 2n)), maxUnits - 2n);
    assert.deepEqual(await ledger.purse(player), { real: 1n, bonus: 0n });
    assertDone(await ledger.debit(debit), maxUnits);
  });

  it('a credit beyond 2^53-1 units is outOfRange: else a balance overflows', async (ledger) => {
    const player = await playerWith(ledger.players, maxUnits - 5n);
    const credit = creditOf(player, 6n);
    assertRefused(await ledger.credit(credit), 'outOfRange');
    assertDone(await ledger.credit(creditOf(player, 5n)));
    assert.deepEqual(await ledger.purse(player), { real: maxUnits, bonus: 0n });
    assertDone(await ledger.debit(debitOf(anotherRound(player), 100n)), 100n);
    assertRefused(await ledger.credit(credit));
    assert.deepEqual(await ledger.purse(player), { real: maxUnits - 100n, bonus: 0n });
  });
}

/** Real and bonus money: each gets back what it gave. */
export function bonusRules(it: Case<RetryingLedger>): void {
  it('real money pays first, then bonus: else the wrong balance pays', async (ledger) => {
    const player = await playerWith(ledger.players, 30n, 50n);
    const debit = debitOf(player, 40n);
    assert.deepEqual(assertDone(await ledger.debit(debit), 40n), { real: 30n, bonus: 10n });
    assert.deepEqual(await ledger.purse(player), { real: 0n, bonus: 40n });
  });

  it('bonus money pays first if asked: else a bonus is never used', async (ledger) => {
    const player = await playerWith(ledger.players, 30n, 50n);
    const debit = debitOf(player, 60n, { bonusFirst: true });
    assert.deepEqual(assertDone(await ledger.debit(debit), 60n), { real: 10n, bonus: 50n });
    assert.deepEqual(await ledger.purse(player), { real: 20n, bonus: 0n });
  });

  it('a repeat reports the same split after balances changed: else books differ', async (ledger) => {
    const player = await playerWith(ledger.players, 30n, 50n);
    const debit = debitOf(player, 40n);
    assertDone(await ledger.debit(debit), 40n);
    await ledger.players.deposit(orderOf(player, 100n));
    assert.deepEqual(assertDone(await ledger.debit(debit), 40n), { real: 30n, bonus: 10n });
    assert.deepEqual(await ledger.purse(player), { real: 100n, bonus: 40n });
  });

  it('each balance gets back what it gave: else bonus turns into cash', async (ledger) => {
    const player = await playerWith(ledger.players, 30n, 50n);
    const debit = debitOf(player, 60n, { bonusFirst: true });
    assertDone(await ledger.debit(debit), 60n);
    await ledger.players.deposit(orderOf(player, 5n));
    await ledger.reverse(debit);
    assert.deepEqual(await ledger.purse(player), { real: 35n, bonus: 50n });
  });

  it('a credit and its reversal keep the given split: else bonus is cashed', async (ledger) => {
    const player = await playerWith(ledger.players, 1n, 2n);
    const credit = creditOf(player, 0n, { purse: { real: 10n, bonus: 20n } });
    assertDone(await ledger.credit(credit));
    assertRefused(await ledger.credit({ ...credit, purse: { real: 20n, bonus: 10n } }));
    assert.deepEqual(await ledger.purse(player), { real: 11n, bonus: 22n });
    await ledger.reverse(credit);
    assert.deepEqual(await ledger.purse(player), { real: 1n, bonus: 2n });
  });

  it('a debit is refused only if both balances are too low: else players overdraw', async (ledger) => {
    const player = await playerWith(ledger.players, 30n, 50n);
    assertRefused(await ledger.debit(debitOf(player, 81n)), 'tooLow');
    assertDone(await ledger.debit(debitOf(player, 80n, { bonusFirst: true })), 80n);
    assert.deepEqual(await ledger.purse(player), { real: 0n, bonus: 0n });
  });

  it('a bonus balance ends at 2^53-1 units: else it overflows', async (ledger) => {
    const player = await playerWith(ledger.players, 0n, maxUnits);
    const bonusCredit = creditOf(player, 0n, { purse: { real: 0n, bonus: 1n } });
    assertRefused(await ledger.credit(bonusCredit), 'outOfRange');
    assertDone(await ledger.credit(creditOf(player, 1n)));
    assert.deepEqual(await ledger.purse(player), { real: 1n, bonus: maxUnits });
  });
}

/** Who pays a debit without a bonus balance: real money, whatever the requested order. */
export function realSplitRules(it: Case<RetryingLedger>): void {
  for (const funds of realFunds) checkSplit(it, funds);
}

/** Who pays a debit: each amount, order and balance as `splitDebit` says. */
export function bonusSplitRules(it: Case<RetryingLedger>): void {
  for (const funds of bonusFunds) checkSplit(it, funds);

  it('bonus money of another currency pays nothing: else it buys stakes', async (ledger) => {
    const player = await playerWith(ledger.players, 10n);
    await open(ledger.players, player, 'USD', 0n, 100n);
    assertRefused(await ledger.debit(debitOf(player, 11n, { bonusFirst: true })), 'tooLow');
    assertDone(await ledger.debit(debitOf(player, 10n, { bonusFirst: true })), 10n);
    assert.deepEqual(await ledger.purse(player, 'USD'), { real: 0n, bonus: 100n });
  });
}

/** Each debit of the table is posted, compared and reversed. */
function checkSplit(it: Case<RetryingLedger>, funds: Funds): void {
  const breaks = 'else the wrong balance pays';
  it(`debits of ${nameOf(funds)} are split as splitDebit says: ${breaks}`, async (ledger) => {
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
