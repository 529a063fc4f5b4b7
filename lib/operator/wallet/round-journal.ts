import type { RoundKey } from './round-key';
import type { WalletStore } from './store';

/**
 * The rounds of a store, without money: what a ledger store keeps its intents in. Every store that
 * keeps money is one too. It never sees a movement: the changes that it commits then have none.
 */
export interface RoundJournal extends Omit<WalletStore, 'accounts'> {
  /**
   * The operator's rounds whose head has something pending. A round that changes meanwhile may be
   * missing, or listed though nothing of it is pending any more.
   * @throws StoreUnavailableError
   */
  unfinished(operatorId: string): AsyncIterable<RoundKey>;
}
