import {
  given,
  mustBeRefused,
  mustSucceed,
  type Round,
  type Transaction,
  voidOf,
} from '../../talk';
import { type CaseOfGroup, casesIn } from '../../talk/case';
import { givenRefused, mustDecline, openRound, newRound } from '../steps';

/** Voids that come before their debit, and what a round does after a void. */
export const voidsAndRounds = casesIn('voids', [
  {
    id: 'void-before-debit',
    rule: 'Operator API 3, rule 2',
    given: 'a player with money',
    when: 'the void of a first debit comes, then the debit, then the void again',
    expected: 'both voids are answered 200, and nothing moves',
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = round.firstDebit(context.stake);
      mustSucceed(await round.send(voidOf(debit)), 'a void before its debit');
      await round.send(debit);
      await context.balanceMustBe(before, 'after a debit whose void came before');
      mustSucceed(await round.send(voidOf(debit)), 'the resent void');
      await context.balanceMustBe(before, 'after the void came again');
    },
  },
  {
    id: 'void-twice-before-debit',
    rule: 'Operator API 3, rule 2; 4.1, rule 1',
    given: 'a player with money',
    when: 'the void of a first debit comes twice before the debit',
    expected: 'both voids are answered 200, and nothing moves',
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = round.firstDebit(context.stake);
      mustSucceed(await round.send(voidOf(debit)), 'a void before its debit');
      mustSucceed(await round.send(voidOf(debit)), 'a repeated void before its debit');
      await context.balanceMustBe(before, 'after two voids of nothing');
      await round.send(debit);
      await context.balanceMustBe(before, 'after a debit whose void came before');
    },
  },
  {
    id: 'credit-after-void-in-call',
    rule: 'Operator API 3, rule 4; 4.1, rule 1',
    given: 'a round with a debit',
    when: 'one call has the void of the debit, and then a credit',
    expected: 'the credit is refused, and the player has the stake back',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      const credit = round.credit(context.stake / 2n);
      const answer = await round.send(voidOf(debit), credit);
      mustDecline(answer, 'a call of a void and then a credit', credit);
      await context.balanceMustBe(before, 'after the void and the credit');
    },
  },
  {
    id: 'late-debit-is-400',
    rule: 'Operator API 3, rules 2 and 4; D5.5',
    given: 'a void of a first debit that has not come',
    when: 'the debit comes',
    expected: 'it is answered 400: its round is voided',
    otherwise: 'A wallet may answer 200 as to a debit that was voided at once.',
    async play(context) {
      const round = context.round();
      const debit = round.firstDebit(context.stake);
      given(await round.send(voidOf(debit)), 'a void before its debit');
      const what = 'a debit whose void came before';
      mustBeRefused(await round.send(debit), what, { status: 400 });
    },
  },
  {
    id: 'credit-after-late-debit',
    rule: 'Operator API 3, rules 2 and 4',
    given: 'a first debit whose void came before',
    when: 'a credit of the round comes',
    expected: 'it is refused, and nothing moves: the round is voided',
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = round.firstDebit(context.stake);
      given(await round.send(voidOf(debit)), 'a void before its debit');
      await round.send(debit);
      const credit = round.credit(context.stake);
      mustDecline(await round.send(credit), 'a credit of a round that was voided', credit);
      await context.balanceMustBe(before, 'after the credit');
    },
  },
  {
    id: 'void-before-follow-up',
    rule: 'Operator API 3, rule 2',
    given: 'a round with a debit',
    when: 'the void of a follow-up debit comes, and then that debit',
    expected: 'the void is answered 200, and the follow-up debit takes nothing',
    async play(context) {
      const { round, before } = await openRound(context);
      const followUp = round.followUp(context.stake);
      mustSucceed(await round.send(voidOf(followUp)), 'a void before its follow-up debit');
      await context.balanceMustBe(before - context.stake, 'after a void before its debit');
      await round.send(followUp);
      await context.balanceMustBe(before - context.stake, 'after a debit whose void came before');
    },
  },
  {
    id: 'void-of-unknown-hash',
    rule: 'Operator API 3, rules 2 and 3',
    given: 'a round with a debit',
    when: 'a void comes with a hash that was never seen, and then a credit',
    expected: 'both are answered 200, and the credit is paid',
    async play(context) {
      const { round, before } = await openRound(context);
      const never = voidOf(round.followUp(context.stake));
      mustSucceed(await round.send(never), 'a void of an unknown hash');
      mustSucceed(await round.send(round.credit(context.stake / 2n)), 'a credit after it');
      await context.balanceMustBe(before - context.stake / 2n, 'after the credit');
    },
  },
  {
    id: 'void-in-voided-round',
    rule: 'Operator API 3, rule 3',
    given: 'a round that was voided, with a debit, a follow-up debit and a credit',
    when: 'the follow-up debit is voided too, and a hash that was never seen',
    expected: 'both voids are answered 200, and nothing moves',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      const followUp = round.followUp(context.stake);
      given(await round.send(followUp, round.credit(context.stake)), 'the second call');
      given(await round.send(voidOf(debit)), 'the void of the first debit');
      mustSucceed(await round.send(voidOf(followUp)), 'a second void in a voided round');
      const never = voidOf(round.followUp(context.stake));
      mustSucceed(await round.send(never), 'a void of an unknown hash in a voided round');
      await context.balanceMustBe(before, 'after the further voids');
    },
  },
  voidedRefuses('credit', (round, stake) => round.credit(stake)),
  voidedRefuses('follow-up', (round, stake) => round.followUp(stake)),
  voidedRefuses('first-debit', (round, stake) => round.firstDebit(stake)),
  voidedRefuses('end', (round) => round.end()),
  {
    id: 'voided-debit-again',
    rule: 'Operator API 3, rule 4; 4.1, rule 1',
    given: 'a round with a debit and a credit, which was voided',
    when: 'the debit and the credit come again',
    expected: 'nothing moves',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      const credit = round.credit(context.stake * 2n);
      given(await round.send(credit), 'the credit');
      given(await round.send(voidOf(debit)), 'the void');
      await round.send(debit);
      await context.balanceMustBe(before, 'after the voided debit came again');
      await round.send(credit);
      await context.balanceMustBe(before, 'after the credit of a voided round came again');
    },
  },
  {
    id: 'voided-debit-again-is-400',
    rule: 'Operator API 3, rule 4; 7, rule 4',
    given: 'a round whose debit was voided',
    when: 'the same debit is resent',
    expected: 'it is answered 400',
    async play(context) {
      const { round, debit } = await openRound(context);
      given(await round.send(voidOf(debit)), 'the void');
      mustBeRefused(await round.send(debit), 'a debit that was voided', { status: 400 });
    },
  },
  {
    id: 'voided-decline-again',
    rule: 'Operator API 3, rules 2 and 3',
    given:
      'a follow-up debit that was declined, then voided, and a player who then won enough for it',
    when: 'the same follow-up debit is resent',
    expected: 'nothing is taken',
    async play(context) {
      const { round, before } = await openRound(context);
      const followUp = round.followUp(before + context.stake);
      givenRefused(await round.send(followUp), 'a debit above the balance');
      given(await round.send(voidOf(followUp)), 'the void of a declined follow-up debit');
      const other = await openRound(context);
      given(await other.round.send(other.round.credit(context.stake * 4n)), 'the win');
      await round.send(followUp);
      await context.balanceMustBe(before + context.stake * 2n, 'after the voided debit came again');
    },
  },
  {
    id: 'void-keeps-to-its-round',
    rule: 'Operator API 3, states (void of the first debit)',
    given: 'two rounds of one player at one time',
    when: 'one is voided, and the other has a credit and an end',
    expected: 'each call is answered 200, and the other round counts',
    async play(context) {
      const one = await openRound(context);
      const other = await openRound(context);
      given(await one.round.send(voidOf(one.debit)), 'the void of one round');
      const { round } = other;
      const rest = await round.send(round.credit(context.stake / 2n), round.end());
      mustSucceed(rest, 'the credit and end of the other round');
      await context.balanceMustBe(one.before - context.stake / 2n, 'after both rounds');
    },
  },
]);

/** A case: a transaction for an already voided round is answered 400. */
function voidedRefuses(
  name: string,
  make: (round: Round, stake: bigint) => Transaction,
): CaseOfGroup {
  const what = `a new ${name.replaceAll('-', ' ')}`;
  return {
    id: `voided-round-refuses-${name}`,
    rule: 'Operator API 3, rule 4; 7, rule 4',
    given: 'a round that was voided',
    when: `${what} of the round comes`,
    expected: 'it is answered 400, and nothing moves',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      given(await round.send(voidOf(debit)), 'the void');
      const one = make(round, context.stake);
      const answer = await round.send(one);
      mustBeRefused(answer, `${what} for a voided round`, { status: 400 });
      mustDecline(answer, `${what} for a voided round`, one);
      await context.balanceMustBe(before, `after ${what} for a voided round`);
    },
  };
}
