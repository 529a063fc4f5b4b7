import type { Call, ErrorCode } from '../../protocol/operator-api';
import type { MovementRefusal, RoundState } from '../gameround';
import type { CallOutcome, RoundKey } from '../wallet';

/** An operation of the protocol that the wallet answers. */
export type Operation = 'doTransactions' | 'getBalance';

/** A doTransactions call whose transactions were processed, answered by D6 or D7. */
export interface CallAnswered {
  readonly kind: 'callAnswered';
  readonly round: RoundKey;
  readonly call: Call;
  readonly outcome: CallOutcome;
  /** HTTP status of the answer. */
  readonly status: number;
  /** From the arrival of the call to its answer, in milliseconds. */
  readonly durationMs: number;
}

/** A getBalance that was answered with a balance. */
export interface BalanceAnswered {
  readonly kind: 'balanceAnswered';
  readonly operatorId: string;
  readonly playerId: string | null;
  readonly status: 200;
  readonly durationMs: number;
}

/** Who called: as verified, or who the request says it is. */
export interface CallerNames {
  readonly operatorId?: string;
  readonly playerId?: string | null;
  readonly gameRound?: string | null;
  /** Of nobody who was verified. */
  readonly claimedOperatorId?: string | undefined;
}

/** A request of which nothing was processed. */
export interface CallRefused {
  readonly kind: 'callRefused';
  /** Null if the path is not the protocol's. */
  readonly operation: Operation | null;
  /** Whether the caller was verified by the signature. */
  readonly isVerified: boolean;
  /** As the request has them; none holds a secret. */
  readonly names: CallerNames;
  readonly outcome: 'refused' | 'unknown';
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  /** What went wrong, where that is no refusal; null where it is. */
  readonly error: unknown;
}

/** A round whose call was answered 5xx was marked as `cancelled`, or could not be (D7). */
export interface RoundMarked {
  readonly kind: 'roundMarked';
  readonly round: RoundKey;
  readonly isMarked: boolean;
  /** What was thrown on the way. */
  readonly error?: unknown;
}

/** A hook of the user threw, or did not answer in time. */
export interface HookFailed {
  readonly kind: 'hookFailed';
  readonly hook: 'onOutcome' | 'freePlays' | 'onAttempt';
  readonly error: unknown;
  /** Whose call it was. */
  readonly names: { readonly gameRound?: string; readonly playerId?: string };
}

/** An endpoint threw what it should have answered. */
export interface EndpointFailed {
  readonly kind: 'endpointFailed';
  readonly error: unknown;
}

/** Above so many calls a second a process forgets signatures while they are valid (D1.8). */
export interface SignaturesForgotten {
  readonly kind: 'signaturesForgotten';
  readonly clockToleranceMs: number;
  readonly rememberedSignatures: number;
  readonly callsPerSecond: number;
}

/** An attempt at the platform's own ledger that had no answer. */
export interface LedgerAttempt {
  readonly kind: 'ledgerAttempt';
  readonly outcome: 'failed';
  readonly method: string;
  readonly playerId: string;
  /** Of the posting; absent for balances. */
  readonly key: string | undefined;
  readonly error: unknown;
}

/** The circuit breaker in front of the ledger opened for so long, or closed. */
export type LedgerBreaker =
  | { readonly kind: 'ledgerBroken'; readonly breakMs: number }
  | { readonly kind: 'ledgerBack' };

/** The ledger refused a reversal, which is no outcome: it stays pending. */
export interface ReversalRefused {
  readonly kind: 'reversalRefused';
  readonly key: string;
  readonly playerId: string;
  readonly gameRound: string;
  readonly hash: string;
  readonly reason: MovementRefusal;
}

/** What a sweep did, in rounds. */
export interface SweepDone {
  readonly kind: 'sweepDone';
  readonly settled: number;
  readonly waiting: number;
  readonly failed: number;
}

/** The rounds of an operator could not be listed for a sweep. */
export interface SweepFailed {
  readonly kind: 'sweepFailed';
  readonly operatorId: string;
  readonly error: unknown;
}

/** The sweeper brought a round to an end, or tried in vain. */
export type RoundSwept =
  | { readonly kind: 'roundSwept'; readonly round: RoundKey; readonly state: RoundState }
  | {
      readonly kind: 'roundUnsettled';
      readonly round: RoundKey;
      /** In a row. */
      readonly failures: number;
      readonly error: unknown;
    };

/** A store with a server of its own. */
export type StoreName = 'Redis' | 'PostgreSQL';

/** What a store finds out about its server. */
export type StoreEvent =
  /** Its settings may lose money: no command goes through. */
  | { readonly kind: 'storeUnsafe'; readonly store: StoreName; readonly reason: string }
  /** The connection failed, or a new one did not come. */
  | { readonly kind: 'storeDisconnected'; readonly store: StoreName; readonly reason: string }
  /** Its settings may lose money, and that was accepted. */
  | { readonly kind: 'lossAccepted'; readonly store: StoreName; readonly danger: string }
  /** A failover may lose what was acknowledged. */
  | { readonly kind: 'replicasUnconfirmed'; readonly replicas: number; readonly cure: string }
  /** The client would go on with a master that was replaced. */
  | { readonly kind: 'failoversUnseen' }
  /** Connections with a statement under way were given up. */
  | { readonly kind: 'statementsGivenUp' }
  /** A pooler lends sessions, so no statement is prepared. */
  | { readonly kind: 'nothingPrepared' }
  | {
      readonly kind: 'migrationApplied';
      readonly migration: string;
      readonly schema: string;
    };

/** One attempt at a call, reported after its end. It holds nothing that must not be logged. */
export interface AttemptEvent {
  /** The operation, or the path of another call without its first slash. */
  readonly operation: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** `answered`: the call resolves to this reply. Otherwise `code` says what failed. */
  readonly outcome: 'answered' | 'failed';
  /** HTTP status, if a reply came. */
  readonly status?: number;
  /** The error's `code`, if the attempt failed. */
  readonly code?: string;
  readonly durationMs: number;
  readonly willRetry: boolean;
  /** The pause before the next attempt, if there is one. */
  readonly retryInMs?: number;
}

/** An attempt at a call of the RGS by the client. */
export interface RgsAttempt {
  readonly kind: 'rgsAttempt';
  readonly attempt: AttemptEvent;
}

/** Everything that the operator's wing has to tell the people who run it. */
export type OperatorEvent =
  | CallAnswered
  | BalanceAnswered
  | CallRefused
  | RoundMarked
  | HookFailed
  | EndpointFailed
  | SignaturesForgotten
  | LedgerAttempt
  | LedgerBreaker
  | ReversalRefused
  | SweepDone
  | SweepFailed
  | RoundSwept
  | StoreEvent
  | RgsAttempt;
