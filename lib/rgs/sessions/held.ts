import type { Grant } from './grant';
import type { TokenMark } from './token';

/** How long tokens are valid, in milliseconds (E5). */
export interface SessionTimes {
  /** Of a launch token (E5.1). */
  readonly launchTtlMs: number;
  /** Of a session from its start, whatever happens (E5.3). */
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
export interface HeldLaunch extends TokenMark {
  readonly issuedAt: number;
  readonly grant: Grant;
}

/** A session as it is kept. */
export interface HeldSession extends HeldLaunch {
  /** The latest call. */
  readonly usedAt: number;
}

/** When a session ends by time: the first of its limits (E5.3, E5.6). */
export function endOf({ grant, issuedAt, usedAt }: HeldSession, times: SessionTimes): number {
  if (grant.kind === 'janitor') return issuedAt + times.janitorTtlMs;
  return Math.min(issuedAt + times.sessionTtlMs, usedAt + times.sessionIdleMs);
}

/** The player, operator and game of a token: getTokenForGameRound revokes by them (E5.6). */
export function seatOf({ owner }: Pick<Grant, 'owner'>): string {
  return JSON.stringify([owner.operatorId, owner.playerId, owner.gameCode]);
}

/**
 * Whether a newer session ends an older one of the same seat (E5.3): that of the same mode. A history token
 * is a mode of its own; a janitor's is of its round's mode, so that one party alone plays a round.
 */
export function replaces(newer: Grant, older: Grant): boolean {
  const isHistory = newer.kind === 'history';
  return newer.owner.mode === older.owner.mode && isHistory === (older.kind === 'history');
}
