import type { Random } from '../../platform';

/** Characters of base64url in an id: three bytes. */
const idLength = 4;
const idsAtOnce = 1024;

/** Creates ids of deliveries (D7): 4 random characters of base64url, generated many at a time. */
export class DeliveryIds {
  #drawn = '';
  #at = 0;

  constructor(private readonly random: Random) {}

  next(): string {
    if (this.#at === this.#drawn.length) {
      this.#drawn = this.random.bytes((idsAtOnce * idLength * 3) / 4).toString('base64url');
      this.#at = 0;
    }
    this.#at += idLength;
    return this.#drawn.slice(this.#at - idLength, this.#at);
  }
}
