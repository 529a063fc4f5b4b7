import { hash } from 'node:crypto';
import { RecentKeys } from './recent-keys';

const digestBytes = 32;

/**
 * Remembers the latest signatures with a digest of the body each came with, so that a captured
 * signature cannot carry another body: `type` and `currency` are not signed (D1.8).
 *
 * A debit and its void sign the same fields, and within one second the same timestamp where it has
 * no fraction. The void of a debit that was answered 5xx is due (D7), so it alone may follow.
 */
export class ReplayGuard {
  readonly #signatures: RecentKeys;
  /** By the place of each signature: the digest of its body, and 1 where its debit was answered 5xx. */
  readonly #digests: Buffer;
  readonly #awaitsVoid: Uint8Array;
  readonly #digest = Buffer.alloc(digestBytes);

  /** @param capacity Signatures to remember; 73 to 81 bytes each, taken at once. */
  constructor(capacity: number) {
    this.#signatures = new RecentKeys(capacity);
    this.#digests = Buffer.alloc(capacity * digestBytes);
    this.#awaitsVoid = new Uint8Array(capacity);
  }

  /**
   * Whether the signature may carry this body; to be asked only once it was verified. `isVoid`
   * tells whether the body holds voids alone, and is asked where that decides.
   */
  admits(signature: string, body: Uint8Array, isVoid: () => boolean): boolean {
    this.#digest.write(hash('sha256', body, 'binary'), 'binary');
    const known = this.#signatures.placeOf(signature);
    if (known !== null) {
      const at = known * digestBytes;
      const isSame = this.#digest.compare(this.#digests, at, at + digestBytes) === 0;
      return isSame || (this.#awaitsVoid[known] === 1 && isVoid());
    }
    const place = this.#signatures.add(signature);
    this.#digests.set(this.#digest, place * digestBytes);
    this.#awaitsVoid[place] = 0;
    return true;
  }

  /** Notes that the call of this signature was answered 5xx, and its void is due. */
  awaitVoid(signature: string): void {
    const known = this.#signatures.placeOf(signature);
    if (known !== null) this.#awaitsVoid[known] = 1;
  }
}
