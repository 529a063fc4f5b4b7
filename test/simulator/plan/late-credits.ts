import { Dice } from '../../../lib/proof/subject/dice';
import type { Plan, RoundPlan } from './types';

/** Of all rounds. */
const percent = 4;

/** In some rounds a win comes after the end: the wallet refuses it, and a person looks at it (D4.7). */
export function withLateCredits(plan: Plan): Plan {
  const dice = new Dice(plan.seed ^ 0x7f4a7c15);
  const rounds = plan.rounds.map((round) =>
    dice.chance(percent) ? withLateCredit(dice, round) : round,
  );
  return { ...plan, rounds };
}

function withLateCredit(dice: Dice, round: RoundPlan): RoundPlan {
  const items = [{ type: 'credit', hash: 'late', amount: dice.between(1, 60) }] as const;
  const more = { pauseMs: dice.between(1, 400), patienceMs: 5000, voids: 'together' } as const;
  return { ...round, steps: [...round.steps, { do: 'call', items, afterEnd: true, ...more }] };
}
