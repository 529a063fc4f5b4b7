import type { Clock } from '../../platform';
import { within } from '../../platform/within';
import type { Events } from '../events';
import type { StoreServer } from '../wallet';

/** What the watch compares, and by what. */
export interface ClockWatchParts {
  /** Absent if the store has none. */
  readonly server: StoreServer | undefined;
  readonly clock: Clock;
  readonly clockToleranceMs: number;
  readonly events: Events;
}

/** How often the clocks are compared, and how long an answer may take, in milliseconds. */
const intervalMs = 30_000;
const patienceMs = 1_000;
const notInTime = { late: () => undefined };

/** The clock of this process and that of the store differ so much that calls will be refused (D1.3). */
export class ClockDiffersError extends Error {
  override readonly name = 'ClockDiffersError';
  readonly code = 'CLOCKDIFFERS';

  constructor({ differenceMs }: Difference, clockToleranceMs: number) {
    const ahead = differenceMs > 0 ? 'ahead of' : 'behind';
    super(
      `The clock of this process is ${Math.abs(differenceMs)} ms ${ahead} that of the store, more than half of clockToleranceMs (${clockToleranceMs}): set both by NTP.`,
    );
  }
}

/** How the clock of this process differs from the store's. */
interface Difference {
  /** The likeliest: above zero where this process is ahead. */
  readonly differenceMs: number;
  /** By how much they differ at least, however long the answer was on its way. */
  readonly leastMs: number;
}

type Verdict = 'right' | 'doubtful' | 'wrong';

/**
 * Compares the clock of this process with that of the store, at start and every 30 s: a clock that is off refuses every
 * call with 401 (D1.3). The store read its time at some moment between the request and its answer, so only a difference
 * that no such moment explains counts: a slow machine or a silent store is never taken for a wrong clock.
 */
export class ClockWatch {
  #found: Difference = { differenceMs: 0, leastMs: 0 };
  #verdict: Verdict = 'right';
  /** Whether there was an answer. */
  #hasLooked = false;
  #isClosed = false;
  #stop: () => void = () => {};

  constructor(private readonly parts: ClockWatchParts) {}

  /** Begins to compare, unless the store has no clock of its own. */
  start(): void {
    if (this.parts.server === undefined) return;
    const goOn = (): void => {
      if (this.#isClosed) return;
      this.#stop = this.parts.clock.after(intervalMs, () => this.start(), 'background');
    };
    void this.look().then(goOn);
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  /**
   * Compares now, if no answer has come yet or the last one was bad.
   * @throws ClockDiffersError beyond half of the tolerance.
   */
  async check(): Promise<void> {
    if (!this.#hasLooked || this.#verdict === 'wrong') await this.look();
    if (this.#verdict === 'wrong') {
      throw new ClockDiffersError(this.#found, this.parts.clockToleranceMs);
    }
  }

  /** Never rejects: what a silent store would say is not known. */
  private async look(): Promise<void> {
    const { server, clock, events } = this.parts;
    const before = clock.now();
    const asked = (async () => server?.time())().catch(() => undefined);
    const theirs = await within(clock, patienceMs, asked, notInTime);
    if (theirs === undefined || this.#isClosed) return;
    const isFirst = !this.#hasLooked;
    this.#hasLooked = true;
    if (theirs === null) {
      if (isFirst) events.emit({ kind: 'clockNotCompared' });
      return;
    }
    this.note(differenceOf([before, clock.now()], theirs));
  }

  private note(found: Difference): void {
    const { clockToleranceMs, events } = this.parts;
    const verdict = verdictOf(found, clockToleranceMs);
    const hasChanged = verdict !== this.#verdict;
    this.#found = found;
    this.#verdict = verdict;
    if (!hasChanged) return;
    const { differenceMs } = found;
    if (verdict === 'right') events.emit({ kind: 'clockAgrees', differenceMs });
    else {
      const isReady = verdict !== 'wrong';
      events.emit({ kind: 'clockDiffers', differenceMs, clockToleranceMs, isReady });
    }
  }
}

/** The wall clock at both ends: it may have been set, or the machine have slept, in between. */
function differenceOf(ours: readonly [number, number], theirs: number): Difference {
  const [least, most] = [Math.min(...ours) - theirs, Math.max(...ours) - theirs];
  return {
    differenceMs: Math.round((least + most) / 2),
    leastMs: Math.max(least, -most, 0),
  };
}

function verdictOf({ leastMs }: Difference, clockToleranceMs: number): Verdict {
  if (leastMs > clockToleranceMs / 2) return 'wrong';
  return leastMs > clockToleranceMs / 10 ? 'doubtful' : 'right';
}
