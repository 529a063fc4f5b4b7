import type { ErrorCode } from '../../protocol/operator-api';
import type { RoundState } from '../gameround';
import type { Call } from '../../protocol/operator-api';
import type { CallOutcome, RoundKey } from '../wallet';
import type { Background } from './background';
import { callHook } from './call-hook';
import { type AnsweredOutcome, transactionEvents } from './messages/call-reply';
import type { OperatorSettings } from './configuration/options';

/** An outcome as it is answered and reported. */
export type ProcessedOutcome = AnsweredOutcome & Omit<CallOutcome, keyof AnsweredOutcome>;

/** A call that was answered. */
export interface AnsweredCall {
  readonly round: RoundKey;
  readonly call: Call;
  readonly outcome: ProcessedOutcome;
  readonly status: number;
  readonly durationMs: number;
}

/** Where a report goes. */
interface ReportParts {
  readonly settings: OperatorSettings;
  readonly background: Background;
}

/** Writes the call's line to the log, and tells the user's hook of it. */
export function reportCall(answered: AnsweredCall, parts: ReportParts): void {
  const { logger, hooks } = parts.settings;
  const level = levelOf(answered.outcome);
  if (logger.isLevelEnabled?.(level) !== false) {
    logger[level](logFields(answered), 'call answered');
  }
  if (hooks.onOutcome !== undefined) tellHook(answered, parts);
}

function levelOf({ isUnknown, verdicts, notes }: ProcessedOutcome): 'info' | 'warn' | 'error' {
  if (isUnknown) return 'error';
  if (notes.length > 0) return 'warn';
  return verdicts.some(({ outcome }) => outcome === 'refused') ? 'warn' : 'info';
}

interface LogFields {
  readonly operation: 'doTransactions';
  readonly operatorId: string;
  readonly playerId: string;
  readonly gameRound: string;
  readonly outcome: 'processed' | 'refused' | 'unknown';
  /** Of the first that was not processed; null where all were. */
  readonly code: ErrorCode | null;
  readonly state: RoundState | null;
  readonly transactions: number;
  readonly status: number;
  readonly durationMs: number;
  err?: Error;
  notes?: readonly string[];
}

function logFields({ round, call, outcome, status, durationMs }: AnsweredCall): LogFields {
  const { operatorId, playerId, gameRound } = round;
  const refused = outcome.verdicts.find((verdict) => verdict.outcome === 'refused');
  const definite = refused === undefined ? 'processed' : 'refused';
  const code = refused?.code ?? (outcome.isUnknown ? 'TEMPORARILYUNAVAILABLE' : null);
  const fields: LogFields = {
    operation: 'doTransactions',
    operatorId,
    playerId,
    gameRound,
    outcome: outcome.isUnknown ? 'unknown' : definite,
    code,
    state: outcome.state,
    transactions: call.transactions.length,
    status,
    durationMs,
  };
  if (outcome.unknown !== null) fields.err = outcome.unknown.cause;
  if (outcome.notes.length > 0) fields.notes = outcome.notes;
  return fields;
}

function tellHook(answered: AnsweredCall, { settings, background }: ReportParts): void {
  const { round, call, outcome, status, durationMs } = answered;
  const { state } = outcome;
  const transactions = transactionEvents(call, outcome);
  const event = { ...round, gameCode: call.gameCode, status, state, transactions, durationMs };
  const { onOutcome } = settings.hooks;
  // Bounded as the other hooks are: one that hangs must not keep the wallet from closing.
  const telling = callHook(async () => onOutcome?.(event), settings);
  background.add(telling, (error) => {
    settings.logger.error({ err: error, gameRound: round.gameRound }, 'onOutcome failed');
  });
}
