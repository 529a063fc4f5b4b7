import {
  type CaseContext,
  exactly,
  given,
  mustSucceed,
  type Round,
  type Transaction,
  voidOf,
} from '../../talk';
import { casesIn } from '../../talk/case';
import { mustBeRepeat, mustBeSecond, mustDecline, newRound } from '../steps';

/** Debits paid with a free play, or with a discount. */
export const freePlays = casesIn('free-plays', [
  {
    id: 'free-play',
    rule: 'Operator API 4.3; 2.1 (freePlayUsed, serial)',
    given: 'a player with money',
    when: 'a debit of 0 comes with freePlayUsed true and a serial',
    expected: 'it is answered 200, and nothing is taken',
    async play(context) {
      const { round, before } = await newRound(context);
      mustSucceed(await round.send(freeDebit(context, round)), 'a debit paid with a free play');
      await context.balanceMustBe(before, 'after a free play');
    },
  },
  {
    id: 'free-play-without-amount',
    rule: 'Operator API 2.1 (amount)',
    given: 'a player with money',
    when: 'a debit without an amount comes with freePlayUsed true and a serial',
    expected: 'it is answered 200, and nothing is taken',
    async play(context) {
      const { round, before } = await newRound(context);
      const { amount: _, ...debit } = freeDebit(context, round);
      mustSucceed(await round.send(debit), 'a free play without an amount');
      await context.balanceMustBe(before, 'after a free play');
    },
  },
  {
    id: 'free-play-as-text',
    rule: 'Public documentation: boolean (D2.3)',
    given: 'a player with money',
    when: 'a debit of 0 comes with freePlayUsed and isFirstDebit as the string "true"',
    expected: 'it is answered 200, and nothing is taken',
    otherwise: 'The specification says boolean, not text.',
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = freeDebit(context, round, { freePlayUsed: 'true', isFirstDebit: 'true' });
      mustSucceed(await round.send(debit), 'a free play with "true" as a string');
      await context.balanceMustBe(before, 'after a free play');
    },
  },
  {
    id: 'no-free-play-as-text',
    rule: 'Public documentation: boolean (D2.3)',
    given: 'a player with money',
    when: 'a debit of a stake comes with freePlayUsed as the string "false"',
    expected: 'it is answered 200, and the stake is taken',
    otherwise: 'The specification says boolean, not text.',
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = round.firstDebit(context.stake, { freePlayUsed: 'false' });
      mustSucceed(await round.send(debit), 'a debit with freePlayUsed "false"');
      await context.balanceMustBe(before - context.stake, 'after a debit without a free play');
    },
  },
  {
    id: 'free-play-starts-its-round',
    rule: 'Operator API 4.3; 4.1, rule 3',
    given: 'a round that began with a free play',
    when: 'a second initial debit comes',
    expected: 'it is answered with error 12',
    async play(context) {
      const { round } = await freeRound(context);
      const second = round.firstDebit(context.stake);
      mustBeSecond(await round.send(second), second);
    },
  },
  {
    id: 'win-of-free-play',
    rule: 'Operator API 4.3; 4.1',
    given: 'a round that began with a free play',
    when: 'a credit and an end come',
    expected: 'the call is answered 200, and the credit is paid',
    async play(context) {
      const before = await context.balance();
      const { round } = await freeRound(context);
      mustSucceed(
        await round.send(round.credit(context.stake), round.end()),
        'the win and the end',
      );
      await context.balanceMustBe(before + context.stake, 'after the win of a free play');
    },
  },
  {
    id: 'free-play-again',
    rule: 'Operator API 4.1, rule 1',
    given: 'a round that began with a free play, and had a credit',
    when: 'the free play and the credit come again',
    expected: 'both are answered 200, the free play with error 12 at most, and nothing moves',
    async play(context) {
      const before = await context.balance();
      const { round, debit } = await freeRound(context);
      const credit = round.credit(context.stake);
      given(await round.send(credit), 'the credit');
      mustBeRepeat(await round.send(debit), debit, 'the repeated free play');
      mustSucceed(await round.send(credit), 'the repeated credit');
      await context.balanceMustBe(before + context.stake, 'after the repeats');
    },
  },
  {
    id: 'serial-in-two-rounds',
    rule: 'Operator API 4.3 (count)',
    given: 'a package with several free plays',
    when: 'two rounds begin with a free play of the same serial',
    expected: 'both are answered 200, and nothing is taken',
    async play(context) {
      const before = await context.balance();
      const { debit } = await freeRound(context);
      const other = context.round();
      const second = freeDebit(context, other, { serial: debit['serial'] });
      mustSucceed(await other.send(second), 'a second free play of the same serial');
      await context.balanceMustBe(before, 'after two free plays');
    },
  },
  {
    id: 'void-of-free-play',
    rule: 'Operator API 3, states (void of the first debit)',
    given: 'a round that began with a free play, and had a credit',
    when: 'the free play is voided',
    expected: 'the void is answered 200, and the credit is reversed',
    async play(context) {
      const before = await context.balance();
      const { round, debit } = await freeRound(context);
      given(await round.send(round.credit(context.stake)), 'the credit');
      mustSucceed(await round.send(voidOf(debit)), 'the void of a free play');
      await context.balanceMustBe(before, 'after the void of a free play');
    },
  },
  {
    id: 'free-play-with-amount',
    rule: 'Operator API 2.1 (freePlayUsed); D2.4',
    given: 'a player with money',
    when: 'a debit of a stake comes with freePlayUsed true and a serial',
    expected: 'it is refused, and nothing is taken',
    otherwise: 'The service never sends it: a wallet may take the stake, or nothing.',
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = freeDebit(context, round, { amount: exactly(context.stake) });
      mustDecline(await round.send(debit), 'a free play with an amount', debit);
      await context.balanceMustBe(before, 'after a free play with an amount');
    },
  },
]);

type More = Parameters<Round['firstDebit']>[1];

function freeDebit(context: CaseContext, round: Round, more: More = {}): Transaction {
  return round.firstDebit(0n, { freePlayUsed: true, serial: context.newHash(), ...more });
}

/** A round that began with a free play. @throws Undecided if the wallet refuses it. */
async function freeRound(context: CaseContext): Promise<{ round: Round; debit: Transaction }> {
  const round = context.round();
  const debit = freeDebit(context, round);
  given(await round.send(debit), 'a debit paid with a free play');
  return { round, debit };
}
