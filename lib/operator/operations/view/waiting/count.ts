import type { KeptSample } from '../../../minutes/sample';
import { waitingByAge } from '../minutes';
import type { AttentionView } from './attention';

/** How many rounds wait for a person, as far as it is known without asking the store. */
export interface WaitingCount {
  readonly total: number;
  /** False if more than these may wait. */
  readonly isWhole: boolean;
  /** When they were counted, in milliseconds since 1970. */
  readonly at: number;
}

/** A count is shown for so long, in milliseconds: until after the next sample is due. */
const keptMs = 6 * 60_000;

/** Keeps what this process counted last, so that every page can say it, and none costs a read because of it. */
export class LastWaiting {
  #last: WaitingCount | null = null;
  #repairs = 0;
  #changedAt = Number.NEGATIVE_INFINITY;

  /** How many repairs were made: those that a list may have which is read from now on. */
  get repairs(): number {
    return this.#repairs;
  }

  /**
   * Keeps the count of a list that a page has read, unless a round was repaired meanwhile.
   * @param repairs Those that were made before it was read.
   */
  note(
    { total, isWhole, asOf }: Pick<AttentionView, 'total' | 'isWhole' | 'asOf'>,
    repairs: number,
  ): void {
    if (repairs !== this.#repairs) return;
    this.#last = { total, isWhole, at: Date.parse(asOf) };
  }

  /** A reader has repaired a round: what was counted before is not known any more. */
  forget(now: number): void {
    this.#last = null;
    this.#repairs += 1;
    this.#changedAt = now;
  }

  /**
   * The newest count; null if none is known.
   * @param sample The last one that this process took of the same operators.
   */
  read(now: number, sample: KeptSample | null): WaitingCount | null {
    const sampled = countOf(sample);
    const isNewer = sampled !== null && sampled.at > (this.#last?.at ?? this.#changedAt);
    const newest = isNewer ? sampled : this.#last;
    return newest !== null && Math.abs(now - newest.at) < keptMs ? newest : null;
  }
}

function countOf(sample: KeptSample | null): WaitingCount | null {
  if (sample?.waiting === undefined) return null;
  const { underHour, underDay, over, isWhole } = waitingByAge(sample.waiting);
  return { total: underHour + underDay + over, isWhole, at: sample.at };
}
