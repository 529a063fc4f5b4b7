import {
  type CaseContext,
  described,
  given,
  must,
  mustBeRefused,
  mustSay,
  mustSucceed,
  voidOf,
} from '../../talk';
import { casesIn } from '../../talk/case';
import { givenRefused, mustDecline, openRound } from '../steps';

/** An open round, and a follow-up debit that the balance does not cover. */
async function withFailing(context: CaseContext) {
  const open = await openRound(context);
  return { ...open, failing: open.round.followUp(open.before + context.stake) };
}

/** What a declined debit does to what follows it. */
export const failedDebits = casesIn('partial-outcomes', [
  {
    id: 'decline-is-of-its-round',
    rule: 'Operator API 3, states and rule 1',
    given:
      'three rounds of one player, of which the first debit of one was declined, and the follow-up debit of another',
    when: 'a credit of the third comes, with its end',
    expected: 'both are answered 200, and it is paid',
    async play(context) {
      const { round, before } = await openRound(context);
      const other = await withFailing(context);
      givenRefused(await other.round.send(other.failing), 'a follow-up debit above the balance');
      const third = context.round();
      const failing = third.firstDebit(before + context.stake);
      givenRefused(await third.send(failing), 'a debit above the balance');
      const win = round.credit(context.stake * 2n);
      mustSucceed(await round.send(win, round.end()), 'a credit of a round without a decline');
      await context.balanceMustBe(before, 'after the credit');
    },
  },
  {
    id: 'credit-after-failed-and-known-debit',
    rule: 'Operator API 3, rule 1',
    given: 'a round with a debit',
    when: 'a follow-up debit above the balance, the known first debit and a credit come in one call',
    expected: 'the call is refused, the credit with it, and nothing moves',
    async play(context) {
      const { round, debit, before, failing } = await withFailing(context);
      const credit = round.credit(context.stake);
      const answer = await round.send(failing, debit, credit);
      const what = 'a credit after a declined debit and a known one';
      mustDecline(answer, what, failing, credit);
      await context.balanceMustBe(before - context.stake, 'after the call');
    },
  },
  {
    id: 'void-in-failed-call',
    rule: 'Operator API 3, rule 3; 4.1, rule 1',
    given: 'a round with a debit',
    when: 'a follow-up debit above the balance and the void of the first debit come in one call',
    expected: 'the call is refused, but the void is processed: the debit is given back',
    async play(context) {
      const { round, debit, before, failing } = await withFailing(context);
      mustBeRefused(await round.send(failing, voidOf(debit)), 'a call with a declined debit');
      await context.balanceMustBe(before, 'after the void');
    },
  },
  {
    id: 'end-in-failed-call',
    rule: 'Operator API 3, rule 1; D4.5',
    given: 'a round with a debit',
    when: 'a follow-up debit above the balance and an end come in one call',
    expected: 'both are refused',
    otherwise: 'The specification says this of credits alone.',
    async play(context) {
      const { round, failing } = await withFailing(context);
      const end = round.end();
      const answer = await round.send(failing, end);
      mustDecline(answer, 'an end after a declined debit', failing, end);
    },
  },
  {
    id: 'debit-after-repeated-decline',
    rule: 'Operator API 3, rule 1; D4.5',
    given: 'a round with a follow-up debit that was declined',
    when: 'the same follow-up debit and a smaller one come in one call',
    expected: 'both are refused, and nothing moves',
    otherwise: 'The specification says this of credits alone.',
    async play(context) {
      const { round, before, failing } = await withFailing(context);
      givenRefused(await round.send(failing), 'a debit above the balance');
      const smaller = round.followUp(context.stake);
      const answer = await round.send(failing, smaller);
      mustDecline(answer, 'a debit after a repeated one that was declined', failing, smaller);
      await context.balanceMustBe(before - context.stake, 'after the call');
    },
  },
  {
    id: 'credit-after-voided-decline',
    rule: 'Operator API 3, rule 1; D4.5',
    given: 'a round with a follow-up debit that was declined and then voided',
    when: 'a credit comes',
    expected: 'it is paid: the void has settled the debit',
    otherwise: 'By the letter a failed debit declines every later credit.',
    async play(context) {
      const { round, before, failing } = await withFailing(context);
      givenRefused(await round.send(failing), 'a debit above the balance');
      given(await round.send(voidOf(failing)), 'its void');
      const credit = round.credit(context.stake);
      const answer = mustSucceed(await round.send(credit), 'a credit after the void');
      mustSay(answer, credit.hash, 'processed', 'a credit after the void');
      await context.balanceMustBe(before, 'after the credit');
    },
  },
  {
    id: 'refusal-has-its-error-at-the-top',
    rule: 'Operator API 2.2 (errorCode); 7, rule 1; D6.2',
    given: 'a round with a debit',
    when: 'a call with a debit above the balance comes',
    expected: 'the reply has an errorCode at the top',
    otherwise: 'The errorCode in hashesProcessed tells the service what has failed.',
    async play(context) {
      const { round, failing } = await withFailing(context);
      const answer = givenRefused(await round.send(failing), 'a debit above the balance');
      const came = described(answer);
      must(answer.error !== null, `a refusal must have an errorCode, but got ${came}`, answer);
    },
  },
]);
