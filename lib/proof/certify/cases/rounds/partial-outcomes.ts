import { isJsonObject } from '../../../../protocol/json/parse';
import {
  must,
  mustBeRefused,
  mustSucceed,
  type Round,
  totalOf,
  type Transaction,
  verdictOf,
  voidOf,
} from '../../talk';
import { casesIn } from '../../talk/case';
import {
  errorCodesOf,
  givenRefused,
  mustBeSecond,
  mustDecline,
  openRound,
  newRound,
} from '../steps';

/** One transaction of a call fails, and others do not. */
export const partialOutcomes = casesIn('partial-outcomes', [
  {
    id: 'debit-above-balance',
    rule: 'Operator API 3, states (a debit fails, a smaller stake may not); 4.1, rule 2',
    given: 'a player with money',
    when: 'a debit is above the balance',
    expected: 'it is refused with 4xx or 5xx, and nothing is taken',
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = round.firstDebit(before + context.stake);
      mustDecline(await round.send(debit), 'a debit above the balance', debit);
      await context.balanceMustBe(before, 'after a debit that was refused');
    },
  },
  {
    id: 'decline-is-4xx',
    rule: 'Operator API 3, states; D6.3',
    given: 'a player with money',
    when: 'a debit is above the balance',
    expected: 'it is refused with 4xx: on 5xx the service sends a void as well',
    otherwise: 'A wallet may decline with 5xx: the service then voids what was never taken.',
    async play(context) {
      const round = context.round();
      const answer = await round.send(round.firstDebit((await context.balance()) + context.stake));
      givenRefused(answer, 'a debit above the balance');
      const { status } = answer;
      must(status < 500, `a declined debit must be answered 4xx, but got ${status}`, answer);
    },
  },
  {
    id: 'error-object',
    rule: 'Operator API 7, rule 1',
    given: 'a player with money',
    when: 'a debit is above the balance',
    expected:
      'the reply has an errorCode, and each one in it is {id: number, msg: string, clientmsg: string}',
    async play(context) {
      const round = context.round();
      const answer = await round.send(round.firstDebit((await context.balance()) + context.stake));
      givenRefused(answer, 'a debit above the balance');
      const errors = errorCodesOf(answer);
      must(errors.length > 0, 'a refusal must have an errorCode, but it has none', answer);
      for (const error of errors) {
        const { id, msg, clientmsg } = isJsonObject(error) ? error : {};
        const form = `{id: ${typeof id}, msg: ${typeof msg}, clientmsg: ${typeof clientmsg}}`;
        must(
          form === '{id: number, msg: string, clientmsg: string}',
          `an errorCode must be {id: number, msg: string, clientmsg: string}, but it is ${form}`,
          answer,
        );
      }
    },
  },
  {
    id: 'refused-debit-is-listed',
    rule: 'Operator API 2.3; D6.1',
    given: 'a round with a debit',
    when: 'a follow-up debit is above the balance',
    expected: 'hashesProcessed lists it with an errorCode',
    otherwise: 'The errorCode at the top says enough for a call with one transaction.',
    async play(context) {
      const { round, before } = await openRound(context);
      const followUp = round.followUp(before + context.stake);
      const answer = givenRefused(await round.send(followUp), 'a debit above the balance');
      const said = verdictOf(answer, followUp.hash);
      const claim = `the refused debit must be listed with an error, but it is ${said}`;
      must(said === 'refused', claim, answer);
    },
  },
  {
    id: 'refusal-has-balances',
    rule: 'Operator API 4.1 (reply); D6.2',
    given: 'a player with money',
    when: 'a debit is above the balance',
    expected: 'the refusal has the balances too',
    otherwise: 'Balances are only asked for on success.',
    async play(context) {
      const { round, before } = await newRound(context);
      const answer = await round.send(round.firstDebit(before + context.stake));
      givenRefused(answer, 'a debit above the balance');
      must(
        answer.balances !== null && totalOf(answer, context.currency) === before,
        'the refusal must have the current balances, but it has not',
        answer,
      );
    },
  },
  {
    id: 'second-initial-debit-in-call',
    rule: 'Operator API 4.1, rules 2 and 3',
    given: 'a player with money',
    when: 'two initial debits of one round come in one call',
    expected:
      'the call is not answered 200, the second debit has error 12, and at most one is taken',
    async play(context) {
      const { round, before } = await newRound(context);
      const [first, second] = [round.firstDebit(context.stake), round.firstDebit(context.stake)];
      const answer = mustBeSecond(await round.send(first, second), second);
      const taken = before - (await context.balance());
      const claim = 'the second initial debit must not be taken, but it was';
      must(taken <= context.stake, claim, answer);
    },
  },
  {
    id: 'list-tells-what-moved',
    rule: 'Operator API 2.3; 4.1, rules 2 and 5',
    given: 'a player with money',
    when: 'a call holds a debit, a credit, a follow-up debit above the balance and a credit',
    expected:
      'what hashesProcessed lists without an error has moved, and nothing else; after 5xx and its voids, nothing',
    async play(context) {
      const { round, before } = await newRound(context);
      const list = brokenCall(round, context.stake, before);
      const answer = mustBeRefused(
        await round.send(...list),
        'a call with a debit above the balance',
      );
      const [debit, credit, followUp, last] = list;
      if (answer.meaning === 'silent') {
        mustSucceed(await round.send(voidOf(debit), voidOf(followUp)), 'the voids after 5xx');
        await context.balanceMustBe(before, 'after the voids');
        return;
      }
      const says = ({ hash }: Transaction) => verdictOf(answer, hash) === 'processed';
      must(!says(followUp), 'a debit above the balance must not be listed as processed', answer);
      must(!says(last), 'a credit after a failed debit must not be listed as processed', answer);
      const listed = (says(debit) ? -context.stake : 0n) + (says(credit) ? context.stake / 2n : 0n);
      await context.balanceMustBe(before + listed, 'by what hashesProcessed lists');
    },
  },
  {
    id: 'credit-behind-declined-debit',
    rule: 'Operator API 3, rule 1',
    given: 'a player with money',
    when: 'a debit above the balance and a credit come in one call',
    expected: 'both are refused, and nothing moves',
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = round.firstDebit(before + context.stake);
      const credit = round.credit(context.stake);
      const answer = await round.send(debit, credit);
      mustDecline(answer, 'a credit after a declined debit', debit, credit);
      await context.balanceMustBe(before, 'after the call');
    },
  },
  {
    id: 'credit-behind-declined-follow-up',
    rule: 'Operator API 3, rule 1',
    given: 'a round with a debit',
    when: 'a follow-up debit above the balance and a credit come in one call',
    expected: 'both are refused, and nothing moves',
    async play(context) {
      const { round, before } = await openRound(context);
      const [debit, credit] = [round.followUp(before + context.stake), round.credit(context.stake)];
      const answer = await round.send(debit, credit);
      mustDecline(answer, 'a credit after a declined follow-up debit', debit, credit);
      await context.balanceMustBe(before - context.stake, 'after the call');
    },
  },
  {
    id: 'credit-after-declined-debit',
    rule: 'Operator API 3, rule 1',
    given: 'a round whose first debit was declined',
    when: 'a credit of the round comes in the next call',
    expected: 'it is refused, and nothing moves',
    async play(context) {
      const { round, before } = await newRound(context);
      givenRefused(
        await round.send(round.firstDebit(before + context.stake)),
        'a debit above the balance',
      );
      const credit = round.credit(context.stake);
      mustDecline(await round.send(credit), 'a credit after a declined debit', credit);
      await context.balanceMustBe(before, 'after the credit');
    },
  },
  {
    id: 'credit-after-declined-follow-up',
    rule: 'Operator API 3, rule 1',
    given: 'a round whose follow-up debit was declined',
    when: 'two credits of the round come, in one call each',
    expected: 'each is refused, and nothing moves',
    async play(context) {
      const { round, before } = await openRound(context);
      const followUp = round.followUp(before + context.stake);
      givenRefused(await round.send(followUp), 'a debit above the balance');
      for (const what of ['a credit', 'a second credit']) {
        const credit = round.credit(context.stake);
        const answer = await round.send(credit);
        mustDecline(answer, `${what} after a declined follow-up debit`, credit);
        await context.balanceMustBe(before - context.stake, `after ${what}`);
      }
    },
  },
  {
    id: 'debit-behind-declined-debit',
    rule: 'Operator API 3, rule 1; D4.5',
    given: 'a round with a debit',
    when: 'a follow-up debit above the balance and a smaller one come in one call',
    expected: 'both are refused: the service neither repeats nor voids such a call',
    otherwise: 'The rule names credits alone: a wallet may take the smaller debit.',
    async play(context) {
      const { round, before } = await openRound(context);
      const [big, small] = [round.followUp(before + context.stake), round.followUp(context.stake)];
      mustDecline(await round.send(big, small), 'a debit after a declined one', big, small);
      await context.balanceMustBe(before - context.stake, 'after the call');
    },
  },
  {
    id: 'decline-keeps-to-its-round',
    rule: 'Operator API 3, rule 1',
    given: 'a round whose first debit was declined',
    when: 'the same player plays another round',
    expected: 'it is answered 200, and its debit and credit count',
    async play(context) {
      const before = await context.balance();
      const lost = context.round();
      const tooHigh = lost.firstDebit(before + context.stake);
      givenRefused(await lost.send(tooHigh), 'a debit above the balance');
      const round = context.round();
      mustSucceed(await round.send(round.firstDebit(context.stake)), 'the debit of another round');
      const credit = round.credit(context.stake / 2n);
      mustSucceed(await round.send(credit), 'the credit of another round');
      await context.balanceMustBe(before - context.stake / 2n, 'after the other round');
    },
  },
]);

/** A call whose third transaction no balance covers. */
function brokenCall(round: Round, stake: bigint, balance: bigint) {
  const [debit, followUp] = [round.firstDebit(stake), round.followUp(balance + stake)];
  return [debit, round.credit(stake / 2n), followUp, round.credit(stake)] as const;
}
