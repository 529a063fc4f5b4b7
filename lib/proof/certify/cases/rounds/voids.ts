import { exactly, given, mustBeRefused, mustSucceed, totalOf, voidOf, must } from '../../talk';
import { casesIn } from '../../talk/case';
import { givenRefused, openRound, wholeBalance, newRound } from '../steps';

/** What a void gives back, whenever it comes. */
export const voids = casesIn('voids', [
  {
    id: 'void-takes-credits-back',
    rule: 'Operator API 3, states (void of the first debit)',
    given: 'a round with a debit and three credits',
    when: 'the debit is voided',
    expected: 'the void is answered 200, and the debit and every credit are reversed',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      given(
        await round.send(round.credit(context.stake), round.credit(context.stake)),
        'two credits',
      );
      given(await round.send(round.credit(context.stake / 2n)), 'a third credit');
      mustSucceed(await round.send(voidOf(debit)), 'the void of a round with credits');
      await context.balanceMustBe(before, 'after the void of the first debit');
    },
  },
  {
    id: 'void-gives-follow-ups-back',
    rule: 'Operator API 3, states (void of the first debit)',
    given: 'a round with a debit and a follow-up debit',
    when: 'the first debit is voided',
    expected: 'the whole round is cancelled: both debits are given back',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      given(await round.send(round.followUp(context.stake * 2n)), 'the follow-up debit');
      mustSucceed(await round.send(voidOf(debit)), 'the void of the first debit');
      await context.balanceMustBe(before, 'after the void of the first debit');
    },
  },
  {
    id: 'void-after-end',
    rule: 'Operator API 3, rule 3',
    given: 'a round with a debit and a credit, which has ended',
    when: 'the debit is voided',
    expected: 'the void is answered 200, and the round nets to zero',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      given(await round.send(round.credit(context.stake * 2n), round.end()), 'the credit and end');
      mustSucceed(await round.send(voidOf(debit)), 'the void of a closed round');
      await context.balanceMustBe(before, 'after the void of a closed round');
    },
  },
  {
    id: 'void-in-capitals',
    rule: 'Operator API 2.1 (type)',
    given: 'a round with a debit',
    when: 'it is voided by a transaction of type VOID',
    expected: 'the void is answered 200, and the debit is given back',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      mustSucceed(await round.send(voidOf(debit, { type: 'VOID' })), 'a VOID in upper case');
      await context.balanceMustBe(before, 'after the VOID');
    },
  },
  {
    id: 'void-and-void-in-capitals',
    rule: 'Operator API 2.1 (type); 4.1, rule 1; 3, rule 3',
    given: 'two rounds with a debit',
    when: 'one is voided by void and then by VOID, and the other by VOID and then by void',
    expected: 'each is answered 200, and each debit is given back once',
    async play(context) {
      for (const types of [
        ['void', 'VOID'],
        ['VOID', 'void'],
      ]) {
        const { round, debit, before } = await openRound(context);
        for (const type of types)
          mustSucceed(await round.send(voidOf(debit, { type })), `a ${type}`);
        await context.balanceMustBe(before, `after ${types.join(' and ')} of one debit`);
      }
    },
  },
  {
    id: 'void-without-amount',
    rule: 'Operator API 2.1 (type); D5.6',
    given: 'a round with a debit',
    when: 'it is voided without an amount and a currency',
    expected: 'the void is answered 200, and the debit is given back',
    otherwise: 'The service sends an amount: a wallet may demand it.',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      const { hash, timestamp } = debit;
      mustSucceed(await round.send({ type: 'void', hash, timestamp }), 'a void without an amount');
      await context.balanceMustBe(before, 'after the void');
    },
  },
  {
    id: 'void-with-other-amount',
    rule: 'D5.6',
    given: 'a round with a debit',
    when: 'its void names a larger amount',
    expected: 'the void is answered 200, and the amount that was taken is given back',
    otherwise: 'A wallet may refuse such a void.',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      mustSucceed(
        await round.send(voidOf(debit, { amount: exactly(context.stake * 3n) })),
        'a void with another amount',
      );
      await context.balanceMustBe(before, 'after a void with another amount');
    },
  },
  {
    id: 'void-reply-has-balance',
    rule: 'Operator API 4.1 (reply)',
    given: 'a round with a debit',
    when: 'it is voided',
    expected: 'the reply has the balance after the void',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      const answer = given(await round.send(voidOf(debit)), 'the void');
      const isAfter = totalOf(answer, context.currency) === before;
      must(isAfter, 'the reply to a void must have the balance after it, but it has not', answer);
    },
  },
  {
    id: 'void-behind-its-debit',
    rule: 'Operator API 4.1, rule 1',
    given: 'a player with money',
    when: 'a debit and its void come in one call, in this order',
    expected: 'the call is answered 200, and nothing has moved',
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = round.firstDebit(context.stake);
      mustSucceed(await round.send(debit, voidOf(debit)), 'a debit and its void in one call');
      await context.balanceMustBe(before, 'after the call');
    },
  },
  {
    id: 'void-of-follow-up',
    rule: 'Operator API 3, states (void of the first debit)',
    given: 'a round with a debit, a credit and then a follow-up debit',
    when: 'the follow-up debit is voided',
    expected: 'the void is answered 200, and that debit alone is given back',
    async play(context) {
      const { round, before } = await openRound(context);
      const followUp = round.followUp(context.stake * 2n);
      given(await round.send(round.credit(context.stake / 2n)), 'the credit');
      given(await round.send(followUp), 'the follow-up debit');
      mustSucceed(await round.send(voidOf(followUp)), 'the void of a follow-up debit');
      const left = before - context.stake + context.stake / 2n;
      await context.balanceMustBe(left, 'after the void of the follow-up debit');
    },
  },
  {
    id: 'round-goes-on-after-void-of-follow-up',
    rule: 'Operator API 3, states (the first debit alone voids the round)',
    given: 'a round whose follow-up debit was voided',
    when: 'a credit of the round comes',
    expected: 'it is paid',
    async play(context) {
      const { round, before } = await openRound(context);
      const followUp = round.followUp(context.stake);
      given(await round.send(followUp), 'the follow-up debit');
      given(await round.send(voidOf(followUp)), 'the void of the follow-up debit');
      mustSucceed(await round.send(round.credit(context.stake * 2n)), 'a credit after that void');
      await context.balanceMustBe(before + context.stake, 'after the credit');
    },
  },
  {
    id: 'void-of-follow-up-with-its-credit',
    rule: 'D5.3',
    given: 'a round in which a follow-up debit and a credit came in one call',
    when: 'the follow-up debit is voided',
    expected: 'the credit after it is reversed too: for the service the call failed',
    otherwise: 'By the letter the void of a follow-up debit reverses that debit alone.',
    async play(context) {
      const { round, before } = await openRound(context);
      const followUp = round.followUp(context.stake);
      given(await round.send(followUp, round.credit(context.stake * 3n)), 'the second call');
      mustSucceed(await round.send(voidOf(followUp)), 'the void of a follow-up debit');
      await context.balanceMustBe(before - context.stake, 'after the void of the follow-up debit');
    },
  },
  {
    id: 'void-of-declined-debit',
    rule: 'Operator API 3, rule 3; 4.1 (signed fields)',
    given: 'a round whose first debit was declined',
    when: 'that debit is voided',
    expected: 'the void is answered 200, and nothing moves',
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = round.firstDebit(before + context.stake);
      givenRefused(await round.send(debit), 'a debit above the balance');
      mustSucceed(await round.send(voidOf(debit)), 'the void of a declined debit');
      await context.balanceMustBe(before, 'after the void of a declined debit');
    },
  },
  {
    id: 'void-of-declined-follow-up',
    rule: 'Operator API 3, rule 3; 4.1 (signed fields)',
    given: 'a round whose follow-up debit was declined',
    when: 'that follow-up debit is voided',
    expected: 'the void is answered 200, and nothing moves',
    async play(context) {
      const { round, before } = await openRound(context);
      const followUp = round.followUp(before + context.stake);
      givenRefused(await round.send(followUp), 'a debit above the balance');
      mustSucceed(await round.send(voidOf(followUp)), 'the void of a declined follow-up debit');
      await context.balanceMustBe(before - context.stake, 'after the void of a declined debit');
    },
  },
  {
    id: 'voids-of-both-debits',
    rule: 'Operator API 3, rule 3; 4.1, rule 1',
    given: 'a round with a debit and a follow-up debit',
    when: 'both are voided in one call, the first debit first',
    expected: 'the call is answered 200, and each debit is given back once',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      const followUp = round.followUp(context.stake);
      given(await round.send(followUp), 'the follow-up debit');
      mustSucceed(await round.send(voidOf(debit), voidOf(followUp)), 'the voids of both debits');
      await context.balanceMustBe(before, 'after the voids of both debits');
    },
  },
  {
    id: 'voids-in-other-order',
    rule: 'Operator API 3, rule 3',
    given: 'a round with a debit and a follow-up debit',
    when: 'the follow-up debit is voided, and then the first one',
    expected: 'both voids are answered 200, and each debit is given back once',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      const followUp = round.followUp(context.stake);
      given(await round.send(followUp), 'the follow-up debit');
      mustSucceed(await round.send(voidOf(followUp)), 'the void of the follow-up debit');
      mustSucceed(await round.send(voidOf(debit)), 'the void of the first debit after it');
      await context.balanceMustBe(before, 'after the voids of both debits');
    },
  },
  {
    id: 'void-with-credit-hash',
    rule: 'Operator API 3, rule 6; D5.7',
    given: 'a round with a debit and a credit',
    when: "a void comes with the credit's hash",
    expected: 'it is refused, and nothing moves',
    otherwise: 'The service never sends it: a wallet may do anything with it.',
    async play(context) {
      const { round, before } = await openRound(context);
      const credit = round.credit(context.stake / 2n);
      given(await round.send(credit), 'the credit');
      mustBeRefused(await round.send(voidOf(credit)), "a void with a credit's hash");
      await context.balanceMustBe(before - context.stake / 2n, "after a void with a credit's hash");
    },
  },
  {
    id: 'void-below-zero',
    rule: 'Operator API 3, states (void of the first debit); D5.2',
    given: 'a round with a win that the player has staked since, with all other money',
    when: 'the first debit of that round is voided',
    expected: 'the void is answered 200, and the balance is below zero',
    otherwise: 'A wallet may keep the balance at zero and settle the rest otherwise.',
    async play(context) {
      await wholeBalance(context);
      const { round, debit, before } = await openRound(context);
      given(await round.send(round.credit(context.stake * 3n)), 'the win');
      const other = context.round();
      const all = other.firstDebit(before + context.stake * 2n);
      given(await other.send(all), 'the debit of the whole balance');
      mustSucceed(await round.send(voidOf(debit)), 'the void of a round whose win is spent');
      await context.balanceMustBe(
        context.stake * -2n,
        'after the void of a round whose win is spent',
      );
    },
  },
]);
