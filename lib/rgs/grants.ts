import type { EngineCall } from '../protocol/engine-api/requests';
import type { GameSettings } from '../protocol/engine-api/replies';
import type { Session } from './rounds/context';

/**
 * What a token gives access to, fixed at the launch (E5.8): who calls, and what replies and calls to the
 * wallet carry. A history token reads REAL rounds, so its owner's mode is REAL.
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
