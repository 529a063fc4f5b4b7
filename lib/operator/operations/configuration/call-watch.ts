import { type Clock, systemClock } from '../../../platform';
import { checkOptionNames, type OptionNames } from '../../../platform/validation';
import { checkPart } from '../../../platform/validation/option-values';

/** How far back a watch looks, in seconds. */
const watchedSeconds = 300;

/** What one process answered lately. */
export interface RecentCalls {
  /** When the process began to watch: ISO 8601, UTC. */
  readonly watchedSince: string;
  /** When it last answered a call with a known outcome; null if it has not. */
  readonly lastProcessed: string | null;
  /** doTransactions calls of the last five minutes with a known outcome, refusals included. */
  readonly processed: number;
  /** Calls of the last five minutes with something answered as unknown (D7): the RGS voids or resends it. */
  readonly unknown: number;
}

/** What a watch needs of a call. */
export interface WatchedCall {
  readonly status: number;
  /** Without it only the status counts: an unknown outcome of credits alone is answered 400 (D7). */
  readonly transactions?: readonly { readonly outcome: string }[];
}

/** Watches the calls of one process, for the operations page. */
export interface CallWatch {
  /** Give it to `createOperatorRouter` or `createOperatorHandler` as `onOutcome`, or call it from yours. */
  readonly onOutcome: (event: WatchedCall) => void;
  /** What was answered lately. */
  readonly read: () => RecentCalls;
}

/** Options of {@link createCallWatch}. */
export interface CallWatchOptions {
  /** The machine's own unless set. */
  readonly clock?: Pick<Clock, 'now' | 'monotonicMs'>;
}

const optionNames: OptionNames<CallWatchOptions> = { clock: true };

/** The counts of one second. */
interface Second {
  at: number;
  processed: number;
  unknown: number;
}

/**
 * A watch of this process's calls: it costs a count a call, and the memory of 300 counts.
 * @throws TypeError for wrong options.
 */
export function createCallWatch(options: CallWatchOptions = {}): CallWatch {
  checkOptionNames('createCallWatch', options, optionNames);
  const { clock = systemClock } = options;
  checkPart('createCallWatch: clock', clock, ['now', 'monotonicMs']);
  const since = clock.now();
  const seconds: Second[] = Array.from({ length: watchedSeconds }, () => ({
    at: -watchedSeconds,
    processed: 0,
    unknown: 0,
  }));
  let last: number | null = null;
  const secondNow = (): number => Math.floor(clock.monotonicMs() / 1000);

  const onOutcome = ({ status, transactions = [] }: WatchedCall): void => {
    const at = secondNow();
    const second = seconds[at % watchedSeconds] as Second;
    if (second.at !== at) Object.assign(second, { at, processed: 0, unknown: 0 });
    if (status >= 500 || transactions.some(({ outcome }) => outcome === 'unknown')) {
      second.unknown += 1;
    } else {
      second.processed += 1;
      last = clock.now();
    }
  };
  const read = (): RecentCalls => {
    const oldest = secondNow() - watchedSeconds;
    const recent = seconds.filter(({ at }) => at > oldest);
    return {
      watchedSince: new Date(since).toISOString(),
      lastProcessed: last === null ? null : new Date(last).toISOString(),
      processed: recent.reduce((sum, { processed }) => sum + processed, 0),
      unknown: recent.reduce((sum, { unknown }) => sum + unknown, 0),
    };
  };
  return Object.freeze({ onOutcome, read });
}
