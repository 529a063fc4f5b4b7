import type { ErrorCode } from '../../../protocol/operator-api';
import type { RoundState } from '../../gameround';
import type { Transaction } from '../../../protocol/operator-api';
import type { RoundKey } from '../../wallet';

/** What happened to one transaction of a call. Amounts are in units of the store. */
export interface TransactionEvent {
  readonly transaction: Transaction;
  /** `unknown`: the reply leaves it out, with all behind it (D6.1). */
  readonly outcome: 'processed' | 'refused' | 'unknown';
  /** Why it was refused. */
  readonly code?: ErrorCode;
  /** Whether the hash was known, so nothing moved now. */
  readonly replay: boolean;
}

/** What happened to a doTransactions call that was authentic and well formed. */
export interface CallEvent extends RoundKey {
  readonly gameCode: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** State of the round after it; null if it is not known. */
  readonly state: RoundState | null;
  readonly transactions: readonly TransactionEvent[];
  /** From the arrival of the call to its answer, in milliseconds. */
  readonly durationMs: number;
}
