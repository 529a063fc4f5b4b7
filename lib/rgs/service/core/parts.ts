import type { Clock, Random } from '../../../platform';
import { type EngineCall, EngineRefusedError } from '../../../protocol/engine-api';
import type { CallFinding, Context, Round, RoundSettings } from '../../rounds';
import type { Committer } from '../commit';
import type { Delivery } from '../delivery';
import type { Front, Lanes } from '../lanes';
import type { Grant } from '../../sessions';
import type { SettingsBook } from '../../settings';
import type { Cause } from '../lines';
import type { Notices } from '../notices';
import type { Game, ServiceFinding } from '../options';
import { playerKey, type PlayerName, type State } from '../state';
import { type Caller, callerOf } from './caller';
import { hashOf } from './hashes';
import type { Surroundings } from './surroundings';

/** What the calls depend on. */
export interface Core {
  /** The call that is worked; null for what no call is worked for. */
  readonly cause: Cause;
  readonly state: State;
  readonly committer: Committer;
  readonly delivery: Delivery;
  readonly lanes: Lanes;
  readonly surroundings: Surroundings;
  /** The service's clock, which can be moved on (E1.3). */
  readonly clock: Clock;
  /** Real time, for time limits. */
  readonly realClock: Clock;
  /** For tokens and ids. */
  readonly random: Random;
  /** For getRandomResult (E22.1). */
  readonly draws: Random;
  readonly omitRngRequestId: boolean;
  readonly settings: RoundSettings;
  /** Whether an id that a query was answered 15 for is spent (E14.1). */
  readonly spendQueriedIds: boolean;
  readonly games: ReadonlyMap<string, Game>;
  readonly operatorIds: ReadonlySet<string>;
  readonly settingsBook: SettingsBook;
  /** What operators have sent by registerPlayer, and by sendRealityCheckResponse (E24.4). */
  readonly registered: Notices;
  readonly realityChecks: Notices;
  /** Euros for one of a currency, decimal texts (E24.3). */
  readonly euroRates: ReadonlyMap<string, string>;
  /** The URL of the engine and browser calls, without a slash at its end (E1.4). */
  readonly engineUrl: () => string;
  /** A call under a token of this kind named the round: one of a player's says that it is not abandoned (E16.1). */
  readonly onRoundCalled: (gameProviderId: string, gameRound: string, kind: Grant['kind']) => void;
  /** A finding that concerns no round. */
  readonly onFinding: (
    finding: Pick<ServiceFinding, 'call' | 'code' | 'rule' | 'gameProviderId' | 'cause'>,
  ) => void;
  readonly onFindings: (by: CausedCall, round: Round, findings: readonly CallFinding[]) => void;
}

/** A call that showed something. */
export interface CausedCall {
  readonly call: string;
  readonly cause: Cause;
}

/** A call at the front of its lane. */
export interface AtFront {
  readonly caller: Caller;
  readonly front: Front;
  readonly player: PlayerName;
}

/** A call with a token, as its lane needs it. */
interface Tokened {
  readonly gameProviderId: string;
  readonly name: EngineCall;
  readonly token: string;
  readonly gameRound: string | null;
}

/**
 * Works a call in the lane of its player (E15.3). The session is looked up before, to know the lane, and
 * again at its front: a call before it may have ended it.
 */
export function inLane<T>(
  core: Core,
  named: Tokened,
  work: (at: AtFront) => Promise<T>,
): Promise<T> {
  const now = (): number => core.clock.now();
  const player: PlayerName = callerOf(core.state, now(), named).grant.owner;
  return core.lanes.take(playerKey(player), (front) => {
    const caller = callerOf(core.state, now(), named);
    noteCall(core, named, caller.grant);
    return work({ caller, front, player });
  });
}

/** The session slides on, and the round that is named is in use (E5.3, E16.1). */
export function noteCall(
  { state, committer, clock, onRoundCalled }: Core,
  { gameProviderId, token, gameRound }: Tokened,
  { owner, kind }: Grant,
): void {
  if (gameRound !== null) onRoundCalled(gameProviderId, gameRound, kind);
  const events = state.sessions.used(token, clock.now());
  if (events.length === 0) return;
  const slide = events.map((event) => ({ type: 'session', event }) as const);
  // Nothing depends on it: without it the session ends a minute earlier after a restart.
  committer.commit(playerKey(owner), () => ({ events: slide, result: null })).catch(() => {});
}

/** What the rules may know of a call. */
export function contextOf({ clock, settings, surroundings }: Core, { grant }: Caller): Context {
  return { session: grant, at: clock.now(), settings, hashOf, ...surroundings.boundsOf(grant) };
}

/** @throws EngineRefusedError 9000 if it is unknown what is durable of this player (B4). */
export function checkCertain({ committer }: Core, player: PlayerName): void {
  if (committer.isInDoubt(playerKey(player))) throw new EngineRefusedError('INTERNALERROR', 'B4');
}
