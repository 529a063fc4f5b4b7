import type { MovementRefusal } from '../gameround';
import type { Purse } from '../../protocol/money';
import type { PlayerKey } from './round-key';
import type { Account } from './store';

/** Which posting of which round; what every method is told beside what it is to do. */
export interface LedgerPosting extends PlayerKey {
  /**
   * Names the posting, for ever: 43 characters of A to Z, a to z, 0 to 9, - and _. All attempts
   * at one posting have the same key, no two postings do, and a reversal has that of the posting
   * it reverses.
   */
  readonly key: string;
  /** For your records; the key is made of these and the player. */
  readonly gameRound: string;
  readonly hash: string;
  /** Null where nothing of the round was told, and a reversal comes first. */
  readonly gameCode: string | null;
}

/** Money to be taken from a player. */
export interface LedgerDebit extends LedgerPosting {
  readonly currency: string;
  /** Units; 0 for a free play, which is posted all the same: it asks whether the player may play. */
  readonly amount: bigint;
  /** Whether to take from the bonus balance first, and the rest from the real one; otherwise the other way round. */
  readonly bonusFirst: boolean;
}

/** Money to be given to a player, in units for each balance; never 0 in all. */
export interface LedgerCredit extends LedgerPosting {
  readonly currency: string;
  readonly purse: Purse;
}

/** Money of a posting to be given or taken back, whatever it was. */
export interface LedgerReversal extends LedgerPosting {}

/** The posting is durable; or it was done before under the same key, and nothing moved again. */
export interface LedgerDone {
  readonly kind: 'done';
  /**
   * What a debit took from each balance, in units; all from real where it is left out. The same
   * again when the key is known.
   */
  readonly paid?: Purse;
  /**
   * The player's accounts as they are now, also where the key was known; where they are left out,
   * `balances` is asked when needed.
   */
  readonly accounts?: readonly Account[];
}

/**
 * The posting did not happen, and never will under this key. A reason without a name of its own,
 * such as a limit of the player's, a key that was reversed, or one that is known with other
 * content, is `refused`.
 */
export interface LedgerRefused {
  readonly kind: 'refused';
  readonly reason: MovementRefusal;
}

/**
 * The platform's own ledger: what an operator implements over its table or its service, so that
 * the players' money stays where it is. Four methods; each answers that it is done, or that it is
 * refused for good, or throws. Throwing says that the outcome is not known: the posting may have
 * happened, or may yet happen. It is the right answer to a time-out, a closed connection, a 5xx,
 * and to anything that is not understood; it is never the wrong one, only slower.
 *
 * Postings are repeated after a throw, by other processes too and long after it, and may arrive in
 * any order and several at once. So a posting and the note of its key must be one transaction.
 * Keys must be kept longer than rounds are (`retentionMs`); best for ever.
 *
 * `signal` aborts when the answer is no longer waited for. What was sent may still arrive.
 */
export interface Ledger {
  /**
   * Takes money once per key, all of it or none, and never more than there is.
   *
   * Breaks otherwise: a key that counts twice takes a stake twice; a refusal that is not final
   * takes a stake that the player was told is declined (O5); a debit that is done after its key
   * was reversed takes a stake that the RGS voided (O4).
   */
  debit(posting: LedgerDebit, signal: AbortSignal): Promise<LedgerDone | LedgerRefused>;

  /**
   * Gives money once per key, also to a player who is blocked (D4.9). Refuse it only where it can
   * never be paid: the round is then left to a person (D4.7).
   *
   * Breaks otherwise: a key that counts twice pays a win twice (O2); a passing fault told as a
   * refusal loses it.
   */
  credit(posting: LedgerCredit, signal: AbortSignal): Promise<LedgerDone | LedgerRefused>;

  /**
   * Undoes the posting of that key, once: what a debit took is given back to each balance, what a
   * credit gave is taken back, below zero if it must be (D5.2). Of a key that was refused, or that
   * never arrived, it moves nothing. In every case the key is refused from then on. A reversal
   * that is answered as refused is repeated like one that throws, for there is nothing else to do
   * with it, and logged as an error.
   *
   * Breaks otherwise: a debit that arrives after its reversal, from a queue or a slow connection,
   * takes a stake for good though it was voided.
   */
  reverse(posting: LedgerReversal, signal: AbortSignal): Promise<LedgerDone | LedgerRefused>;

  /** The player's accounts as of one moment; null where the player is not known. */
  balances(player: PlayerKey, signal: AbortSignal): Promise<readonly Account[] | null>;
}
