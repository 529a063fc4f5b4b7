import type { LimitResult } from '../../wallet';
import { StoreUnavailableError } from '../../wallet';
import type { CheckedLimit } from '../check-restrictions';
import { changedBy, type LimitChange, type LimitGroup } from '../../wallet/limits/groups';
import { areRunning, pastWindowsOf, type PastWindows, withPast } from '../../wallet/limits/past';
import { type ChangedPast, Past, type PastReader, type SeenPast } from './past-money';

/** What an order sets: the groups after it, and which windows of one of them were counted anew. */
export interface LimitsToWrite {
  readonly read: readonly LimitGroup[];
  readonly groups: readonly LimitGroup[];
  readonly terms: Extract<LimitChange, { readonly kind: 'set' }>['terms'];
  readonly past: PastWindows | null;
  /** What must be as it was read; null where nothing was. */
  readonly seen: SeenPast | null;
  readonly at: number;
}

/** `stale`: others have changed the limits since they were read. Nothing was written then, nor where the past changed. */
export type LimitsWritten = 'done' | 'stale' | ChangedPast;

/** What setting a limit needs of a store with a server. */
export interface LimitsPort {
  readonly now: () => number;
  /** Null if the player is not known. */
  readonly read: () => Promise<{
    readonly currencies: readonly string[];
    readonly groups: readonly LimitGroup[];
  } | null>;
  readonly write: (limits: LimitsToWrite) => Promise<LimitsWritten>;
  /** Null where limits do not count what moved before them. */
  readonly past: PastReader | null;
}

/** How often rounds that change meanwhile are read again, each time only those: no player plays so fast. */
const maxReadings = 50;

/**
 * Sets or lifts a limit (D13.6). What moved before is read first, and the limit is written in the step that finds all of it
 * unchanged (P18): so what moves meanwhile is counted once.
 * @throws StoreUnavailableError if the rounds kept changing
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
        ? await port.write({ ...limits, past: null, seen: null })
        : await writeWithPast(port, port.past, wanted, limits);
    if (answer === 'done') return { kind: 'done' };
    if (answer === 'historyTooShort' || answer === 'historyTooLong') {
      return { kind: 'refused', reason: answer };
    }
  }
}

async function writeWithPast(
  port: LimitsPort,
  reader: PastReader,
  wanted: PastWindows,
  limits: Omit<LimitsToWrite, 'past' | 'seen'>,
) {
  const past = await Past.read(reader, wanted);
  if (typeof past === 'string') return past;
  for (let reading = 0; reading < maxReadings; reading += 1) {
    if (!areRunning(wanted, port.now())) return 'stale';
    const groups = withPast(limits.groups, wanted, past.moved());
    const answer = await port.write({ ...limits, groups, past: wanted, seen: past.seen });
    if (answer === 'done' || answer === 'stale') return answer;
    const refusal = await past.readChanged(answer);
    if (refusal !== null) return refusal;
  }
  throw new StoreUnavailableError(
    'The rounds of the player changed each time when the limit was to be written: nothing was set.',
  );
}
