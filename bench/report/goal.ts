/** What was aimed at, and what came of it. */
export interface Goal {
  readonly goal: string;
  readonly target: string;
  /** The figure, with its spread where there is one. */
  readonly measured: string;
  readonly isMet: boolean;
  /** How far the figure is on the wrong side of the target; null if it is met or there is no figure. */
  readonly missedBy: number | null;
}

/** The figure that is held against a target. */
export interface Figure {
  readonly value: number;
  readonly target: number;
  /** How it is printed: with two decimals, unless set. */
  readonly measured?: string;
  readonly decimals?: number;
}

/** Met by a figure of at least the target. A figure that is not a number misses it. */
export function atLeast(goal: string, figure: Figure): Goal {
  return held(goal, '>=', figure, figure.target - figure.value);
}

/** Met by a figure of at most the target. A figure that is not a number misses it. */
export function atMost(goal: string, figure: Figure): Goal {
  return held(goal, '<=', figure, figure.value - figure.target);
}

/** For what gave no figure at all. */
export function missed(goal: string, target: string, why: string): Goal {
  return { goal, target, measured: why, isMet: false, missedBy: null };
}

/** `met`, or `missed by 0.04`. */
export function verdictOf({ isMet, missedBy }: Goal): string {
  if (isMet) return 'met';
  return missedBy === null ? 'missed' : `missed by ${shortest(missedBy)}`;
}

function held(goal: string, sign: string, figure: Figure, beyond: number): Goal {
  const { value, target, decimals = 2, measured = value.toFixed(decimals) } = figure;
  const isMet = beyond <= 0;
  const missedBy = isMet || !Number.isFinite(beyond) ? null : beyond;
  const shownTarget =
    Number.isInteger(target) && decimals === 0 ? String(target) : target.toFixed(2);
  return { goal, target: `${sign} ${shownTarget}`, measured, isMet, missedBy };
}

/** Two decimals, or as many as show that it is not 0. */
function shortest(value: number): string {
  return value >= 0.01 ? value.toFixed(2) : value.toPrecision(1);
}
