/** Most events that are compared with each other: 128 MB. */
export const mostCompared = 8_388_608;

/**
 * Tells events that were in the log before, byte for byte, by 8 bytes of their leaf hashes. Of a longer log only the
 * first {@link mostCompared} are remembered.
 */
export class SeenLeaves {
  #table = new BigUint64Array(1024);
  #count = 0;

  /** Whether all events were remembered. */
  get isComplete(): boolean {
    return this.#count < mostCompared;
  }

  /** Whether the event was in the log before; from now on it was. */
  add(leaf: Buffer): boolean {
    const key = keyOf(leaf);
    const place = this.placeOf(key);
    if (this.#table[place] === key) return true;
    if (!this.isComplete) return false;
    this.#table[place] = key;
    this.#count += 1;
    if (2 * this.#count > this.#table.length) this.grow();
    return false;
  }

  /** Whether the event was in the log before. */
  has(leaf: Buffer): boolean {
    const key = keyOf(leaf);
    return this.#table[this.placeOf(key)] === key;
  }

  private placeOf(key: bigint): number {
    const mask = this.#table.length - 1;
    let place = Number(key & 0xffff_ffffn) & mask;
    while (this.#table[place] !== 0n && this.#table[place] !== key) place = (place + 1) & mask;
    return place;
  }

  private grow(): void {
    const before = this.#table;
    this.#table = new BigUint64Array(2 * before.length);
    for (const key of before) if (key !== 0n) this.#table[this.placeOf(key)] = key;
  }
}

function keyOf(leaf: Buffer): bigint {
  return leaf.readBigUInt64LE() || 1n; // 0 marks a free place.
}
