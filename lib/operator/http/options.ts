import {
  createErrorRenderer,
  errorCatalogue,
  type ErrorCode,
  type ErrorOverrides,
  type ErrorRenderer,
} from '../../protocol/operator-api/catalogue';
import { decimalsOfCalls } from '../../protocol/money/amount';
import { type CallerSecrets, readCredentials } from '../../protocol/authentication/credentials';
import { type Events, eventsTo } from '../events';
import type { MoneyPolicy } from '../gameround';
import {
  checkMethods,
  checkOptionNames,
  checkPorts,
  type OptionNames,
  schemasOf,
} from '../../platform/validation';
import { defined } from '../../platform/validation/defined';
import { type Clock, type Logger, type Random, systemClock, systemRandom } from '../../platform';
import {
  type OpenTelemetryTracer,
  type SpanParent,
  type Spans,
  spansOf,
  withTraceIds,
} from '../../platform/tracing';
import type { Metrics } from '../telemetry';
import { type CallRecorder, callRecorderOf, type CallWatch } from '../minutes/call-watch';
import { type MetricsRecorder, recorderOf } from '../telemetry/recorder';
import { tracedRounds } from '../telemetry/traced-rounds';
import type { DebitCheck, DebitChecksParts, DiscountCheck, Rounds, WalletStore } from '../wallet';
import { logWithoutSecrets } from './log-without-secrets';
import { debitCheckOf } from './debit-check-settings';
import type { BalanceRequest, FreePlays } from './hooks';
import type { CallEvent } from './outcome-hook';
import { type Shed, shedOf } from './turn-budget';

/** An operator that may call, with all its current secrets: several during a rotation (D1.2). */
export interface OperatorCredentials {
  readonly operatorId: string;
  /** Each at least 16 bytes, without surrounding white space. */
  readonly secrets: readonly string[];
}

/** Options of {@link createOperatorRouter} and {@link createOperatorHandler}. */
export interface OperatorOptions {
  /** The store that keeps the money. */
  readonly store: WalletStore;
  readonly operators: readonly OperatorCredentials[];
  /**
   * Largest difference between X-H-TIMESTAMP and the clock, in milliseconds; 300,000 unless set, at least
   * 1000 (D1.3).
   */
  readonly clockToleranceMs?: number;
  /** Number of latest signatures that each process remembers; 100,000 unless set, at least 1000 (D1.8). */
  readonly rememberedSignatures?: number;
  /** Largest body, in bytes; 262,144 unless set (D2.1). */
  readonly maxBodyBytes?: number;
  /** Most transactions in a call; 500 unless set (D2.1). */
  readonly maxTransactions?: number;
  /**
   * Most calls with a debit, and getBalance, in flight. Above it they are shed by D7, debits already above three
   * quarters of it. 2000 unless set. With several operators, half of it is divided evenly among them and the other
   * half is open to all. Calls of credits, voids and ends alone are never shed.
   */
  readonly maxInFlight?: number;
  /**
   * Sheds calls that open a round while the process is overloaded (P12), and how they are answered: `void`, 503, after
   * which the RGS voids; or `refuse`, 400, after which it does not: set it only if no proxy repeats a POST. Nothing is
   * shed so unless it is set.
   */
  readonly shed?: 'void' | 'refuse';
  /**
   * What a turn of the event loop may take, in milliseconds, while the process is overloaded: once every turn of
   * `turnWindowMs` was longer; 500 unless set. Beyond it, new rounds are shed of operators that used their share of half of it.
   */
  readonly turnBudgetMs?: number;
  /** What a single turn may take at other times; 500 unless set, at least `turnBudgetMs`. */
  readonly turnSpikeMs?: number;
  /** How long turns must be over the budget, in milliseconds; 100 unless set. */
  readonly turnWindowMs?: number;
  /** Deadline of a call, in milliseconds: after it the outcome is answered as unknown (D7); 5000 unless set. */
  readonly deadlineMs?: number;
  /** Whether debits are paid from the bonus balance first; true unless set. */
  readonly useBonusFirst?: boolean;
  /** Where credits go: `real` unless set, or `stakeShares`, split as the round's debits were. */
  readonly creditTo?: MoneyPolicy['creditTo'];
  /**
   * What becomes of a first debit of a round that is not known, and whose `timestamp` is older than the store's
   * retention: `refuse` unless set, since the round may have been played and forgotten (D10.2); `accept` for an RGS
   * whose timestamps are not the times of its transactions.
   */
  readonly expiredDebits?: 'refuse' | 'accept';
  /** Your own error ids and texts, by code (D8). */
  readonly errors?: ErrorOverrides;
  /** A pino logger, or anything with its `info`, `warn` and `error`; silent unless set. */
  readonly logger?: Logger;
  /**
   * Whether the log has a line for each transaction, with its hash and its amount; false unless set. At
   * level debug it has them in any case.
   */
  readonly logTransactions?: boolean;
  /**
   * Where calls, transactions, the store and the rounds in attention are counted: made by `createMetrics`
   * of `rgs-wallet-kit/telemetry`; nothing is counted unless set. Give the same one to the ledger store
   * and the sweeper.
   */
  readonly metrics?: Metrics;
  /** Where the calls of this process are counted by minute, for the operations page: made by `createCallWatch`. */
  readonly calls?: CallWatch;
  /**
   * A tracer of OpenTelemetry: every verified call is a span, with one for each load and commit of the
   * store, and the log's lines have its ids. Nothing is traced unless set. Give the same one to the
   * ledger store.
   */
  readonly tracer?: OpenTelemetryTracer;
  /**
   * What the span of a call is below: the span in the request's header `traceparent` (W3C), unless set;
   * or with `active` the active one, such as that of OpenTelemetry's own instrumentation of HTTP.
   */
  readonly spanParent?: SpanParent;
  readonly clock?: Clock;
  /** Source of the delivery ids and of the decoys of secrets; the machine's own, fit for secrets, unless set. */
  readonly random?: Random;
  /**
   * Called for every doTransactions call after its answer was sent. For display and analytics: it is not
   * durable, and what it throws is logged.
   */
  readonly onOutcome?: (event: CallEvent) => void | Promise<void>;
  /**
   * Called for every getBalance, with its externalSessionId, before the answer. Returning a code answers
   * with that error; throwing, or returning anything else but undefined, answers 503.
   */
  readonly session?: (
    request: BalanceRequest,
  ) => ErrorCode | undefined | void | Promise<ErrorCode | undefined | void>;
  /**
   * Called if getBalance names a game; its result is merged into the reply, as JSON.stringify writes it
   * (D9). If it throws, or returns no object, the reply has the balance alone.
   */
  readonly freePlays?: (
    request: BalanceRequest & { readonly gameCode: string },
  ) => FreePlays | null | Promise<FreePlays | null>;
  /** Whether a debit's discount is eligible; without this hook none is (error 33). */
  readonly discountCheck?: DiscountCheck;
  /** Asked once a call for its new debits together, before anything is decided (D12): what it does not allow is declined. */
  readonly debitCheck?: DebitCheck;
  /** How long it may take, in milliseconds: 500 unless set, at most half of `deadlineMs`. */
  readonly debitCheckMs?: number;
  /** What no answer, a throw and any other answer mean: `refuse` (DEBITCHECKFAILED) unless set; `allow` if your licence says so. */
  readonly debitCheckSilence?: 'refuse' | 'allow';
}

/** The options, checked, complete and frozen; secrets wrapped. */
export interface OperatorSettings {
  readonly store: WalletStore;
  /** Those of the store, timed if there are metrics, with spans if there is a tracer. */
  readonly rounds: Rounds;
  /** Those of an amount in a call and its reply (D2.5). */
  readonly decimals: number;
  readonly spans: Spans | null;
  readonly recorder: MetricsRecorder | null;
  readonly secrets: CallerSecrets;
  readonly calls: CallRecorder | null;
  readonly clockToleranceMs: number;
  readonly rememberedSignatures: number;
  readonly maxBodyBytes: number;
  readonly maxTransactions: number;
  readonly maxInFlight: number;
  /** Null if no round is shed. */
  readonly shed: Shed | null;
  readonly deadlineMs: number;
  readonly policy: MoneyPolicy;
  readonly refusesExpired: boolean;
  readonly renderError: ErrorRenderer;
  readonly events: Events;
  readonly clock: Clock;
  readonly random: Random;
  readonly hooks: Pick<OperatorOptions, 'onOutcome' | 'session' | 'freePlays' | 'discountCheck'>;
  /** Null if no debit is asked for. */
  readonly debitCheck: Omit<DebitChecksParts, 'onChecked'> | null;
}

const optionNames: OptionNames<OperatorOptions> = {
  store: true,
  operators: true,
  clockToleranceMs: true,
  rememberedSignatures: true,
  maxBodyBytes: true,
  maxTransactions: true,
  maxInFlight: true,
  shed: true,
  turnBudgetMs: true,
  turnSpikeMs: true,
  turnWindowMs: true,
  deadlineMs: true,
  useBonusFirst: true,
  creditTo: true,
  expiredDebits: true,
  errors: true,
  logger: true,
  logTransactions: true,
  metrics: true,
  calls: true,
  tracer: true,
  spanParent: true,
  clock: true,
  random: true,
  onOutcome: true,
  session: true,
  freePlays: true,
  discountCheck: true,
  debitCheck: true,
  debitCheckMs: true,
  debitCheckSilence: true,
};
const schemas = schemasOf('options', ['operator', 'credentials', 'errors']);
const loopMethods = ['nowMs', 'sleptMs', 'afterTurn'];
const maker = 'createOperatorRouter';

/**
 * Checks the options and fills in defaults.
 * @throws TypeError that names the wrong option; no value is repeated, because it may be a secret.
 */
export function readOptions(options: OperatorOptions): OperatorSettings {
  checkOptionNames(maker, options, optionNames);
  const { store, logger, metrics, calls, tracer, clock, random = systemRandom, ...rest } = options;
  const { onOutcome, session, freePlays, discountCheck, debitCheck, ...data } = rest;
  checkErrorCodes(data.errors);
  const fault = schemas.findFault('operator', data);
  if (fault !== null) throw new TypeError(`${maker}: ${fault}`);
  checkMethods(maker, 'store.rounds', store?.rounds, ['load', 'commit', 'accounts']);
  checkPorts(maker, { logger, clock });
  if (clock?.loop !== undefined) checkMethods(maker, 'clock.loop', clock.loop, loopMethods);
  const recorder = recorderOf(maker, metrics);
  const hooks = { onOutcome, session, freePlays, discountCheck };
  checkPorts(maker, { random, debitCheck, ...hooks });
  const deadlineMs = data.deadlineMs ?? 5000;
  const level = data.logTransactions === true ? 'info' : 'debug';
  const spans = spansOf(maker, tracer, data.spanParent);
  const secrets = readSecrets(data.operators, random);
  const safe = logger === undefined ? logger : logWithoutSecrets(logger, secrets);
  const lines = spans === null || safe === undefined ? safe : withTraceIds(safe);
  const { decimals } = store;
  const log = eventsTo(lines, {
    transactions: { level, decimals },
    clock: clock ?? systemClock,
  });
  const watch = callRecorderOf(maker, calls);
  const timed = recorder === null ? store.rounds : recorder.observe(store.rounds);
  return Object.freeze({
    store,
    rounds: spans === null ? timed : tracedRounds(timed, spans),
    decimals: decimalsOfCalls(store),
    spans,
    recorder,
    secrets,
    clockToleranceMs: data.clockToleranceMs ?? 300_000,
    rememberedSignatures: data.rememberedSignatures ?? 100_000,
    maxBodyBytes: data.maxBodyBytes ?? 256 * 1024,
    maxTransactions: data.maxTransactions ?? 500,
    maxInFlight: data.maxInFlight ?? 2000,
    shed: shedOf(maker, data),
    deadlineMs,
    policy: Object.freeze({
      useBonusFirst: data.useBonusFirst ?? true,
      creditTo: data.creditTo ?? 'real',
    }),
    refusesExpired: data.expiredDebits !== 'accept',
    renderError: createErrorRenderer(data.errors),
    calls: watch,
    events: log.with(recorder?.listener, watch?.listener),
    clock: clock ?? systemClock,
    random,
    hooks: Object.freeze(defined(hooks)),
    debitCheck: debitCheckOf(maker, debitCheck, {
      ...data,
      deadlineMs,
      clock: clock ?? systemClock,
    }),
  });
}

function readSecrets(operators: readonly OperatorCredentials[], random: Random): CallerSecrets {
  const credentials = operators.map(({ operatorId, secrets }) => ({ id: operatorId, secrets }));
  const place = { list: `${maker}: operators`, idName: 'operatorId' };
  return readCredentials(credentials, random, place);
}

/** Checked before the schema, whose errors would repeat an unknown code as the place of the fault. */
function checkErrorCodes(errors: ErrorOverrides | undefined): void {
  for (const code of Object.keys(errors ?? {})) {
    if (Object.hasOwn(errorCatalogue, code)) continue;
    throw new TypeError(`${maker}: errors has an unknown code`);
  }
}
