import { Dice } from '../../../lib/proof/subject/dice';
import { currency as usual } from './names';
import type { Act, Item, Plan, RoundPlan, Step } from './types';

/** What a player may have beside the usual one. */
const other = 'USD';
/** Of all worlds. */
const percent = 25;

/**
 * In some worlds players have accounts in two currencies: each round and each order of the operator is of one of
 * them, and some transactions of a round come in the other one, which are refused (D4.7).
 */
export function withCurrencies(plan: Plan): Plan {
  const dice = new Dice(plan.seed ^ 0x27d4eb2f);
  if (!dice.chance(percent)) return plan;
  const players = plan.players.map((player) => {
    if (!dice.chance(75)) return player;
    const real = dice.pick([0, 60, 700, 20_000]);
    return { ...player, second: { currency: other, real, bonus: dice.pick([null, 0, 90]) } };
  });
  const hasBoth = (player: number): boolean => players[player]?.second !== undefined;
  const rounds = plan.rounds.map((round): RoundPlan => {
    if (!hasBoth(round.player)) return round;
    const currency = dice.chance(45) ? other : usual;
    return { ...round, currency, steps: withStrangers(dice, round.steps, currency) };
  });
  const acts = plan.acts.map((act): Act => {
    if (act.do !== 'deposit' && act.do !== 'withdraw' && act.do !== 'correct') return act;
    return hasBoth(act.player) && dice.chance(45) ? { ...act, currency: other } : act;
  });
  return { ...plan, players, rounds, acts };
}

/**
 * Now and then a transaction is in a currency that the round has not: a debit, or the last credit of its call. Of
 * several credits refused in one millisecond a person may pay any (D11.3), which no book could tell.
 */
function withStrangers(dice: Dice, steps: readonly Step[], own: string): readonly Step[] {
  if (!dice.chance(12)) return steps;
  const currency = own === usual ? other : usual;
  const at = dice.between(0, steps.length - 1);
  return steps.map((step, place) => {
    if (place !== at || step.do !== 'call') return step;
    const lastCredit = step.items.findLast(({ type }) => type === 'credit');
    const candidates = step.items.filter((item) => isDebit(item) || item === lastCredit);
    const chosen = candidates.length === 0 ? null : dice.pick(candidates);
    const items = step.items.map((item) => (item === chosen ? { ...item, currency } : item));
    return { ...step, items };
  });
}

/** One that may be in another currency: the first debit gives the round its own. */
function isDebit({ type, first, serial }: Item): boolean {
  return type === 'debit' && first !== true && serial === undefined;
}
