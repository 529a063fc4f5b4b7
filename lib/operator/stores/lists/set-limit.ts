import { systemRandom } from '../../../platform';
import type { LimitResult } from '../../wallet';
import type { CheckedLimit } from '../check-restrictions';
import { changedBy, type LimitChange, type LimitGroup } from '../../wallet/limits/groups';
import {
  areRunning,
  boundIn,
  countIn,
  pastWindowsOf,
  type PastWindows,
  withPast,
} from '../../wallet/limits/past';
import {
  type ChangedPast,
  Past,
  type PastReader,
  type PastRefusal,
  type SeenPast,
} from './past-money';

/** What an order sets: the groups after it, and what was read of what moved before in windows of one of them. */
export interface LimitsToWrite {
  readonly read: readonly LimitGroup[];
  readonly groups: readonly LimitGroup[];
  readonly terms: Extract<LimitChange, { readonly kind: 'set' }>['terms'];
  /** Null where nothing was read. */
  readonly past: { readonly windows: PastWindows; readonly seen: SeenPast } | null;
  readonly at: number;
}

/** `stale`, and nothing was written: others have changed the limits since they were read. */
export type LimitsWritten = 'done' | 'stale' | ChangedPast;

/** What ends a reading: the used units of windows that still run become what counts. */
export interface ReadingEnd {
  readonly group: Pick<LimitGroup, 'kind' | 'currency'>;
  /** Above zero, at random: no two readings that run at once have the same. */
  readonly reading: number;
  /** For the day, the week and the month: the number of the window, 0 for one that was not read, and the units to add. */
  readonly windows: readonly { readonly number: number; readonly units: bigint }[];
}

/** What setting a limit needs of a store with a server. */
interface LimitsPort {
  readonly now: () => number;
  /** Null if the player is not known. */
  readonly read: () => Promise<{
    readonly currencies: readonly string[];
    readonly groups: readonly LimitGroup[];
  } | null>;
  readonly write: (limits: LimitsToWrite) => Promise<LimitsWritten>;
  /** Does nothing where a later reading has begun, or the group is gone. */
  readonly endReading: (end: ReadingEnd) => Promise<void>;
  /** Null where limits do not count what moved before them. */
  readonly past: PastReader | null;
}

/**
 * Sets or lifts a limit (D13.6). What moved before is read first; then the limit is written with a bound of it, in a step that
 * says what has changed since; then the bound becomes what counts (P18). So money that moves meanwhile counts once, nothing
 * holds the limit off, and a process that ends between the two steps leaves a limit that counts too much, never too little.
 */
export async function setLimitIn(port: LimitsPort, order: CheckedLimit): Promise<LimitResult> {
  for (;;) {
    const read = await port.read();
    if (read === null) return { kind: 'noPlayer' };
    const at = port.now();
    const result = changedBy(order, read, at);
    if (result.kind !== 'set') return result.kind === 'nothing' ? { kind: 'done' } : result;
    const wanted = port.past === null ? null : pastWindowsOf(order, read.groups, result.groups, at);
    const limits = { ...result, read: read.groups, at };
    const answer =
      port.past === null || wanted === null
        ? await port.write({ ...limits, past: null })
        : await writeWithPast(port, port.past, wanted, limits);
    if (answer === 'stale') continue;
    if (answer === 'historyTooShort' || answer === 'historyTooLong') {
      return { kind: 'refused', reason: answer };
    }
    return { kind: 'done' };
  }
}

async function writeWithPast(
  port: LimitsPort,
  reader: PastReader,
  wanted: PastWindows,
  limits: Omit<LimitsToWrite, 'past'>,
): Promise<'done' | 'stale' | PastRefusal> {
  const past = await Past.read(reader, wanted);
  if (typeof past === 'string') return past;
  if (!areRunning(wanted, port.now())) return 'stale';
  const bound = boundIn(wanted, past.moved());
  const reading = 1 + systemRandom.bytes(6).readUIntBE(0, 6);
  const written = await port.write({
    ...limits,
    groups: withPast(limits.groups, wanted, bound, reading),
    past: { windows: wanted, seen: past.seen },
  });
  if (written === 'done' || written === 'stale') return written;
  past.changed(written);
  const used = countIn(wanted, past.moved());
  const windows = wanted.group.counters.map((_, place) => {
    const at = wanted.windows.findIndex((one) => one.place === place);
    const counted = (bound[at] ?? 0n) + written.bound;
    return { number: wanted.windows[at]?.number ?? 0, units: (used[at] ?? 0n) - counted };
  });
  await port.endReading({ group: wanted.group, reading, windows });
  return 'done';
}
