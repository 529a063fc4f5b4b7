import { type Events, eventsTo } from '../events';
import type { Metrics } from '../telemetry';
import { recorderOf } from '../telemetry/recorder';
import type { RoundKey } from '../wallet';
import { type Clock, type Logger, type Random, systemClock, systemRandom } from '../../platform';
import { backOffMs } from '../../platform/back-off';
import { within } from '../../platform/within';
import { checkOptionNames, type OptionNames } from '../../platform/validation/known-names';
import { checkSurroundings } from './options';
import type { LedgerStore } from './store';
import type { Settlement } from './rounds';

/** Options of {@link startSweeper}. */
export interface SweeperOptions {
  readonly store: LedgerStore;
  /** The operators of the rounds to sweep. */
  readonly operatorIds: readonly string[];
  /** Pause between two sweeps, in milliseconds, plus or minus a quarter; 5000 unless set. */
  readonly intervalMs?: number;
  /** Age from which pending work counts as abandoned, in milliseconds; 10,000 unless set. */
  readonly graceMs?: number;
  /**
   * Age of a pending debit from which its round is marked as `cancelled` (D7), in milliseconds; 30,000
   * unless set. It must be longer than any call may take: the router's `deadlineMs`.
   */
  readonly giveUpAfterMs?: number;
  /** Rounds processed concurrently; 4 unless set. */
  readonly roundsAtOnce?: number;
  /**
   * Time limit for one round, and for reading the next one of the list, in milliseconds; 15,000 unless
   * set. A round that takes longer counts as failed. It must be longer than the store's `deadlineMs`.
   */
  readonly roundTimeoutMs?: number;
  readonly logger?: Logger;
  /** Where its results are counted: made by `createMetrics`. */
  readonly metrics?: Metrics;
  readonly clock?: Clock;
  /** Source of the jitter of pauses; the machine's own unless set. */
  readonly random?: Random;
}

const optionNames: OptionNames<SweeperOptions> = {
  store: true,
  operatorIds: true,
  intervalMs: true,
  graceMs: true,
  giveUpAfterMs: true,
  roundsAtOnce: true,
  roundTimeoutMs: true,
  logger: true,
  metrics: true,
  clock: true,
  random: true,
};

type SweeperSettings = Required<Omit<SweeperOptions, 'logger' | 'metrics'>> & {
  readonly events: Events;
};

/** The result of one sweep, in rounds. */
export interface SweepReport {
  /** Finished: nothing of them is pending any more. */
  readonly settled: number;
  /** Too young, or failed a short while ago. */
  readonly waiting: number;
  /** Failed: the ledger or the journal does not answer. */
  readonly failed: number;
}

/** A running sweeper. */
export interface Sweeper {
  /** Sweeps once, now; during a running sweep it waits for that one. Never rejects. */
  sweep(): Promise<SweepReport>;
  /** Stops; resolves when the running sweep has ended, which takes at most `roundTimeoutMs`. */
  stop(): Promise<void>;
}

const defaults = {
  intervalMs: 5000,
  graceMs: 10_000,
  giveUpAfterMs: 30_000,
  roundsAtOnce: 4,
  roundTimeoutMs: 15_000,
};

/** Pauses after a failed round. */
const pauses = { firstMs: 2000, longestMs: 300_000 };

/**
 * Finishes what a crash or a silent ledger left pending. Reversals and credits are driven until they are
 * definite. A debit never is: its round is marked and waits for its void. Safe to run in every instance at
 * once: all use the same keys.
 * @throws TypeError for wrong options.
 */
export function startSweeper(options: SweeperOptions): Sweeper {
  const sweeper = new IntervalSweeper(checkOptions(options));
  sweeper.start();
  return sweeper;
}

class IntervalSweeper implements Sweeper {
  private readonly stopping = new AbortController();
  private readonly failing: FailingRounds;
  private running: Promise<void> = Promise.resolve();
  private current: Promise<SweepReport> | null = null;

  constructor(private readonly settings: SweeperSettings) {
    this.failing = new FailingRounds(settings.random);
  }

  start(): void {
    this.running = this.run();
  }

  sweep(): Promise<SweepReport> {
    this.current ??= this.sweepOnce().finally(() => {
      this.current = null;
    });
    return this.current;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.current;
  }

  private async run(): Promise<void> {
    const { clock, random, intervalMs } = this.settings;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await clock.pause(intervalMs * (0.75 + random.next() / 2), signal, 'background');
      if (!signal.aborted) await this.sweep();
    }
  }

  private async sweepOnce(): Promise<SweepReport> {
    const report = { settled: 0, waiting: 0, failed: 0 };
    const { events, operatorIds } = this.settings;
    for (const operatorId of operatorIds) {
      try {
        await this.sweepOperator(operatorId, report);
      } catch (error) {
        events.emit({ kind: 'sweepFailed', operatorId, error });
      }
    }
    this.failing.forgetOthers();
    events.emit({ kind: 'sweepDone', ...report });
    return report;
  }

  /** Reads rounds from the list as fast as they are processed, and no faster. */
  private async sweepOperator(
    operatorId: string,
    report: { settled: number; waiting: number; failed: number },
  ): Promise<void> {
    const working = new Set<Promise<void>>();
    try {
      for await (const round of this.listed(operatorId)) {
        if (this.stopping.signal.aborted) break;
        if (!this.failing.isDue(round, this.settings.clock.monotonicMs())) {
          report.waiting += 1;
          continue;
        }
        const work = this.settle(round).then((kind) => {
          report[outcomes[kind]] += 1;
          working.delete(work);
        });
        working.add(work);
        if (working.size >= this.settings.roundsAtOnce) await Promise.race(working);
      }
    } finally {
      await Promise.all(working);
    }
  }

  /** The operator's unfinished rounds. @throws Error if the store does not return the next one. */
  private async *listed(operatorId: string): AsyncGenerator<RoundKey> {
    const { store, clock, roundTimeoutMs } = this.settings;
    const list = store.lists.unfinished(operatorId)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await within(clock, roundTimeoutMs, list.next());
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      list.return?.().catch(() => {}); // not awaited: a silent list does not answer this either
    }
  }

  private async settle(round: RoundKey): Promise<Settlement['kind']> {
    const { store, clock, events, graceMs, giveUpAfterMs, roundTimeoutMs } = this.settings;
    // A late end is ignored. Another attempt may run concurrently: both use the same keys.
    const settling = store.settle(round, { graceMs, giveUpAfterMs });
    const result = await within(clock, roundTimeoutMs, settling).catch(
      (error: unknown) => ({ kind: 'unknown', cause: error }) as const,
    );
    if (result.kind === 'unknown') {
      const failures = this.failing.failed(round, clock.monotonicMs());
      events.emit({ kind: 'roundUnsettled', round, failures, error: result.cause });
    } else {
      this.failing.succeeded(round);
    }
    if (result.kind === 'settled') {
      events.emit({ kind: 'roundSwept', round, state: result.state });
    }
    return result.kind;
  }
}

const outcomes = { settled: 'settled', waits: 'waiting', unknown: 'failed' } as const;

/** When failed rounds are tried again; known to this process only. */
class FailingRounds {
  private readonly rounds = new Map<string, { failures: number; dueAt: number }>();
  private readonly seen = new Set<string>();

  constructor(private readonly random: Random) {}

  isDue(round: RoundKey, now: number): boolean {
    const name = nameOf(round);
    this.seen.add(name);
    return now >= (this.rounds.get(name)?.dueAt ?? Number.NEGATIVE_INFINITY);
  }

  /** Counts a failure; returns the number of consecutive ones. */
  failed(round: RoundKey, now: number): number {
    const name = nameOf(round);
    const failures = (this.rounds.get(name)?.failures ?? 0) + 1;
    this.rounds.set(name, { failures, dueAt: now + backOffMs(pauses, failures, this.random) });
    return failures;
  }

  succeeded(round: RoundKey): void {
    this.rounds.delete(nameOf(round));
  }

  /** Forgets rounds that no sweep has seen since: another process has finished them. */
  forgetOthers(): void {
    for (const name of this.rounds.keys()) if (!this.seen.has(name)) this.rounds.delete(name);
    this.seen.clear();
  }
}

function checkOptions(options: SweeperOptions): SweeperSettings {
  checkOptionNames('startSweeper', options, optionNames);
  const { store, operatorIds, logger, metrics } = options;
  const { clock = systemClock, random = systemRandom } = options;
  if (typeof store?.settle !== 'function') {
    throw new TypeError('store must be a ledger store: see createLedgerStore');
  }
  if (!Array.isArray(operatorIds) || operatorIds.length === 0) {
    throw new TypeError('operatorIds must name at least one operator');
  }
  checkSurroundings(options);
  const numbers = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof typeof defaults)[]) {
    const { [name]: value = defaults[name] } = options;
    const least = name === 'graceMs' || name === 'giveUpAfterMs' ? 0 : 1;
    if (!Number.isSafeInteger(value) || value < least) {
      throw new TypeError(`${name} must be a whole number, at least ${least}`);
    }
    numbers[name] = value;
  }
  const recorder = recorderOf('startSweeper', metrics);
  const log = eventsTo(logger);
  const events = recorder === null ? log : log.with(recorder.listener);
  const ports = { store, events, clock, random };
  return Object.freeze({ ...numbers, ...ports, operatorIds: [...operatorIds] });
}

function nameOf({ operatorId, playerId, gameRound }: RoundKey): string {
  return JSON.stringify([operatorId, playerId, gameRound]);
}
