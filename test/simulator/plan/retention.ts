import { Dice } from '../../../lib/proof/subject/dice';
import type { Plan, RoundPlan, Step } from './types';

const minuteMs = 60_000;
/** Longer than the service ever needs to settle a round: the retention must be longer than that (D10). */
const retentionsMs = [60 * minuteMs, 100 * minuteMs, 240 * minuteMs] as const;
/** Of all worlds. */
const percent = 15;

/**
 * In some worlds rounds are forgotten while play goes on (D10): it pauses for longer than the retention, and some
 * rounds go on, or have calls sent again, before it is over, at that moment, and after it.
 */
export function withRetention(plan: Plan): Plan {
  const dice = new Dice(plan.seed ^ 0x1b873593);
  if (!dice.chance(percent)) return plan;
  const retentionMs = dice.pick(retentionsMs);
  const parts = dice.between(2, 3);
  const gapMs = retentionMs + dice.between(20 * minuteMs, retentionMs);
  const endMs = 1 + Math.max(0, ...plan.rounds.map(({ atMs }) => atMs));
  const later = <T extends { readonly atMs: number }>(one: T): T => {
    const part = Math.floor((Math.min(one.atMs, endMs - 1) * parts) / endMs);
    return { ...one, atMs: one.atMs + part * gapMs };
  };
  return {
    ...plan,
    retentionMs,
    rounds: plan.rounds.map((round) => later(withLateSteps(dice, round, retentionMs))),
    acts: plan.acts.map(later),
    incidents: plan.incidents.map(later),
  };
}

function withLateSteps(dice: Dice, round: RoundPlan, retentionMs: number): RoundPlan {
  let steps = round.steps;
  for (let times = 0; times < 3 && dice.chance(30); times++) {
    steps = withLateStep(dice, steps, latePause(dice, retentionMs));
  }
  return { ...round, steps };
}

/** A step that comes late: one in the middle, or a call or a void that is sent again. */
function withLateStep(dice: Dice, steps: readonly Step[], pauseMs: number): readonly Step[] {
  const calls = steps.filter((step) => step.do === 'call').length;
  const voids = steps.filter((step) => step.do === 'void');
  if (dice.chance(25)) {
    const at = dice.between(0, steps.length - 1);
    return steps.map((step, place) => (place === at && at > 0 ? { ...step, pauseMs } : step));
  }
  if (voids.length > 0 && dice.chance(50)) return [...steps, { ...dice.pick(voids), pauseMs }];
  const call = dice.between(0, Math.max(0, calls - 1));
  return [...steps, { do: 'again', pauseMs, call, other: dice.chance(20) }];
}

/** Within the retention, at its end, or after it. */
function latePause(dice: Dice, retentionMs: number): number {
  if (dice.chance(30)) return Math.floor(retentionMs * (dice.between(30, 90) / 100));
  if (dice.chance(30)) return retentionMs + dice.between(-40, 60);
  return retentionMs + dice.between(12 * minuteMs, 2 * retentionMs);
}
