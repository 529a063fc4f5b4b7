import type { AssignedPackage } from './package';

/** A package in its registry; its counts are moved on by rounds. */
export interface HeldPackage {
  readonly assigned: AssignedPackage;
  /** Its place among all packages, by assignment. */
  readonly nth: number;
  used: number;
  won: bigint;
}

/** The packages of one player and game with plays left, in the order of use: expiry, then assignment (E18.2). */
export class PlayQueue {
  readonly #packages: HeldPackage[] = [];

  /** Puts a package in its place; one that is there already stays. */
  add(one: HeldPackage): void {
    if (this.#packages.includes(one)) return;
    const at = this.#packages.findIndex((other) => isBefore(one, other));
    this.#packages.splice(at < 0 ? this.#packages.length : at, 0, one);
  }

  remove(one: HeldPackage): void {
    const at = this.#packages.indexOf(one);
    if (at >= 0) this.#packages.splice(at, 1);
  }

  /** Those that have not expired. Those that have leave: they are first, and the clock goes forwards. */
  usable(at: number): readonly HeldPackage[] {
    const first = this.#packages.findIndex(
      ({ assigned: { expires } }) => expires === null || expires > at,
    );
    this.#packages.splice(0, first < 0 ? this.#packages.length : first);
    return this.#packages;
  }
}

function isBefore(one: HeldPackage, other: HeldPackage): boolean {
  const [mine, theirs] = [one, other].map(
    ({ assigned }) => assigned.expires ?? Number.POSITIVE_INFINITY,
  );
  return mine === theirs ? one.nth < other.nth : (mine ?? 0) < (theirs ?? 0);
}
