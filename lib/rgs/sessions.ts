import type { Grant } from './grants';
import {
  defaultSessionTimes,
  hashOfToken,
  type HeldSession,
  markOf,
  replaces,
  type SessionEvent,
  type SessionOpened,
  type SessionTimes,
  TokenTable,
} from './session-tokens';

/** A session by its token. `ended`: by time; it serves the round that it has open, and no more (E5.4). */
interface FoundSession {
  readonly state: 'live' | 'ended';
  readonly grant: Grant;
  readonly openedAt: number;
}

/** A session without its token, for the page. */
export interface ListedSession extends FoundSession {
  readonly lastFour: string;
}

/** A grant, and the events to be applied and kept before it is used. */
export interface Granted {
  readonly grant: Grant;
  readonly events: readonly SessionEvent[];
}

/**
 * The tokens of the service (E5). Times are milliseconds of the service's clock, which only goes forwards.
 * A decision changes nothing: apply its events at once, in the same turn, then wait until the journal has
 * them, then answer; so a token is burned before a second use of it can come between.
 */
export class Sessions {
  readonly #table: TokenTable;

  constructor(times: SessionTimes = defaultSessionTimes) {
    this.#table = new TokenTable(times);
  }

  /** Issues a launch token (E5.1). */
  launch(token: string, grant: Grant, at: number): readonly SessionEvent[] {
    return [{ type: 'launchIssued', ...markOf(token), at, grant }];
  }

  /** The use of a launch token, which burns it; null if it is unknown, used or late: 1008 (E5.2). */
  burn(token: string, at: number): Granted | null {
    const held = this.#table.launches.get(hashOfToken(token));
    if (held === undefined || this.#table.isLate(held, at)) return null;
    return { grant: held.grant, events: [{ type: 'launchBurned', hash: held.hash }] };
  }

  /** Opens a session; it revokes older ones of the same seat and mode, unless `isBeside` (E5.3). */
  open(token: string, grant: Grant, at: number, isBeside: boolean): readonly SessionEvent[] {
    const revoked = isBeside
      ? []
      : revocations(this.#table, grant, (older) => replaces(grant, older));
    return [...revoked, opened(token, grant, at)];
  }

  /** Revokes every token of the player, operator and game, and opens the janitor's (E5.6). */
  openJanitor(token: string, grant: Grant, at: number): readonly SessionEvent[] {
    return [
      ...burnings(this.#table, grant),
      ...revocations(this.#table, grant, () => true),
      opened(token, grant, at),
    ];
  }

  /** The session of a token; null if it is unknown, revoked or over: 1008. */
  find(token: string, at: number): FoundSession | null {
    const held = this.#held(token, at);
    if (held === null) return null;
    return { state: held.state, grant: held.grant, openedAt: held.issuedAt };
  }

  /**
   * A call came with this token: a live session slides on (E5.3). Changes the state itself, and gives an
   * event at most once a minute a session, so that a call costs no write; after a restart a session may
   * end up to a minute early.
   */
  used(token: string, at: number): readonly SessionEvent[] {
    const held = this.#held(token, at);
    if (held?.state !== 'live' || !this.#table.use(held.hash, at)) return [];
    return [{ type: 'sessionUsed', hash: held.hash, at }];
  }

  /** A new token for a live one, which is revoked; null otherwise, or for a janitor's: 1008 (E5.5). */
  reconnect(token: string, newToken: string, at: number): Granted | null {
    const held = this.#held(token, at);
    if (held?.state !== 'live' || held.grant.kind === 'janitor') return null;
    const { grant, hash } = held;
    return { grant, events: [{ type: 'sessionRevoked', hash }, opened(newToken, grant, at)] };
  }

  /** Revokes a session; null if it is unknown, revoked or over: 1008 (E5.5). */
  disconnect(token: string, at: number): readonly SessionEvent[] | null {
    const held = this.#held(token, at);
    return held === null ? null : [{ type: 'sessionRevoked', hash: held.hash }];
  }

  apply(event: SessionEvent): void {
    this.#table.apply(event);
  }

  /** Events that give this state to an empty registry. */
  snapshot(): readonly SessionEvent[] {
    return snapshotOf(this.#table);
  }

  /** The live sessions and those that still serve an open round, oldest first. */
  list(at: number): readonly ListedSession[] {
    return [...this.#table.sessions.values()].flatMap((held) => {
      const { grant, issuedAt: openedAt, lastFour } = held;
      const state = this.#table.stateOf(held, at);
      return state === null ? [] : [{ state, grant, openedAt, lastFour }];
    });
  }

  #held(token: string, at: number): (HeldSession & Pick<FoundSession, 'state'>) | null {
    const held = this.#table.sessions.get(hashOfToken(token));
    const state = held === undefined ? null : this.#table.stateOf(held, at);
    return held === undefined || state === null ? null : { ...held, state };
  }
}

function opened(token: string, grant: Grant, at: number): SessionOpened {
  return { type: 'sessionOpened', ...markOf(token), at, grant };
}

function revocations(
  table: TokenTable,
  grant: Grant,
  isOver: (older: Grant) => boolean,
): SessionEvent[] {
  return table.hashesBeside(grant).flatMap((hash): SessionEvent[] => {
    const older = table.sessions.get(hash);
    return older !== undefined && isOver(older.grant) ? [{ type: 'sessionRevoked', hash }] : [];
  });
}

function burnings(table: TokenTable, grant: Grant): SessionEvent[] {
  const hashes = table.hashesBeside(grant).filter((hash) => table.launches.has(hash));
  return hashes.map((hash) => ({ type: 'launchBurned', hash }));
}

function snapshotOf({ launches, sessions }: TokenTable): SessionEvent[] {
  return [
    ...[...launches.values()].map(({ hash, lastFour, issuedAt: at, grant }): SessionEvent => {
      return { type: 'launchIssued', hash, lastFour, at, grant };
    }),
    ...[...sessions.values()].flatMap(
      ({ hash, lastFour, issuedAt: at, usedAt, grant }): SessionEvent[] => [
        { type: 'sessionOpened', hash, lastFour, at, grant },
        ...(usedAt > at ? [{ type: 'sessionUsed', hash, at: usedAt } as const] : []),
      ],
    ),
  ];
}
