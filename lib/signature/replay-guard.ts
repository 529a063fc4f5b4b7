import { createHash } from 'node:crypto';

/**
 * Remembers the latest signatures with a digest of the body each came with, so that a captured
 * signature cannot carry another body: `type` and `currency` are not signed (D1.8).
 */
export class ReplayGuard {
  readonly #bodies = new Map<string, string>();

  constructor(private readonly capacity: number) {}

  /** Whether the signature may carry this body; to be asked only once it was verified. */
  admits(signature: string, body: Uint8Array): boolean {
    const digest = createHash('sha256').update(body).digest('base64');
    const known = this.#bodies.get(signature);
    if (known !== undefined) return known === digest;
    if (this.#bodies.size >= this.capacity) this.forgetOldest();
    this.#bodies.set(signature, digest);
    return true;
  }

  private forgetOldest(): void {
    for (const oldest of this.#bodies.keys()) {
      this.#bodies.delete(oldest);
      return;
    }
  }
}
