import type { RoundKey } from './round-key';
import type { WalletStore } from './store';

/**
 * The rounds of a store, without money: a ledger store keeps its intents there. Every store that keeps
 * money is also a journal. It never sees a movement: the changes committed here have none.
 */
export interface RoundJournal extends Omit<WalletStore, 'accounts'> {
  /**
   * The operator's rounds whose head has pending work. A round that changes meanwhile may be missing, or
   * listed although its pending work is done.
   * @throws StoreUnavailableError
   */
  unfinished(operatorId: string): AsyncIterable<RoundKey>;
}
