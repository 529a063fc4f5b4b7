const keyBytes = 32;

/**
 * The latest `capacity` keys of 32 bytes, given as base64, each at a place from 0 to capacity - 1; a new
 * key replaces the oldest. It is a hash table in typed arrays. As strings in a Map, the keys would survive
 * one garbage collection after the other, each of which would move them, and deleting the Map's first key
 * would get ever slower.
 *
 * Keys must look random, as HMACs do: their first bytes serve as their hash.
 */
export class RecentKeys {
  readonly #keys: Buffer;
  /**
   * Place + 1 of the key whose hash leads here, or that found the slots before it taken; 0 for an empty
   * slot.
   */
  readonly #slots: Int32Array;
  readonly #mask: number;
  readonly #probe = Buffer.alloc(keyBytes);
  #count = 0;
  #oldest = 0;

  constructor(private readonly capacity: number) {
    this.#keys = Buffer.alloc(capacity * keyBytes);
    const size = 2 ** Math.ceil(Math.log2(capacity * 2));
    this.#slots = new Int32Array(size);
    this.#mask = size - 1;
  }

  /** The place of a key; null if it is not among the latest. */
  placeOf(key: string): number | null {
    this.#probe.fill(0).write(key, 'base64');
    const slot = this.slotOfWanted();
    const held = this.#slots[slot] ?? 0;
    return held === 0 ? null : held - 1;
  }

  /** Adds a key that is not present; returns the place it takes. */
  add(key: string): number {
    const place = this.#oldest;
    if (this.#count === this.capacity) this.#remove(place);
    else this.#count++;
    this.#oldest = (place + 1) % this.capacity;
    this.#probe.fill(0).write(key, 'base64');
    this.#slots[this.slotOfWanted()] = place + 1;
    this.#keys.set(this.#probe, place * keyBytes);
    return place;
  }

  /** The slot of the wanted key, or the free slot where it would be. */
  slotOfWanted(): number {
    let slot = this.#probe.readUInt32LE(0) & this.#mask;
    for (;;) {
      const held = this.#slots[slot] ?? 0;
      if (held === 0) return slot;
      const at = (held - 1) * keyBytes;
      if (this.#probe.compare(this.#keys, at, at + keyBytes) === 0) return slot;
      slot = (slot + 1) & this.#mask;
    }
  }

  /** Frees the slot of a place, and moves up later keys that the gap would make unreachable. */
  #remove(place: number): void {
    let gap = this.#homeOf(place);
    while (this.#slots[gap] !== place + 1) gap = (gap + 1) & this.#mask;
    this.#slots[gap] = 0;
    for (let slot = (gap + 1) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const held = this.#slots[slot] ?? 0;
      if (held === 0) return;
      const wayFromHome = (slot - this.#homeOf(held - 1)) & this.#mask;
      const wayFromGap = (slot - gap) & this.#mask;
      if (wayFromHome < wayFromGap) continue;
      this.#slots[gap] = held;
      this.#slots[slot] = 0;
      gap = slot;
    }
  }

  #homeOf(place: number): number {
    return this.#keys.readUInt32LE(place * keyBytes) & this.#mask;
  }
}
