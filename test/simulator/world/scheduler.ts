import { afterThisTurn, nextTurn } from '../../../lib/platform/turn';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { BrokenRule } from '../../../lib/proof/oracle/broken-rule';
import { Chance } from './chance';
import type { FaultSource } from './faults';
import type { Trace } from './trace';

/** How microtasks get their turn between two events; both give the same trace. */
export type Drain = 'tick' | 'turn';

/** What does not hold. */
export interface Violation {
  /** O1 to O9, or the rule of the protocol. */
  readonly rule: string;
  readonly text: string;
  /** Calls that the wallets had taken. */
  readonly calls: number;
}

/** Events in one go, before others in this process have their turn. */
const eventsAtOnce = 4000;

/** When a world begins, in milliseconds since 1970, unless its plan says so. */
const worldStart = Date.UTC(2026, 0, 1);

/**
 * A world in one thread: virtual time, events by (time, sequence), and the seed as the only source of order.
 * Everything that happens is a timer of its clock, or follows of one in microtasks.
 */
export class World {
  readonly clock: VirtualClock;
  /** The first violation; the world stops at it. */
  violation: Violation | null = null;
  /** Calls that wallets have taken. */
  calls = 0;
  readonly faults = new Map<string, number>();
  /** What else is counted: attacks, rotations. */
  readonly events = new Map<string, number>();
  /** Outages that last: no process reaches what keeps the money. */
  outages = 0;
  private readonly chances = new Map<string, Chance>();

  constructor(
    private readonly seed: number,
    readonly source: FaultSource,
    readonly trace: Trace,
    startsAt = worldStart,
  ) {
    this.clock = new VirtualClock(startsAt);
  }

  /** What is drawn for a name. */
  chanceOf(name: string): Chance {
    const known = this.chances.get(name);
    if (known !== undefined) return known;
    const made = new Chance(name, this.seed, this.source);
    this.chances.set(name, made);
    return made;
  }

  /** Notes a fault, or another event that is counted. */
  note(kind: string, name: string, what: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
    this.tell([name, what], () => `fault: ${kind} at ${name} ${what}`);
  }

  /** Counts an event beside the faults. */
  count(kind: string): void {
    this.events.set(kind, (this.events.get(kind) ?? 0) + 1);
  }

  /** Adds to the trace what happened now: these words to the hash, the text for who wants lines. */
  tell(words: readonly (string | number)[], text: () => string): void {
    const now = this.clock.monotonicMs();
    this.trace.add(now, words, () => `${now} ${text()}`);
  }

  /** Notes what does not hold, and ends the world with the first of it. */
  fail(rule: string, text: string): void {
    if (this.violation !== null) return;
    this.tell([rule, text], () => `violation of ${rule}: ${text}`);
    this.violation = { rule, text, calls: this.calls };
  }

  /** Watches over work that nobody awaits: if it fails, the world does. */
  watch(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (error instanceof BrokenRule) return this.fail(error.rule, error.text);
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.fail('nothing is thrown', text);
    });
  }

  /** Runs until it is over or something does not hold. @throws Error if it stands still before. */
  run(isOver: () => boolean, drain: Drain): Promise<void> {
    const tick = drain === 'tick' ? microtaskDrain() : null;
    return tick === null ? this.runByTurns(isOver) : this.runByTicks(isOver, tick);
  }

  private runByTicks(isOver: () => boolean, tick: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const runSome = (): void => {
        try {
          for (let events = 0; events < eventsAtOnce; events++) {
            if (this.isAtEnd(isOver)) return resolve();
            this.step();
            tick();
          }
          afterThisTurn(runSome);
        } catch (error) {
          reject(error);
        }
      };
      afterThisTurn(runSome);
    });
  }

  private async runByTurns(isOver: () => boolean): Promise<void> {
    for (;;) {
      await nextTurn();
      if (this.isAtEnd(isOver)) return;
      this.step();
    }
  }

  private isAtEnd(isOver: () => boolean): boolean {
    return this.violation !== null || isOver();
  }

  /** One event. */
  private step(): void {
    if (!this.clock.leap()) throw new Error('the world stands still');
  }
}

/**
 * Runs all microtasks that are ready, at once: what Node does between two events. Only from an event of the
 * loop, not from within a microtask. Null where Node does not have it; then {@link nextTurn} does the same.
 */
function microtaskDrain(): (() => void) | null {
  const { _tickCallback: drain } = process as { _tickCallback?: unknown };
  return typeof drain === 'function' ? () => void drain.call(process) : null;
}
