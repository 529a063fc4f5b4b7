import type { Due, Round } from '../state';

/** The ages that the janitor goes by, in milliseconds (E16). */
export interface Ages {
  readonly autoCloseAfterMs: number;
  /** Pause between two doAutoClose of a round. */
  readonly autoCloseEveryMs: number;
  readonly maxRoundAgeMs: number;
}

/** 24 hours, every hour, 7 days (E16). */
export const defaultAges: Ages = Object.freeze({
  autoCloseAfterMs: 86_400_000,
  autoCloseEveryMs: 3_600_000,
  maxRoundAgeMs: 604_800_000,
});

/** A round as the janitor sees it. */
export interface Watched {
  readonly round: Round;
  /** The latest call on it under a player's token, queries too; absent: the latest that changed it. */
  readonly lastCallAt?: number;
  /** When doAutoClose was sent for it last; absent if a player's call came after it. */
  readonly autoCloseRequestedAt?: number;
}

/** What a run of the janitor has to do, in this order (B2). */
export interface JanitorWork {
  /** Queues to be sent: those that begin with a void first, then credits, then ends. */
  readonly deliver: readonly Round[];
  /** Open rounds whose provider is asked to close them. */
  readonly autoClose: readonly Round[];
  /** Rounds left to a person. */
  readonly attention: readonly Round[];
}

const urgency = { void: 0, credit: 1, end: 2, debit: 3 } as const satisfies Record<
  Due['type'],
  number
>;

/**
 * The work due at this time. Past the maximum age nothing is sent automatically any more, nothing is
 * dropped and nothing is closed by guess (E16.2). The janitor never sends a debit (W2).
 */
export function janitorWork(watched: readonly Watched[], now: number, ages: Ages): JanitorWork {
  const young = watched.filter(({ round }) => !isPastMaxAge(round, now, ages));
  const sendable = young.filter(({ round: { queue } }) => queue[0] && queue[0].type !== 'debit');
  return {
    deliver: sendable.map(({ round }) => round).toSorted((a, b) => urgencyOf(a) - urgencyOf(b)),
    autoClose: young.filter((one) => isAbandoned(one, now, ages)).map(({ round }) => round),
    attention: watched
      .map(({ round }) => round)
      .filter((round) => round.needsPerson || (isPending(round) && isPastMaxAge(round, now, ages))),
  };
}

/** E16.2: the round is older than it may become. */
export function isPastMaxAge(round: Round, now: number, ages: Ages): boolean {
  return now - round.startedAt >= ages.maxRoundAgeMs;
}

/** E16.1: open, and without a call for long enough; DEMO rounds are never asked for (E1.3). */
function isAbandoned(
  { round, lastCallAt, autoCloseRequestedAt }: Watched,
  now: number,
  ages: Ages,
): boolean {
  if (round.state !== 'open' || round.owner.mode === 'DEMO') return false;
  if (autoCloseRequestedAt !== undefined)
    return now - autoCloseRequestedAt >= ages.autoCloseEveryMs;
  return now - (lastCallAt ?? round.lastCallAt) >= ages.autoCloseAfterMs;
}

/** Open rounds, pending credits and ends, unacknowledged voids (E16.2). */
function isPending({ state, queue }: Round): boolean {
  return state === 'open' || queue.length > 0;
}

function urgencyOf({ queue: [head] }: Round): number {
  return head === undefined ? 3 : urgency[head.type];
}
