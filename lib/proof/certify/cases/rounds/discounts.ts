import { isJsonObject } from '../../../../protocol/json/parse';
import {
  type Answer,
  type CaseContext,
  exactly,
  must,
  mustBeRefused,
  mustSucceed,
  NotTried,
  type Round,
  type Transaction,
  Undecided,
  unitsInOne,
  voidOf,
} from '../../talk';
import { casesIn } from '../../talk/case';
import { mustBeSecond, newRound } from '../steps';

/** Debits that are not paid with real money alone: by a discount, or from a bonus. */
export const discounts = casesIn('free-plays', [
  {
    id: 'discounted-debit',
    rule: 'Public documentation (discountAmount, 33 DISCOUNTNOTELIGIBLE)',
    given: 'a player with money',
    when: 'a debit of a stake comes with a tenth of it as discountAmount',
    expected: 'nine tenths are taken; or it is refused, and nothing is taken',
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = discounted(context, round);
      const answer = await round.send(debit);
      if (answer.meaning === 'success') {
        mustSucceed(answer, 'a debit with a discount');
        await context.balanceMustBe(
          before - ninety(context),
          'after a debit with a discount of a tenth',
        );
        return 'The wallet took nine tenths of the stake.';
      }
      mustBeRefused(answer, 'a debit with a discount that the wallet does not grant');
      must(
        answer.status !== 401,
        'a debit with a discount is signed with its full amount, but came 401',
        answer,
      );
      await context.balanceMustBe(before, 'after a discount that was refused');
      return 'The wallet refused the discount.';
    },
  },
  {
    id: 'void-of-discounted-debit',
    rule: 'Public documentation (discountAmount); Operator API 3, states',
    given: 'a debit with a discount, taken or refused',
    when: 'it is voided with its full amount, as the service does',
    expected: 'the void is answered 200, and the balance is what it was before the debit',
    async play(context) {
      const { round, before } = await newRound(context);
      const debit = discounted(context, round);
      await round.send(debit);
      mustSucceed(await round.send(voidOf(debit)), 'the void of a debit with a discount');
      await context.balanceMustBe(before, 'after the void of a debit with a discount');
    },
  },
  {
    id: 'refused-discount-starts-no-round',
    rule: 'Public documentation (33 DISCOUNTNOTELIGIBLE)',
    given: 'a debit with a discount',
    when: 'another initial debit without a discount comes in the same round',
    expected:
      'it is taken if the first was refused; it is answered with error 12 if that was taken',
    async play(context) {
      const { round, before } = await newRound(context);
      const first = await round.send(discounted(context, round));
      const plain = round.firstDebit(context.stake);
      const second = await round.send(plain);
      if (first.meaning === 'success') {
        mustBeSecond(second, plain);
        return;
      }
      mustSucceed(second, 'a debit in a round that a refused discount did not start');
      await context.balanceMustBe(before - context.stake, 'after the debit');
    },
  },
  {
    id: 'discount-that-was-not-offered',
    rule: 'Public documentation (33 DISCOUNTNOTELIGIBLE); D8',
    given: 'a player with money',
    when: 'a debit comes with a discount that getBalance does not offer',
    expected: 'it is refused, and nothing is taken',
    otherwise: 'A wallet may trust the service with discounts.',
    async play(context) {
      const { round, before } = await newRound(context);
      const discountAmount = exactly(await notOffered(context));
      const debit = round.firstDebit(context.stake, { discountAmount });
      const what = 'a discount that was not offered';
      mustBeRefused(await round.send(debit), what);
      await context.balanceMustBe(before, `after ${what}`);
    },
  },
  {
    id: 'real-balance-stays-above-zero',
    rule: 'Operator API 2.2 (balances); D4.10',
    given: 'a player with a bonus',
    when: 'a debit comes that is above the real balance, and not above both balances',
    expected: 'it is refused, or the rest is taken from the bonus: no balance is below zero',
    otherwise: 'A wallet may count both balances as one.',
    async play(context) {
      context.useBalance();
      const { playerId, real } = await playerWithBonus(context);
      const round = context.round({ playerId });
      await round.send(round.firstDebit(real + unitsInOne));
      const after = await context.getBalance({ playerId });
      const below = after.balances?.some(({ amount }) => amount !== null && amount < 0n);
      must(below === false, 'no balance must be below zero after a debit, but one is', after);
    },
  },
]);

function discounted(context: CaseContext, round: Round): Transaction {
  return round.firstDebit(context.stake, { discountAmount: exactly(context.stake / 10n) });
}

function ninety({ stake }: CaseContext): bigint {
  return stake - stake / 10n;
}

/** A discount of the usual stake that getBalance does not offer. */
async function notOffered(context: CaseContext): Promise<bigint> {
  const answer = await context.getBalance({ gameCode: context.gameCode });
  const info = answer.body?.['discountInfo'];
  const list = isJsonObject(info) ? info['discounts'] : undefined;
  const offered = (Array.isArray(list) ? list : []).filter(isJsonObject);
  const candidates = [context.stake / 2n, context.stake / 5n, context.stake / 4n];
  const free = candidates.find((units) => {
    const amount = Number(units) / Number(unitsInOne);
    return offered.every(({ absoluteDiscountAmount }) => absoluteDiscountAmount !== amount);
  });
  if (free === undefined) throw new Undecided('getBalance offers every discount', answer);
  return free;
}

/** @throws NotTried if neither player has a bonus. */
async function playerWithBonus(context: CaseContext): Promise<{ playerId: string; real: bigint }> {
  for (const playerId of [context.playerId, context.otherPlayerId()]) {
    const answer = await context.getBalance({ playerId });
    if (of(answer, 'bonus') >= unitsInOne) return { playerId, real: of(answer, 'real') };
  }
  throw new NotTried('a --player with a bonus');
}

function of({ balances }: Answer, type: string): bigint {
  return balances?.find((one) => one.type === type)?.amount ?? 0n;
}
