import type { ErrorCode } from '../../protocol/operator-api';
import type { Delivery } from './delivery';
import type {
  Movement,
  MovementRefusal,
  NewRecord,
  RoundHead,
  TransactionRecord,
  VoidRecord,
} from './round';

/** What a transaction is answered (D6.1). An `unknown` one is left out of the answer. */
export type Verdict =
  | { readonly hash: string; readonly outcome: 'processed'; readonly replay: boolean }
  | {
      readonly hash: string;
      readonly outcome: 'refused';
      readonly code: ErrorCode;
      readonly replay: boolean;
    }
  | { readonly hash: string; readonly outcome: 'unknown' };

/** What the rules need to know beside the round and the transaction. */
export interface DecideContext {
  readonly gameRound: string;
  readonly gameCode: string;
  /** Milliseconds since 1970, for the records. */
  readonly now: number;
  /** Whether a debit failed before in the same call (D4.5). */
  readonly failedDebit: boolean;
  /** Whether the call holds a debit, new or known (D4.1). */
  readonly holdsDebit: boolean;
  /** The arrival of the call that is decided. */
  readonly delivery: Delivery;
  /** Movements of this call that the account is known to refuse, by hash. */
  readonly refusals: ReadonlyMap<string, MovementRefusal>;
  /** Hashes of discounted debits whose discount is eligible (public facts: error 33). */
  readonly eligibleDiscounts: ReadonlySet<string>;
  readonly policy: MoneyPolicy;
}

/** The user's choices on bonus money. */
export interface MoneyPolicy {
  /** Whether debits are paid from the bonus balance first. */
  readonly useBonusFirst: boolean;
  /** Where credits go: to real, or split as the round's debits were. */
  readonly creditTo: 'real' | 'stakeShares';
}

/** What the rules say of one transaction. */
export interface Ruling {
  readonly verdict: Verdict;
  /** The round after it; the same object where nothing changes. */
  readonly head: RoundHead;
  /** To be written under the hash; absent where nothing new is known. */
  readonly record?: TransactionRecord | VoidRecord;
  /** Further records, behind that one. */
  readonly also?: readonly NewRecord[];
  readonly movement?: Movement;
  /** Something an engineer should see, which is no refusal (D5.6). */
  readonly note?: string;
}

/** The error code that a refused movement is told as (D8). */
export const refusalCodes: Readonly<
  Record<MovementRefusal, { debit: ErrorCode; credit: ErrorCode }>
> = {
  noPlayer: { debit: 'PLAYERNOTFOUND', credit: 'PLAYERNOTFOUND' },
  noCurrency: { debit: 'CURRENCYNOTSUPPORTED', credit: 'CURRENCYNOTSUPPORTED' },
  blocked: { debit: 'DEBITREFUSED', credit: 'CREDITREFUSED' },
  tooLow: { debit: 'BALANCETOOLOW', credit: 'CREDITREFUSED' },
  outOfRange: { debit: 'DEBITREFUSED', credit: 'CREDITREFUSED' },
  refused: { debit: 'DEBITREFUSED', credit: 'CREDITREFUSED' },
};

/** The answer to a known hash with the same content: what was recorded (D3.1). */
export function replay(hash: string, record: TransactionRecord, head: RoundHead): Ruling {
  const { outcome } = record;
  if (outcome === 'accepted')
    return { verdict: { hash, outcome: 'processed', replay: true }, head };
  if (outcome === 'unanswered' || outcome === 'pending') return leaveOut(hash, head);
  return { verdict: { hash, outcome: 'refused', code: outcome, replay: true }, head };
}

/** The answer to a known hash that was voided, or whose round was (D3.1). */
export function replayVoided(hash: string, head: RoundHead): Ruling {
  return { verdict: { hash, outcome: 'refused', code: 'GAMEROUNDVOIDED', replay: true }, head };
}

/** Of no outcome yet: left out of the answer, and to be sent again (D4.1, D6.1). */
export function leaveOut(hash: string, head: RoundHead): Ruling {
  return { verdict: { hash, outcome: 'unknown' }, head };
}

/** A refusal that is recorded under the hash. */
export function refuse(
  hash: string,
  code: ErrorCode,
  head: RoundHead,
  record?: TransactionRecord,
): Ruling {
  const verdict: Verdict = { hash, outcome: 'refused', code, replay: false };
  return record === undefined ? { verdict, head } : { verdict, head, record };
}

/** The head in another state, the moment noted. */
export function enter(head: RoundHead, state: RoundHead['state'], now: number): RoundHead {
  return head.state === state ? head : { ...head, state, changedAt: now };
}
