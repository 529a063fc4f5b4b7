import { createHash } from 'node:crypto';
import type { MovementRefusal } from '../gameround';
import type { Purse } from '../../protocol/money/purse';
import type { PlayerKey, RoundKey } from './player/round-key';
import type { Account } from './players';

/** Identifies a posting of a round; part of every method's argument. */
export interface LedgerPosting extends PlayerKey {
  /**
   * Idempotency key of the posting, for ever: 43 characters of A to Z, a to z, 0 to 9, - and _. All
   * attempts at one posting share the key, no two postings do, and a reversal has the key of the posting
   * it reverses.
   */
  readonly key: string;
  /** For your records; the key is derived from these and the player. */
  readonly gameRound: string;
  readonly hash: string;
  /** Null if a reversal comes first and nothing of the round is known. */
  readonly gameCode: string | null;
}

/** Money to take from a player. */
export interface LedgerDebit extends LedgerPosting {
  readonly currency: string;
  /** Units; 0 for a free play, which is posted too: it asks whether the player may play. */
  readonly amount: bigint;
  /** Whether to take from the bonus balance first and the rest from the real one; otherwise the reverse. */
  readonly bonusFirst: boolean;
}

/** Money to give to a player, in units for each balance; the sum is never 0. */
export interface LedgerCredit extends LedgerPosting {
  readonly currency: string;
  readonly purse: Purse;
}

/** Undoes a posting, whatever it moved. */
export interface LedgerReversal extends LedgerPosting {}

/** The posting is durable. Under a known key it was done before, and nothing moved again. */
export interface LedgerDone {
  readonly kind: 'done';
  /**
   * What a debit took from each balance, in units; all from real if left out. A repeat of the key gets the
   * same values.
   */
  readonly paid?: Purse;
  /** The player's accounts now, also for a known key; if left out, `balances` is called when needed. */
  readonly accounts?: readonly Account[];
}

/**
 * The posting did not happen, and never will under this key. `refused` covers reasons without a name here,
 * such as a limit of the player's, a reversed key, or a key known with other content.
 */
export interface LedgerRefused {
  readonly kind: 'refused';
  readonly reason: MovementRefusal;
}

/** Which rounds {@link Ledger.postedRounds} lists; all of the ledger unless set. */
export interface PostedQuery {
  readonly operatorId?: string;
  /** One player of the operator. */
  readonly playerId?: string;
  /** One round of the player. */
  readonly gameRound?: string;
  /** Only rounds with a latest key noted at or after this time, in milliseconds since 1970. */
  readonly since?: number;
}

/** What the postings of a round did to the player's money in one currency, as of one moment. */
export interface PostedRound extends RoundKey {
  readonly currency: string;
  /** What it gave less what it took, in units; without what was reversed. */
  readonly moved: Purse;
  /** When its latest key was noted, in milliseconds since 1970. */
  readonly lastAt: number;
}

/**
 * The platform's own ledger: an operator implements it over its table or service, so that the players'
 * money stays where it is. It has four methods, and an optional one for checks. Each answers that it is
 * done, or that it is refused for good, or throws. Throwing means that the outcome is unknown: the posting may have happened, or may
 * happen later. Throw for a time-out, a closed connection, a 5xx, and anything you do not understand;
 * throwing is never wrong, only slower.
 *
 * After a throw, postings are repeated, also by other processes and much later. They may arrive in any
 * order and concurrently. So recording the key and moving the money must be one transaction. Keep keys
 * longer than rounds (`retentionMs`); for ever is best.
 *
 * `signal` aborts when nobody waits for the answer any more. The request may still arrive.
 */
export interface Ledger {
  /**
   * Takes money once per key, all of it or none, and never more than the balance.
   *
   * Breaks otherwise: a key that counts twice takes a stake twice; a refusal that is not final takes a
   * stake after the player saw it declined (O5); a debit that is done after its key was reversed takes a
   * stake that the RGS voided (O4).
   */
  debit(posting: LedgerDebit, signal: AbortSignal): Promise<LedgerDone | LedgerRefused>;

  /**
   * Gives money once per key, also to a blocked player (D4.9). Refuse only what can never be paid: the
   * round is then left to a person (D4.7).
   *
   * Breaks otherwise: a key that counts twice pays a win twice (O2); a temporary fault reported as a
   * refusal loses it.
   */
  credit(posting: LedgerCredit, signal: AbortSignal): Promise<LedgerDone | LedgerRefused>;

  /**
   * Undoes the posting of that key, once: gives back to each balance what a debit took, takes back what a
   * credit gave, below zero if necessary (D5.2). If the key was refused or never arrived, it moves
   * nothing. In every case the key is refused from then on. A refused reversal is retried like one that
   * throws, because nothing else can be done with it, and logged as an error.
   *
   * Breaks otherwise: a debit that arrives after its reversal, from a queue or a slow connection, takes a
   * stake for good although it was voided.
   */
  reverse(posting: LedgerReversal, signal: AbortSignal): Promise<LedgerDone | LedgerRefused>;

  /** The player's accounts as of one moment; null if the player is unknown. */
  balances(player: PlayerKey, signal: AbortSignal): Promise<readonly Account[] | null>;

  /**
   * What the postings of each round moved, for `rgs-wallet books --check`: one entry for a round and a
   * currency, those of a player one after the other. A posting that was reversed counts as nothing moved;
   * one that was refused, or reversed before it arrived, is no part of it. An entry is one moment; the list
   * need not be. Optional: without it the books cannot be checked against the ledger.
   */
  postedRounds?(query: PostedQuery, signal: AbortSignal): AsyncIterable<PostedRound>;
}

/**
 * The identification of a posting for a ledger. The key is a digest: it has the same short form whatever
 * the identifiers are, and no two postings share one.
 */
export function postingOf(round: RoundKey, hash: string, gameCode: string | null): LedgerPosting {
  const { operatorId, playerId, gameRound } = round;
  const name = JSON.stringify([operatorId, playerId, gameRound, hash]);
  const key = createHash('sha256').update(name).digest('base64url');
  return { key, operatorId, playerId, gameRound, hash, gameCode };
}
