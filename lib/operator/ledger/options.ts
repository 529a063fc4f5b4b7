import { type Clock, type Logger, type Random, systemClock, systemRandom } from '../../platform';
import { type Events, eventsTo } from '../events';
import type { Metrics } from '../telemetry';
import {
  type OpenTelemetryTracer,
  type Spans,
  spansOf,
  withTraceIds,
} from '../../platform/tracing';
import { type MetricsRecorder, recorderOf } from '../telemetry/recorder';
import type { Ledger, RoundJournal } from '../wallet';
import { checkOptionNames, type OptionNames } from '../../platform/validation/known-names';
import { checkPart } from '../../platform/validation/option-values';

/** Options of {@link createLedgerStore}. */
export interface LedgerStoreOptions {
  /** The platform's own ledger, which holds the money. */
  readonly ledger: Ledger;
  /**
   * The store for rounds and intents: a Redis or PostgreSQL store, used for rounds alone; the memory store for
   * tests. Its `decimals` are the ledger's unit. `close` closes it.
   */
  readonly journal: RoundJournal;
  /** Time limit of one attempt at the ledger, in milliseconds; 1500 unless set. */
  readonly attemptTimeoutMs?: number;
  /** Most attempts at a posting within one commit, with growing pauses and jitter; 3 unless set. */
  readonly attempts?: number;
  /** Time limit for the postings of one commit, in milliseconds; 4000 unless set. */
  readonly deadlineMs?: number;
  /**
   * Consecutive failures of the ledger that open the circuit breaker, so that calls are answered by D7 at
   * once; 10 unless set.
   */
  readonly breakAfter?: number;
  /**
   * How long the circuit breaker stays open before the ledger is tried again, in milliseconds; 2000 unless
   * set.
   */
  readonly breakMs?: number;
  readonly logger?: Logger;
  /** Where its failures and its circuit breaker are counted: made by `createMetrics`. */
  readonly metrics?: Metrics;
  /** A tracer of OpenTelemetry: each attempt at the ledger is a span; none unless set. */
  readonly tracer?: OpenTelemetryTracer;
  readonly clock?: Clock;
  /** Source of the jitter of pauses; the machine's own unless set. */
  readonly random?: Random;
}

const optionNames: OptionNames<LedgerStoreOptions> = {
  ledger: true,
  journal: true,
  attemptTimeoutMs: true,
  attempts: true,
  deadlineMs: true,
  breakAfter: true,
  breakMs: true,
  logger: true,
  metrics: true,
  tracer: true,
  clock: true,
  random: true,
};

/** The options with defaults filled in. */
export type LedgerStoreSettings = Required<
  Omit<LedgerStoreOptions, 'logger' | 'metrics' | 'tracer'>
> & {
  readonly events: Events;
  readonly recorder: MetricsRecorder | null;
  readonly spans: Spans | null;
};

const methods = {
  ledger: ['debit', 'credit', 'reverse', 'balances'],
  journal: ['ready', 'close'],
  'journal.rounds': ['load', 'commit', 'readRound'],
  'journal.lists': ['attention', 'unfinished'],
} as const;

const defaults = {
  attemptTimeoutMs: 1500,
  attempts: 3,
  deadlineMs: 4000,
  breakAfter: 10,
  breakMs: 2000,
};

/** @throws TypeError that names the wrong option. */
export function checkLedgerOptions(options: LedgerStoreOptions): LedgerStoreSettings {
  checkOptionNames('createLedgerStore', options, optionNames);
  const parts = {
    ledger: options.ledger,
    journal: options.journal,
    'journal.rounds': options.journal?.rounds,
    'journal.lists': options.journal?.lists,
  };
  for (const [name, needed] of Object.entries(methods)) {
    const part: unknown = parts[name as keyof typeof methods];
    const missing = needed.find((method) => !isMethod(part, method));
    if (missing !== undefined) throw new TypeError(`${name} must have a method ${missing}`);
  }
  const numbers = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof typeof defaults)[]) {
    const { [name]: value = defaults[name] } = options;
    if (!Number.isSafeInteger(value) || value < 1 || value > 2 ** 31 - 1) {
      throw new TypeError(`${name} must be a whole number from 1 to ${2 ** 31 - 1}`);
    }
    numbers[name] = value;
  }
  checkSurroundings(options);
  const { ledger, journal, logger, metrics, tracer } = options;
  const { clock = systemClock, random = systemRandom } = options;
  const recorder = recorderOf('createLedgerStore', metrics);
  const spans = spansOf('createLedgerStore', tracer);
  const log = eventsTo(spans === null || logger === undefined ? logger : withTraceIds(logger));
  const events = recorder === null ? log : log.with(recorder.listener);
  return Object.freeze({ ...numbers, ledger, journal, events, recorder, spans, clock, random });
}

/**
 * Checks what a ledger store and a sweeper share.
 * @throws TypeError that names the part and the function that it lacks.
 */
export function checkSurroundings({
  logger,
  clock,
  random,
}: Pick<LedgerStoreOptions, 'logger' | 'clock' | 'random'>): void {
  checkPart('logger', logger, ['info', 'warn', 'error']);
  checkPart('clock', clock, ['now', 'monotonicMs', 'pause', 'after']);
  checkPart('random', random, ['next', 'bytes']);
}

function isMethod(part: unknown, name: string): boolean {
  if (typeof part !== 'object' || part === null) return false;
  return typeof (part as Readonly<Record<string, unknown>>)[name] === 'function';
}
