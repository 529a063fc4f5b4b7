import {
  type Answer,
  type CaseContext,
  described,
  given,
  must,
  mustSay,
  mustSucceed,
  type Round,
  type Transaction,
  Undecided,
  unitsInOne,
  verdictOf,
  voidOf,
} from '../../talk';
import { casesIn } from '../../talk/case';
import {
  mustBeRepeat,
  mustDecline,
  mustNotFail,
  openRound,
  wholeBalance,
  newRound,
} from '../steps';

/** Calls that come at the same time. */
export const concurrency = casesIn('concurrency', [
  {
    id: 'debit-twenty-times-at-once',
    rule: 'Operator API 4.1, rule 1',
    given: 'a player with money',
    when: 'one debit comes twenty times at the same time, and then once more',
    expected: 'it is taken once, and the last one is answered 200, or with error 12',
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = round.firstDebit(context.stake);
      const answers = await atOnce(context, copies(20, round.message([debit])));
      if (answers.every(({ status }) => status === 0 || status >= 500)) {
        throw new Undecided('none of twenty equal debits was answered with an outcome');
      }
      must(
        answers.some(({ meaning }) => meaning === 'success'),
        'one of twenty equal debits must be answered 200, but none was',
        answers[0],
      );
      await context.balanceMustBe(before - context.stake, 'after twenty equal debits at once');
      mustBeRepeat(await round.send(debit), debit, 'the resent debit');
      await context.balanceMustBe(before - context.stake, 'after the debit came again');
    },
  },
  {
    id: 'equal-debits-answered-alike',
    rule: 'Operator API 4.1, rule 1; D3.1',
    given: 'a player with money',
    when: 'one debit comes ten times at the same time',
    expected: 'each is answered 200',
    otherwise: 'A wallet may refuse those that come while the first is in flight.',
    async play(context) {
      const round = context.round();
      const answers = await atOnce(
        context,
        copies(10, round.message([round.firstDebit(context.stake)])),
      );
      for (const answer of answers) mustSucceed(answer, 'each of ten equal debits at once');
    },
  },
  {
    id: 'credit-twenty-times-at-once',
    rule: 'Operator API 4.1, rules 1 and 6',
    given: 'a round with a debit',
    when: 'one credit comes twenty times at the same time, and then once more',
    expected: 'none is answered 5xx, it is paid once, and the last reply lists it as processed',
    play: (context) => creditIsPaidOnce(context, 20, 'twenty equal credits at once'),
  },
  {
    id: 'hundred-credits-at-once',
    rule: 'Operator API 4.1, rules 1 and 6',
    given:
      'a round with a debit, and a hundred connections, each with a request that lacks its body',
    when: 'one credit comes a hundred times at the same time, and then once more',
    expected: 'none is answered 5xx, it is paid once, and the last reply lists it as processed',
    play: (context) => creditIsPaidOnce(context, 100, 'a hundred equal credits at once'),
  },
  {
    id: 'whole-call-ten-times-at-once',
    rule: 'Operator API 4.1, rule 1',
    given: 'a player with money',
    when: 'one call with debit, credit and end comes ten times at the same time, and then once more',
    expected: 'each counts once, and the last call is answered 200, or with error 12',
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = round.firstDebit(context.stake);
      const list = [debit, round.credit(context.stake / 2n), round.end()];
      await atOnce(context, copies(10, round.message(list)));
      mustBeRepeat(await round.send(...list), debit, 'the resent call');
      await context.balanceMustBe(before - context.stake / 2n, 'after ten equal calls at once');
    },
  },
  {
    id: 'last-cent-once',
    rule: 'Operator API 3, states (a debit fails, a smaller stake may not)',
    given: 'a player with money',
    when: 'four rounds begin at the same time, each with a debit of the whole balance',
    expected: 'one debit is taken, three are refused, and the balance is 0',
    async play(context) {
      const before = await wholeBalance(context);
      const rounds = Array.from({ length: 4 }, () => context.round());
      const debits = rounds.map((round) => round.firstDebit(before));
      const bodies = rounds.map((round, index) => round.message(debits.slice(index, index + 1)));
      const answers = await atOnce(context, bodies);
      const taken = answers.filter(({ meaning }) => meaning === 'success').length;
      if (taken === 0) throw new Undecided('none of four debits of the whole balance was taken');
      must(taken === 1, `one debit of the whole balance must be taken, but ${taken} were`);
      await context.balanceMustBe(0n, 'after the debit of the whole balance');
    },
  },
  {
    id: 'two-initial-debits-at-once',
    rule: 'Operator API 4.1, rule 3',
    given: 'a player with money',
    when: 'two initial debits of one round come at the same time',
    expected: 'one is taken, and the other refused',
    async play(context) {
      const { round, before } = await newRound(context);
      const debits = [round.firstDebit(context.stake), round.firstDebit(context.stake)];
      const answers = await atOnce(
        context,
        debits.map((debit) => round.message([debit])),
      );
      const refused = answers.filter(({ meaning }) => meaning !== 'success');
      const count = answers.length - refused.length;
      must(count === 1, `one of two initial debits must be taken, but ${count} were`, answers[0]);
      for (const answer of refused) mustDecline(answer, 'the other initial debit', ...debits);
      await context.balanceMustBe(before - context.stake, 'after two initial debits at once');
    },
  },
  {
    id: 'debit-and-void-at-once',
    rule: 'Operator API 3, rule 2 and states (void of the first debit)',
    given: 'a player with money',
    when: 'in eight rounds the debit and its void come at the same time',
    expected: 'each void is answered 200, and nothing has moved',
    async play(context) {
      const before = await context.balance();
      const pairs = Array.from({ length: 8 }, () => {
        const round = context.round();
        const debit = round.firstDebit(unitsInOne);
        return [round.message([debit]), round.message([voidOf(debit)])];
      });
      const answers = await atOnce(context, pairs.flat());
      const voids = answers.filter((_, index) => index % 2 === 1);
      for (const answer of voids) mustSucceed(answer, 'a void at the same time as its debit');
      await context.balanceMustBe(before, 'after eight debits and their voids at once');
    },
  },
  {
    id: 'credit-and-void-at-once',
    rule: 'Operator API 3, states (void of the first debit) and rule 4',
    given: 'eight rounds, each with a debit',
    when: 'in each of them a credit and the void of the debit come at the same time',
    expected: 'no credit is answered 5xx, each void is answered 200, and each round nets to zero',
    async play(context) {
      const before = await context.balance();
      const rounds = Array.from({ length: 8 }, () => context.round());
      const pairs = [];
      for (const round of rounds) {
        const debit = round.firstDebit(unitsInOne);
        given(await round.send(debit), 'the first debit');
        pairs.push(round.message([round.credit(unitsInOne * 2n)]), round.message([voidOf(debit)]));
      }
      const answers = await atOnce(context, pairs);
      for (const [index, answer] of answers.entries()) {
        if (index % 2 === 0) mustNotFail(answer, 'a credit at the same time as a void');
        else mustSucceed(answer, 'a void at the same time as a credit');
      }
      await context.balanceMustBe(before, 'after eight credits and voids at once');
    },
  },
  {
    id: 'twenty-rounds-at-once',
    rule: 'Operator API 4.1, rules 1 and 6',
    given: 'a player with money',
    when: 'twenty rounds begin at the same time, and then each has a credit at the same time',
    expected: 'each call is answered 200, and each round counts',
    async play(context) {
      const before = await context.balance();
      const rounds = Array.from({ length: 20 }, () => context.round());
      const debits = rounds.map((round) => round.message([round.firstDebit(unitsInOne)]));
      for (const answer of await atOnce(context, debits))
        mustSucceed(answer, 'each of twenty debits');
      await context.balanceMustBe(before - unitsInOne * 20n, 'after twenty debits at once');
      const credits = rounds.map((round) => round.message([round.credit(unitsInOne * 2n)]));
      for (const answer of await atOnce(context, credits))
        mustSucceed(answer, 'each of twenty credits');
      await context.balanceMustBe(before + unitsInOne * 20n, 'after twenty credits at once');
    },
  },
  {
    id: 'credits-of-one-round-at-once',
    rule: 'Operator API 4.1, rules 1, 5 and 6',
    given: 'a round with a debit',
    when: 'ten credits of it come at the same time, and those not listed come again',
    expected: 'none is answered 5xx or refused for good, and each is paid once',
    async play(context) {
      const { round, before } = await openRound(context);
      const credits = Array.from({ length: 10 }, () => round.credit(unitsInOne));
      const answers = await atOnce(
        context,
        credits.map((credit) => round.message([credit])),
      );
      for (const [index, credit] of credits.entries()) {
        const answer = answers[index];
        if (answer === undefined) continue;
        mustNotFail(answer, 'each of ten credits at once');
        const isOpen = verdictOf(answer, credit.hash) === 'not listed';
        mustBePaid(isOpen ? await sendUntilListed(context, round, credit) : answer, credit);
      }
      await context.balanceMustBe(before - context.stake + unitsInOne * 10n, 'after ten credits');
    },
  },
]);

async function atOnce(context: CaseContext, bodies: readonly string[]): Promise<readonly Answer[]> {
  const { answers } = await context.sendAtOnce(bodies.map((body) => context.sign(body)));
  return answers;
}

function copies(count: number, body: string): readonly string[] {
  return Array.from({ length: count }, () => body);
}

function mustBePaid(answer: Answer, { hash }: Transaction): void {
  must(
    verdictOf(answer, hash) === 'processed',
    `each of ten credits at once must be processed, but got ${described(answer)}`,
    answer,
  );
}

/** How often the service resends a call of a credit at once (operator-api 4.1). */
const mostResends = 5;
/** Pauses before it is sent again later, as at the next launch (operator-api 3, rule 7), in milliseconds. */
const laterMs = [250, 500, 1000, 2000, 4000, 8000];

/** Calls that left in this time were in flight together, in milliseconds, unless the wallet is faster than that. */
const togetherMs = 10;
/** How often they are sent on a machine that stands still between the first and the last. */
const mostTries = 5;

/** So many copies of one credit at once. @param what They are, as the report calls them. */
async function creditIsPaidOnce(
  context: CaseContext,
  count: number,
  what: string,
): Promise<string | undefined> {
  let spreadMs = await payOnce(context, count, what);
  for (let tries = 1; tries < mostTries && isDisturbed(spreadMs); tries += 1) {
    spreadMs = await payOnce(context, count, what);
  }
  if (spreadMs === Infinity) return 'the wallet did not take so many connections at once';
  return isDisturbed(spreadMs)
    ? `the ${count} calls left within ${Math.ceil(spreadMs)} ms, not at once`
    : undefined;
}

function isDisturbed(spreadMs: number): boolean {
  return spreadMs > togetherMs && spreadMs !== Infinity;
}

/** @returns Milliseconds from the first copy to the last. */
async function payOnce(context: CaseContext, count: number, what: string): Promise<number> {
  const { round, before } = await openRound(context);
  const credit = round.credit(context.stake * 2n);
  const requests = copies(count, round.message([credit])).map((body) => context.sign(body));
  const { answers, spreadMs } = await context.sendAtOnce(requests);
  for (const answer of answers) mustNotFail(answer, `each of ${what}`);
  const last = await sendUntilListed(context, round, credit);
  mustSay(last, credit.hash, 'processed', 'the resent credit');
  await context.balanceMustBe(before + context.stake, `after ${what}`);
  return spreadMs;
}

/**
 * Sends a credit until it is listed: one that is not is pending (operator-api 3, states), since a wallet under load may
 * not have decided on it yet. Returns the latest answer.
 */
async function sendUntilListed(
  { clock }: CaseContext,
  round: Round,
  credit: Transaction,
): Promise<Answer> {
  const pauses = [...Array.from({ length: mostResends - 1 }, () => 0), ...laterMs];
  let last = await round.send(credit);
  for (const pauseMs of pauses) {
    if (verdictOf(last, credit.hash) !== 'not listed') return last;
    if (pauseMs > 0) await clock.pause(pauseMs);
    last = await round.send(credit);
  }
  return last;
}
