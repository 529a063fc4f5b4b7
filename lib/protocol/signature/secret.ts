import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import { inspect } from 'node:util';
import { PreparedHmac } from './prepared-hmac';

const placeholder = '[secret]';
/** Characters of a whole signature. */
const signatureLength = 44;
const digestBytes = 32;
/** Longest key that HMAC-SHA256 takes as it is; a longer one is its digest (RFC 2104). */
const longestKeyBytes = 64;

/** How the other side may have used the secret by mistake; all but `plain` only serve to explain. */
export type SecretForm =
  | 'plain'
  | 'notInString'
  | 'trailingNewline'
  | 'trailingCrLf'
  | 'trailingSpace'
  | 'leadingSpace'
  | 'keyFromBase64'
  | 'keyFromHex';

/** The result of a form: the text in the signed string, and the key. */
interface FormedSecret {
  readonly front: string | null;
  readonly key: Buffer;
}

const forms: Readonly<Record<SecretForm, (text: string) => FormedSecret>> = {
  plain: (text) => ({ front: text, key: Buffer.from(text) }),
  notInString: (text) => ({ front: null, key: Buffer.from(text) }),
  trailingNewline: (text) => withSpace(`${text}\n`),
  trailingCrLf: (text) => withSpace(`${text}\r\n`),
  trailingSpace: (text) => withSpace(`${text} `),
  leadingSpace: (text) => withSpace(` ${text}`),
  keyFromBase64: (text) => ({ front: text, key: Buffer.from(text, 'base64') }),
  keyFromHex: (text) => ({ front: text, key: Buffer.from(text, 'hex') }),
};

/**
 * A shared secret that cannot be printed: logging, serialising or inspecting it gives a placeholder. The
 * signed string begins with the secret, so it never leaves {@link Secret.mac}.
 */
export class Secret {
  readonly #text: string;
  readonly #key: KeyObject;
  readonly #hmac: PreparedHmac;
  /** Null if all secrets have one length. */
  readonly #filler: Filler | null;
  /** The key of fingerprints, and room for their input: signature and digest of a body. */
  readonly #fingerprinted: Buffer;

  /**
   * @param costBytes Bytes of the longest secret whose cost {@link Secret.mac} should have (D1.1); this
   * secret's own unless given.
   * @throws TypeError for fewer than 16 bytes, or surrounding white space (D1.2).
   */
  constructor(text: string, costBytes?: number) {
    if (typeof text !== 'string' || Buffer.byteLength(text) < 16) {
      throw new TypeError('a secret must be a text of at least 16 bytes');
    }
    if (text.trim() !== text) throw new TypeError('a secret must not have white space around it');
    this.#text = text;
    const bytes = Buffer.from(text);
    const { byteLength } = bytes;
    // A long key is hashed here, and not for each signature, which would show its length (D1.1).
    const isLong = byteLength > longestKeyBytes;
    this.#key = createSecretKey(isLong ? hash('sha256', bytes, 'buffer') : bytes);
    this.#hmac = new PreparedHmac(this.#key, `${text}#`);
    this.#filler = costBytes === undefined ? null : new Filler(byteLength + 1, costBytes + 1);
    const key = createHmac('sha256', text).update('fingerprint of a call').digest();
    this.#fingerprinted = Buffer.concat([key], key.byteLength + signatureLength + digestBytes);
  }

  /** HMAC-SHA256, in base64, over the secret, `#` and the rest of the signed fields (operator-api 5). */
  mac(rest: string): string {
    this.#filler?.fill(rest);
    return this.#hmac.digest(rest);
  }

  /**
   * HMAC-SHA256, in base64, over the bytes of a body as sent, `#` and the timestamp (E2.2). The secret is
   * the key and not in this string, so its length costs nothing.
   */
  macBody(body: Uint8Array, timestamp: string): string {
    return createHmac('sha256', this.#key).update(body).update(`#${timestamp}`).digest('base64');
  }

  /**
   * Characters of base64 that identify a signature and its body, the same in every process (D1.8): some of
   * the signature, and some that nobody can compute without the secret, so that no other body can be made
   * to fit. All inputs have one length, so a plain hash with the key in front is safe.
   * @param digest SHA-256 of the body, 32 bytes.
   */
  fingerprint(signature: string, digest: Uint8Array): string {
    const text = this.#fingerprinted;
    const at = text.byteLength - digestBytes;
    text.write(signature, at - signatureLength, 'latin1');
    text.set(digest, at);
    return (
      signature.slice(0, signatureCharacters) +
      hash('sha256', text, 'base64').slice(0, bodyCharacters)
    );
  }

  /** The same with the secret used in another form, to explain a wrong signature. */
  macAs(form: SecretForm, separator: string, rest: string): Buffer {
    const { front, key } = forms[form](this.#text);
    const signed = front === null ? rest : front + separator + rest;
    return createHmac('sha256', key).update(signed).digest();
  }

  /** The same for a signed body: the key in another form, and the secret perhaps in the string too. */
  macBodyAs(form: SecretForm, place: 'none' | 'front' | 'end', signed: Uint8Array): Buffer {
    const mac = createHmac('sha256', forms[form](this.#text).key);
    if (place === 'front') mac.update(`${this.#text}#`);
    mac.update(signed);
    if (place === 'end') mac.update(`#${this.#text}`);
    return mac.digest();
  }

  /** Whether a received text holds the secret, and must not be passed on. */
  isWithin(text: string): boolean {
    return text.includes(this.#text);
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

/**
 * A secret, wrapped.
 * @param option Names it in errors.
 * @param costBytes As of {@link Secret}.
 * @throws TypeError that does not repeat it.
 */
export function readSecret(option: string, text: string, costBytes?: number): Secret {
  try {
    return new Secret(text, costBytes);
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'is not valid';
    throw new TypeError(`${option}: ${problem}`, { cause: error });
  }
}

function withSpace(text: string): FormedSecret {
  return { front: text, key: Buffer.from(text) };
}

const blockBytes = 64;

/**
 * Hashes what a longer secret would have hashed in addition, so that a signature costs the same number of
 * SHA-256 blocks for all secrets of an operator, and for none (D1.1).
 */
class Filler {
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

/**
 * Characters of base64 in the fingerprint of a signed call (D1.8): those for its signature, and those for
 * its body.
 */
export const signatureCharacters = 4;
/** Characters of a fingerprint that come from the body and the secret; they follow those of the signature. */
export const bodyCharacters = 8;
