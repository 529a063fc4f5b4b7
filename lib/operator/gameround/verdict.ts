import type { ErrorCode } from '../../protocol/operator-api/catalogue';
import type { Movement, MovementRefusal, NewRecord, TakenBack } from './change';
import type { RoundHead, TransactionRecord, VoidRecord } from './round';

/** The answer to a transaction (D6.1). The reply leaves out an `unknown` one. */
export type Verdict =
  | { readonly hash: string; readonly outcome: 'processed'; readonly replay: boolean }
  | {
      readonly hash: string;
      readonly outcome: 'refused';
      readonly code: ErrorCode;
      readonly replay: boolean;
    }
  | { readonly hash: string; readonly outcome: 'unknown' };

/** One delivery of a call: a resent call, even byte by byte, is another delivery. */
export interface Delivery {
  /** Four random characters of base64url that identify what this delivery writes (D7). */
  readonly id: string;
  /**
   * Identifies a signature and its body (D1.8): `signatureCharacters` of the one, then `bodyCharacters` of
   * the other. Null for an unsigned call.
   */
  readonly fingerprint: string | null;
  /** Whether this process has seen the signature with another body. */
  readonly isOtherBody: boolean;
}

/** Writer of a debit that another delivery has answered: no delivery has this id, so none marks the debit (D7). */
export const noDelivery = '';

/** A delivery of an unsigned call, such as one that the wallet makes itself. */
export function unsignedDelivery(id: string): Delivery {
  return { id, fingerprint: null, isOtherBody: false };
}

/** What the rules need besides the round and the transaction. */
export interface DecideContext {
  readonly gameRound: string;
  readonly gameCode: string;
  /** Milliseconds since 1970, for the records. */
  readonly now: number;
  /** Whether an earlier debit of the same call failed (D4.5). */
  readonly failedDebit: boolean;
  /** Whether the call holds a debit, new or known (D4.1). */
  readonly holdsDebit: boolean;
  /** The delivery of the call that is decided. */
  readonly delivery: Delivery;
  /** Known refusals by the account of movements of this call, by hash. */
  readonly refusals: ReadonlyMap<string, MovementRefusal>;
  /** Hashes of debits with an eligible discount (public facts: error 33). */
  readonly eligibleDiscounts: ReadonlySet<string>;
  /** Why the platform does not allow new debits of this call (D12.3); absent if it does, or was not asked. */
  readonly disallowed?: ErrorCode | undefined;
  readonly policy: MoneyPolicy;
  /**
   * Milliseconds since 1970: a round that began earlier may have been forgotten (D10.2). Absent: none was, or the rule
   * is switched off.
   */
  readonly forgottenBefore?: number | undefined;
}

/** The user's options for bonus money. */
export interface MoneyPolicy {
  /** Whether debits are paid from the bonus balance first. */
  readonly useBonusFirst: boolean;
  /** Where credits go: to real, or split as the round's debits were. */
  readonly creditTo: 'real' | 'stakeShares';
}

/** The decision of the rules on one transaction. */
export interface Ruling {
  readonly verdict: Verdict;
  /** The round after it; the same object if nothing changes. */
  readonly head: RoundHead;
  /** To write under the hash; absent if nothing new is known. */
  readonly record?: TransactionRecord | VoidRecord;
  /** Further records, written after that one. */
  readonly also?: readonly NewRecord[];
  readonly movement?: Movement;
  /** Further movements, after that one: of repairs that a void takes back (D11.4). */
  readonly alsoMoved?: readonly Movement[];
  /** What a void takes back, for limits (D13.4). */
  readonly takenBack?: readonly TakenBack[];
  /** A note for an engineer that is not a refusal (D5.6). */
  readonly note?: string;
}

/** The error code for a refused movement (D8); a blocked player is refused debits alone (D4.9). */
export const refusalCodes: Readonly<
  Record<MovementRefusal, { debit: ErrorCode; credit: ErrorCode }>
> = {
  noPlayer: { debit: 'PLAYERNOTFOUND', credit: 'PLAYERNOTFOUND' },
  noCurrency: { debit: 'CURRENCYNOTSUPPORTED', credit: 'CURRENCYNOTSUPPORTED' },
  blocked: { debit: 'DEBITREFUSED', credit: 'CREDITREFUSED' },
  tooLow: { debit: 'BALANCETOOLOW', credit: 'CREDITREFUSED' },
  outOfRange: { debit: 'DEBITREFUSED', credit: 'CREDITREFUSED' },
  limitReached: { debit: 'LIMITREACHED', credit: 'CREDITREFUSED' },
  refused: { debit: 'DEBITREFUSED', credit: 'CREDITREFUSED' },
};

/** The answer to a known hash with the same content: the recorded outcome (D3.1). */
export function replay(hash: string, record: TransactionRecord, head: RoundHead): Ruling {
  const { outcome } = record;
  if (outcome === 'accepted')
    return { verdict: { hash, outcome: 'processed', replay: true }, head };
  if (outcome === 'unanswered' || outcome === 'pending') return leaveOut(hash, head);
  return { verdict: { hash, outcome: 'refused', code: outcome, replay: true }, head };
}

/** The answer to a known hash that was voided, or whose round was voided (D3.1). */
export function replayVoided(hash: string, head: RoundHead): Ruling {
  return { verdict: { hash, outcome: 'refused', code: 'GAMEROUNDVOIDED', replay: true }, head };
}

/** No outcome yet: the reply leaves the hash out, and the RGS resends it (D4.1, D6.1). */
export function leaveOut(hash: string, head: RoundHead): Ruling {
  return { verdict: { hash, outcome: 'unknown' }, head };
}

/** A refusal; with a record, it is written under the hash. */
export function refuse(
  hash: string,
  code: ErrorCode,
  head: RoundHead,
  record?: TransactionRecord,
): Ruling {
  const verdict: Verdict = { hash, outcome: 'refused', code, replay: false };
  return record === undefined ? { verdict, head } : { verdict, head, record };
}

/** The head in another state, with the time of the change. */
export function enter(head: RoundHead, state: RoundHead['state'], now: number): RoundHead {
  return head.state === state ? head : { ...head, state, changedAt: now };
}
