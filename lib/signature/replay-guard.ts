import { createHash } from 'node:crypto';

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

  constructor(private readonly capacity: number) {}

  /**
   * Whether the signature may carry this body; to be asked only once it was verified. `isVoid`
   * tells a body that holds voids alone.
   */
  admits(signature: string, body: Uint8Array, isVoid: boolean): boolean {
    const digest = createHash('sha256').update(body).digest('base64');
    const known = this.#bodies.get(signature);
    if (known !== undefined) return known.digest === digest || (isVoid && known.awaitsVoid);
    if (this.#bodies.size >= this.capacity) this.forgetOldest();
    this.#bodies.set(signature, { digest, awaitsVoid: false });
    return true;
  }

  /** Notes that the call of this signature was answered 5xx, and its void is due. */
  awaitVoid(signature: string): void {
    const known = this.#bodies.get(signature);
    if (known !== undefined) known.awaitsVoid = true;
  }

  private forgetOldest(): void {
    for (const oldest of this.#bodies.keys()) {
      this.#bodies.delete(oldest);
      return;
    }
  }
}
