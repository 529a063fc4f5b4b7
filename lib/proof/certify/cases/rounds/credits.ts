import {
  type CaseContext,
  given,
  mustBeRefused,
  mustSay,
  mustSucceed,
  type Round,
  type Transaction,
  verdictOf,
  voidOf,
} from '../../talk';
import { type CaseOfGroup, casesIn } from '../../talk/case';
import { givenRefused, mustNotFail, openRound, wholeBalance, newRound } from '../steps';

/** Wins are paid once, and never answered 5xx. */
export const credits = casesIn('credits', [
  {
    id: 'several-credits',
    rule: 'Operator API 4.1, rule 1',
    given: 'a round with a debit',
    when: 'two credits come in one call, and a third in another',
    expected: 'each is paid',
    async play(context) {
      const { round, before } = await openRound(context);
      const two = [round.credit(context.stake), round.credit(context.stake)];
      mustSucceed(await round.send(...two), 'two credits in one call');
      mustSucceed(await round.send(round.credit(context.stake * 3n)), 'a third credit');
      await context.balanceMustBe(before + context.stake * 4n, 'after three credits');
    },
  },
  {
    id: 'large-win',
    rule: 'Operator API 4.1',
    given: 'a round with a debit',
    when: 'a credit of a thousand stakes comes',
    expected: 'it is paid',
    async play(context) {
      const { round, before } = await openRound(context);
      mustSucceed(await round.send(round.credit(context.stake * 1000n)), 'a large credit');
      await context.balanceMustBe(before + context.stake * 999n, 'after the credit');
    },
  },
  {
    id: 'credit-on-empty-balance',
    rule: 'Operator API 4.1',
    given: 'a round with a debit of the whole balance',
    when: 'a credit comes',
    expected: 'it is paid',
    async play(context) {
      const round = context.round();
      const all = round.firstDebit(await wholeBalance(context));
      given(await round.send(all), 'the debit of the whole balance');
      mustSucceed(await round.send(round.credit(context.stake)), 'a credit to an empty balance');
      await context.balanceMustBe(context.stake, 'after the credit');
    },
  },
  {
    id: 'credit-again-with-end',
    rule: 'Operator API 3, rule 7; 4.1, rule 1',
    given: 'a round with a debit and a credit, whose reply the service did not see',
    when: 'the credit is resent in one call with a further one and the end, and then once more',
    expected: 'hashesProcessed lists it without an error each time, and each credit is paid once',
    async play(context) {
      const { round, before } = await openRound(context);
      const credit = round.credit(context.stake * 2n);
      given(await round.send(credit), 'the credit');
      const list = [credit, round.credit(context.stake), round.end()];
      const withEnd = mustSucceed(
        await round.send(...list),
        'the credit, a further one and the end',
      );
      mustSay(withEnd, credit.hash, 'processed', 'a credit resent with the end');
      const later = await round.send(credit);
      mustSay(later, credit.hash, 'processed', 'a credit resent after the end');
      await context.balanceMustBe(before + context.stake * 2n, 'after the repeats');
    },
  },
  {
    id: 'refused-credit-is-listed',
    rule: 'Operator API 3, states; 4.1, rule 5; D6.1',
    given: 'a round that has ended',
    when: 'a new credit comes',
    expected: 'hashesProcessed lists it with an error, so that the service sends it no more',
    otherwise:
      'A wallet may refuse the whole call: the service then sends the credit again and again.',
    async play(context) {
      const { round } = await openRound(context);
      given(await round.send(round.end()), 'the end');
      const credit = round.credit(context.stake);
      const answer = givenRefused(await round.send(credit), 'a credit for a closed round');
      mustSay(answer, credit.hash, 'refused', 'a credit for a closed round');
    },
  },
  {
    id: 'credit-in-failed-call',
    rule: 'Operator API 4.1, rule 5',
    given: 'a player with money',
    when: 'a call holds a debit, a credit and a second initial debit, which fails',
    expected: 'the credit is paid exactly if hashesProcessed lists it without an error',
    async play(context) {
      const { round, before } = await newRound(context);
      const [debit, credit] = [round.firstDebit(context.stake), round.credit(context.stake / 2n)];
      const list = [debit, credit, round.firstDebit(context.stake)];
      const answer = mustBeRefused(await round.send(...list), 'a call with two initial debits');
      const said = ({ hash }: Transaction) => verdictOf(answer, hash) === 'processed';
      const taken = said(debit) ? context.stake : 0n;
      const paid = said(credit) ? context.stake / 2n : 0n;
      await context.balanceMustBe(before - taken + paid, 'by what hashesProcessed lists');
    },
  },
  neverFails('unknown-round', 'a credit of a round that never started', async (context) => {
    const round = context.round();
    return { round, credit: round.credit(context.stake) };
  }),
  neverFails('closed-round', 'a credit of a round that has ended', async (context) => {
    const { round } = await openRound(context);
    given(await round.send(round.end()), 'the end');
    return { round, credit: round.credit(context.stake) };
  }),
  neverFails('voided-round', 'a credit of a round that was voided', async (context) => {
    const { round, debit } = await openRound(context);
    given(await round.send(voidOf(debit)), 'the void');
    return { round, credit: round.credit(context.stake) };
  }),
  neverFails('declined-round', 'a credit of a round whose debit was declined', async (context) => {
    const round = context.round();
    await round.send(round.firstDebit((await context.balance()) + context.stake));
    return { round, credit: round.credit(context.stake) };
  }),
  neverFails('unknown-player', 'a credit of a player that nobody knows', async (context) => {
    const round = context.round({ playerId: `nobody-${context.newHash().slice(0, 8)}` });
    return { round, credit: round.credit(context.stake) };
  }),
  neverFails('huge-amount', 'a credit of 9007199254740991', async (context) => {
    const { round } = await openRound(context);
    return { round, credit: round.credit('9007199254740991') };
  }),
  neverFails('no-such-currency', 'a credit in a currency that is not one', async (context) => {
    const { round } = await openRound(context);
    return { round, credit: round.credit(context.stake, { currency: 'credits' }) };
  }),
  {
    id: 'credit-in-other-currency',
    rule: 'Operator API 2.1 (currency); 4.1, rule 6',
    given: 'a round with a debit',
    when: 'a credit comes in a currency for tests, XTS',
    expected: "it is not answered 5xx, and the balance in the player's currency is as it was",
    async play(context) {
      const { round, before } = await openRound(context);
      const credit = round.credit(context.stake, { currency: 'XTS' });
      mustNotFail(await round.send(credit), 'a credit in another currency');
      await context.balanceMustBe(before - context.stake, 'after a credit in another currency');
    },
  },
  {
    id: 'credit-after-hours',
    rule: 'Operator API 3, rule 7',
    given: 'a round with a debit',
    when: 'a credit comes whose own timestamp is a day old, as the hourly janitor sends it',
    expected: 'it is paid',
    async play(context) {
      const { round, before } = await openRound(context);
      const timestamp = new Date(context.clock.now() - 24 * 3600 * 1000).toISOString();
      const credit = round.credit(context.stake * 2n, { timestamp });
      mustSucceed(await round.send(credit), 'a credit of a day ago');
      await context.balanceMustBe(before + context.stake, 'after the credit');
    },
  },
]);

/** A case: a credit that cannot be paid is answered, and not with 5xx. */
function neverFails(
  name: string,
  what: string,
  prepare: (context: CaseContext) => Promise<{ round: Round; credit: Transaction }>,
): CaseOfGroup {
  return {
    id: `no-5xx-for-credit-${name}`,
    rule: 'Operator API 4.1, rule 6',
    given: 'a wallet',
    when: `${what} comes, alone in its call`,
    expected: 'it is answered, and never with 5xx: the service would only send it again',
    async play(context) {
      const { round, credit } = await prepare(context);
      mustNotFail(await round.send(credit), what);
    },
  };
}
