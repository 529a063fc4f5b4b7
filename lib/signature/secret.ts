import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { inspect } from 'node:util';

const placeholder = '[secret]';

/**
 * A shared secret that cannot be printed: logging, serialising or inspecting it gives a
 * placeholder. The signed string begins with the secret, so it never leaves {@link Secret.mac}.
 */
export class Secret {
  readonly #text: string;
  readonly #key: KeyObject;

  /** @throws TypeError for fewer than 16 bytes, or white space around it (D1.2). */
  constructor(text: string) {
    if (typeof text !== 'string' || Buffer.byteLength(text) < 16) {
      throw new TypeError('a secret must be a text of at least 16 bytes');
    }
    if (text.trim() !== text) throw new TypeError('a secret must not have white space around it');
    this.#text = text;
    this.#key = createSecretKey(Buffer.from(text));
  }

  /** HMAC-SHA256 over the secret, `#` and the rest of the signed fields (operator-api 5). */
  mac(rest: string): Buffer {
    return createHmac('sha256', this.#key).update(`${this.#text}#${rest}`).digest();
  }

  toString(): string {
    return placeholder;
  }

  toJSON(): string {
    return placeholder;
  }

  [inspect.custom](): string {
    return placeholder;
  }
}
