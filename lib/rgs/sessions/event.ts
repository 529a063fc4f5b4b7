import type { Grant } from './grant';
import type { TokenMark } from './token';

/** A launch token was issued (E5.1). Times are milliseconds of the service's clock. */
export interface LaunchIssued extends TokenMark {
  readonly type: 'launchIssued';
  readonly at: number;
  readonly grant: Grant;
}

/** A launch token was used, or revoked; it is of no use any more (E5.2). */
export interface LaunchBurned {
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
export interface SessionUsed {
  readonly type: 'sessionUsed';
  readonly hash: string;
  readonly at: number;
}

/** The token serves nothing any more (E5.3 to E5.6). */
export interface SessionRevoked {
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
