import type { EngineCall, GameSettings } from '../protocol/engine-api';
import type { Session } from './rounds';
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

/**
 * What a token gives access to, fixed at the launch (E5.8): who calls, and what replies and calls to the
 * wallet carry. The owner's mode of a history token is REAL, whose rounds it looks at.
 */
export interface Grant extends Session {
  /** Upper case (E5.7). */
  readonly language: string;
  readonly device: string;
  /** The operator's reference of the session, for getBalance (W11); null if there is none. */
  readonly externalSessionId: string | null;
  /** The operator's profile of settings by its name; null if there is none (E21.1). */
  readonly profile: string | null;
  /** Launch options, checked: they win over the profile's (E21.1). */
  readonly options: GameSettings;
}

/** The facts of a launch that a {@link Grant} is made of. */
interface LaunchFacts {
  readonly language: string;
  readonly device: string | null;
  readonly externalSessionId: string | null;
  readonly profile: string | null;
  readonly options: GameSettings;
}

/** The grant of a launch: the language in upper case, the device `desktop` unless it is named (E5.7). */
export function grantOf({ owner, kind }: Session, launch: LaunchFacts): Grant {
  const { language, device, externalSessionId, profile, options } = launch;
  return {
    owner,
    kind,
    language: language.toUpperCase(),
    device: device ?? 'desktop',
    externalSessionId,
    profile,
    options,
  };
}

/** Calls about one round that its open round is still served after the token ended by time (E5.4). */
const servedAfterEnd: ReadonlySet<EngineCall> = new Set<EngineCall>([
  'addWin',
  'wagerWin',
  'addSpinCounterGameState',
  'collectWin',
  'endGameRound',
  'voidGameRound',
  'getGameRoundInfo',
  'getGameRoundHistoryInfo',
  'getUncollectedAmount',
  'getAvailableSpinCounter',
]);

/** All that a history token may call (E19.2). */
const servedForHistory: ReadonlySet<EngineCall> = new Set<EngineCall>([
  'getGameRoundInfo',
  'getGameRoundHistoryInfo',
  'getUncollectedAmount',
  'getAvailableSpinCounter',
  'getTokenData',
  'getLastGameRounds',
]);

/** Whether a token that ended by time serves the call, on the round that it has open (E5.4). */
export function isServedAfterEnd(call: EngineCall): boolean {
  return servedAfterEnd.has(call);
}

/**
 * Whether a token of this kind may make the call; otherwise it is 19. A history token only asks (E19.2), a
 * janitor's starts no round (E5.6).
 */
export function isServedFor(kind: Session['kind'], call: EngineCall): boolean {
  if (kind === 'history') return servedForHistory.has(call);
  return kind === 'player' || call !== 'startGameRound';
}

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
