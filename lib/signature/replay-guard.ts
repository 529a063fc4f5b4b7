import { hash } from 'node:crypto';

/**
 * Remembers the latest signatures with a digest of the body each came with, so that a captured
 * signature cannot carry another body: `type` and `currency` are not signed (D1.8).
 *
 * A debit and its void sign the same fields, and within one second the same timestamp where it has
 * no fraction. The void of a debit that was answered 5xx is due (D7), so it alone may follow.
 */
export class ReplayGuard {
  readonly #digests = new Map<string, string>();
  /** Those whose debit was answered 5xx. */
  readonly #awaitsVoid = new Set<string>();
  /** The signatures in the order they came, a ring: a Map forgets its oldest key ever more slowly. */
  readonly #order: string[] = [];
  #oldest = 0;

  constructor(private readonly capacity: number) {}

  /**
   * Whether the signature may carry this body; to be asked only once it was verified. `isVoid`
   * tells whether the body holds voids alone, and is asked where that decides.
   */
  admits(signature: string, body: Uint8Array, isVoid: () => boolean): boolean {
    const digest = hash('sha256', body, 'base64');
    const known = this.#digests.get(signature);
    if (known !== undefined) {
      return known === digest || (this.#awaitsVoid.has(signature) && isVoid());
    }
    this.remember(signature, digest);
    return true;
  }

  /** Notes that the call of this signature was answered 5xx, and its void is due. */
  awaitVoid(signature: string): void {
    if (this.#digests.has(signature)) this.#awaitsVoid.add(signature);
  }

  private remember(signature: string, digest: string): void {
    const forgotten = this.#order[this.#oldest];
    if (forgotten !== undefined) {
      this.#digests.delete(forgotten);
      this.#awaitsVoid.delete(forgotten);
    }
    this.#order[this.#oldest] = signature;
    this.#oldest = (this.#oldest + 1) % this.capacity;
    this.#digests.set(signature, digest);
  }
}
