/** What was aimed at, and what came of it. */
export interface Goal {
  readonly goal: string;
  readonly target: string;
  /** The figure, with its spread where there is one. */
  readonly measured: string;
  readonly isMet: boolean;
  /** How far the figure is on the wrong side of the target: at most 0 if it is met, infinite if there is no figure. */
  readonly margin: number;
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
  return { goal, target, measured: why, isMet: false, margin: Number.POSITIVE_INFINITY };
}

/** `met`, or `missed by 0.04`. */
export function verdictOf({ isMet, margin }: Goal): string {
  if (isMet) return 'met';
  return Number.isFinite(margin) ? `missed by ${shortest(margin)}` : 'missed';
}

function held(goal: string, sign: string, figure: Figure, beyond: number): Goal {
  const { value, target, decimals = 2, measured = value.toFixed(decimals) } = figure;
  const margin = Number.isNaN(beyond) ? Number.POSITIVE_INFINITY : beyond;
  const shown = target.toFixed(decimals === 0 ? 0 : 2);
  return { goal, target: `${sign} ${shown}`, measured, isMet: margin <= 0, margin };
}

/** Two decimals, or as many as show that it is not 0. */
function shortest(value: number): string {
  // What is left of binary fractions, such as 0.99 - 0.98, is not shown.
  const rounded = Number(value.toPrecision(6));
  return rounded >= 0.01 ? rounded.toFixed(2) : rounded.toPrecision(1);
}
