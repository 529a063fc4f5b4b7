import {
  given,
  must,
  mustSay,
  mustSucceed,
  type Round,
  totalOf,
  type Transaction,
} from '../../talk';
import { casesIn } from '../../talk/case';
import { mustDecline, openRound, wholeBalance, newRound } from '../steps';

/** Transactions of one call are processed in the order received. */
export const ordering = casesIn('ordering', [
  {
    id: 'whole-round-in-one-call',
    rule: 'Operator API 4.1, rule 1',
    given: 'a player with money',
    when: 'debit, credit and end come in one call, in this order',
    expected: 'the call is answered 200, and the balance is half a stake lower',
    async play(context) {
      const { round, before } = await newRound(context);
      const list = [round.firstDebit(context.stake), round.credit(context.stake / 2n), round.end()];
      mustSucceed(await round.send(...list), 'the call');
      await context.balanceMustBe(before - context.stake / 2n, 'after the call');
    },
  },
  {
    id: 'debit-without-first-flag',
    rule: 'Operator API 2.1 (isFirstDebit); D2.3',
    given: 'a player with money',
    when: 'a debit without isFirstDebit comes in a new round',
    expected: 'it is taken as the initial debit',
    otherwise:
      'isFirstDebit may be mandatory: the specification does not say what its absence means.',
    async play(context) {
      const { round, before } = await newRound(context);
      const { isFirstDebit: _, ...debit } = round.firstDebit(context.stake);
      mustSucceed(await round.send(debit), 'a debit without isFirstDebit');
      await context.balanceMustBe(before - context.stake, 'after the debit');
    },
  },
  {
    id: 'credit-behind-end',
    rule: 'Operator API 4.1, rule 1; 3, rule 3',
    given: 'a player with money',
    when: 'debit, end and credit come in one call, in this order',
    expected: 'the credit comes to a closed round: it is refused, and the debit stays',
    async play(context) {
      const { round, before } = await newRound(context);
      const credit = round.credit(context.stake * 2n);
      const answer = await round.send(round.firstDebit(context.stake), round.end(), credit);
      mustDecline(answer, 'a credit after the end', credit);
      const after = await context.balance();
      must(after <= before, 'a credit after the end must not be paid, but it was', answer);
    },
  },
  {
    id: 'credit-before-debit',
    rule: 'Operator API 4.1, rule 1; D4.3',
    given: 'a player with money',
    when: 'the credit of a new round comes before its debit, in one call',
    expected: 'the credit is refused: its round has not started',
    otherwise: 'A wallet may pay a credit in a round without a debit.',
    async play(context) {
      const round = context.round();
      const credit = round.credit(context.stake);
      const answer = await round.send(credit, round.firstDebit(context.stake));
      mustDecline(answer, 'a credit before the first debit', credit);
    },
  },
  {
    id: 'later-credit-covers-nothing',
    rule: 'Operator API 4.1, rule 1; 3, rule 1',
    given: 'a player with money',
    when: 'a call holds a first debit, a follow-up debit above the balance, and a credit that would cover it',
    expected: 'the follow-up debit is refused, and so is the credit after it',
    async play(context) {
      const { round, before } = await newRound(context);
      const followUp = round.followUp(before + context.stake);
      const credit = round.credit(context.stake * 3n);
      const answer = await round.send(round.firstDebit(context.stake), followUp, credit);
      mustDecline(answer, 'a debit that only a later credit covers', followUp, credit);
      const after = await context.balance();
      must(after <= before, 'nothing after the refused debit must be paid, but it was', answer);
    },
  },
  {
    id: 'earlier-credit-covers-debit',
    rule: 'Operator API 4.1, rule 1',
    given: 'a player whose whole balance is staked',
    when: 'a credit and a follow-up debit of the same amount come in one call, in this order',
    expected: 'both are processed, and the balance is 0 again',
    async play(context) {
      const before = await wholeBalance(context);
      const round = context.round();
      given(await round.send(round.firstDebit(before)), 'the debit of the whole balance');
      const list = [round.credit(context.stake), round.followUp(context.stake)];
      mustSucceed(await round.send(...list), 'a credit and the debit that it covers');
      await context.balanceMustBe(0n, 'after the call');
    },
  },
  {
    id: 'every-hash-is-listed',
    rule: 'Operator API 2.3; 4.1',
    given: 'a player with money',
    when: 'five transactions of one round come in one call',
    expected: 'the call is answered 200, and hashesProcessed lists all five without an error',
    async play(context) {
      const round = context.round();
      const list = fiveOf(round, context.stake);
      const answer = mustSucceed(await round.send(...list), 'the call');
      for (const { type, hash } of list) mustSay(answer, hash, 'processed', `the ${type}`);
    },
  },
  {
    id: 'hashes-listed-in-order',
    rule: 'Operator API 2.3; D6.1',
    given: 'a player with money',
    when: 'five transactions of one round come in one call',
    expected: 'hashesProcessed lists them in the order of the call',
    otherwise: 'The list may have any order: each item names its hash.',
    async play(context) {
      const round = context.round();
      const list = fiveOf(round, context.stake);
      const answer = given(await round.send(...list), 'the call');
      const listed = answer.processed.map(({ hash }) => hash);
      const isInOrder = list.every(({ hash }, index) => listed[index] === hash);
      must(isInOrder, 'hashesProcessed must have the order of the call, but it has not', answer);
    },
  },
  {
    id: 'balances-after-processing',
    rule: 'Operator API 4.1 (reply)',
    given: 'a player with money',
    when: 'a debit comes, and then a follow-up debit with a credit in one call',
    expected: 'each reply has the balances after all of its call',
    async play(context) {
      const { stake, currency } = context;
      const { round, before } = await newRound(context);
      const one = given(await round.send(round.firstDebit(stake)), 'the debit');
      must(
        totalOf(one, currency) === before - stake,
        'the reply to a debit must have the balance after it, but it has another',
        one,
      );
      const both = await round.send(round.followUp(stake), round.credit(stake / 2n));
      given(both, 'the second call');
      must(
        totalOf(both, currency) === before - stake * 2n + stake / 2n,
        'the reply to a call must have the balance after its last transaction, but it has another',
        both,
      );
    },
  },
  {
    id: 'follow-up-debit',
    rule: 'Operator API 2.1; 4.1',
    given: 'a round with a debit',
    when: 'a follow-up debit, a credit and an end come, one call each',
    expected: 'each is answered 200, and all of them count',
    async play(context) {
      const { round, before } = await openRound(context);
      mustSucceed(await round.send(round.followUp(context.stake)), 'the follow-up debit');
      await context.balanceMustBe(before - context.stake * 2n, 'after the follow-up debit');
      mustSucceed(await round.send(round.credit(context.stake * 3n)), 'the credit');
      mustSucceed(await round.send(round.end()), 'the end');
      await context.balanceMustBe(before + context.stake, 'after the round');
    },
  },
]);

/** The five transactions of a round with a follow-up debit. */
function fiveOf(round: Round, stake: bigint): readonly Transaction[] {
  const [debit, followUp] = [round.firstDebit(stake), round.followUp(stake)];
  return [debit, round.credit(stake / 2n), followUp, round.credit(stake), round.end()];
}
