/**
 * The kind of a resent call, for its timing: credits (and the ends behind them), only voids or ends, or
 * voids that the wallet refused.
 */
export type Repeat = 'credits' | 'voidsAndEnds' | 'refusedVoids';

/**
 * When a call is resent: at once; at the next launch of the game or by the janitor, whichever comes first;
 * only by the janitor; or not automatically, because a person decides.
 */
export type NextAttempt = 'atOnce' | 'launchOrJanitor' | 'janitor' | 'person';

/** Times that a call is sent without a pause: once, and five immediate retries (operator-api 4.1). */
export const attemptsAtOnce = 6;

/**
 * When due transactions are resent, after this many attempts without a pause. Past the maximum gameround
 * age nothing is dropped, and nothing is sent any more (E16.2).
 */
export function nextAttempt(repeat: Repeat, attempts: number, isPastMaxAge: boolean): NextAttempt {
  if (isPastMaxAge) return 'person';
  if (repeat === 'refusedVoids') return 'janitor';
  if (attempts < attemptsAtOnce) return 'atOnce';
  return repeat === 'credits' ? 'launchOrJanitor' : 'janitor';
}
