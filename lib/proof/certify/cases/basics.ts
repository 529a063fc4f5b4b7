import { casesIn } from '../talk/case';
import { must, mustSay, mustSucceed, totalOf, voidOf } from '../talk';
import { newRound } from './steps';

/** What every other case depends on. The run ends if one of them does not pass. */
export const basics = casesIn('basics', [
  {
    id: 'balance-is-reported',
    rule: 'Operator API 4.2 and 2.2',
    given: 'a player with money',
    when: 'getBalance asks for the player and the currency',
    expected: 'the reply is 200 with a real balance in that currency',
    async play(context) {
      const answer = mustSucceed(await context.getBalance(), 'getBalance');
      const real = answer.balances?.filter(({ type }) => type === 'real') ?? [];
      must(
        real.length === 1,
        `getBalance must tell one real balance, but it tells ${real.length}`,
        answer,
      );
      must(
        totalOf(answer, context.currency) !== null,
        `the balances must be amounts in ${context.currency}`,
        answer,
      );
    },
  },
  {
    id: 'plain-round',
    rule: 'Operator API 4.1',
    given: 'a player with money',
    when: 'a round is played with a debit, a credit of half of it and an end, one call each',
    expected: 'each call is answered 200, and the balance is half a stake lower',
    after: ['balance-is-reported'],
    async play(context) {
      const { round, before } = await newRound(context);
      mustSucceed(await round.send(round.firstDebit(context.stake)), 'the debit');
      await context.balanceMustBe(before - context.stake, 'after the debit');
      mustSucceed(await round.send(round.credit(context.stake / 2n)), 'the credit');
      mustSucceed(await round.send(round.end()), 'the end');
      await context.balanceMustBe(before - context.stake / 2n, 'after the round');
    },
  },
  {
    id: 'plain-void',
    rule: 'Operator API 3, states (void of the first debit)',
    given: 'a round with a debit',
    when: 'the debit is voided',
    expected: 'the void is answered 200, and the balance is what it was before the debit',
    after: ['plain-round'],
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = round.firstDebit(context.stake);
      mustSucceed(await round.send(debit), 'the debit');
      mustSucceed(await round.send(voidOf(debit)), 'the void');
      await context.balanceMustBe(before, 'after the void');
    },
  },
  {
    id: 'hashes-are-listed',
    rule: 'Operator API 4.1, rule 5; 2.3',
    given: 'a player with money',
    when: 'a debit and a credit come in one call',
    expected: 'hashesProcessed lists both hashes, each without an error',
    after: ['plain-round'],
    async play(context) {
      const round = context.round();
      const [debit, credit] = [round.firstDebit(context.stake), round.credit(context.stake)];
      const answer = mustSucceed(await round.send(debit, credit), 'the call');
      mustSay(answer, debit.hash, 'processed', 'the debit');
      mustSay(answer, credit.hash, 'processed', 'the credit');
    },
  },
]);
