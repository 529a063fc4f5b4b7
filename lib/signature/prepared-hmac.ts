import { hash } from 'node:crypto';

const blockBytes = 64;
const digestBytes = 32;
const firstRoom = 4096;

/**
 * HMAC-SHA256 (RFC 2104) under one key, of texts that begin alike: what does not change is laid
 * out once. It is two one-shot hashes, which is cheaper than an Hmac object for each text.
 */
export class PreparedHmac {
  /** The key for the inner hash, the beginning, and room for the rest. */
  #inner: Buffer;
  /** The key for the outer hash, and room for the inner digest. */
  readonly #outer: Buffer;
  readonly #restAt: number;

  constructor(key: Uint8Array, beginning: string) {
    const block = Buffer.alloc(blockBytes);
    block.set(key.byteLength > blockBytes ? hash('sha256', key, 'buffer') : key);
    const start = Buffer.concat([block.map((byte) => byte ^ 0x36), Buffer.from(beginning)]);
    this.#restAt = start.byteLength;
    this.#inner = Buffer.concat([start], this.#restAt + firstRoom);
    this.#outer = Buffer.concat([block.map((byte) => byte ^ 0x5c)], blockBytes + digestBytes);
  }

  /** In base64, over the beginning and the rest in UTF-8. */
  digest(rest: string): string {
    const most = this.#restAt + 3 * rest.length;
    if (most > this.#inner.byteLength) this.#inner = Buffer.concat([this.#inner], most);
    const end = this.#restAt + this.#inner.write(rest, this.#restAt);
    const inner = hash('sha256', this.#inner.subarray(0, end), 'binary');
    this.#outer.write(inner, blockBytes, 'binary');
    return hash('sha256', this.#outer, 'base64');
  }
}
