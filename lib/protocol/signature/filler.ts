import { hash } from 'node:crypto';

const blockBytes = 64;

/**
 * Hashes what a longer secret would have hashed in addition, so that a signature costs the same number of
 * SHA-256 blocks for all secrets of an operator, and for none (D1.1).
 */
export class Filler {
  readonly #bytes: Buffer;
  readonly #own: number;
  readonly #lacking: number;

  /**
   * @param ownBytes Bytes before the rest of the signed string.
   * @param costBytes The most that any secret has there.
   */
  constructor(ownBytes: number, costBytes: number) {
    this.#own = ownBytes;
    this.#lacking = Math.max(0, costBytes - ownBytes);
    this.#bytes = Buffer.alloc(this.#lacking + 2 * blockBytes);
  }

  /** To be called with each HMAC over this rest. */
  fill(rest: string): void {
    const bytes = blockBytes + this.#own + Buffer.byteLength(rest);
    const blocks = blocksOf(bytes + this.#lacking) - blocksOf(bytes);
    hash('sha256', this.#bytes.subarray(0, blocks * blockBytes), 'binary');
  }
}

/** Number of SHA-256 blocks for this many bytes: the padding is one byte, and the length in eight. */
function blocksOf(bytes: number): number {
  return Math.ceil((bytes + 9) / blockBytes);
}
