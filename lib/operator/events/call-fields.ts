import type { ErrorCode } from '../../protocol/operator-api/catalogue';
import type { Transaction } from '../../protocol/operator-api/transaction';
import { formatAmount } from '../../protocol/money/amount';
import type { RoundState } from '../gameround';
import type { BalanceAnswered, CallAnswered, CallRefused, Operation } from './event';

/** The members that the line of every call of a verified caller has, in this order. */
export interface CallFields {
  readonly operation: Operation | null;
  readonly operatorId: string;
  /** Null if the call does not name one. */
  readonly playerId: string | null;
  /** Null for getBalance, and if the call does not name one. */
  readonly gameRound: string | null;
  readonly outcome: 'processed' | 'refused' | 'unknown';
  /** Of the first transaction that was not processed; null if all were. */
  readonly code: ErrorCode | null;
  /** Why a request was refused, for an engineer; null if the code says it. */
  readonly detail: string | null;
  /** Of the round, after the call; null if it is not known. */
  readonly state: RoundState | null;
  /** How many; null if none were read. */
  readonly transactions: number | null;
  readonly notes: readonly string[];
  readonly status: number;
  readonly durationMs: number;
}

/** The other fields of a call without processed transactions. */
const noTransactions = { detail: null, state: null, transactions: null, notes: [] } as const;

/** A doTransactions call that was processed. */
export function callFields({ round, call, outcome, status, durationMs }: CallAnswered): CallFields {
  const { operatorId, playerId, gameRound } = round;
  const { unknown, verdicts, state, notes } = outcome;
  const refused = verdicts.find((verdict) => verdict.outcome === 'refused');
  const definite = refused === undefined ? 'processed' : 'refused';
  const code = refused?.code ?? (unknown === null ? null : 'TEMPORARILYUNAVAILABLE');
  return {
    operation: 'doTransactions',
    operatorId,
    playerId,
    gameRound,
    outcome: unknown === null ? definite : 'unknown',
    code,
    detail: null,
    state,
    transactions: call.transactions.length,
    notes,
    status,
    durationMs,
  };
}

/** A getBalance that was answered with a balance. */
export function balanceFields(event: BalanceAnswered): CallFields {
  const { operatorId, playerId, status, durationMs } = event;
  const names = { operation: 'getBalance', operatorId, playerId, gameRound: null } as const;
  return { ...names, outcome: 'processed', code: null, ...noTransactions, status, durationMs };
}

/** A refused request. For an unverified caller, only the claimed id. */
export function refusedFields(event: CallRefused): CallFields | object {
  const { operation, isVerified, outcome, code, status, durationMs } = event;
  const names = event.names();
  const { operatorId = '', playerId = null, gameRound = null } = names;
  const detail = event.detail ?? null;
  if (!isVerified) return { operation, ...names, outcome, code, detail, status, durationMs };
  const who = { operation, operatorId, playerId, gameRound, outcome, code };
  return { ...who, ...noTransactions, detail, status, durationMs };
}

/** One transaction of a call, with its hash and its amount as a decimal text. */
export interface TransactionFields {
  readonly operatorId: string;
  readonly playerId: string;
  readonly gameRound: string;
  readonly type: Transaction['type'];
  readonly hash: string;
  /** Null if it has none. */
  readonly currency: string | null;
  readonly amount: string | null;
  readonly outcome: 'processed' | 'refused' | 'unknown';
  readonly code: ErrorCode | null;
  /** Whether the hash was known, so nothing moved now. */
  readonly replay: boolean;
}

/** Each transaction of a call, in order. */
export function transactionFields(event: CallAnswered, decimals: number): TransactionFields[] {
  const { round, call, outcome } = event;
  const { operatorId, playerId, gameRound } = round;
  return call.transactions.map((transaction, at) => {
    const { type, hash } = transaction;
    const { amount, currency } = type === 'end' ? noMoney : transaction;
    const verdict = outcome.verdicts[at];
    return {
      operatorId,
      playerId,
      gameRound,
      type,
      hash,
      currency,
      amount: amount === null ? null : formatAmount(amount, decimals),
      outcome: verdict?.outcome ?? 'unknown',
      code: verdict?.outcome === 'refused' ? verdict.code : null,
      replay: verdict?.replay ?? false,
    };
  });
}

const noMoney = { amount: null, currency: null } as const;
