import type { Call } from '../../../lib/protocol/operator-api/transaction';
import type { AccountStore, CallOutcome, Ledger, WalletStore } from '../../../lib/operator/wallet';
import type { World } from '../world/scheduler';

/** What is wrong in a world on purpose: each part stands before, or in place of, the right one. */
export interface Planted {
  /** The store behind all processes. */
  readonly store?: (store: AccountStore, world: World) => AccountStore;
  /** The ledger behind all processes. */
  readonly ledger?: (ledger: Ledger, world: World) => Ledger;
  /** The store as a process has it. */
  readonly access?: (store: WalletStore, world: World) => WalletStore;
  /** What a call came to, before it becomes a reply. */
  readonly outcome?: (outcome: CallOutcome, call: Call) => CallOutcome;
  /** The status of a reply. */
  readonly status?: (status: number, call: Call, outcome: CallOutcome) => number;
  /** A call as the wallet reads it. */
  readonly call?: (call: Call) => Call;
  /** The id of every delivery (D7). */
  readonly deliveryId?: string;
}
