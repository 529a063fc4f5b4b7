import { type Clock, type Logger, safeLogger } from '../../platform';
import { LineLimit } from '../../platform/line-limit';
import { balanceFields, callFields, refusedFields, transactionFields } from './call-fields';
import type { CallAnswered, OperatorEvent } from './event';
import { type EventLevel, type EventListener, Events } from './listeners';

/** How the transactions of calls are logged: a line each. */
export interface TransactionLog {
  /** Level of the lines. */
  readonly level: 'debug' | 'info';
  /** The store's, for the amounts. */
  readonly decimals: number;
}

/** Further options of a log of events. */
export interface LogOptions {
  /** Unless set, transactions are not logged. */
  readonly transactions?: TransactionLog;
  /** For the limit of lines about unverified callers; without it there is no limit. */
  readonly clock?: Clock;
}

/** Events written to a log; without a logger they go nowhere. */
export function eventsTo(logger?: Logger, options: LogOptions = {}): Events {
  return new Events([logTo(safeLogger(logger), options)]);
}

/** The listener that writes the log: at most one line for each event, and one for each transaction. */
function logTo(logger: Logger, { transactions, clock }: LogOptions): EventListener {
  const limit = clock === undefined ? null : limitOf(clock, logger);
  return {
    wants: (_, level) => isEnabled(logger, level),
    on: (event) => {
      if (limit !== null && event.kind === 'callRefused' && !event.isVerified && !limit.take())
        return;
      lineOf(event)(event, logger);
      if (event.kind === 'callAnswered' && transactions !== undefined) {
        logTransactions(event, logger, transactions);
      }
    },
  };
}

/** For unverified callers a few lines a second are written; the others are counted. */
function limitOf(clock: Clock, logger: Logger): LineLimit {
  return new LineLimit(clock, (leftOut) => {
    logger.warn({ leftOut }, 'calls refused without a line each: too many of unverified callers');
  });
}

/** A logger without the method `debug` has no such level. */
function logTransactions(
  event: CallAnswered,
  logger: Logger,
  { level, decimals }: TransactionLog,
): void {
  if (logger[level] === undefined || !isEnabled(logger, level)) return;
  for (const fields of transactionFields(event, decimals)) {
    if (level === 'info') logger.info(fields, 'transaction answered');
    else logger.debug?.(fields, 'transaction answered');
  }
}

function isEnabled(logger: Logger, level: EventLevel | 'debug'): boolean {
  return logger.isLevelEnabled?.(level) !== false;
}

type Kind = OperatorEvent['kind'];
type Line<K extends Kind> = (event: Extract<OperatorEvent, { kind: K }>, logger: Logger) => void;

/** A line with these members of its event. */
const log = { info: lineAt('info'), warn: lineAt('warn'), error: lineAt('error') };

function lineAt(level: EventLevel) {
  return <N extends string>(names: readonly N[], message: string) =>
    (event: Readonly<Record<N, unknown>>, logger: Logger): void => {
      const fields = Object.fromEntries(names.map((name) => [name, event[name]]));
      logger[level](fields, message);
    };
}

const lines: { readonly [K in Kind]: Line<K> } = {
  callAnswered: (event, logger) => {
    const level = levelOf(event);
    if (!isEnabled(logger, level)) return;
    const { unknown } = event.outcome;
    const fields = callFields(event);
    const all = unknown === null ? fields : { ...fields, err: unknown.cause };
    logger[level](all, 'call answered');
  },
  balanceAnswered: (event, logger) => {
    logger.info(balanceFields(event), 'call answered');
  },
  callRefused: (event, logger) => {
    const { isVerified, error } = event;
    const text = isVerified ? 'call answered' : 'call refused';
    const fields = refusedFields(event);
    if (error === null) logger.warn(fields, text);
    else logger.error({ ...fields, err: error }, text);
  },
  roundsShed: log.warn(['shed', 'count'], 'overloaded: new rounds are shed'),
  roundMarked: ({ round, isMarked, error }, logger) => {
    if (isMarked) return;
    const { operatorId, playerId, gameRound } = round;
    const fields = { operatorId, playerId, gameRound, err: error };
    logger.warn(fields, 'the round could not be marked as cancelled');
  },
  debitChecked: ({ round, outcome, durationMs, error }, logger) => {
    if (outcome !== 'silent') return;
    const { operatorId, playerId, gameRound } = round;
    const fields = { err: error, operatorId, playerId, gameRound, durationMs };
    logger.warn(fields, 'the debit check gave no answer');
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
  minuteUnsaved: ({ error }, logger) => {
    logger.warn({ err: error }, 'calls of a minute could not be saved: tried again');
  },
  signaturesForgotten: log.warn(
    ['clockToleranceMs', 'rememberedSignatures', 'callsPerSecond'],
    'rememberedSignatures is too small for clockToleranceMs: above callsPerSecond, signatures are forgotten while still valid',
  ),
  clockDiffers: ({ differenceMs, clockToleranceMs, isReady }, logger) => {
    const fields = { differenceMs, clockToleranceMs };
    if (isReady) {
      logger.warn(
        fields,
        'the clocks of this process and the store differ by more than a tenth of clockToleranceMs',
      );
    } else {
      logger.error(
        fields,
        'not ready: the clocks of this process and the store differ by more than half of clockToleranceMs',
      );
    }
  },
  clockAgrees: log.info(['differenceMs'], 'the clocks of this process and the store agree again'),
  clockNotCompared: log.warn(
    [],
    'the clock of this process is not compared: TIME is not permitted in Redis',
  ),
  ledgerAttempt: ({ method, playerId, key, error }, logger) => {
    logger.warn({ err: error, method, playerId, key }, 'the ledger did not answer');
  },
  ledgerBroken: log.error(
    ['breakMs'],
    'ledger circuit breaker open: calls answered as unknown (D7)',
  ),
  ledgerBack: log.info([], 'ledger circuit breaker closed: the ledger answers again'),
  reversalRefused: log.error(
    ['key', 'playerId', 'gameRound', 'hash', 'reason'],
    'the ledger refused a reversal: it stays pending',
  ),
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
  lossAccepted: log.warn(['danger'], 'money may be lost: acceptLoss is set'),
  commitsLost: log.error(
    ['store', 'lost', 'rounds'],
    'acknowledged commits are missing from the store',
  ),
  olderDataAccepted: log.error(
    ['store', 'reason'],
    'the store continues with older data, in which acknowledged calls are missing: acceptOlderData is set',
  ),
  serverChanged: log.warn(
    ['before', 'now'],
    'PostgreSQL is another server or timeline than before',
  ),
  durabilityAssumed: log.warn(
    ['aofEnabled'],
    'durability is not checked: CONFIG GET is not permitted and assumeDurable is set',
  ),
  passwordsReadable: log.warn(
    ['settings', 'cure'],
    'the user of the wallet can read a password of the administrator in the settings of Redis',
  ),
  replicasUnconfirmed: log.warn(
    ['replicas', 'cure'],
    'a failover may lose acknowledged money: the master has replicas and waitReplicas is 0',
  ),
  replicasMissing: log.warn(
    ['replicas', 'waitReplicas', 'cure'],
    'writes end as unknown (D7) until replicas connect: the master has fewer than waitReplicas',
  ),
  failoversUnseen: log.warn(
    [],
    'a failover may lose acknowledged money: set failoverDetector of the Sentinel client to true',
  ),
  consumersUnnamed: log.error(
    ['consumers', 'cure'],
    'the commits of this process write no event: consumers are declared, and its store names none',
  ),
  retentionsDiffer: log.error(
    ['retentionMs', 'others', 'cure'],
    'processes over this store keep closed rounds for different times',
  ),
  companionsUnknown: log.warn(
    ['reason'],
    'the retention of other processes over this store could not be read',
  ),
  consumersUnknown: log.error(
    ['reason', 'cure'],
    'the commits of this process write no event, and the declared consumers could not be read',
  ),
  eventsOverLimit: log.error(
    ['operatorId', 'consumer', 'waiting', 'cure'],
    'too many events wait for a consumer: only pointers to the rounds are written',
  ),
  eventsKeptAgain: log.info(['operatorId'], 'events are written with their content again'),
  statementsGivenUp: log.warn(
    [],
    'PostgreSQL does not answer: connections with a statement in flight are dropped',
  ),
  nothingPrepared: log.info(
    [],
    'connected through a pooler: PostgreSQL statements are sent unprepared',
  ),
  migrationWaits: log.warn(
    ['schema', 'retryForMs'],
    'a table of the schema is in use: the migration was undone and tries again every second',
  ),
  migrationApplied: log.info(['migration', 'schema'], 'migration applied'),
  playerBlocked: ({ player, blocked, until, by }, logger) => {
    const { operatorId, playerId } = player;
    const end = until === null ? {} : { until: new Date(until).toISOString() };
    logger.info(
      { operatorId, playerId, blocked, ...end, by: by.id },
      'a person blocked or unblocked a player',
    );
  },
  limitChanged: ({ player, limit, by }, logger) => {
    const { operatorId, playerId } = player;
    logger.info(
      { operatorId, playerId, ...limit, by: by.id },
      'a person set or lifted a limit of a player',
    );
  },
  rgsAttempt: ({ attempt }, logger) => {
    if (attempt.outcome !== 'failed') return;
    logger.warn({ ...attempt }, 'an attempt to call the RGS failed');
  },
};

/** The compiler cannot tell that the kind selects the line. */
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
