import { hash } from 'node:crypto';

const blockBytes = 64;
const digestBytes = 32;
/** Bytes reserved for the rest: enough for a call of some dozen transactions. */
const room = 4096;

/**
 * HMAC-SHA256 (RFC 2104) under one key, of texts with a common beginning, which is laid out once. It is
 * two one-shot hashes, which is cheaper than an Hmac object for each text.
 */
export class PreparedHmac {
  /** The key for the inner hash, the beginning, and room for the rest. */
  readonly #inner: Buffer;
  /** The key for the outer hash, and room for the inner digest. */
  readonly #outer: Buffer;
  readonly #restAt: number;
  /** Hashed in addition, to cost as much as a longer beginning; null if not wanted. */
  readonly #filler: Buffer | null;
  readonly #lacking: number;

  /**
   * @param costBytes Bytes of the longest beginning whose cost each digest should have: all with the same
   * `costBytes` hash the same number of blocks. Unless given, a digest costs what its own beginning does.
   */
  constructor(key: Uint8Array, beginning: string, costBytes?: number) {
    const block = Buffer.alloc(blockBytes);
    block.set(key.byteLength > blockBytes ? hash('sha256', key, 'buffer') : key);
    const start = Buffer.concat([block.map((byte) => byte ^ 0x36), Buffer.from(beginning)]);
    this.#restAt = start.byteLength;
    this.#inner = Buffer.concat([start], this.#restAt + room);
    this.#outer = Buffer.concat([block.map((byte) => byte ^ 0x5c)], blockBytes + digestBytes);
    this.#lacking = Math.max(0, (costBytes ?? 0) - Buffer.byteLength(beginning));
    this.#filler = costBytes === undefined ? null : Buffer.alloc(this.#lacking + 2 * blockBytes);
  }

  /** In base64, over the beginning and the rest in UTF-8. */
  digest(rest: string): string {
    const text = 3 * rest.length <= room ? this.#inner : this.#roomFor(rest);
    const end = this.#restAt + text.write(rest, this.#restAt);
    const inner = hash('sha256', text.subarray(0, end), 'binary');
    this.#outer.write(inner, blockBytes, 'binary');
    if (this.#filler !== null) {
      const blocks = blocksOf(end + this.#lacking) - blocksOf(end);
      hash('sha256', this.#filler.subarray(0, blocks * blockBytes), 'binary');
    }
    return hash('sha256', this.#outer, 'base64');
  }

  /**
   * The same buffer, or a larger one for a long rest: that goes with the call, so that no call leaves
   * memory behind.
   */
  #roomFor(rest: string): Buffer {
    const start = this.#inner.subarray(0, this.#restAt);
    return Buffer.concat([start], this.#restAt + Buffer.byteLength(rest));
  }
}

/** Number of SHA-256 blocks for this many bytes: the padding is one byte, and the length in eight. */
function blocksOf(bytes: number): number {
  return Math.ceil((bytes + 9) / blockBytes);
}
