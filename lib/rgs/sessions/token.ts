import { createHash } from 'node:crypto';

/** Random bytes of a token (E5.1, E5.3). */
export const tokenBytes = 32;

/**
 * A token made of random bytes: base64url, 43 characters. The text goes to its bearer and is kept nowhere.
 * @throws TypeError unless there are exactly 32 bytes
 */
export function tokenOf(bytes: Uint8Array): string {
  if (bytes.length !== tokenBytes) throw new TypeError(`a token has ${tokenBytes} random bytes`);
  return Buffer.from(bytes).toString('base64url');
}

/** What is kept of a token (E5.1): no token can be made from it, and the time of a lookup reveals nothing. */
export interface TokenMark {
  /** SHA-256 of the token, in hex. */
  readonly hash: string;
  /** Its last four characters, by which a person recognises it. */
  readonly lastFour: string;
}

/** The mark of a token. */
export function markOf(token: string): TokenMark {
  return { hash: hashOfToken(token), lastFour: token.slice(-4) };
}

/** SHA-256 of a token, in hex. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
