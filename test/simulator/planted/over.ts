import type { Rounds, WalletStore } from '../../../lib/operator/wallet';
import type { Planted } from '../parties/planted';
import type { StoreName, Wire } from '../plan/types';

/** A bug on purpose, one line each: the simulator must find it, or the list says why it cannot be seen. */
export interface Plant {
  readonly name: string;
  /** What it breaks; for one that is not observable, why nothing breaks. */
  readonly breaks: string;
  readonly store: StoreName;
  /** How calls come where it is looked for; as messages unless set. */
  readonly wire?: Wire;
  readonly isObservable: boolean;
  /** Made anew for each world: it may count. */
  readonly plant: () => Planted;
}

/** The same object with other methods in place of some. */
export function over<T extends object>(below: T, methods: Partial<T>): T {
  return Object.assign(Object.create(below) as T, methods);
}

/** The same store with other methods of its rounds in place of some. */
export function overRounds<S extends WalletStore>(store: S, methods: Partial<Rounds>): S {
  return { ...store, rounds: over(store.rounds, methods) };
}

/** True at every so many-th time. */
export function everyNth(n: number): () => boolean {
  let times = 0;
  return () => ++times % n === 0;
}
