import type { Purse } from '../../../protocol/money/purse';
import type { RepairKind } from '../round';

/** What a person proposes to do with a round (D11). */
export interface RepairOrder {
  readonly kind: RepairKind;
  /**
   * The credit to pay, or the debit to void. Unless set: the only credit that is unpaid, or the round's
   * first debit. Not for `resolve`.
   */
  readonly hash?: string;
  /** Where the matter was settled; for `resolve` alone. */
  readonly reference?: string;
  /** Why: 10 to 500 characters. */
  readonly reason: string;
}

/** Why a repair was not proposed, approved or rejected. Nothing moved. */
export type RepairRefusal =
  /** Nothing is known of the round. */
  | 'noRound'
  /** The repair does not apply: the round needs no repair, or another kind. */
  | 'notStuck'
  /** Something of the round is pending at the ledger: that comes first. */
  | 'pendingWork'
  /** Another proposal is open: approve or reject it first. */
  | 'alreadyProposed'
  /** The limit of repairs for a round is reached. */
  | 'tooMany'
  /** No transaction of the round has this hash, or none fits. */
  | 'noSuchHash'
  /** Several credits are unpaid: name one. */
  | 'hashMissing'
  /** The credit was not refused for good, or its win was never played. */
  | 'notUnpaid'
  /** The player has no account in the currency of the credit. */
  | 'noAccount'
  /** A repair has paid this credit. */
  | 'alreadyPaid'
  /** The hash is not of a debit, or the debit is voided. */
  | 'notVoidable'
  /** The round has no such proposal. */
  | 'noProposal'
  /** The round has changed since the proposal: look at it, and propose again. */
  | 'stale'
  /** The proposal is older than a day. */
  | 'expired'
  | 'rejected'
  /** Another person must approve it. */
  | 'ownProposal'
  /** The repair is made: nothing is left to reject. */
  | 'made'
  /** The account refused the money; the repair says why. */
  | 'refusedByAccount';

/** What a repair would do, as far as its kind decides it. */
export interface RepairContent {
  readonly hash: string | null;
  readonly currency: string | null;
  readonly amount: bigint;
  readonly purse: Purse;
  readonly reference: string | null;
}

/** The user's options for repairs. */
export interface RepairPolicy {
  /** Where a paid credit goes, as in calls. */
  readonly creditTo: 'real' | 'stakeShares';
  /** Whether another person must approve. */
  readonly fourEyes: FourEyes;
}

/**
 * When another person than the proposer must approve: always, or above a number of units of a currency. A
 * currency that is not named, and a repair without one, always needs another person.
 */
export type FourEyes = 'always' | { readonly above: ReadonlyMap<string, bigint> };
