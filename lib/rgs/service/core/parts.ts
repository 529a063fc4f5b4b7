import type { SessionEvent } from '../../session-tokens';
import { createHash } from 'node:crypto';

import type { Clock, Random } from '../../../platform';
import type { EngineCall, EngineRequests } from '../../../protocol/engine-api/requests';
import { EngineRefusedError } from '../../../protocol/engine-api/errors';
import type { EngineReplies } from '../../../protocol/engine-api/replies';
import type { Cause } from '../../ports';
import type { CallFinding } from '../../rounds/decision';
import type { Context, RoundSettings } from '../../rounds/context';
import type { Round } from '../../rounds/round';
import { type Grant, isServedAfterEnd, isServedFor } from '../../grants';
import type { SettingsBook } from '../../settings';
import type { Delivery } from '../delivery';
import type { Committer } from '../state/committer';
import type { State } from '../state/everything';
import { playerKey, type PlayerName } from '../state/keys';
import type { Front, Lanes } from './lanes';
import type { Notices } from './notices';
import type { Game, ServiceFinding } from './options';
import type { Surroundings } from './surroundings';

/**
 * The UUID v5 of a name in a namespace (RFC 9562, 5.5): the same name always has the same id.
 * @throws TypeError if the namespace is not a UUID
 */
export function uuidV5(namespace: string, name: string): string {
  const space = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  if (space.length !== 16) throw new TypeError('the namespace must be a UUID');
  const bytes = createHash('sha1').update(space).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return [...parts, hex.slice(20)].join('-');
}

/** The namespace of the hashes of transactions; it must never change (E15.4). */
const namespace = '6f1d2c6e-0b7c-5a1f-9a3e-4b5c8d7e6f10';

/** The UUID v5 of a name: the same step has the same hash after a crash (E15.4). */
export function hashOf(name: string): string {
  return uuidV5(namespace, name);
}

/** Who makes a call: the token, and what it gives access to (E5.8). */
export interface Caller {
  readonly token: string;
  readonly grant: Grant;
}

/** The parts of a call that say whether its token serves it, and in which lane it waits. */
interface Named {
  readonly gameProviderId: string;
  readonly name: EngineCall;
  readonly token: string;
  /** The round that the call names; null if there is none. */
  readonly gameRound: string | null;
}

/**
 * The session of a call (E4.5). One that ended by time still serves the round that it has open (E5.4).
 * @throws EngineRefusedError 1008 for a token that is not valid, or another provider's (E2.7); 19 for a call that a
 * token of its kind does not make (E5.6, E19.2).
 */
export function callerOf(state: State, now: number, named: Named): Caller {
  const { gameProviderId, name, token, gameRound } = named;
  const found = state.sessions.find(token, now);
  if (found === null) throw new EngineRefusedError('SESSIONINVALID', 'E5.3');
  const { grant } = found;
  if (grant.owner.gameProviderId !== gameProviderId) {
    // The text names the rule, which is that of an unknown token: the two look the same (E2.7).
    throw new EngineRefusedError('SESSIONINVALID', 'E5.3');
  }
  if (found.state === 'ended') {
    const open = openRoundOf(state, grant);
    const isServed = open !== null && open.gameRound === gameRound && isServedAfterEnd(name);
    if (!isServed) throw new EngineRefusedError('SESSIONINVALID', 'E5.4');
  }
  if (!isServedFor(grant.kind, name)) {
    throw new EngineRefusedError('INVALIDPARAMETER', grant.kind === 'history' ? 'E19.2' : 'E5.6');
  }
  return { token, grant };
}

/** The open round of the player in the session's game; null if there is none (E5.7). */
export function openRoundOf({ rounds }: State, { owner }: Grant): Round | null {
  const isOfGame = (round: Round): boolean =>
    round.owner.gameCode === owner.gameCode && round.owner.gameProviderId === owner.gameProviderId;
  return rounds.openOf(owner).find(isOfGame) ?? null;
}

/** Works one call of the Game Engine API. */
export type EngineWork<Name extends EngineCall> = (
  core: Core,
  gameProviderId: string,
  request: EngineRequests[Name],
) => Promise<EngineReplies[Name]>;

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

/**
 * Works a call in the lane of its player (E15.3). The session is looked up before, to know the lane, and
 * again at its front: a call before it may have ended it.
 */
export function inLane<T>(core: Core, named: Named, work: (at: AtFront) => Promise<T>): Promise<T> {
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
  core: Core,
  { gameProviderId, token, gameRound }: Named,
  { owner, kind }: Grant,
): void {
  if (gameRound !== null) core.onRoundCalled(gameProviderId, gameRound, kind);
  const events = core.state.sessions.used(token, core.clock.now());
  if (events.length === 0) return;
  // Nothing depends on it: without it the session ends a minute earlier after a restart.
  commitSessions(core, owner, () => events).catch(() => {});
}

/** Makes a change of the sessions durable; decisions about one player wait for each other (B4). */
export function commitSessions(
  { committer }: Core,
  owner: PlayerName,
  decide: () => readonly SessionEvent[],
): Promise<null> {
  const key = playerKey(owner);
  return committer.append(key, () => decide().map((event) => ({ type: 'session', event })));
}

/** What the rules may know of a call. */
export function contextOf({ clock, settings, surroundings }: Core, { grant }: Caller): Context {
  return { session: grant, at: clock.now(), settings, hashOf, ...surroundings.boundsOf(grant) };
}

/** @throws EngineRefusedError 9000 if it is unknown what is durable of this player (B4). */
export function checkCertain({ committer }: Core, player: PlayerName): void {
  if (committer.isInDoubt(playerKey(player))) throw new EngineRefusedError('INTERNALERROR', 'B4');
}
