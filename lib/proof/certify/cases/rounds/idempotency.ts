import { given, must, mustSay, mustSucceed, totalOf, verdictOf, voidOf } from '../../talk';
import { casesIn } from '../../talk/case';
import {
  givenRefused,
  mustBeRepeat,
  mustDecline,
  openRound,
  wholeBalance,
  newRound,
} from '../steps';

/** Each transaction is processed once, however often it comes. */
export const idempotency = casesIn('idempotency', [
  {
    id: 'debit-again',
    rule: 'Operator API 4.1, rule 1',
    given: 'a round with a debit',
    when: 'the same debit comes a second and a third time',
    expected: 'each is answered 200, or with error 12, and it is taken once',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      mustBeRepeat(await round.send(debit), debit, 'the repeated debit');
      mustBeRepeat(await round.send(debit), debit, 'the debit repeated again');
      await context.balanceMustBe(before - context.stake, 'after the repeats');
    },
  },
  {
    id: 'debit-again-is-200',
    rule: 'Operator API 4.1, rule 1; D3.1',
    given: 'a round with a debit',
    when: 'the same debit is resent',
    expected: 'it is answered 200, as the first time',
    otherwise: 'A wallet may answer the repeat as a second initial debit, with error 12 (rule 3).',
    async play(context) {
      const { round, debit } = await openRound(context);
      mustSucceed(await round.send(debit), 'the repeated debit');
    },
  },
  {
    id: 'follow-up-again',
    rule: 'Operator API 4.1, rule 1',
    given: 'a round with a debit and a follow-up debit',
    when: 'the same follow-up debit is resent',
    expected: 'it is answered 200, and it is taken once',
    async play(context) {
      const { round, before } = await openRound(context);
      const followUp = round.followUp(context.stake);
      given(await round.send(followUp), 'the follow-up debit');
      mustSucceed(await round.send(followUp), 'the repeated follow-up debit');
      await context.balanceMustBe(before - context.stake * 2n, 'after the repeat');
    },
  },
  {
    id: 'credit-again',
    rule: 'Operator API 4.1, rule 1',
    given: 'a round with a debit and a credit',
    when: 'the same credit comes five times more, as the service retries it',
    expected: 'hashesProcessed lists it without an error each time, and it is paid once',
    async play(context) {
      const { round, before } = await openRound(context);
      const credit = round.credit(context.stake * 2n);
      given(await round.send(credit), 'the credit');
      for (let repeat = 1; repeat <= 5; repeat += 1) {
        const answer = mustSucceed(await round.send(credit), `repeat ${repeat} of the credit`);
        mustSay(answer, credit.hash, 'processed', `repeat ${repeat} of the credit`);
      }
      await context.balanceMustBe(before + context.stake, 'after the repeats');
    },
  },
  {
    id: 'end-again',
    rule: 'Operator API 4.1, rule 1',
    given: 'a round that has ended',
    when: 'the same end is resent',
    expected: 'it is answered 200',
    async play(context) {
      const { round } = await openRound(context);
      const end = round.end();
      given(await round.send(end), 'the end');
      mustSucceed(await round.send(end), 'the repeated end');
    },
  },
  {
    id: 'whole-call-again',
    rule: 'Operator API 4.1, rule 1; 3, rule 3',
    given: 'a round that was played in one call',
    when: 'the same call is resent',
    expected: 'it is answered 200, or the debit of it with error 12, and nothing moves',
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = round.firstDebit(context.stake);
      const list = [debit, round.credit(context.stake / 2n), round.end()];
      given(await round.send(...list), 'the call');
      const answer = mustBeRepeat(await round.send(...list), debit, 'the repeated call');
      for (const { type, hash } of answer.meaning === 'success' ? list : []) {
        mustSay(answer, hash, 'processed', `the repeated ${type}`);
      }
      await context.balanceMustBe(before - context.stake / 2n, 'after the repeated call');
    },
  },
  {
    id: 'part-of-call-again',
    rule: 'Operator API 4.1, rule 1; 3, rule 3',
    given: 'a round that was played in one call, and has ended',
    when: 'its credit and end come again, and then its debit alone',
    expected: 'each call is answered 200, or the debit with error 12, and nothing moves',
    async play(context) {
      const { round, before } = await newRound(context);
      const [debit, credit] = [round.firstDebit(context.stake), round.credit(context.stake / 2n)];
      const end = round.end();
      given(await round.send(debit, credit, end), 'the call');
      mustSucceed(await round.send(credit, end), 'the repeated credit and end');
      mustBeRepeat(await round.send(debit), debit, 'the repeated debit');
      await context.balanceMustBe(before - context.stake / 2n, 'after the repeats');
    },
  },
  {
    id: 'known-with-new',
    rule: 'Operator API 4.1, rule 1',
    given: 'a round with a debit',
    when: 'the same debit comes in one call with a new credit and an end',
    expected:
      'the call is answered 200, or the debit with error 12; the debit is taken once, and the credit paid exactly if it is listed',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      const credit = round.credit(context.stake / 2n);
      const what = 'a known debit with a new credit and end';
      const answer = mustBeRepeat(await round.send(debit, credit, round.end()), debit, what);
      const isPaid = answer.meaning === 'success' || verdictOf(answer, credit.hash) === 'processed';
      const paid = isPaid ? context.stake / 2n : 0n;
      await context.balanceMustBe(before - context.stake + paid, 'after the call');
    },
  },
  {
    id: 'hash-twice-in-call',
    rule: 'Operator API 4.1, rule 1',
    given: 'a round with a debit',
    when: 'one credit stands twice in a call, one follow-up debit in the next, and its void in a third',
    expected: 'each counts once',
    async play(context) {
      const { round, before } = await openRound(context);
      const [credit, followUp] = [round.credit(context.stake), round.followUp(context.stake)];
      for (const [one, units] of [
        [credit, before],
        [followUp, before - context.stake],
        [voidOf(followUp), before],
      ] as const) {
        const what = `a ${one.type} that comes twice in a call`;
        const answer = await round.send(one, one);
        mustSay(answer, one.hash, 'processed', what);
        await context.balanceMustBe(units, `after ${what}`);
      }
    },
  },
  {
    id: 'void-again',
    rule: 'Operator API 4.1, rule 1; 3, rule 3',
    given: 'a round whose debit was voided',
    when: 'the same void comes twice more',
    expected: 'each is answered 200, and the debit is given back once',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      given(await round.send(voidOf(debit)), 'the void');
      mustSucceed(await round.send(voidOf(debit)), 'the repeated void');
      mustSucceed(await round.send(voidOf(debit)), 'the void repeated again');
      await context.balanceMustBe(before, 'after the repeats');
    },
  },
  {
    id: 'declined-debit-again',
    rule: 'Operator API 3, states (initial debit fails); 4.1, rule 1',
    given: 'a first debit that was declined, and a player who then won enough for it',
    when: 'the same debit is resent',
    expected: 'it is refused again, and nothing is taken: its round is closed',
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = round.firstDebit(before + context.stake);
      givenRefused(await round.send(debit), 'a debit above the balance');
      const other = await openRound(context);
      given(await other.round.send(other.round.credit(context.stake * 3n)), 'the win');
      mustDecline(await round.send(debit), 'a repeated debit that was declined', debit);
      await context.balanceMustBe(before + context.stake * 2n, 'after the repeat');
    },
  },
  {
    id: 'declined-follow-up-again',
    rule: 'Operator API 4.1, rule 1; D3.1',
    given: 'a follow-up debit that was declined, and a player who then won enough for it',
    when: 'the same follow-up debit is resent',
    expected: 'it is refused again, and nothing is taken',
    otherwise: 'A wallet may decide anew on a debit of which nothing was processed.',
    async play(context) {
      const { round, before } = await openRound(context);
      const followUp = round.followUp(before + context.stake);
      givenRefused(await round.send(followUp), 'a debit above the balance');
      const other = await openRound(context);
      given(await other.round.send(other.round.credit(context.stake * 4n)), 'the win');
      mustDecline(await round.send(followUp), 'a repeated debit that was declined', followUp);
      await context.balanceMustBe(before + context.stake * 2n, 'after the repeat');
    },
  },
  {
    id: 'repeat-without-funds',
    rule: 'Operator API 4.1, rule 1',
    given: 'a round with a debit of the whole balance',
    when: 'the same debit is resent',
    expected: 'it is answered 200, or with error 12, though no money is left',
    async play(context) {
      const round = context.round();
      const debit = round.firstDebit(await wholeBalance(context));
      given(await round.send(debit), 'the debit of the whole balance');
      mustBeRepeat(await round.send(debit), debit, 'the repeated debit of the whole balance');
      await context.balanceMustBe(0n, 'after the repeat');
    },
  },
  {
    id: 'repeat-with-other-timestamp',
    rule: 'Operator API 4.1, rule 1',
    given: 'a round with a debit and a credit',
    when: 'their hashes are sent again with the same money, another timestamp and another reason',
    expected:
      'each is answered 200, or the debit with error 12, and nothing moves: the hash decides',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      const credit = round.credit(context.stake / 2n);
      given(await round.send(credit), 'the credit');
      const timestamp = new Date(context.clock.now() + 1000).toISOString();
      const other = { timestamp, reason: 'again' };
      mustBeRepeat(await round.send({ ...debit, ...other }), debit, 'the repeated debit');
      const what = 'the repeated credit';
      const answer = mustSucceed(await round.send({ ...credit, ...other }), what);
      mustSay(answer, credit.hash, 'processed', what);
      await context.balanceMustBe(before - context.stake / 2n, 'after the repeats');
    },
  },
  {
    id: 'repeat-has-current-balances',
    rule: 'Operator API 4.1 (reply); D3.1',
    given: 'a round with a debit and then two credits',
    when: 'the debit is resent, and then the first credit',
    expected: 'each reply has the balance as it is now',
    otherwise: 'A wallet may send the recorded reply again, with the balance of that time.',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      const credit = round.credit(context.stake * 2n);
      given(await round.send(credit), 'the credit');
      given(await round.send(round.credit(context.stake)), 'the second credit');
      for (const transaction of [debit, credit]) {
        const answer = given(await round.send(transaction), `the repeated ${transaction.type}`);
        must(
          totalOf(answer, context.currency) === before + context.stake * 2n,
          `the reply to a repeated ${transaction.type} must have the current balance, but it has not`,
          answer,
        );
      }
    },
  },
]);
