import { hash } from 'node:crypto';

/** The body that a signature came with, and whether its debit was answered 5xx. */
interface KnownBody {
  readonly digest: string;
  awaitsVoid: boolean;
}

/**
 * Remembers the latest signatures with a digest of the body each came with, so that a captured
 * signature cannot carry another body: `type` and `currency` are not signed (D1.8).
 *
 * A debit and its void sign the same fields, and within one second the same timestamp where it has
 * no fraction. The void of a debit that was answered 5xx is due (D7), so it alone may follow.
 */
export class ReplayGuard {
  readonly #bodies = new Map<string, KnownBody>();
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
    const known = this.#bodies.get(signature);
    if (known !== undefined) return known.digest === digest || (known.awaitsVoid && isVoid());
    this.remember(signature, { digest, awaitsVoid: false });
    return true;
  }

  /** Notes that the call of this signature was answered 5xx, and its void is due. */
  awaitVoid(signature: string): void {
    const known = this.#bodies.get(signature);
    if (known !== undefined) known.awaitsVoid = true;
  }

  private remember(signature: string, body: KnownBody): void {
    const forgotten = this.#order[this.#oldest];
    if (forgotten !== undefined) this.#bodies.delete(forgotten);
    this.#order[this.#oldest] = signature;
    this.#oldest = (this.#oldest + 1) % this.capacity;
    this.#bodies.set(signature, body);
  }
}
