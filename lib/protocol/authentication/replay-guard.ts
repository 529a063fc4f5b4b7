import { RecentKeys } from './recent-keys';

const digestBytes = 32;
const noBody = Buffer.alloc(digestBytes);

/** What a process remembers of a signature: nothing, this body, or another one. */
export type SeenBody = 'none' | 'same' | 'other';

/**
 * Remembers the latest signatures, each with a digest of its body: `type` and `currency` are not signed,
 * so a captured signature fits another body (D1.8). This is the cheap check of one process; the guard
 * across processes is kept with the round's records.
 */
export class ReplayGuard {
  readonly #signatures: RecentKeys;
  /** The digest of the body, by the place of its signature. */
  readonly #digests: Buffer;

  /** @param capacity Signatures to remember; 72 to 80 bytes each, allocated at once. */
  constructor(capacity: number) {
    this.#signatures = new RecentKeys(capacity);
    this.#digests = Buffer.alloc(capacity * digestBytes);
  }

  /**
   * Which body the signature came with before; remembers this one if there was none. Call it only after
   * the signature was verified.
   * @param digest SHA-256 of the body, 32 bytes.
   */
  see(signature: string, digest: Uint8Array): SeenBody {
    const known = this.#signatures.placeOf(signature);
    if (known === null) {
      this.#digests.set(digest, this.#signatures.add(signature) * digestBytes);
      return 'none';
    }
    const at = known * digestBytes;
    if (this.#digests.compare(digest, 0, digestBytes, at, at + digestBytes) === 0) return 'same';
    if (this.#digests.compare(noBody, 0, digestBytes, at, at + digestBytes) !== 0) return 'other';
    this.#digests.set(digest, at);
    return 'none';
  }

  /** Whether a verified call came with this signature. */
  knows(signature: string): boolean {
    return this.#signatures.placeOf(signature) !== null;
  }

  /** Forgets the body of a signature: it was not the one that the signature names. */
  forget(signature: string): void {
    const known = this.#signatures.placeOf(signature);
    if (known !== null) this.#digests.set(noBody, known * digestBytes);
  }
}
