import { type Clock, type Random, systemClock, systemRandom } from '../../platform';
import { checkOptionNames, type OptionNames } from '../../platform/validation';
import { checkPart } from '../../platform/validation/option-values';
import type { DebitCheckBreaker } from '../wallet';
import type { CallAnswered, CallRefused, EventListener, OperatorEvent } from '../events';
import { quarterOf } from '../../platform/time/zone-days';
import { callOutcomes, type MinuteCounts } from './counts';
import { MinuteRing } from './ring';
import type { KeptSample } from './sample';
import { TakenRing } from './taken';

/** How many minutes before the running one are recent. */
export const recentMinutes = 5;

/** What one process answered lately, or several. */
export interface RecentCalls {
  /** When the first of them began to watch, as far as it is known: ISO 8601, UTC. */
  readonly watchedSince: string;
  /** When one last answered a call with a known outcome; null if none has. Of another process the minute. */
  readonly lastProcessed: string | null;
  /** doTransactions calls of this minute and the five before it with a known outcome, declined ones included. */
  readonly processed: number;
  /** Calls of these minutes with something answered as unknown (D7): the RGS voids or resends it. */
  readonly unknown: number;
  /** Calls of these minutes that were shed before they did anything. */
  readonly shed: number;
}

/** What a watch needs of a call. */
export interface WatchedCall {
  readonly status: number;
  /** Without it only the status counts: an unknown outcome of credits alone is answered 400 (D7). */
  readonly transactions?: readonly { readonly outcome: string }[];
  /** How long the answer took, in milliseconds. */
  readonly durationMs?: number;
}

/** What a router or handler with the option `calls` serves. */
export interface ServedPart {
  readonly operators: readonly string[];
  /** The circuit breaker of its debit check; null without a check. */
  readonly debitCheck: (() => DebitCheckBreaker) | null;
}

/** What the parts of the kit with the option `calls` use of a watch. */
export interface CallRecorder {
  /** Counts the calls. */
  readonly listener: EventListener;
  /** Names this process in the store: new each time it starts. */
  readonly process: string;
  /** When it began to watch, in milliseconds since 1970. */
  readonly since: number;
  /** Notes what a router or handler serves. */
  serve(part: ServedPart): void;
  /** What they serve. */
  readonly served: readonly ServedPart[];
  /** What waited when it was last sampled; null if it was not. */
  sample: KeptSample | null;
  /** What debits took: of the routers and handlers that have the watch as an option, voids not taken off. */
  readonly taken: Pick<TakenRing, 'read'>;
  /** What was counted in the minutes from one to before another, of the last day. */
  minutes(from: number, to: number): readonly MinuteCounts[];
}

/** Watches the calls of one process, for the operations page. */
export interface CallWatch {
  /** Counts a call of a wallet that has no option `calls`; a router or handler that has it counts by itself. */
  readonly onOutcome: (event: WatchedCall) => void;
  /** What was answered lately. */
  readonly read: () => RecentCalls;
  readonly recorder: CallRecorder;
}

/** Options of {@link createCallWatch}. */
export interface CallWatchOptions {
  /** The machine's own unless set. */
  readonly clock?: Pick<Clock, 'now'>;
  /** Source of the name of the process; the machine's own unless set. */
  readonly random?: Random;
}

const optionNames: OptionNames<CallWatchOptions> = { clock: true, random: true };

const [done, declined, unknown, shed, foreign] = callOutcomes.map((_, at) => at) as [
  done: number,
  declined: number,
  unknown: number,
  shed: number,
  foreign: number,
];

/**
 * A watch of this process's calls: counts by minute of one day, in 220 KB. Give it to `createOperatorRouter` or
 * `createOperatorHandler`, and to the operations page, as option `calls`.
 * @throws TypeError for wrong options.
 */
export function createCallWatch(options: CallWatchOptions = {}): CallWatch {
  checkOptionNames('createCallWatch', options, optionNames);
  const { clock = systemClock, random = systemRandom } = options;
  checkPart('createCallWatch: clock', clock, ['now']);
  checkPart('createCallWatch: random', random, ['bytes']);
  const [ring, taken] = [new MinuteRing(clock), new TakenRing()];
  const since = clock.now();
  const served: ServedPart[] = [];
  const recorder: CallRecorder = {
    listener: listenerOf(ring, taken),
    process: Buffer.from(random.bytes(9)).toString('base64url'),
    since,
    served,
    serve: (part: ServedPart) => void served.push(part),
    sample: null,
    taken,
    minutes: (from: number, to: number) => ring.read(from, to),
  };
  const read = (): RecentCalls => {
    const [from, to] = [ring.minute - recentMinutes, ring.minute + 1];
    const { lastKnownAt } = ring;
    return {
      watchedSince: new Date(since).toISOString(),
      lastProcessed: lastKnownAt === null ? null : new Date(lastKnownAt).toISOString(),
      processed: ring.sum(from, to, 'done', 'declined'),
      unknown: ring.sum(from, to, 'unknown'),
      shed: ring.sum(from, to, 'shed'),
    };
  };
  const onOutcome = (call: WatchedCall): void => {
    ring.add(outcomeOf(call), call.durationMs ?? null);
  };
  return Object.freeze({ onOutcome, read, recorder });
}

/**
 * The recorder of an option `calls`; null if it is not set.
 * @throws TypeError for a value that createCallWatch did not make.
 */
export function callRecorderOf(place: string, calls: CallWatch | undefined): CallRecorder | null {
  if (calls === undefined) return null;
  const { recorder } = Object(calls) as { readonly recorder?: CallRecorder };
  if (typeof recorder?.minutes === 'function') return recorder;
  throw new TypeError(`${place}: calls must be made by createCallWatch`);
}

function outcomeOf({ status, transactions = [] }: WatchedCall): number {
  if (status >= 500 || transactions.some(({ outcome }) => outcome === 'unknown')) return unknown;
  const isDeclined = status >= 400 || transactions.some(({ outcome }) => outcome === 'refused');
  return isDeclined ? declined : done;
}

function listenerOf(ring: MinuteRing, taken: TakenRing): EventListener {
  return Object.freeze({
    wants: (kind: OperatorEvent['kind']) => kind === 'callAnswered' || kind === 'callRefused',
    on: (event: OperatorEvent): void => {
      if (event.kind === 'callAnswered') countAnswered(ring, taken, event);
      else if (event.kind === 'callRefused') countRefused(ring, event);
      else if (event.kind === 'roundsShed') ring.add(shed, null, event.count);
    },
  });
}

function countAnswered(ring: MinuteRing, taken: TakenRing, event: CallAnswered): void {
  const { outcome, durationMs, isShed } = event;
  if (isShed) return ring.add(shed, null);
  // What was taken of it is voided (D7).
  if (outcome.unknown !== null) return ring.add(unknown, durationMs);
  const isDeclined = outcome.verdicts.some(isRefusal);
  ring.add(isDeclined ? declined : done, durationMs);
  noteTaken(taken, event, ring.lastKnownAt ?? 0);
}

function isRefusal({ outcome }: CallAnswered['outcome']['verdicts'][number]): boolean {
  return outcome === 'refused';
}

/** Debits that a resend repeats are not taken again. */
function noteTaken(taken: TakenRing, { round, call, outcome }: CallAnswered, now: number): void {
  const { transactions } = call;
  for (let at = 0; at < transactions.length; at++) {
    const one = transactions[at];
    const verdict = outcome.verdicts[at];
    if (one?.type !== 'debit' || verdict?.outcome !== 'processed' || verdict.replay) continue;
    const units = one.amount - one.discount;
    if (units > 0n) taken.add(round.operatorId, one.currency, units, quarterOf(now));
  }
}

function countRefused(
  ring: MinuteRing,
  { operation, outcome, isVerified, error, durationMs }: CallRefused,
): void {
  if (operation !== 'doTransactions') return;
  if (outcome === 'unknown') return ring.add(unknown, durationMs);
  if (isVerified || error !== null) return ring.add(declined, durationMs);
  ring.add(foreign, null);
}
