import { type Random, wholeBelow } from '../../../../platform/random';
import {
  type CaseContext,
  exactly,
  must,
  mustBeRefused,
  mustSucceed,
  type Round,
  type Transaction,
  unitsInOne,
  unitsOf,
} from '../../talk';
import { casesIn } from '../../talk/case';
import {
  mustAllBe4xx,
  mustAllBeRefused,
  mustBe4xx,
  mustHaveExactly,
  type NamedRequest,
  postSigning,
} from './forge';
import { openRound } from '../steps';

/** The usual stake as the wire writes it. */
function wireStake(context: CaseContext): bigint {
  return context.stake / unitsInOne;
}

/** Sends transactions whose sum moves the balance by exactly this many units, or is refused whole and moves nothing. */
async function mustBeExactOrRefused(
  context: CaseContext,
  round: Round,
  transactions: readonly Transaction[],
  units: bigint,
  what: string,
): Promise<void> {
  const before = await context.balance();
  const answer = await round.send(...transactions);
  if (answer.status >= 400) {
    mustBe4xx(answer, what);
    await mustHaveExactly(context, before, `after ${what}, which was refused`);
    return;
  }
  mustSucceed(answer, what);
  await mustHaveExactly(context, before + units, `after ${what}`);
}

/** A debit whose amount is any text of JSON, signed as `signed`. */
function debitOf(context: CaseContext, amount: string, signed: string): NamedRequest {
  const round = context.round();
  const debit = round.firstDebit(amount);
  const fields = [context.playerId, context.gameCode, round.gameRound, debit.hash, signed];
  const shown = amount.length > 40 ? `${amount.length} digits` : amount;
  return [`a debit of ${shown}`, postSigning(context, fields, round.message([debit]))];
}

/** Of a whole cent each; as binary fractions of a euro most of them are not exact. */
const oddAmounts = [1n, 29n, 57n, 58n, 113n, 115n];

/** Amounts that binary fractions cut, or that cents do not hold. */
const awkward = ['0.29', '1.15', '4.35', '1.005', '0.1299'];

/** Random amounts with two decimals, of which each pair is there once: twenty a call. */
function everyHundredth(random: Random): string[][] {
  const one = (end: number) =>
    exactly((BigInt(100 * wholeBelow(random, 100) + end) * unitsInOne) / 100n).text;
  const ends = Array.from({ length: 20 }, (_, at) => at);
  return [0, 20, 40, 60, 80].map((from) => ends.map((at) => one(from + at)));
}

/** What an amount is. */
export const amountCases = casesIn('amounts', [
  {
    id: 'amounts-add-up',
    rule: 'Operator API 2.1 (amount is a number)',
    given: 'a round with a debit',
    when: 'credits of 1, 29, 57, 58, 113 and 115 come in one call',
    expected: 'the balance is higher by exactly 373',
    async play(context) {
      const { round } = await openRound(context);
      const before = await context.balance();
      const credits = oddAmounts.map((amount) => round.credit(amount * unitsInOne));
      mustSucceed(await round.send(...credits), 'a call of six credits');
      const sum = oddAmounts.reduce((one, other) => one + other) * unitsInOne;
      await mustHaveExactly(context, before + sum, 'after the credits');
    },
  },
  {
    id: 'credit-beyond-32-bits',
    rule: 'Operator API 2.1 (amount is a number)',
    given: 'a round with a debit',
    when: 'a credit of 2^32 and a stake comes, which the run takes back by a void',
    expected: 'it is paid exactly, or refused 4xx and not paid',
    async play(context) {
      const { round } = await openRound(context);
      const amount = 2n ** 32n * unitsInOne + context.stake;
      const what = `a credit of ${amount / unitsInOne}`;
      await mustBeExactOrRefused(context, round, [round.credit(amount)], amount, what);
    },
  },
  {
    id: 'debit-beyond-every-balance',
    rule: 'Operator API 3, states (initial debit fails)',
    given: 'a player with money',
    when: 'debits come that are far above the balance, and whose last 32 or 64 bits are a usual stake',
    expected: 'each is refused, and no money moves',
    async play(context) {
      const balance = (await context.balance()) / unitsInOne;
      const wraps = 2n ** 32n * (balance / 2n ** 32n + 1n) + wireStake(context);
      const texts = [wraps, 2n ** 64n + wireStake(context)].map(String);
      await mustAllBeRefused(
        context,
        [...texts, '1e80'].map((text) => debitOf(context, text, text)),
      );
    },
  },
  {
    id: 'amount-below-zero',
    rule: 'Public documentation: amount (D2.5)',
    given: 'a round with a debit',
    when: 'a debit and a credit of less than 0 come',
    expected: 'each is refused, and no money moves',
    otherwise: 'The specification says number, and sets no lower limit.',
    async play(context) {
      const { round } = await openRound(context);
      const text = `-${wireStake(context)}`;
      const follow = context.sign(round.message([round.followUp(text)]));
      const credit = context.sign(round.message([round.credit(text)]));
      await mustAllBeRefused(context, [
        debitOf(context, text, text),
        [`a follow-up debit of ${text}`, follow],
        [`a credit of ${text}`, credit],
      ]);
    },
  },
  {
    id: 'credit-of-zero',
    rule: 'Public documentation: amount (D2.5)',
    given: 'a round with a debit',
    when: 'a credit of 0 comes',
    expected: 'it is answered 200, and no money moves',
    otherwise: 'The specification has an amount of 0 on ends and free plays alone.',
    async play(context) {
      const { round } = await openRound(context);
      const before = await context.balance();
      mustSucceed(await round.send(round.credit(0n)), 'a credit of 0');
      await context.balanceMustBe(before, 'after a credit of 0');
    },
  },
  {
    id: 'amount-is-no-number',
    rule: 'Operator API 2.1 (amount is a number)',
    given: 'a player with money',
    when: 'debits come with the amounts 1e400, Infinity, -Infinity and NaN, which some parsers of JSON accept',
    expected: 'each is refused, and no money moves',
    play: (context) =>
      mustAllBeRefused(
        context,
        ['1e400', 'Infinity', '-Infinity', 'NaN'].map((text) => debitOf(context, text, text)),
      ),
  },
  {
    id: 'amount-of-another-type',
    rule: 'Operator API 2.1 (amount is a number) (D2.5)',
    given: 'a player with money',
    when: 'debits come with an amount as a text, as a list and as true',
    expected: 'each is answered 4xx, and no money moves',
    otherwise: 'A wallet may read a text of digits as a number.',
    play(context) {
      const digits = String(wireStake(context));
      return mustAllBe4xx(context, [
        debitOf(context, `"${digits}"`, digits),
        debitOf(context, `[${digits}]`, digits),
        debitOf(context, 'true', 'true'),
        debitOf(context, '"abc"', 'abc'),
      ]);
    },
  },
  {
    id: 'amount-of-many-digits',
    rule: 'Operator API 2.1 (D1.5)',
    given: 'a player with money',
    when: 'debits come with amounts of 200 digits, with 200 zeros after a point, and of 1e-200',
    expected: 'each is answered 4xx, and no money moves',
    otherwise: 'A wallet may take a stake with 200 zeros after its point for what it is.',
    play(context) {
      const texts = ['9'.repeat(200), `${wireStake(context)}.${'0'.repeat(200)}`, '1e-200'];
      return mustAllBe4xx(
        context,
        texts.map((text) => debitOf(context, text, text)),
      );
    },
  },
  {
    id: 'amount-with-an-exponent',
    rule: 'Operator API 2.1 (amount is a number) (D2.5)',
    given: 'a player with money',
    when: 'debits come with the amounts 1e2, 1E+2 and 10.00, signed as they are written',
    expected: 'each is taken exactly, or refused 4xx and not taken',
    otherwise: 'The service sends whole numbers without an exponent.',
    async play(context) {
      for (const [text, units] of [
        ['1e2', 100n * unitsInOne],
        ['1E+2', 100n * unitsInOne],
        ['10.00', 10n * unitsInOne],
      ] as const) {
        const round = context.round();
        const debit = round.firstDebit(text);
        await mustBeExactOrRefused(context, round, [debit], -units, `a debit of ${text}`);
      }
    },
  },
  {
    id: 'fractions-are-exact',
    rule: 'Operator API 2.1 (amount is a number)',
    given: 'a round with a debit',
    when: 'credits of 0.1, 0.2 and 0.7 come, and then a hundred in five calls, one of each number of hundredths',
    expected:
      'the balance is higher by exactly their sum after each call, or it is refused 4xx and nothing moves',
    async play(context) {
      const { round } = await openRound(context);
      for (const texts of [['0.1', '0.2'], ['0.7'], ...everyHundredth(context.random)]) {
        const credits = texts.map((text) => round.credit(text));
        const units = texts.reduce((sum, text) => sum + (unitsOf(text) ?? 0n), 0n);
        const what = `credits of ${texts.join(', ')}`;
        await mustBeExactOrRefused(context, round, credits, units, what);
      }
    },
  },
  {
    id: 'amounts-are-taken-exactly',
    rule: 'Operator API 2.1 (amount is a number)',
    given: 'a player with money',
    when: 'debits of 0.29, 1.15, 4.35, 1.005, 0.1299 and of four random amounts with two and four decimals come, each in a new round',
    expected: 'each is taken to the last decimal, or refused and not taken',
    async play(context) {
      const random = [100n, 100n, 1n, 1n].map((step) => {
        return exactly(step * BigInt(1 + wholeBelow(context.random, 9_999))).text;
      });
      let left = await context.balance();
      for (const text of [...awkward, ...random]) {
        const round = context.round();
        const answer = await round.send(round.firstDebit(text));
        const isTaken = answer.meaning === 'success';
        if (!isTaken) mustBeRefused(answer, `a debit of ${text} that is not taken`);
        if (isTaken) left -= unitsOf(text) ?? 0n;
        const said = isTaken ? '' : ', which was refused';
        await mustHaveExactly(context, left, `after a debit of ${text}${said}`);
      }
    },
  },
  {
    id: 'amount-of-too-many-decimals',
    rule: 'Operator API 2.1 (amount is a number) (D2.5)',
    given: 'a player with money',
    when: 'a debit comes with seven decimals, more than the wallet keeps',
    expected: 'it is refused 4xx and not taken: no amount is rounded',
    otherwise: 'A wallet may keep more decimals; it must not round.',
    play(context) {
      const text = `${wireStake(context)}.0000004`;
      return mustAllBe4xx(context, [debitOf(context, text, text)]);
    },
  },
  {
    id: 'amount-of-another-currency',
    rule: 'Operator API 2.1 (currency)',
    given: "a player with money, and two rounds in the player's currency",
    when: 'a first debit, a credit and a follow-up debit come in XTS, the currency for tests',
    expected: "none moves the player's money",
    async play(context) {
      const { round } = await openRound(context);
      // What the credit does to its round must not decide on the follow-up debit.
      const { round: going } = await openRound(context);
      const before = await context.balance();
      const other = context.round();
      const debit = other.firstDebit(context.stake, { currency: 'XTS' });
      const first = await other.send(debit);
      await context.balanceMustBe(before, `after a debit in XTS (answered ${first.status})`);
      const second = await round.send(round.credit(context.stake, { currency: 'XTS' }));
      await context.balanceMustBe(before, `after a credit in XTS (answered ${second.status})`);
      const third = await going.send(going.followUp(context.stake, { currency: 'XTS' }));
      const when = `after a follow-up debit in XTS (answered ${third.status})`;
      await context.balanceMustBe(before, when);
    },
  },
  {
    id: 'credit-of-another-currency-is-refused',
    rule: 'Operator API 2.1 (currency) (D3.2)',
    given: "a round in the player's currency",
    when: 'a credit comes in XTS',
    expected: 'it is refused, not answered 200: the service would hold it for paid',
    otherwise: 'The specification does not say that a player has one currency.',
    async play(context) {
      const { round } = await openRound(context);
      const credit = round.credit(context.stake, { currency: 'XTS' });
      const answer = mustBeRefused(await round.send(credit), 'a credit in another currency');
      must(answer.status < 500, 'a credit must never fail with a 5xx', answer);
    },
  },
]);
