import { given, mustBeRefused, mustSucceed, voidOf } from '../../talk';
import { casesIn } from '../../talk/case';
import { withBody } from './forge';
import { givenRefused, mustBeRepeat, mustDecline, openRound } from '../steps';

/** What a wallet remembers when it starts again. */
export const retentionCases = casesIn('retention', [
  {
    id: 'hashes-outlive-a-restart',
    rule: 'Operator API 4.1, rule 1; 3, rule 7',
    given: 'a round with a debit, and one with a debit, a credit and an end',
    when: 'the wallet is started again, and the debit and the credit come again',
    expected:
      'the balance is the same as before, each is answered 200, the debit with error 12 at most, and no money moves',
    async play(context) {
      const [open, ended] = [context.round(), context.round()];
      const debit = open.firstDebit(context.stake);
      const credit = ended.credit(context.stake);
      given(await open.send(debit), 'the debit');
      given(await ended.send(ended.firstDebit(context.stake), credit, ended.end()), 'the round');
      const before = await context.balance();
      await context.restart();
      await context.balanceMustBe(before, 'after the restart');
      mustBeRepeat(await open.send(debit), debit, 'the same debit');
      await context.balanceMustBe(before, 'after the debit came again');
      mustSucceed(await ended.send(credit), 'the same credit');
      await context.balanceMustBe(before, 'after the credit came again');
    },
  },
  {
    id: 'open-round-outlives-a-restart',
    rule: 'Operator API 3, states and rule 7',
    given: 'a round with a debit',
    when: 'the wallet is started again, then a credit, an end and a further debit come',
    expected: 'credit and end are answered 200, and the debit is refused',
    async play(context) {
      const { round, before } = await openRound(context);
      await context.restart();
      mustSucceed(await round.send(round.credit(context.stake)), 'the credit');
      mustSucceed(await round.send(round.end()), 'the end');
      mustBeRefused(await round.send(round.followUp(context.stake)), 'a debit after the end');
      await context.balanceMustBe(before, 'after the round');
    },
  },
  {
    id: 'voids-outlive-a-restart',
    rule: 'Operator API 3, rules 2 and 4',
    given: 'the void of a debit that has not come yet, and a round whose debit was voided',
    when: 'the wallet is started again, then the late debit and a credit of the voided round come',
    expected: 'no money moves, and the credit is answered 400',
    async play(context) {
      const [late, voided] = [context.round(), context.round()];
      const debit = late.firstDebit(context.stake);
      given(await late.send(voidOf(debit)), 'the void that comes first');
      const first = voided.firstDebit(context.stake);
      given(await voided.send(first), 'the debit');
      given(await voided.send(voidOf(first)), 'its void');
      const before = await context.balance();
      await context.restart();
      await late.send(debit);
      await context.balanceMustBe(before, 'after a debit whose void came before the restart');
      const credit = await voided.send(voided.credit(context.stake));
      mustBeRefused(credit, 'a credit of a voided round', { status: 400 });
      await context.balanceMustBe(before, 'after a credit of a voided round');
    },
  },
  {
    id: 'end-outlives-a-restart',
    rule: 'Operator API 3, rule 3',
    given: 'a round that has ended',
    when: 'the wallet is started again, and a new credit and a follow-up debit come',
    expected: 'both are refused, and no money moves',
    async play(context) {
      const { round, before } = await openRound(context);
      given(await round.send(round.end()), 'the end');
      await context.restart();
      for (const late of [round.credit(context.stake), round.followUp(context.stake)]) {
        const what = `a ${late.type} of a round that ended before the restart`;
        mustDecline(await round.send(late), what, late);
      }
      await context.balanceMustBe(before - context.stake, 'after both');
    },
  },
  {
    id: 'refusals-outlive-a-restart',
    rule: 'Operator API 4.1, rule 1; D3.1',
    given: 'a follow-up debit that was declined, and a player who then won enough for it',
    when: 'the wallet is started again, and the same follow-up debit comes',
    expected: 'it is refused again, and nothing is taken',
    otherwise: 'A wallet may decide anew on a debit of which nothing was processed.',
    async play(context) {
      const { round, before } = await openRound(context);
      const followUp = round.followUp(before + context.stake);
      givenRefused(await round.send(followUp), 'a debit above the balance');
      const other = await openRound(context);
      given(await other.round.send(other.round.credit(context.stake * 4n)), 'the win');
      await context.restart();
      mustDecline(await round.send(followUp), 'a repeated debit that was declined', followUp);
      await context.balanceMustBe(before + context.stake * 2n, 'after the repeat');
    },
  },
  {
    id: 'acknowledged-call-outlives-a-kill',
    rule: 'Operator API 4.1, rule 1',
    given: 'a debit that was answered 200',
    when: 'the wallet is killed and started again, and the debit is resent',
    expected: 'its amount is taken once',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      await context.kill();
      await context.balanceMustBe(before - context.stake, 'after the kill');
      mustBeRepeat(await round.send(debit), debit, 'the same debit');
      await context.balanceMustBe(before - context.stake, 'after the debit came again');
    },
  },
  {
    id: 'signatures-outlive-a-restart',
    rule: 'Operator API 4.1, signed fields (D1.8)',
    given: 'a debit that was answered 200',
    when: 'the wallet is started again, and the signature of the debit comes with a void',
    expected: 'no money moves',
    otherwise:
      'By the letter of the specification the signature is right; TLS is what keeps it from others.',
    async play(context) {
      const round = context.round();
      const debit = round.firstDebit(context.stake);
      const request = context.sign(round.message([debit]));
      given(await context.send(request), 'the debit');
      const before = await context.balance();
      await context.restart();
      const answer = await context.send(withBody(request, round.message([voidOf(debit)])));
      const when = `after the signature of a debit came with a void (answered ${answer.status})`;
      await context.balanceMustBe(before, when);
    },
  },
]);
