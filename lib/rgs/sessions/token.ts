import { createHash } from 'node:crypto';

import type { Grant } from './grant';

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

/** A launch token was issued (E5.1). Times are milliseconds of the service's clock. */
export interface LaunchIssued extends TokenMark {
  readonly type: 'launchIssued';
  readonly at: number;
  readonly grant: Grant;
}

/** A launch token was used, or revoked; it is of no use any more (E5.2). */
interface LaunchBurned {
  readonly type: 'launchBurned';
  readonly hash: string;
}

/** A session's token was issued (E5.3, E5.6). */
export interface SessionOpened extends TokenMark {
  readonly type: 'sessionOpened';
  readonly at: number;
  readonly grant: Grant;
}

/** A call came with the token. Kept at most once a minute (see `Sessions.used`). */
interface SessionUsed {
  readonly type: 'sessionUsed';
  readonly hash: string;
  readonly at: number;
}

/** The token serves nothing any more (E5.3 to E5.6). */
interface SessionRevoked {
  readonly type: 'sessionRevoked';
  readonly hash: string;
}

/** What changes the sessions; a journal keeps these (B4). None has the text of a token. */
export type SessionEvent =
  | LaunchIssued
  | LaunchBurned
  | SessionOpened
  | SessionUsed
  | SessionRevoked;
