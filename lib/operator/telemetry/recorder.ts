import type { EventListener } from '../events';
import type { CommitRepeat, Rounds, WalletStore } from '../wallet';

/** State of the circuit breaker in front of a ledger. */
export type BreakerState = (typeof breakerStates)[number];

/** Every {@link BreakerState}. */
export const breakerStates = ['closed', 'open', 'half_open'] as const;

/** A mounted wallet, for what is read when the metrics are read. */
export interface ObservedWallet {
  readonly store: WalletStore;
  /** As configured: they are label values. */
  readonly operatorIds: readonly string[];
  /** Calls in flight now. */
  inFlight(): number;
}

/** Where the parts of the kit with the option `metrics` record. It never throws, whatever it is given. */
export interface MetricsRecorder {
  /** Counts calls, transactions, refusals, the ledger's failures and sweeps. */
  readonly listener: EventListener;
  /** Counts a step that is committed again. */
  readonly commitRepeated: (reason: CommitRepeat) => void;
  /** Counts a call that was shed because the process is overloaded. */
  readonly roundShed: (durationMs: number) => void;
  /** Adds a turn of the event loop, in milliseconds. */
  readonly turnEnded: (ms: number) => void;
  /** The same rounds, timed. */
  observe(rounds: Rounds): Rounds;
  /** Reads this wallet from now on, until the returned function is called. */
  watchWallet(wallet: ObservedWallet): () => void;
  /** Reads this circuit breaker from now on, until the returned function is called. */
  watchBreaker(state: () => BreakerState): () => void;
}

/**
 * The recorder of an option `metrics`; null if it is not set.
 * @throws TypeError for a value that createMetrics did not make.
 */
export function recorderOf(
  place: string,
  metrics: { readonly recorder: MetricsRecorder } | undefined,
): MetricsRecorder | null {
  if (metrics === undefined) return null;
  const recorder = (metrics as { readonly recorder?: unknown } | null)?.recorder;
  if (typeof Object(recorder).watchWallet === 'function') return recorder as MetricsRecorder;
  throw new TypeError(`${place}: metrics must be made by createMetrics`);
}

/** The mounted wallets and their stores. */
export class WatchedStores {
  private readonly wallets = new Set<ObservedWallet>();

  get all(): Iterable<ObservedWallet> {
    return this.wallets;
  }

  /** Adds a wallet, until the returned function is called. */
  watch(wallet: ObservedWallet): () => void {
    this.wallets.add(wallet);
    return () => void this.wallets.delete(wallet);
  }

  /** Each store with each operator that it serves, once, even if wallets share it. */
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
