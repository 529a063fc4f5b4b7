import type { LaunchIssued, SessionEvent, SessionOpened } from './event';
import type { Grant } from './grant';
import { endOf, type HeldLaunch, type HeldSession, seatOf, type SessionTimes } from './held';

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
