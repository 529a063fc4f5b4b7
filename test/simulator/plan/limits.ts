import { Dice } from '../../../lib/proof/subject/dice';
import type { LimitKind, LimitWindow } from '../../../lib/operator/wallet';
import type { Act, Plan } from './types';

/** Of all worlds whose store keeps limits. */
const percent = 20;
const kinds: readonly LimitKind[] = ['stake', 'stake', 'loss', 'loss', 'deposit'];
const windows: readonly LimitWindow[] = ['day', 'week', 'month'];
const zones = [undefined, undefined, 'UTC', 'Asia/Kathmandu'] as const;
/** When a day, a week and a month begin at once. */
const turnAt = Date.UTC(2026, 5, 1);

/**
 * In some worlds players have limits and blocks that end (D13): they are set, changed and lifted while rounds are played. In
 * some of those with one clock a day, a week and a month begin meanwhile.
 */
export function withLimits(plan: Plan): Plan {
  const dice = new Dice(plan.seed ^ 0x5851f42d);
  if (plan.store === 'ledger' || !dice.chance(percent)) return plan;
  const endMs = 1 + Math.max(0, ...plan.rounds.map(({ atMs }) => atMs));
  const count = Math.ceil(plan.rounds.length / 4);
  const limits = Array.from({ length: count }, () => limitOf(dice, plan, endMs));
  const acts = plan.acts.map((act): Act => {
    if (act.do !== 'block' || !act.blocked || dice.chance(40)) return act;
    return { ...act, forMs: dice.between(1, dice.pick([50, 2000, 60_000])) };
  });
  const turns = plan.store === 'memory' && dice.chance(60);
  const startsAt = turnAt - dice.between(1, endMs);
  return { ...plan, acts: [...acts, ...limits], ...(turns && { startsAt }) };
}

function limitOf(dice: Dice, { players }: Plan, endMs: number): Act {
  const player = dice.chance(45) ? 0 : dice.between(0, players.length - 1);
  const { second } = players[player] ?? {};
  const isOther = dice.chance(second === undefined ? 3 : 40);
  const zone = dice.pick(zones);
  const counts = dice.pick([undefined, undefined, 'real', 'all'] as const);
  const kind = dice.pick(kinds);
  return {
    do: 'limit',
    // Early ones are there for most of what is played.
    atMs: dice.chance(40) ? dice.between(0, Math.ceil(endMs / 5)) : dice.between(0, endMs),
    player,
    kind,
    window: dice.pick(windows),
    units: dice.chance(20) ? null : dice.pick([0, 20, 100, 300, 2000, 50_000]),
    ...(isOther && { currency: 'USD' }),
    ...(zone !== undefined && { zone }),
    ...(counts !== undefined && { counts }),
  };
}
