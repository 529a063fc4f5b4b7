import { createHash } from 'node:crypto';
import type { WalletEvent } from '../../operator/wallet';

/** What the archive looks at in a line of a file. */
export interface ArchivedEvent {
  readonly id: string;
  readonly operatorId: string;
  /** The hour of its time, as in the name of its file: `2026-11-22T15`. */
  readonly hour: string;
  /**
   * What no two events share. The id alone would not do: a gameRound that is used again after its retention
   * has the same ids.
   */
  readonly key: string;
}

/** The UTC hour of an event. */
export function hourOf({ at }: Pick<WalletEvent, 'at'>): string {
  return at.slice(0, hourLength);
}

/** When an hour ends, in milliseconds since 1970. */
export function endOfHour(hour: string): number {
  return Date.parse(`${hour}:00:00.000Z`) + 3_600_000;
}

/** A line of a file; null if it is not an event. */
export function readEventLine(line: string): ArchivedEvent | null {
  let value: Partial<Record<keyof WalletEvent, unknown>> | null;
  try {
    value = JSON.parse(line) as typeof value;
  } catch {
    return null;
  }
  const { type, id, operatorId, at } = value ?? {};
  if (typeof type !== 'string' || typeof id !== 'string' || typeof operatorId !== 'string')
    return null;
  if (typeof at !== 'string' || !times.test(at) || Number.isNaN(Date.parse(at))) return null;
  return { id, operatorId, hour: hourOf({ at }), key: `${id} ${at}` };
}

/** Tells events that came twice. It keeps 16 bytes of an event, not its text: an hour may have millions. */
export class SeenEvents {
  readonly #digests = new Set<string>();

  /** Whether the key is new; from now on it is not. */
  add(key: string): boolean {
    const digest = createHash('sha256').update(key).digest().subarray(0, 16).toString('latin1');
    const before = this.#digests.size;
    return this.#digests.add(digest).size > before;
  }
}

const hourLength = '2026-11-22T15'.length;
const times = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
