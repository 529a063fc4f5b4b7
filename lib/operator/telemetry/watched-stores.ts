import type { WalletStore } from '../wallet';
import type { ObservedWallet } from './recorder';

/** The stores of the mounted wallets, each once, with the operators that they serve. */
export class WatchedStores {
  private readonly wallets = new Set<ObservedWallet>();

  /** The wallets. */
  get all(): Iterable<ObservedWallet> {
    return this.wallets;
  }

  /** Adds a wallet, until the returned function is called. */
  watch(wallet: ObservedWallet): () => void {
    this.wallets.add(wallet);
    return () => void this.wallets.delete(wallet);
  }

  /** Each store with each operator whose rounds are in it, whichever wallets share it. */
  *operators(): Generator<readonly [store: WalletStore, operatorId: string]> {
    const seen = new Map<WalletStore, Set<string>>();
    for (const { store, operatorIds } of this.wallets) {
      const ids = seen.get(store) ?? new Set();
      seen.set(store, ids);
      for (const id of operatorIds) {
        if (ids.has(id)) continue;
        ids.add(id);
        yield [store, id];
      }
    }
  }
}
