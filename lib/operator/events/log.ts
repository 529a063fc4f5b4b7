import type { ErrorCode } from '../../protocol/operator-api';
import { type Logger, silentLogger } from '../../platform';
import type { RoundState } from '../gameround';
import type { CallAnswered, OperatorEvent } from './event';
import { type EventLevel, type EventListener, Events } from './listeners';

/** Events that go to a log; to none unless set. */
export function eventsTo(logger: Logger = silentLogger): Events {
  return new Events([logTo(logger)]);
}

/** The listener that writes the log: at most one line for each event. */
function logTo(logger: Logger): EventListener {
  return {
    wants: (_, level) => isEnabled(logger, level),
    on: (event) => lineOf(event)(event, logger),
  };
}

function isEnabled(logger: Logger, level: EventLevel): boolean {
  return logger.isLevelEnabled?.(level) !== false;
}

type Kind = OperatorEvent['kind'];
type Line<K extends Kind> = (event: Extract<OperatorEvent, { kind: K }>, logger: Logger) => void;

/** The line for each kind of event. */
const lines: { readonly [K in Kind]: Line<K> } = {
  callAnswered: (event, logger) => {
    const level = levelOf(event);
    if (isEnabled(logger, level)) logger[level](callFields(event), 'call answered');
  },
  balanceAnswered: ({ operatorId, playerId, status, durationMs }, logger) => {
    const names = { operation: 'getBalance', operatorId, playerId };
    const fields = { ...names, outcome: 'processed', code: null, status, durationMs };
    logger.info(fields, 'call answered');
  },
  callRefused: ({ isVerified, names, error, ...event }, logger) => {
    const { operation, outcome, code, detail, status, durationMs } = event;
    const fields = { operation, ...names, outcome, code, detail, status, durationMs };
    const text = isVerified ? 'call answered' : 'call refused';
    if (error === null) logger.warn(fields, text);
    else logger.error({ ...fields, err: error }, text);
  },
  roundMarked: ({ round, isMarked, error }, logger) => {
    if (isMarked) return;
    const { operatorId, playerId, gameRound } = round;
    const fields = { operatorId, playerId, gameRound, err: error };
    logger.warn(fields, 'the round could not be marked as cancelled');
  },
  hookFailed: ({ hook, error, names }, logger) => {
    const fields = { err: error, ...names };
    if (hook === 'onOutcome') logger.error(fields, 'onOutcome failed');
    else if (hook === 'freePlays') logger.error(fields, 'freePlays failed');
    else logger.error(fields, 'onAttempt failed');
  },
  endpointFailed: ({ error }, logger) => {
    logger.error({ err: error }, 'an endpoint failed');
  },
  signaturesForgotten: ({ clockToleranceMs, rememberedSignatures, callsPerSecond }, logger) => {
    logger.warn(
      { clockToleranceMs, rememberedSignatures, callsPerSecond },
      'rememberedSignatures is too small for clockToleranceMs: above callsPerSecond, signatures are forgotten while still valid',
    );
  },
  ledgerAttempt: ({ method, playerId, key, error }, logger) => {
    logger.warn({ err: error, method, playerId, key }, 'the ledger did not answer');
  },
  ledgerBroken: ({ breakMs }, logger) => {
    logger.error({ breakMs }, 'ledger circuit breaker open: calls answered as unknown (D7)');
  },
  ledgerBack: (_, logger) => {
    logger.info({}, 'ledger circuit breaker closed: the ledger answers again');
  },
  reversalRefused: ({ key, playerId, gameRound, hash, reason }, logger) => {
    const fields = { key, playerId, gameRound, hash, reason };
    logger.error(fields, 'the ledger refused a reversal: it stays pending');
  },
  sweepDone: ({ settled, waiting, failed }, logger) => {
    if (settled + failed > 0) logger.info({ settled, waiting, failed }, 'sweep finished');
  },
  sweepFailed: ({ operatorId, error }, logger) => {
    logger.warn({ err: error, operatorId }, 'sweeper: listing unfinished rounds failed');
  },
  roundSwept: ({ round, state }, logger) => {
    logger.info({ ...round, state }, 'sweeper finished a round');
  },
  roundUnsettled: ({ round, failures, error }, logger) => {
    logger.error(
      { err: error, ...round, failures },
      'round still unfinished: the sweeper will retry',
    );
  },
  storeUnsafe: ({ store, reason }, logger) => {
    logger.error(
      { reason },
      store === 'Redis'
        ? 'Redis store refuses commands: server check failed'
        : 'PostgreSQL store refuses commands: server check failed',
    );
  },
  storeDisconnected: ({ store, reason }, logger) => {
    logger.warn(
      { reason },
      store === 'Redis' ? 'the connection to Redis failed' : 'the connection to PostgreSQL failed',
    );
  },
  lossAccepted: ({ danger }, logger) => {
    logger.warn({ danger }, 'money may be lost: acceptLoss is set');
  },
  durabilityAssumed: ({ aofEnabled }, logger) => {
    logger.warn(
      { aofEnabled },
      'durability is not checked: CONFIG GET is not permitted and assumeDurable is set',
    );
  },
  replicasUnconfirmed: ({ replicas, cure }, logger) => {
    logger.warn(
      { replicas, cure },
      'a failover may lose acknowledged money: the master has replicas and waitReplicas is 0',
    );
  },
  failoversUnseen: (_, logger) => {
    logger.warn(
      {},
      'a failover may lose acknowledged money: set failoverDetector of the Sentinel client to true',
    );
  },
  statementsGivenUp: (_, logger) => {
    logger.warn(
      {},
      'PostgreSQL does not answer: connections with a statement in flight are dropped',
    );
  },
  nothingPrepared: (_, logger) => {
    logger.info({}, 'PostgreSQL is behind a pooler: statements are sent unprepared');
  },
  migrationApplied: ({ migration, schema }, logger) => {
    logger.info({ migration, schema }, 'migration applied');
  },
  rgsAttempt: ({ attempt }, logger) => {
    if (attempt.outcome !== 'failed') return;
    logger.warn({ ...attempt }, 'an attempt to call the RGS failed');
  },
};

/** The kind selects the line, which the compiler cannot follow. */
function lineOf(event: OperatorEvent): (event: OperatorEvent, logger: Logger) => void {
  return lines[event.kind] as (event: OperatorEvent, logger: Logger) => void;
}

/** How urgent the outcome of a call is for a person. */
export function levelOf({ outcome }: Pick<CallAnswered, 'outcome'>): EventLevel {
  const { unknown, verdicts, notes } = outcome;
  if (unknown !== null) return 'error';
  if (notes.length > 0) return 'warn';
  return verdicts.some((verdict) => verdict.outcome === 'refused') ? 'warn' : 'info';
}

interface CallFields {
  readonly operation: 'doTransactions';
  readonly operatorId: string;
  readonly playerId: string;
  readonly gameRound: string;
  readonly outcome: 'processed' | 'refused' | 'unknown';
  /** Of the first transaction that was not processed; null if all were. */
  readonly code: ErrorCode | null;
  readonly state: RoundState | null;
  readonly transactions: number;
  readonly status: number;
  readonly durationMs: number;
  err?: Error;
  notes?: readonly string[];
}

function callFields({ round, call, outcome, status, durationMs }: CallAnswered): CallFields {
  const { operatorId, playerId, gameRound } = round;
  const { unknown, verdicts, state, notes } = outcome;
  const refused = verdicts.find((verdict) => verdict.outcome === 'refused');
  const definite = refused === undefined ? 'processed' : 'refused';
  const code = refused?.code ?? (unknown === null ? null : 'TEMPORARILYUNAVAILABLE');
  const fields: CallFields = {
    operation: 'doTransactions',
    operatorId,
    playerId,
    gameRound,
    outcome: unknown === null ? definite : 'unknown',
    code,
    state,
    transactions: call.transactions.length,
    status,
    durationMs,
  };
  if (unknown !== null) fields.err = unknown.cause;
  if (notes.length > 0) fields.notes = notes;
  return fields;
}
