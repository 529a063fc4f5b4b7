import { addPurses, type Purse } from '../../protocol/money';
import {
  type Movement,
  type NewRecord,
  type RoundChange,
  type RoundHead,
  type RoundView,
  unseenRound,
} from './round';

/**
 * What a call adds to a running round whose head was not read: what was decided holds for each head of
 * {@link isOfClass}, whatever its sums and counts. A type of its own, never a head: nothing here may be
 * written to a round in place of what it has.
 */
export interface FollowUp {
  /** Each hash of the call once, in its order: the round may know none, neither as transaction nor as void. */
  readonly hashes: readonly string[];
  /** The round's currency. */
  readonly currency: string;
  /** The round's game. */
  readonly gameCode: string;
  /** Whether the round is closed after it. */
  readonly closes: boolean;
  /** Credits that it accepts, and ends: added to the head's. */
  readonly credited: number;
  readonly ended: number;
  /** When the round was closed, if it is, in milliseconds since 1970. */
  readonly changedAt: number;
  /** What its credits give, in units: added to the head's. */
  readonly credits: Purse;
  /** To write: one of each hash, and none is rewritten. */
  readonly records: readonly NewRecord[];
  /** `take` and `give`; what the takes took is added to the head's debits. */
  readonly movements: readonly Movement[];
}

/**
 * What each head has that a follow-up may be added to, besides its currency and its game. It may have been
 * cancelled before, so `resume` is of no account; so are version, times, counts and sums.
 */
const runningClass = Object.freeze({
  state: 'open',
  started: true,
  declined: null,
  unanswered: 0,
  pending: null,
  repairs: undefined,
} as const) satisfies Partial<Record<keyof RoundHead, unknown>>;

const { state, started, declined, unanswered, pending } = runningClass;
const running: RoundHead = {
  ...unseenRound,
  version: 1,
  state,
  started,
  declined,
  unanswered,
  pending,
};

/** A head of the class that has no sums: to decide on, and never to be written. */
export function runningHead({
  currency,
  gameCode,
}: Pick<FollowUp, 'currency' | 'gameCode'>): RoundHead {
  return { ...running, currency, gameCode };
}

const members = Object.keys(runningClass) as (keyof typeof runningClass)[];

/** Whether a head is one that the follow-up was decided for. */
export function isOfClass(
  head: RoundHead,
  { currency, gameCode }: Pick<FollowUp, 'currency' | 'gameCode'>,
): boolean {
  if (head.currency !== currency || head.gameCode !== gameCode) return false;
  return members.every((member) => head[member] === runningClass[member]);
}

/** The head of the class after a follow-up, without what its takes take. */
export function followUpOn(head: RoundHead, followUp: FollowUp): RoundHead {
  const { closes, credited, ended, changedAt, credits } = followUp;
  return {
    ...head,
    version: head.version + 1,
    state: closes ? 'closed' : 'open',
    changedAt: closes ? changedAt : head.changedAt,
    credited: head.credited + credited,
    ended: head.ended + ended,
    credits: addPurses(head.credits, credits),
  };
}

/**
 * The follow-up as a change of this round: for a store that has the round and the entries of its hashes in
 * the moment in which it commits. Null if it was not decided for such a round.
 */
export function changeOf(followUp: FollowUp, { head, entries }: RoundView): RoundChange | null {
  if (!isOfClass(head, followUp)) return null;
  if (followUp.hashes.some((hash) => entries.has(hash))) return null;
  const { records, movements } = followUp;
  return { before: head, after: followUpOn(head, followUp), records, movements };
}
