import type { EngineErrorCode } from '../../protocol/engine-api/errors';
import type { Texts } from '../../protocol/engine-api/calls';

/** What every transaction for the wallet has; a transaction keeps its hash for good (E15.4). */
interface Common {
  readonly hash: string;
  /** Milliseconds of the service's clock when it fell due. */
  readonly at: number;
  readonly reason: string;
}

/** A discount that the operator offered for this stake (E17.3). */
export interface Discount {
  readonly amount: bigint;
  readonly campaignId: string;
}

/** A debit as sent to the wallet (B2, W6, W9). */
export interface DebitDue extends Common {
  readonly type: 'debit';
  readonly isFirstDebit: boolean;
  /** The full amount in units; 0 for a free play. */
  readonly amount: bigint;
  readonly currency: string;
  readonly discount: Discount | null;
  /** The free-play package that pays it; null if there is none. */
  readonly serial: string | null;
}

/** A credit as sent to the wallet. */
export interface CreditDue extends Common {
  readonly type: 'credit';
  readonly amount: bigint;
  readonly currency: string;
}

/** The end of the round. */
export interface EndDue extends Common {
  readonly type: 'end';
}

/** The void of a debit, with that debit's hash, amount and currency (W6). */
export interface VoidDue extends Common {
  readonly type: 'void';
  readonly amount: bigint;
  readonly currency: string;
}

/** A transaction that is due at the wallet. */
export type Due = DebitDue | CreditDue | EndDue | VoidDue;

/** The states of a round as the service keeps it (E6); the wire only shows open and closed. */
export type RoundState =
  | 'starting'
  | 'open'
  | 'closed'
  | 'declined'
  | 'cancelled'
  | 'voided'
  | 'stranded'
  | 'crashed';

/** The owner of a round, and what the token fixed (E5.8). */
export interface Owner {
  readonly gameProviderId: string;
  readonly operatorId: string;
  readonly playerId: string;
  readonly gameCode: string;
  readonly mode: 'REAL' | 'DEMO';
  readonly currency: string;
  /** A decimal text (E21.2). */
  readonly currencyMultiplier: string;
}

/** Why a call is refused: an error of E3, or the wallet's own. `rule` is for the engineer. */
export type Refusal =
  | { readonly kind: 'ours'; readonly code: EngineErrorCode; readonly rule: string }
  | {
      readonly kind: 'operator';
      readonly id: number;
      readonly clientmsg: string | null;
      readonly rule: string;
    };

/** A debit of the round. */
export interface RoundDebit {
  readonly due: DebitDue;
  /** externalGameProviderTransactionId; null if there is none. */
  readonly key: string | null;
  /** What a repeat must be equal to (E15.1). */
  readonly content: string;
  /** Units that count as stake: a free play counts those of its ticket (E14.3). */
  readonly stake: bigint;
  /** `withdrawn`: the wallet was silent, its void is due. `voided`: by voidGameRound. */
  readonly state: 'due' | 'accepted' | 'declined' | 'withdrawn' | 'voided';
  /** Set if it is declined or withdrawn; a repeat gets it again (E7.6, E8.2). */
  readonly refusal: Refusal | null;
}

/** A credit of the round. */
export interface RoundCredit {
  readonly due: CreditDue;
  readonly key: string | null;
  readonly content: string;
  /** `refused` and `held` are for a person; `dropped` fell with its debit (W7). */
  readonly state: 'due' | 'paid' | 'refused' | 'held' | 'dropped';
}

/** The void of a debit that was accepted: the debit's hash, and milliseconds of the service's clock. */
export interface DatedVoid {
  readonly hash: string;
  readonly at: number;
}

/** An entry of gameState (game-engine-api 2.7), with the part of its amount that is still open. */
export interface Entry {
  readonly hash: string;
  readonly type: 'debit' | 'genericwin' | 'wager' | 'spincounter';
  /** Milliseconds of the service's clock. */
  readonly at: number;
  /** Units, as the call has them. */
  readonly winAmount: bigint;
  /** Units of it that are open. */
  readonly open: bigint;
  /** Units of it that were collected. */
  readonly collected: bigint;
  /** Units taken from the open amount; null unless it is a wager. */
  readonly amountWagered: bigint | null;
  readonly info: Texts;
  /** For getGameRoundHistoryInfo alone. */
  readonly protectedInfo: Texts;
  readonly reason: string;
  readonly jackpotIds: readonly string[];
  /** The idempotency key of its call; null if there is none. */
  readonly key: string | null;
  readonly content: string;
}

/** A spin counter (E11.1). */
export interface SpinCounter {
  readonly counterType: string;
  readonly awarded: number;
  readonly used: number;
}

/** A round as the service keeps it. It is never changed: an event makes the next one. */
export interface Round {
  readonly owner: Owner;
  readonly gameRound: string;
  /** Whether the id is the provider's own; no debit can be added to one of ours (E8.2). */
  readonly isNamed: boolean;
  readonly state: RoundState;
  /** Whether the start had endGame: the round is closed once the first debit is accepted. */
  readonly endsAtOnce: boolean;
  readonly startedAt: number;
  /** When an engine call changed it last: none changes a round that has ended (E6). */
  readonly lastCallAt: number;
  /** The debits that voidGameRound voided, in order. */
  readonly voids: readonly DatedVoid[];
  readonly debits: readonly RoundDebit[];
  readonly credits: readonly RoundCredit[];
  readonly entries: readonly Entry[];
  /** Entries that appear once the debit that is due is accepted. */
  readonly awaiting: readonly Entry[];
  readonly counters: readonly SpinCounter[];
  /** The transactions due to the wallet, first in, first out (W5). */
  readonly queue: readonly Due[];
  /** Transactions that a person gave up, or that a refused credit left unsent (W5, E16.2). */
  readonly undelivered: readonly Due[];
  readonly needsPerson: boolean;
}
