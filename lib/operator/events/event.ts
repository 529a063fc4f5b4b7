import type { AttemptEvent } from '../../protocol/client/ports';
import type { Call } from '../../protocol/operator-api/transaction';
import type { ErrorCode } from '../../protocol/operator-api/catalogue';
import type { MovementRefusal, RoundState } from '../gameround';
import type { CallOutcome, DebitChecked, RoundKey } from '../wallet';
import type { LimitChanged, PlayerBlocked } from './player-event';

/** An operation of the protocol that the wallet answers. */
export type Operation = 'doTransactions' | 'getBalance';

/** A doTransactions call that was decided, answered by D6 or D7. */
export interface CallAnswered {
  readonly kind: 'callAnswered';
  readonly round: RoundKey;
  readonly call: Call;
  readonly outcome: CallOutcome;
  /** HTTP status of the answer. */
  readonly status: number;
  /** From the arrival of the call to its answer, in milliseconds. */
  readonly durationMs: number;
  /** Whether it was shed before it did anything: too many calls were in flight. */
  readonly isShed: boolean;
}

/** A getBalance that was answered with a balance. */
export interface BalanceAnswered {
  readonly kind: 'balanceAnswered';
  readonly operatorId: string;
  readonly playerId: string | null;
  readonly status: 200;
  readonly durationMs: number;
}

/** The caller: as verified, or as the request claims. */
export interface CallerNames {
  readonly operatorId?: string;
  readonly playerId?: string | null;
  readonly gameRound?: string | null;
  /** Set if the caller was not verified. */
  readonly claimedOperatorId?: string | undefined;
}

/** A refused request: nothing of it was processed. */
export interface CallRefused {
  readonly kind: 'callRefused';
  /** Null if the path is not the protocol's. */
  readonly operation: Operation | null;
  /** Whether the caller was verified by the signature. */
  readonly isVerified: boolean;
  /** As the request has them; none holds a secret, which takes a search: call it for a line that is written. */
  readonly names: () => CallerNames;
  readonly outcome: 'refused' | 'unknown';
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  /** The error, if it is not a refusal; otherwise null. */
  readonly error: unknown;
  /** Whether it was shed before it did anything: too many calls were in flight. */
  readonly isShed: boolean;
}

/** Calls that open a round were shed, because the process is overloaded (P12). At most every ten seconds. */
export interface RoundsShed {
  readonly kind: 'roundsShed';
  /** The option: answered 503, or 400. */
  readonly shed: 'void' | 'refuse';
  /** Calls since the last of these events. */
  readonly count: number;
}

/** After a 5xx answer the round was marked as `cancelled`, or could not be (D7). */
export interface RoundMarked {
  readonly kind: 'roundMarked';
  readonly round: RoundKey;
  readonly isMarked: boolean;
  /** The error, if there was one. */
  readonly error?: unknown;
}

/** The platform was asked whether the debits of a call are allowed (D12), or was not, as it was just now. */
export type DebitsChecked = DebitChecked & { readonly kind: 'debitChecked' };

/** A user's hook threw, or timed out. */
export interface HookFailed {
  readonly kind: 'hookFailed';
  readonly hook: 'onOutcome' | 'freePlays' | 'onAttempt';
  readonly error: unknown;
  /** Names of the call. */
  readonly names: { readonly gameRound?: string; readonly playerId?: string };
}

/** An endpoint threw instead of answering. */
export interface EndpointFailed {
  readonly kind: 'endpointFailed';
  readonly error: unknown;
}

/** What a process counted in a minute could not be written to the store; the first time in a row. */
export interface MinuteUnsaved {
  readonly kind: 'minuteUnsaved';
  readonly error: unknown;
}

/** Above this many calls a second a process forgets signatures that are still valid (D1.8). */
export interface SignaturesForgotten {
  readonly kind: 'signaturesForgotten';
  readonly clockToleranceMs: number;
  readonly rememberedSignatures: number;
  readonly callsPerSecond: number;
}

/** The clock of this process, compared with that of the store. */
export type ClockCompared =
  /** They differ by more than a tenth of `clockToleranceMs`; by more than half, and the wallet is not ready. */
  | {
      readonly kind: 'clockDiffers';
      /** Above zero if this process is ahead. */
      readonly differenceMs: number;
      readonly clockToleranceMs: number;
      readonly isReady: boolean;
    }
  | { readonly kind: 'clockAgrees'; readonly differenceMs: number }
  /** The store's user may not ask for the time. Once a start. */
  | { readonly kind: 'clockNotCompared' };

/** An attempt at the platform's own ledger without an answer. */
export interface LedgerAttempt {
  readonly kind: 'ledgerAttempt';
  readonly outcome: 'failed';
  readonly method: string;
  readonly playerId: string;
  /** Key of the posting; absent for balances. */
  readonly key: string | undefined;
  readonly error: unknown;
}

/** The circuit breaker in front of the ledger opened for this long, or closed. */
export type LedgerBreaker =
  | { readonly kind: 'ledgerBroken'; readonly breakMs: number }
  | { readonly kind: 'ledgerBack' };

/** The ledger refused a reversal, which is not an outcome: it stays pending. */
export interface ReversalRefused {
  readonly kind: 'reversalRefused';
  readonly key: string;
  readonly playerId: string;
  readonly gameRound: string;
  readonly hash: string;
  readonly reason: MovementRefusal;
}

/** The result of a sweep, in rounds. */
export interface SweepDone {
  readonly kind: 'sweepDone';
  readonly settled: number;
  readonly waiting: number;
  readonly failed: number;
}

/** Listing the rounds of an operator for a sweep failed. */
export interface SweepFailed {
  readonly kind: 'sweepFailed';
  readonly operatorId: string;
  readonly error: unknown;
}

/** The sweeper finished a round, or failed to. */
export type RoundSwept =
  | { readonly kind: 'roundSwept'; readonly round: RoundKey; readonly state: RoundState }
  | {
      readonly kind: 'roundUnsettled';
      readonly round: RoundKey;
      /** Consecutive failures. */
      readonly failures: number;
      readonly error: unknown;
    };

/** A store with its own server. */
export type StoreName = 'Redis' | 'PostgreSQL';

/** A finding of a store about its server. */
export type StoreEvent =
  /** The server's settings may lose money: the store refuses commands. */
  | { readonly kind: 'storeUnsafe'; readonly store: StoreName; readonly reason: string }
  /** The connection failed, or a new one could not be made. */
  | { readonly kind: 'storeDisconnected'; readonly store: StoreName; readonly reason: string }
  /** The server's settings may lose money, and `acceptLoss` is set. */
  | { readonly kind: 'lossAccepted'; readonly store: StoreName; readonly danger: string }
  /**
   * The server lacks commits that this process has acknowledged, as after a failover to a lagging replica.
   * `rounds` has the first of them.
   */
  | {
      readonly kind: 'commitsLost';
      readonly store: StoreName;
      readonly lost: number;
      readonly rounds: readonly (RoundKey & { readonly version: number })[];
    }
  /** The server holds older data than before, and `acceptOlderData` is set: acknowledged calls are lost. */
  | { readonly kind: 'olderDataAccepted'; readonly store: StoreName; readonly reason: string }
  /** PostgreSQL is another server, or on another timeline, than before: a failover or a restore. */
  | { readonly kind: 'serverChanged'; readonly before: string; readonly now: string }
  /** The server does not permit CONFIG GET, and `assumeDurable` is set. `aofEnabled` is what INFO says. */
  | { readonly kind: 'durabilityAssumed'; readonly aofEnabled: boolean }
  /** CONFIG GET shows the user of the wallet a password of the administrator of Redis, in these settings. */
  | {
      readonly kind: 'passwordsReadable';
      readonly settings: readonly string[];
      readonly cure: string;
    }
  /** A failover may lose acknowledged money. */
  | { readonly kind: 'replicasUnconfirmed'; readonly replicas: number; readonly cure: string }
  /** A master has fewer replicas than the store waits for: every write ends as unknown. */
  | {
      readonly kind: 'replicasMissing';
      /** Of the master with the fewest. */
      readonly replicas: number;
      readonly waitReplicas: number;
      readonly cure: string;
    }
  /** The client would continue with a master that was replaced. */
  | { readonly kind: 'failoversUnseen' }
  /** Consumers of events are declared, and the store names none: its commits write no event. Once a start. */
  | {
      readonly kind: 'consumersUnnamed';
      readonly store: StoreName;
      readonly consumers: readonly string[];
      readonly cure: string;
    }
  /** Processes over the store keep closed rounds for other times (D10.1), and `acceptMixed` is set, or they came later. */
  | {
      readonly kind: 'retentionsDiffer';
      readonly store: StoreName;
      readonly retentionMs: number;
      /** The retentions of the others. */
      readonly others: readonly number[];
      readonly cure: string;
    }
  /** The retention of the other processes could not be read. */
  | { readonly kind: 'companionsUnknown'; readonly store: StoreName; readonly reason: string }
  /** The server does not say which consumers are declared, and the store names none. Once a start. */
  | {
      readonly kind: 'consumersUnknown';
      readonly store: StoreName;
      readonly reason: string;
      readonly cure: string;
    }
  /** Too many events of the operator wait for a consumer: commits write pointers from now on. */
  | {
      readonly kind: 'eventsOverLimit';
      readonly store: StoreName;
      readonly operatorId: string;
      readonly consumer: string;
      readonly waiting: number;
      readonly cure: string;
    }
  /** Fewer events wait than the limit: commits write whole events again. */
  | { readonly kind: 'eventsKeptAgain'; readonly store: StoreName; readonly operatorId: string }
  /** Connections with a statement in flight were dropped. */
  | { readonly kind: 'statementsGivenUp' }
  /** The connection goes through a pooler that shares sessions: statements are sent unprepared. */
  | { readonly kind: 'nothingPrepared' }
  /** A migration found a table locked; it retries for this long. */
  | { readonly kind: 'migrationWaits'; readonly schema: string; readonly retryForMs: number }
  | {
      readonly kind: 'migrationApplied';
      readonly migration: string;
      readonly schema: string;
    };

/** An attempt of the client at a call of the RGS. */
export interface RgsAttempt {
  readonly kind: 'rgsAttempt';
  readonly attempt: AttemptEvent;
}

/** Every event that the operator's wing reports to the people who run it. */
export type OperatorEvent =
  | CallAnswered
  | BalanceAnswered
  | CallRefused
  | RoundsShed
  | RoundMarked
  | DebitsChecked
  | HookFailed
  | EndpointFailed
  | MinuteUnsaved
  | SignaturesForgotten
  | ClockCompared
  | LedgerAttempt
  | LedgerBreaker
  | ReversalRefused
  | SweepDone
  | SweepFailed
  | RoundSwept
  | StoreEvent
  | PlayerBlocked
  | LimitChanged
  | RgsAttempt;
