import { hash } from 'node:crypto';

const blockBytes = 64;
const digestBytes = 32;
/** Bytes kept for the rest: as many as a call of some dozen transactions signs. */
const room = 4096;

/**
 * HMAC-SHA256 (RFC 2104) under one key, of texts that begin alike: what does not change is laid
 * out once. It is two one-shot hashes, which is cheaper than an Hmac object for each text.
 */
export class PreparedHmac {
  /** The key for the inner hash, the beginning, and room for the rest. */
  readonly #inner: Buffer;
  /** The key for the outer hash, and room for the inner digest. */
  readonly #outer: Buffer;
  readonly #restAt: number;
  /** What is hashed to cost as much as a longer beginning; null where that is not asked for. */
  readonly #filler: Buffer | null;
  readonly #lacking: number;

  /**
   * @param costBytes Bytes of the longest beginning whose cost each digest is to have: all with the same
   * `costBytes` hash as many blocks. Unless given, a digest costs what its own beginning does.
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

  /** The same, with room for a long rest: it goes with the call, so that no call leaves more behind. */
  #roomFor(rest: string): Buffer {
    const start = this.#inner.subarray(0, this.#restAt);
    return Buffer.concat([start], this.#restAt + Buffer.byteLength(rest));
  }
}

/** Blocks that SHA-256 makes of so many bytes: it adds one byte, and the length in eight. */
function blocksOf(bytes: number): number {
  return Math.ceil((bytes + 9) / blockBytes);
}
