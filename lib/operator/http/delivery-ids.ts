import { randomFillSync } from 'node:crypto';

const idBytes = 3;
const poolBytes = 1024 * idBytes;

/** Makes ids of deliveries (D7): 4 random characters of base64url, drawn many at a time. */
export class DeliveryIds {
  readonly #pool = Buffer.alloc(poolBytes);
  #at = poolBytes;

  next(): string {
    if (this.#at === poolBytes) {
      randomFillSync(this.#pool);
      this.#at = 0;
    }
    this.#at += idBytes;
    return this.#pool.toString('base64url', this.#at - idBytes, this.#at);
  }
}
