/** Calls that were acknowledged are taken away; resolves once the store takes calls again, without them. */
export type TakeAway = () => Promise<void>;

/** A way to lose acknowledged calls. */
export interface Loss {
  /** Of the wallets, over those of the field. */
  readonly storeFlags?: readonly string[];
  /** Resolves once what is acknowledged from then on will be lost. */
  prepare(): Promise<TakeAway>;
}

/** Ways to lose, by the names that `--faults` takes. */
export type Losses = Readonly<Record<string, Loss>>;
