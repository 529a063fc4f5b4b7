import { described, must, mustSucceed, unitsInOne, verdictOf } from '../../talk';
import { casesIn } from '../../talk/case';
import { openRound } from '../steps';

/** Transactions of a long call. */
const many = 60;

/** Calls of many transactions. */
export const callSize = [
  ...casesIn('ordering', [
    {
      id: 'listed-credits-are-paid',
      rule: 'Operator API 2.3; 4.1, rules 1 and 5',
      given: 'a round with a debit',
      when: `a call of ${many} credits comes`,
      expected:
        'the balance is higher by exactly those that hashesProcessed lists without an error',
      async play(context) {
        const { round } = await openRound(context);
        const before = await context.balance();
        const credits = Array.from({ length: many }, () => round.credit(unitsInOne));
        const answer = await round.send(...credits);
        must(
          answer.status < 500,
          `a call of ${many} credits must never be answered 5xx, but got ${described(answer)}`,
          answer,
        );
        const listed = credits.filter(({ hash }) => verdictOf(answer, hash) === 'processed').length;
        const when = `after a call of ${many} credits of which ${listed} are listed as processed`;
        await context.balanceMustBe(before + unitsInOne * BigInt(listed), when);
      },
    },
  ]),
  ...casesIn('request-form', [
    {
      id: 'call-of-sixty-transactions',
      rule: 'Operator API 4.1 (transactions) (D2.1)',
      given: 'a round with a debit',
      when: `a call of ${many} credits comes`,
      expected: 'it is answered 200, and each is paid',
      otherwise: 'The specification does not say how many transactions a call may hold.',
      async play(context) {
        const { round } = await openRound(context);
        const before = await context.balance();
        const credits = Array.from({ length: many }, () => round.credit(unitsInOne));
        mustSucceed(await round.send(...credits), `a call of ${many} credits`);
        await context.balanceMustBe(before + unitsInOne * BigInt(many), 'after the call');
      },
    },
  ]),
];
