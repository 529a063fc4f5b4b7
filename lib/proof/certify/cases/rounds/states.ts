import {
  type CaseContext,
  given,
  must,
  mustBeRefused,
  mustSucceed,
  type Round,
  type Transaction,
  Undecided,
  verdictOf,
} from '../../talk';
import { type CaseOfGroup, casesIn } from '../../talk/case';
import { givenRefused, mustBeSecond, mustDecline, openRound, newRound } from '../steps';

/** What a round takes in each of its states. */
export const states = casesIn('states', [
  closedRefuses('credit', (round, stake) => round.credit(stake)),
  closedRefuses('follow-up', (round, stake) => round.followUp(stake)),
  closedRefuses('first-debit', (round, stake) => round.firstDebit(stake)),
  declinedRefuses('follow-up', (round, stake) => round.followUp(stake)),
  declinedRefuses('first-debit', (round, stake) => round.firstDebit(stake)),
  {
    id: 'smaller-follow-up',
    rule: 'Operator API 3, states (follow-up debit fails)',
    given: 'a round whose follow-up debit was declined',
    when: 'a smaller follow-up debit comes in a new call',
    expected: 'it is taken: the round is still open',
    async play(context) {
      const { round, before } = await declinedFollowUp(context);
      mustSucceed(await round.send(round.followUp(context.stake)), 'a smaller follow-up debit');
      await context.balanceMustBe(before - context.stake * 2n, 'after the smaller debit');
    },
  },
  {
    id: 'credit-after-smaller-follow-up',
    rule: 'Operator API 3, states (follow-up debit fails); D4.5',
    given: 'a round whose follow-up debit was declined, and which went on with a smaller one',
    when: 'a credit of the round comes',
    expected: 'it is paid',
    otherwise: 'By the letter of rule 1 every credit after a failed debit is declined.',
    async play(context) {
      const { round, before } = await declinedFollowUp(context);
      given(await round.send(round.followUp(context.stake)), 'a smaller follow-up debit');
      mustSucceed(await round.send(round.credit(context.stake * 3n)), 'a credit of such a round');
      await context.balanceMustBe(before + context.stake, 'after the credit');
    },
  },
  {
    id: 'end-after-declined-follow-up',
    rule: 'Operator API 3, states (follow-up debit fails)',
    given: 'a round whose follow-up debit was declined',
    when: 'the end comes in a new call',
    expected: 'it is answered 200, and the first debit stays taken',
    async play(context) {
      const { round, before } = await declinedFollowUp(context);
      mustSucceed(await round.send(round.end()), 'the end of an open round');
      await context.balanceMustBe(before - context.stake, 'after the end');
    },
  },
  {
    id: 'second-initial-debit',
    rule: 'Operator API 4.1, rule 3',
    given: 'a round with a debit',
    when: 'a second initial debit comes in a new call',
    expected: 'it is answered with error 12, and nothing is taken',
    async play(context) {
      const { round, before } = await openRound(context);
      const second = round.firstDebit(context.stake);
      const answer = mustBeSecond(await round.send(second), second);
      const after = await context.balance();
      must(
        after === before - context.stake,
        'the second initial debit must move nothing, but it did',
        answer,
      );
    },
  },
  {
    id: 'credit-after-second-initial-debit',
    rule: 'D4.5',
    given: 'a round in which a second initial debit was refused',
    when: 'a credit of the round comes in a new call',
    expected: 'it is paid: the round is as it was',
    otherwise: 'By the letter of rule 1 every credit after a failed debit is declined.',
    async play(context) {
      const { round, before } = await openRound(context);
      givenRefused(await round.send(round.firstDebit(context.stake)), 'a second initial debit');
      mustSucceed(await round.send(round.credit(context.stake / 2n)), 'a credit after it');
      await context.balanceMustBe(before - context.stake / 2n, 'after the credit');
    },
  },
  {
    id: 'second-end',
    rule: 'D4.8',
    given: 'a round that has ended',
    when: 'another end comes with its own hash',
    expected: 'it is answered 200',
    otherwise: 'A wallet may refuse it: the round is closed.',
    async play(context) {
      const { round } = await openRound(context);
      given(await round.send(round.end()), 'the end');
      mustSucceed(await round.send(round.end()), 'a second end');
    },
  },
  neverStarted('follow-up', (round, stake) => round.followUp(stake)),
  neverStarted('credit', (round, stake) => round.credit(stake)),
  neverStarted('end', (round) => round.end()),
  {
    id: 'stranded-round-keeps-its-debit',
    rule: 'Operator API 3, states (stranded)',
    given: 'a round with a debit',
    when: 'a credit is refused for good: it has another currency',
    expected: 'the debit is not given back',
    async play(context) {
      const { round, before } = await openRound(context);
      const remark = await creditInXts(context, round);
      await context.balanceMustBe(before - context.stake, 'after a credit in another currency');
      return remark;
    },
  },
  {
    id: 'stranded-round-is-over',
    rule: 'D4.1, D4.7',
    given: 'a round whose credit was refused for good',
    when: 'a follow-up debit comes',
    expected: 'it is refused: the round is stranded',
    otherwise: 'A wallet may keep the round open.',
    async play(context) {
      const { round, before } = await openRound(context);
      await refusedCredit(context, round);
      const followUp = round.followUp(context.stake);
      mustDecline(await round.send(followUp), 'a debit of a stranded round', followUp);
      await context.balanceMustBe(before - context.stake, 'after the debit');
    },
  },
  {
    id: 'crashed-round-keeps-all',
    rule: 'Operator API 3, states (crashed)',
    given: 'a round with a debit and a credit',
    when: 'a second credit is refused for good: it has another currency',
    expected: 'nothing is reversed: the debit and the first credit stay',
    async play(context) {
      const { round, before } = await openRound(context);
      given(await round.send(round.credit(context.stake / 2n)), 'the first credit');
      const remark = await creditInXts(context, round);
      await context.balanceMustBe(
        before - context.stake / 2n,
        'after a credit in another currency',
      );
      return remark;
    },
  },
  {
    id: 'crashed-round-is-over',
    rule: 'D4.1, D4.7',
    given: 'a round whose second credit was refused for good',
    when: 'a third credit comes',
    expected: 'it is refused: the round is crashed, and reconciled by hand',
    otherwise: 'A wallet may keep the round open, and pay.',
    async play(context) {
      const { round, before } = await openRound(context);
      given(await round.send(round.credit(context.stake / 2n)), 'the first credit');
      await refusedCredit(context, round);
      mustBeRefused(await round.send(round.credit(context.stake)), 'a credit of a crashed round');
      await context.balanceMustBe(before - context.stake / 2n, 'after the credit');
    },
  },
  {
    id: 'two-rounds-at-one-time',
    rule: 'Operator API 1 (gameRound)',
    given: 'two rounds of one player at one time',
    when: 'one ends, and the other has a follow-up debit and a credit',
    expected: 'each call is answered 200, and both rounds count',
    async play(context) {
      const one = await openRound(context);
      const { round } = await openRound(context);
      mustSucceed(await one.round.send(one.round.end()), 'the end of one round');
      mustSucceed(await round.send(round.followUp(context.stake)), "the other round's debit");
      mustSucceed(await round.send(round.credit(context.stake)), "the other round's credit");
      await context.balanceMustBe(one.before - context.stake * 2n, 'after both rounds');
    },
  },
]);

type Make = (round: Round, stake: bigint) => Transaction;

/** A round with a debit, and a follow-up debit that was declined. */
async function declinedFollowUp(context: CaseContext): Promise<{ round: Round; before: bigint }> {
  const { round, before } = await openRound(context);
  const followUp = round.followUp(before + context.stake);
  givenRefused(await round.send(followUp), 'a follow-up debit above the balance');
  return { round, before };
}

/** Sends a credit in a currency for tests. Returns a remark if the wallet takes it. */
async function creditInXts(context: CaseContext, round: Round): Promise<string | undefined> {
  const answer = await round.send(round.credit(context.stake, { currency: 'XTS' }));
  return answer.status >= 400 ? undefined : 'The wallet took a credit in XTS.';
}

/** The same, to strand or crash a round. @throws Undecided if the wallet does not refuse it for good. */
async function refusedCredit(context: CaseContext, round: Round): Promise<void> {
  const credit = round.credit(context.stake, { currency: 'XTS' });
  const answer = await round.send(credit);
  if (verdictOf(answer, credit.hash) === 'refused') return;
  throw new Undecided('the set-up failed: a credit in XTS was not refused for good', answer);
}

function closedRefuses(name: string, make: Make): CaseOfGroup {
  const what = `a new ${name.replaceAll('-', ' ')}`;
  return {
    id: `closed-round-refuses-${name}`,
    rule: 'Operator API 3, rule 3',
    given: 'a round with a debit, which has ended',
    when: `${what} of the round comes`,
    expected: 'it is refused, and nothing moves',
    async play(context) {
      const { round, before } = await openRound(context);
      given(await round.send(round.end()), 'the end');
      const one = make(round, context.stake);
      mustDecline(await round.send(one), `${what} for a closed round`, one);
      await context.balanceMustBe(before - context.stake, `after ${what} for a closed round`);
    },
  };
}

function declinedRefuses(name: string, make: Make): CaseOfGroup {
  const what = `a new ${name.replaceAll('-', ' ')}`;
  return {
    id: `declined-round-refuses-${name}`,
    rule: 'Operator API 3, states (initial debit fails)',
    given: 'a round whose first debit was declined',
    when: `${what} comes that the balance covers`,
    expected: 'it is refused, and nothing moves: the round is closed',
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = round.firstDebit(before + context.stake);
      givenRefused(await round.send(debit), 'a debit above the balance');
      const one = make(round, context.stake);
      mustDecline(await round.send(one), `${what} after a declined first debit`, one);
      await context.balanceMustBe(before, `after ${what} for a closed round`);
    },
  };
}

function neverStarted(name: string, make: Make): CaseOfGroup {
  const what = `${name === 'end' ? 'an' : 'a'} ${name.replaceAll('-', ' ')}`;
  return {
    id: `unknown-round-refuses-${name}`,
    rule: 'D4.3',
    given: 'a round that never started',
    when: `${what} of the round comes`,
    expected: 'it is refused, and nothing moves',
    otherwise: 'A wallet may process what it cannot place.',
    async play(context) {
      const { round, before } = await newRound(context);
      const one = make(round, context.stake);
      mustDecline(await round.send(one), `${what} of a round that never started`, one);
      await context.balanceMustBe(before, `after ${what} of a round that never started`);
    },
  };
}
