import type { Admission, MoneyPolicy, RoundState, Verdict } from '../gameround';
import type { Clock } from '../../platform';
import type { DebitChecks, DebitsDeclined } from './checks/debits';
import type { DiscountCheck } from './checks/discounts';
import type { Account } from './players';
import type { CommitResult, Rounds } from './store';

/** The ports of the use case. */
export interface DoTransactionsPorts {
  readonly rounds: Rounds;
  readonly clock: Clock;
  readonly policy: MoneyPolicy;
  /** Deadline of the call, in milliseconds: after it the outcome is answered as unknown (D7). */
  readonly deadlineMs: number;
  /** A round that began before may be forgotten: its first debit is refused (D10.2). Without it, none is. */
  readonly forgottenBefore?: (() => number) | undefined;
  /** Without it, no discount is eligible. */
  readonly discountCheck?: DiscountCheck | undefined;
  /** Without it, no debit is asked for (D12). */
  readonly debitChecks?: DebitChecks | undefined;
  /** Called before a step is committed again, with the reason. */
  readonly onCommitRepeat?: ((reason: CommitRepeat) => void) | undefined;
}

/** Why a step is decided and committed again: the answer to its last commit. */
export type CommitRepeat = Exclude<CommitResult['kind'], 'committed'>;

/** The outcome of a call. */
export interface CallOutcome {
  /** The definite outcomes, in order; if `unknown` is set, processing stopped after them. */
  readonly verdicts: readonly Exclude<Verdict, { outcome: 'unknown' }>[];
  /** Whether the call had any effect: a body that its signature does not name has none (D1.8). */
  readonly admission: Admission;
  /** Set if the outcome of the transaction after the verdicts is unknown (D6.1, D7). */
  readonly unknown: { readonly cause: Error } | null;
  /** The player's accounts after the call; null if the player or the outcome is unknown. */
  readonly accounts: readonly Account[] | null;
  /** The round's currency and state after the call, as far as known. */
  readonly currency: string | null;
  readonly state: RoundState | null;
  readonly notes: readonly string[];
  /** Set if the platform did not allow the new debits of the call (D12.3). */
  readonly disallowed?: DebitsDeclined;
}
