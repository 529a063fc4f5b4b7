import { randomBytes } from 'node:crypto';

// Taken once: where globals are looked up by interceptors, as under a test runner, that is most of the time.
const { imul, floor } = Math;

/** The source of randomness. */
export interface Random {
  /** A number from 0 to below 1: for values that need not be secret, such as pauses. */
  next(): number;
  /** This many random bytes: for ids and secrets. */
  bytes(count: number): Buffer;
}

/** Drawn in bulk: a system call for each id takes longer than all other work on it. */
const drawnBytes = 4096;

/** The machine's own source; its bytes are fit for secrets. */
export const systemRandom: Random = Object.freeze({
  next: () => Math.random(),
  bytes: createDrawer(),
});

/** Random bytes, each given out once, in its own Buffer. */
function createDrawer(): Random['bytes'] {
  let drawn = Buffer.alloc(0);
  let at = 0;
  return (count) => {
    if (count > drawnBytes / 16) return randomBytes(count);
    if (at + count > drawn.byteLength) {
      drawn = randomBytes(drawnBytes);
      at = 0;
    }
    const given = Buffer.from(drawn.subarray(at, at + count));
    drawn.fill(0, at, at + count);
    at += count;
    return given;
  };
}

/** The same numbers and bytes for the same seed: for tests and simulations, never for secrets. */
export function createSeededRandom(seed: number): Random {
  let state = seed | 0;
  const draw = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    next: () => draw() / 2 ** 32,
    bytes: (count) => {
      const bytes = Buffer.allocUnsafe(count);
      for (let at = 0; at < count; at++) bytes[at] = draw() >>> 24;
      return bytes;
    },
  };
}

/** A whole number from 0 to below the limit, which is at most 2^32. */
export function wholeBelow(random: Random, limit: number): number {
  return floor(random.next() * limit);
}

/** A random UUID (version 4), in lower case. */
export function randomUuid(random: Random): string {
  const bytes = random.bytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return [...parts, hex.slice(20)].join('-');
}
