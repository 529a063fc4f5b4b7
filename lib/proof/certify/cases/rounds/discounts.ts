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

const noDiscounts = 'The specification has no discountAmount on a debit.';

/** Debits that are not paid with real money alone: by a discount, or from a bonus. */
export const discounts = casesIn('free-plays', [
  {
    id: 'discounted-debit',
    rule: 'Public documentation: discountAmount (D8)',
    given: 'a player to whom getBalance offers a discount',
    when: 'a debit of the stake comes with the discount',
    expected: 'the stake less the discount is taken; or it is refused, and nothing is taken',
    otherwise: noDiscounts,
    async play(context) {
      const discount = await offeredDiscount(context);
      const { round, before } = await newRound(context);
      const answer = await round.send(discountedDebit(round, discount));
      if (answer.meaning === 'success') {
        mustSucceed(answer, 'a debit with a discount');
        const taken = discount.stake - discount.amount;
        await context.balanceMustBe(before - taken, 'after a debit with an offered discount');
        return 'The wallet gave the discount.';
      }
      mustBeRefused(answer, 'a debit with a discount that the wallet does not grant');
      must(
        answer.status !== 401,
        'a debit with a discount, signed with its full amount, must be accepted, but got 401',
        answer,
      );
      await context.balanceMustBe(before, 'after a discount that was refused');
      return 'The wallet refused the discount.';
    },
  },
  {
    id: 'void-of-discounted-debit',
    rule: 'Public documentation: discountAmount (D5.6)',
    given: 'a debit with an offered discount, taken or refused',
    when: 'it is voided with its full amount, as the service does',
    expected: 'the void is answered 200, and the balance is what it was before the debit',
    otherwise: noDiscounts,
    async play(context) {
      const discount = await offeredDiscount(context);
      const { round, before } = await newRound(context);
      const debit = discountedDebit(round, discount);
      await round.send(debit);
      mustSucceed(await round.send(voidOf(debit)), 'the void of a debit with a discount');
      await context.balanceMustBe(before, 'after the void of a debit with a discount');
    },
  },
  {
    id: 'refused-discount-starts-no-round',
    rule: 'Public documentation: 33 DISCOUNTNOTELIGIBLE (D4.5)',
    given: 'a debit with an offered discount',
    when: 'another initial debit without a discount comes in the same round',
    expected:
      'it is taken if the first was refused; it is answered with error 12 if that was taken',
    otherwise: noDiscounts,
    async play(context) {
      const discount = await offeredDiscount(context);
      const { round, before } = await newRound(context);
      const first = await round.send(discountedDebit(round, discount));
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
    rule: 'Public documentation: 33 DISCOUNTNOTELIGIBLE (D8)',
    given: 'a player to whom getBalance offers a discount',
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

/** A discount that getBalance offers, in units. */
interface Discount {
  readonly stake: bigint;
  readonly amount: bigint;
}

function discountedDebit(round: Round, { stake, amount }: Discount): Transaction {
  return round.firstDebit(stake, { discountAmount: exactly(amount) });
}

/** The discounts of the first player's `discountInfo`. @throws NotTried if there are none. */
async function offeredDiscounts(context: CaseContext): Promise<readonly Discount[]> {
  const answer = await context.getBalance({ gameCode: context.gameCode });
  const info = answer.body?.['discountInfo'];
  const list = isJsonObject(info) ? info['discounts'] : undefined;
  const offered = (Array.isArray(list) ? list : []).filter(isJsonObject).flatMap((one) => {
    const [stake, amount] = [one['stake'], one['absoluteDiscountAmount']].map(wholeUnitsOf);
    return stake === undefined || amount === undefined ? [] : [{ stake, amount }];
  });
  if (offered.length === 0) throw new NotTried('a first --player with a discount (discountInfo)');
  return offered;
}

/** The smallest discount that a debit can have. */
async function offeredDiscount(context: CaseContext): Promise<Discount> {
  const usable = (await offeredDiscounts(context))
    .filter(({ stake, amount }) => amount > 0n && amount <= stake)
    .toSorted((one, other) => (one.stake < other.stake ? -1 : 1));
  const [smallest] = usable;
  if (smallest === undefined) throw new Undecided('no discount of discountInfo is above 0');
  return smallest;
}

function wholeUnitsOf(value: unknown): bigint | undefined {
  return Number.isSafeInteger(value) ? BigInt(value as number) * unitsInOne : undefined;
}

/** A discount of the usual stake that getBalance does not offer. */
async function notOffered(context: CaseContext): Promise<bigint> {
  const offered = await offeredDiscounts(context);
  const candidates = [context.stake / 2n, context.stake / 5n, context.stake / 4n];
  const free = candidates.find((units) => offered.every(({ amount }) => amount !== units));
  if (free === undefined) throw new Undecided('getBalance offers every discount');
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
