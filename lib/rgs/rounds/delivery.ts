import type { EngineErrorCode } from '../../protocol/engine-api/errors';
import { type Answer, cut, type WalletError } from '../settlement/answer';
import { type Finding, type Repeat, settle, voidOf } from '../settlement/settle';
import { apply } from './apply';
import type { Settled } from './event';
import type { DebitDue, Due, Refusal, Round, VoidDue } from './round';

/** How due transactions are sent: combined if possible, or one transaction a call (W7). */
export type Batching = 'combined' | 'separate';

/** Nothing follows a void in its call (W4); a credit follows a debit, and an end both (W7). */
const rank = { debit: 1, credit: 2, end: 3, void: 4 } as const;

/**
 * The next call of this round to the wallet: the head of its queue, with what may follow in the same call.
 * A call holds at most one debit and one credit, so that nothing passes a pending credit or an
 * unacknowledged void (W5). Empty if nothing is due.
 */
export function nextCall(round: Round, batching: Batching): readonly Due[] {
  const [head, ...rest] = round.queue;
  if (head === undefined) return [];
  if (batching === 'separate' || head.type === 'void') return [head];
  const call = [head];
  for (const due of rest) {
    const last = call.at(-1) ?? head;
    if (due.type === 'void' || rank[due.type] <= rank[last.type]) break;
    call.push(due);
  }
  return call;
}

/** The answer to the game if the wallet was silent on a debit: its void is due (B2). */
const silence: Refusal = ours('GENERICBETERROR', 'W2');

/** Ids of ours that would lie if a wallet's were passed on under them (E3). */
const reserved = new Set([12, 13, 14, 15, 16, 19, 26, 37, 1001, 1008, 9000]);

/**
 * The answer to the game for a declined debit: the wallet's own id and text, unless the id is absent or
 * one of ours, which would mean something else (E3).
 */
export function refusalBy(error: WalletError | null): Refusal {
  const id = error?.id ?? null;
  if (id === null || !Number.isSafeInteger(id)) return ours('GENERICBETERROR', 'E3');
  if (reserved.has(id) || (id >= 9100 && id <= 9199)) return ours('GENERICBETERROR', 'E3');
  return { kind: 'operator', id, clientmsg: error?.clientmsg ?? null, rule: 'W2' };
}

/** A refusal of our own by its code and the rule that decides it. */
export function ours(code: EngineErrorCode, rule: string): Refusal {
  return { kind: 'ours', code, rule };
}

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
interface Watched {
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
  /** Open rounds that their provider is asked to close. */
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

/** The effect of a wallet's answer on a round. */
export interface AnswerEffect {
  readonly event: Settled;
  readonly round: Round;
  /** How the due rest of the call is resent; null if nothing is due. */
  readonly repeat: Repeat | null;
  readonly findings: readonly Finding[];
}

/**
 * The effect of the answer to a call on its round (B2). The table of settlement decides; this writes its
 * decisions to the round: accepted debits open it, and the void of an unanswered one falls due.
 */
export function applyAnswer(
  round: Round,
  call: readonly Due[],
  answer: Answer,
  at: number,
): AnswerEffect {
  const hasPaidCredit = round.credits.some(({ state }) => state === 'paid');
  const hasDeclinedDebit = round.debits.some(({ state }) => state === 'declined');
  const settlement = settle({ transactions: call, hasPaidCredit, hasDeclinedDebit }, answer);
  const top = answer.kind === 'reply' ? (answer.body?.error ?? null) : null;
  const event: Settled = {
    type: 'settled',
    transactions: settlement.transactions.map(({ transaction: { type, hash }, fate, error }) => {
      let refusal: Refusal | null = null;
      if (fate === 'declined' && type === 'debit') refusal = refusalBy(error ?? top);
      if (fate === 'withdrawn') refusal = silence;
      return { type, hash, fate, refusal };
    }),
    effect: settlement.round,
    needsPerson: settlement.needsPerson,
    voids: settlement.toVoid.flatMap((due) => (due.type === 'debit' ? [voidDue(due, at)] : [])),
  };
  return {
    event,
    round: apply(round, event),
    repeat: settlement.repeat,
    findings: settlement.findings,
  };
}

/**
 * The effect of a restart on a round: a due debit may have been sent, so it counts as unanswered and its
 * void falls due (B4). Null if the queue continues unchanged.
 */
export function recover(round: Round, at: number): AnswerEffect | null {
  if (round.queue[0]?.type !== 'debit') return null;
  return applyAnswer(round, nextCall(round, 'combined'), cut, at);
}

/** The new due void of a debit (W6, W9). */
export function voidDue(debit: DebitDue, at: number): VoidDue {
  return { ...voidOf(debit), at, reason: 'void' };
}
