import { createHash } from 'node:crypto';

import type { Grant } from './grants';

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
interface TokenMark {
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
interface LaunchIssued extends TokenMark {
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

/** How long tokens are valid, in milliseconds (E5). */
export interface SessionTimes {
  /** Of a launch token (E5.1). */
  readonly launchTtlMs: number;
  /** Of a session from its start, used or not (E5.3). */
  readonly sessionTtlMs: number;
  /** Of a session without a call (E5.3). */
  readonly sessionIdleMs: number;
  /** Of a janitor's token, with or without calls (E5.6). */
  readonly janitorTtlMs: number;
  /** For the open round, after a session ended by time (E5.4). */
  readonly afterEndMs: number;
}

/** The values of E5. */
export const defaultSessionTimes: SessionTimes = Object.freeze({
  launchTtlMs: 120_000,
  sessionTtlMs: 24 * 3_600_000,
  sessionIdleMs: 30 * 60_000,
  janitorTtlMs: 3_600_000,
  afterEndMs: 10 * 60_000,
});

/** A launch token as it is kept. */
interface HeldLaunch extends TokenMark {
  readonly issuedAt: number;
  readonly grant: Grant;
}

/** A session as it is kept. */
export interface HeldSession extends HeldLaunch {
  /** The latest call. */
  readonly usedAt: number;
}

/** When a session ends by time: the first of its limits (E5.3, E5.6). */
function endOf({ grant, issuedAt, usedAt }: HeldSession, times: SessionTimes): number {
  if (grant.kind === 'janitor') return issuedAt + times.janitorTtlMs;
  return Math.min(issuedAt + times.sessionTtlMs, usedAt + times.sessionIdleMs);
}

/** The player, operator and game of a token: getTokenForGameRound revokes by them (E5.6). */
function seatOf({ owner }: Pick<Grant, 'owner'>): string {
  return JSON.stringify([owner.operatorId, owner.playerId, owner.gameCode]);
}

/**
 * Whether a newer session ends an older one of the same seat (E5.3): that of the same mode. A history token
 * counts as another mode; a janitor's has its round's mode, so that one party alone plays a round.
 */
export function replaces(newer: Grant, older: Grant): boolean {
  const isHistory = newer.kind === 'history';
  return newer.owner.mode === older.owner.mode && isHistory === (older.kind === 'history');
}

/** Between two events about the use of one session, and between two sweeps. */
const minuteMs = 60_000;

/** The tokens as events left them; a token that is over leaves within a minute of the next issue. */
export class TokenTable {
  readonly launches = new Map<string, HeldLaunch>();
  readonly sessions = new Map<string, HeldSession>();
  /** Hashes of the tokens of a seat. */
  readonly #seats = new Map<string, Set<string>>();
  /** The latest use of a session that the journal has, by hash. */
  readonly #keptUses = new Map<string, number>();
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(readonly times: SessionTimes) {}

  /** Hashes of all tokens of the grant's player, operator and game. */
  hashesBeside(grant: Grant): readonly string[] {
    return [...(this.#seats.get(seatOf(grant)) ?? [])];
  }

  /** Whether a session is live, or ended by time and good for its open round; null if it is over. */
  stateOf(held: HeldSession, at: number): 'live' | 'ended' | null {
    const end = endOf(held, this.times);
    if (at < end) return 'live';
    return at < end + this.times.afterEndMs ? 'ended' : null;
  }

  isLate({ issuedAt }: HeldLaunch, at: number): boolean {
    return at >= issuedAt + this.times.launchTtlMs;
  }

  /** Moves the latest use on; true if it is to be kept, a minute or more after the one kept before. */
  use(hash: string, at: number): boolean {
    const held = this.sessions.get(hash);
    if (held !== undefined && at > held.usedAt) this.sessions.set(hash, { ...held, usedAt: at });
    const kept = this.#keptUses.get(hash);
    if (kept === undefined || at - kept < minuteMs) return false;
    this.#keptUses.set(hash, at);
    return true;
  }

  apply(event: SessionEvent): void {
    switch (event.type) {
      case 'launchIssued':
      case 'sessionOpened':
        return this.#hold(event);
      case 'sessionUsed':
        this.use(event.hash, event.at);
        return;
      case 'launchBurned':
      case 'sessionRevoked':
        return this.#drop(event.hash);
    }
  }

  #hold({ type, hash, lastFour, grant, at }: LaunchIssued | SessionOpened): void {
    this.#sweep(at);
    const held: HeldLaunch = { hash, lastFour, issuedAt: at, grant };
    if (type === 'launchIssued') this.launches.set(hash, held);
    else {
      this.sessions.set(hash, { ...held, usedAt: at });
      this.#keptUses.set(hash, at);
    }
    const seat = seatOf(grant);
    const hashes = this.#seats.get(seat);
    if (hashes === undefined) this.#seats.set(seat, new Set([hash]));
    else hashes.add(hash);
  }

  #drop(hash: string): void {
    const held = this.launches.get(hash) ?? this.sessions.get(hash);
    if (held === undefined) return;
    this.launches.delete(hash);
    this.sessions.delete(hash);
    this.#keptUses.delete(hash);
    const seat = seatOf(held.grant);
    const hashes = this.#seats.get(seat);
    hashes?.delete(hash);
    if (hashes?.size === 0) this.#seats.delete(seat);
  }

  /** At most once a minute, so that the cost of a call stays flat. */
  #sweep(at: number): void {
    if (at - this.#sweptAt < minuteMs) return;
    this.#sweptAt = at;
    for (const held of this.launches.values()) if (this.isLate(held, at)) this.#drop(held.hash);
    for (const held of this.sessions.values()) {
      if (this.stateOf(held, at) === null) this.#drop(held.hash);
    }
  }
}
