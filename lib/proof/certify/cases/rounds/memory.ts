import {
  type CaseContext,
  given,
  type KeptForTheEnd,
  mustSucceed,
  Undecided,
  unitsInOne,
  voidOf,
} from '../../talk';
import { casesIn } from '../../talk/case';
import { mustBeRepeat, newRound, openRound } from '../steps';

/** Transactions of a call: few enough for a wallet that limits them. */
const inCall = 20;
/** Calls between a transaction and its repeat: some hundreds of hashes. */
const callsBetween = 18;
/** Least age of what is repeated at the end of a run, in milliseconds. */
const leastAgeMs = 2000;

/** What a wallet still knows after others have come. */
export const memory = [
  ...casesIn('ordering', [
    {
      id: 'voids-before-their-debits',
      rule: 'Operator API 3, rule 2',
      given: 'a player with money',
      when: 'the voids of three first debits come, each in another round, and then the debits',
      expected: 'each void is answered 200, and no debit is taken',
      async play(context) {
        const before = await context.balance();
        const early = await sendEarlyVoids(context);
        for (const { round, debit } of early) await round.send(debit);
        await context.balanceMustBe(before, 'after debits whose voids came before');
      },
    },
    {
      id: 'calls-for-the-end-of-the-run',
      rule: 'Operator API 3, rule 2; 4.1, rule 1',
      given: 'a player with money',
      when: 'the voids of three debits that have not come, and a round of a debit and a credit of the same amount come',
      expected: 'each is answered 200',
      async play(context) {
        const early = await sendEarlyVoids(context);
        const { round, before } = await newRound(context);
        const [debit, credit] = [round.firstDebit(context.stake), round.credit(context.stake)];
        mustSucceed(await round.send(debit), 'the debit');
        mustSucceed(await round.send(credit), 'the credit');
        await context.balanceMustBe(before, 'after the round');
        const atMs = context.clock.monotonicMs();
        context.keepForTheEnd({ atMs, early, played: { round, transactions: [debit, credit] } });
      },
    },
  ]),
  ...casesIn('idempotency', [
    {
      id: 'repeats-after-hundreds-of-hashes',
      rule: 'Operator API 4.1, rule 1; 3, rule 2',
      given: 'a void of a debit that has not come, and a round with a debit and a credit',
      when: `${callsBetween} calls of ${inCall} further credits of the round come, and then the late debit, the first debit and the first credit`,
      expected:
        'no money moves, and those of the round are answered 200, the debit with error 12 at most',
      async play(context) {
        const [early] = await sendEarlyVoids(context);
        const { round, debit } = await openRound(context);
        const credit = round.credit(unitsInOne);
        given(await round.send(credit), 'the credit');
        for (let call = 1; call <= callsBetween; call += 1) {
          const credits = Array.from({ length: inCall }, () => round.credit(unitsInOne));
          given(await round.send(...credits), `a call of ${inCall} credits`);
        }
        const before = await context.balance();
        mustBeRepeat(await round.send(debit), debit, 'the repeated debit');
        mustSucceed(await round.send(credit), 'the repeated credit');
        await context.balanceMustBe(before, 'after the debit and the credit came again');
        if (early !== undefined) await early.round.send(early.debit);
        await context.balanceMustBe(before, 'after a debit whose void came before');
      },
    },
  ]),
  ...casesIn('memory', [
    {
      id: 'early-voids-at-the-end-of-the-run',
      rule: 'Operator API 3, rule 2',
      given: 'voids of three debits, sent when the run began',
      when: 'their debits come at the end of the run',
      expected: 'none is taken, however much time has passed',
      after: ['calls-for-the-end-of-the-run'],
      async play(context) {
        const { early, age } = await keptFromTheStart(context);
        const before = await context.balance();
        for (const { round, debit } of early) await round.send(debit);
        await context.balanceMustBe(before, `after debits whose voids came ${age} before`);
        return `the voids came ${age} before`;
      },
    },
    {
      id: 'hashes-at-the-end-of-the-run',
      rule: 'Operator API 4.1, rule 1',
      given: 'a debit and a credit, sent when the run began',
      when: 'both are resent at the end of the run',
      expected: 'each is answered 200, the debit with error 12 at most, and no money moves',
      after: ['calls-for-the-end-of-the-run'],
      async play(context) {
        const { played, age } = await keptFromTheStart(context);
        const before = await context.balance();
        for (const transaction of played.transactions) {
          const what = `the ${transaction.type} that came ${age} before`;
          const answer = await played.round.send(transaction);
          if (transaction.type === 'debit') mustBeRepeat(answer, transaction, what);
          else mustSucceed(answer, what);
        }
        await context.balanceMustBe(before, `after transactions that came ${age} before`);
        return `the transactions came ${age} before`;
      },
    },
    {
      id: 'open-round-at-the-end-of-the-run',
      rule: 'Operator API 3, rules 3 and 7; 4.1, rule 1',
      given: 'a round that began when the run began, with a debit and a credit, and has not ended',
      when: 'it is played on at the end of the run by a follow-up debit, a credit and an end, and is then voided',
      expected: 'each call is answered 200 and counts, however much time has passed',
      after: ['calls-for-the-end-of-the-run'],
      async play(context) {
        const { played, age } = await keptFromTheStart(context);
        const { round, transactions } = played;
        const before = await context.balance();
        const of = `of a round that began ${age} before`;
        mustSucceed(await round.send(round.followUp(context.stake)), `a follow-up debit ${of}`);
        const win = round.credit(context.stake * 3n);
        mustSucceed(await round.send(win, round.end()), `a credit and the end ${of}`);
        await context.balanceMustBe(before + context.stake * 2n, `after the end ${of}`);
        const [debit] = transactions;
        if (debit !== undefined) mustSucceed(await round.send(voidOf(debit)), `the void ${of}`);
        await context.balanceMustBe(before, `after the void ${of}`);
        return `the round began ${age} before`;
      },
    },
  ]),
];

/** Voids of three debits that have not come. @throws CaseFailure unless each is answered 200. */
async function sendEarlyVoids(context: CaseContext): Promise<KeptForTheEnd['early']> {
  const early = Array.from({ length: 3 }, () => {
    const round = context.round();
    return { round, debit: round.firstDebit(unitsInOne) };
  });
  for (const { round, debit } of early) {
    mustSucceed(await round.send(voidOf(debit)), 'the void of a debit that has not come');
  }
  return early;
}

/** What was sent when the run began, and how long ago that is in words. @throws Undecided if there is nothing. */
async function keptFromTheStart(context: CaseContext): Promise<KeptForTheEnd & { age: string }> {
  const kept = context.keptForTheEnd();
  if (kept === null) throw new Undecided('nothing was kept from the beginning of the run');
  const { clock } = context;
  const leftMs = kept.atMs + leastAgeMs - clock.monotonicMs();
  if (leftMs > 0) await clock.pause(leftMs);
  const seconds = Math.floor((clock.monotonicMs() - kept.atMs) / 1000);
  return { ...kept, age: `${seconds} seconds` };
}
