/** What a fault draws from the seed. */
export interface Chance {
  /** How long it lasts, in milliseconds, where it has no length of its own. */
  readonly ms: number;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** Something that goes wrong; over when it resolves. */
export type Fault = (chance: Chance) => Promise<void>;

/** Kinds of faults, by the names that `--faults` takes. */
export type Faults = Readonly<Record<string, Fault>>;
