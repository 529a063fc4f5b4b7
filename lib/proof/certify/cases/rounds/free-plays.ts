import {
  exactly,
  given,
  mustSucceed,
  type Round,
  type Stage,
  type Transaction,
  voidOf,
} from '../../talk';
import type { Case } from '../case';
import { mustBeSecond, mustDecline } from './steps';

/** Debits paid with a free play, or with a discount. */
export const freePlays: readonly Case[] = [
  {
    id: 'free-play',
    group: 'free-plays',
    level: 'required',
    rule: 'Operator API 4.3; 2.1 (freePlayUsed, serial)',
    given: 'a player with money',
    when: 'a debit of 0 comes with freePlayUsed true and a serial',
    expected: 'it is answered 200, and nothing is taken',
    async play(stage) {
      const before = await stage.balance();
      const round = stage.round();
      mustSucceed(await round.send(freeDebit(stage, round)), 'a debit paid with a free play');
      await stage.balanceMustBe(before, 'after a free play');
    },
  },
  {
    id: 'free-play-without-amount',
    group: 'free-plays',
    level: 'required',
    rule: 'Operator API 2.1 (amount)',
    given: 'a player with money',
    when: 'a debit without an amount comes with freePlayUsed true and a serial',
    expected: 'it is answered 200, and nothing is taken',
    async play(stage) {
      const before = await stage.balance();
      const round = stage.round();
      const { amount: _, ...debit } = freeDebit(stage, round);
      mustSucceed(await round.send(debit), 'a free play without an amount');
      await stage.balanceMustBe(before, 'after a free play');
    },
  },
  {
    id: 'free-play-as-text',
    group: 'free-plays',
    level: 'required',
    rule: 'Public documentation (boolean)',
    given: 'a player with money',
    when: 'a debit of 0 comes with freePlayUsed and isFirstDebit as the string "true"',
    expected: 'it is answered 200, and nothing is taken',
    async play(stage) {
      const before = await stage.balance();
      const round = stage.round();
      const debit = freeDebit(stage, round, { freePlayUsed: 'true', isFirstDebit: 'true' });
      mustSucceed(await round.send(debit), 'a free play with "true" as a string');
      await stage.balanceMustBe(before, 'after a free play');
    },
  },
  {
    id: 'no-free-play-as-text',
    group: 'free-plays',
    level: 'required',
    rule: 'Public documentation (boolean)',
    given: 'a player with money',
    when: 'a debit of a stake comes with freePlayUsed as the string "false"',
    expected: 'it is answered 200, and the stake is taken',
    async play(stage) {
      const before = await stage.balance();
      const round = stage.round();
      const debit = round.firstDebit(stage.stake, { freePlayUsed: 'false' });
      mustSucceed(await round.send(debit), 'a debit with freePlayUsed "false"');
      await stage.balanceMustBe(before - stage.stake, 'after a debit without a free play');
    },
  },
  {
    id: 'free-play-starts-its-round',
    group: 'free-plays',
    level: 'required',
    rule: 'Operator API 4.3; 4.1, rule 3',
    given: 'a round that began with a free play',
    when: 'a second initial debit comes',
    expected: 'it is answered with error 12',
    async play(stage) {
      const { round } = await freeRound(stage);
      const second = round.firstDebit(stage.stake);
      mustBeSecond(await round.send(second), second);
    },
  },
  {
    id: 'win-of-free-play',
    group: 'free-plays',
    level: 'required',
    rule: 'Operator API 4.3; 4.1',
    given: 'a round that began with a free play',
    when: 'a credit and an end come',
    expected: 'the call is answered 200, and the credit is paid',
    async play(stage) {
      const before = await stage.balance();
      const { round } = await freeRound(stage);
      mustSucceed(await round.send(round.credit(stage.stake), round.end()), 'the win and the end');
      await stage.balanceMustBe(before + stage.stake, 'after the win of a free play');
    },
  },
  {
    id: 'free-play-again',
    group: 'free-plays',
    level: 'required',
    rule: 'Operator API 4.1, rule 1',
    given: 'a round that began with a free play, and had a credit',
    when: 'the free play and the credit come again',
    expected: 'both are answered 200, and nothing moves',
    async play(stage) {
      const before = await stage.balance();
      const { round, debit } = await freeRound(stage);
      const credit = round.credit(stage.stake);
      given(await round.send(credit), 'the credit');
      mustSucceed(await round.send(debit), 'the repeated free play');
      mustSucceed(await round.send(credit), 'the repeated credit');
      await stage.balanceMustBe(before + stage.stake, 'after the repeats');
    },
  },
  {
    id: 'serial-in-two-rounds',
    group: 'free-plays',
    level: 'required',
    rule: 'Operator API 4.3 (count)',
    given: 'a package with several free plays',
    when: 'two rounds begin with a free play of the same serial',
    expected: 'both are answered 200, and nothing is taken',
    async play(stage) {
      const before = await stage.balance();
      const { debit } = await freeRound(stage);
      const other = stage.round();
      const second = freeDebit(stage, other, { serial: debit['serial'] });
      mustSucceed(await other.send(second), 'a second free play of the same serial');
      await stage.balanceMustBe(before, 'after two free plays');
    },
  },
  {
    id: 'void-of-free-play',
    group: 'free-plays',
    level: 'required',
    rule: 'Operator API 3, states (void of the first debit)',
    given: 'a round that began with a free play, and had a credit',
    when: 'the free play is voided',
    expected: 'the void is answered 200, and the credit is reversed',
    async play(stage) {
      const before = await stage.balance();
      const { round, debit } = await freeRound(stage);
      given(await round.send(round.credit(stage.stake)), 'the credit');
      mustSucceed(await round.send(voidOf(debit)), 'the void of a free play');
      await stage.balanceMustBe(before, 'after the void of a free play');
    },
  },
  {
    id: 'free-play-with-amount',
    group: 'free-plays',
    level: 'advisory',
    rule: 'Operator API 2.1 (freePlayUsed); D2.4',
    given: 'a player with money',
    when: 'a debit of a stake comes with freePlayUsed true and a serial',
    expected: 'it is refused, and nothing is taken',
    otherwise: 'The service never sends it: a wallet may take the stake, or nothing.',
    async play(stage) {
      const before = await stage.balance();
      const round = stage.round();
      const debit = freeDebit(stage, round, { amount: exactly(stage.stake) });
      mustDecline(await round.send(debit), 'a free play with an amount', debit);
      await stage.balanceMustBe(before, 'after a free play with an amount');
    },
  },
];

type More = Parameters<Round['firstDebit']>[1];

function freeDebit(stage: Stage, round: Round, more: More = {}): Transaction {
  return round.firstDebit(0n, { freePlayUsed: true, serial: stage.newHash(), ...more });
}

/** A round that began with a free play. @throws Undecided if the wallet refuses it. */
async function freeRound(stage: Stage): Promise<{ round: Round; debit: Transaction }> {
  const round = stage.round();
  const debit = freeDebit(stage, round);
  given(await round.send(debit), 'a debit paid with a free play');
  return { round, debit };
}
