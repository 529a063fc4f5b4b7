import type { ConnectReply, EngineReplies } from '../../../protocol/engine-api/replies';
import type { EngineCall, EngineRequests } from '../../../protocol/engine-api/requests';
import { EngineRefusedError } from '../../../protocol/engine-api/errors';
import type {
  AssignedFreePlays,
  ConfigurationQuery,
  FreePlayRequest,
  LaunchRequest,
  OperatorNotice,
  ServedGame,
  StatisticsQuery,
  StatisticsRow,
} from '../../../protocol/operator-api/served-messages';
import type { Cause, Resolution } from '../../ports';
import type { Round } from '../../rounds/round';
import type { RgsServiceOptions } from '../core/options';
import type { Core } from '../core/parts';
import { wire, type Wired } from '../core/wiring';
import { recoverRounds } from '../janitor';
import { decode } from '../state/event-shape';
import { connect, disconnect, reconnect } from './browser';
import { type EngineCalls, engineCalls } from './engine-calls';
import { launch, resendFor } from './launch';
import { assign, configuration, gameList, statistics } from './operator';
import { withOptionalMembers } from './optional-members';
import { gameResult, resolveRound } from './person';
import { type ServiceView, viewOf } from './view';

/**
 * A remote game server without HTTP: the calls of all sides, and what a person does (E1). The last argument of a call is
 * its own number in a trace; what is sent for it names that number. A call that is refused throws EngineRefusedError.
 */
export class RgsService {
  readonly #wired: Wired;
  readonly #calls: EngineCalls = engineCalls();
  #cancelTimer: (() => void) | null = null;
  #isClosed = false;

  /** @throws TypeError naming an option that is wrong */
  constructor(private readonly options: RgsServiceOptions) {
    this.#wired = wire(options);
  }

  /** Replays the journal, and starts what runs by itself (B4). */
  async start(): Promise<void> {
    const { state, committer, clock } = this.#wired.core;
    for await (const event of this.options.journal.replay()) state.apply(decode(event));
    await recoverRounds(state, committer, clock);
    this.#runHourly();
  }

  /** Works one call of a verified game provider (game-engine-api 4). */
  async call<Name extends EngineCall>(
    gameProviderId: string,
    name: Name,
    request: EngineRequests[Name],
    cause: Cause = null,
  ): Promise<EngineReplies[Name]> {
    return this.#shown(await this.#calls[name](this.#openCore(cause), gameProviderId, request));
  }

  /** Burns the launch token, and opens a session (E5.2). */
  async connect(launchToken: string, cause: Cause = null): Promise<ConnectReply> {
    return this.#shown(await connect(this.#openCore(cause), launchToken));
  }

  /** A new long token for the old one (E5.5). */
  async reconnect(token: string): Promise<ConnectReply> {
    return this.#shown(await reconnect(this.#openCore(), token));
  }

  /** Revokes the token; an open round stays open. */
  async disconnect(token: string): Promise<void> {
    return disconnect(this.#openCore(), token);
  }

  /** The launch URL. `afterReply` is called once the reply is sent (O 3, rule 7). */
  async getGameURL(
    operatorId: string,
    request: LaunchRequest,
    cause: Cause = null,
  ): Promise<{ readonly url: string; readonly afterReply: () => void }> {
    const core = this.#openCore(cause);
    const { url, owner } = await launch(core, operatorId, request);
    return { url, afterReply: () => this.#wired.background.add(resendFor(core, owner)) };
  }

  assignPlayerFreerounds(
    operatorId: string,
    request: FreePlayRequest,
    cause: Cause = null,
  ): Promise<AssignedFreePlays> {
    return assign(this.#core(cause), operatorId, request);
  }

  async getStats(
    operatorId: string,
    query: StatisticsQuery,
    cause: Cause = null,
  ): Promise<readonly StatisticsRow[]> {
    return statistics(this.#core(cause), operatorId, query);
  }

  /** The provider's configuration of a game, as JSON text (E21.3). */
  getGameConfiguration(
    _operatorId: string,
    query: ConfigurationQuery,
    cause: Cause = null,
  ): Promise<string> {
    return configuration(this.#core(cause), query);
  }

  async getGameList(_operatorId: string): Promise<readonly ServedGame[]> {
    return gameList(this.#core());
  }

  /** The specification has no more than the names of these two: what comes is kept, and shown (E24.4). */
  async registerPlayer(operatorId: string, notice: OperatorNotice): Promise<void> {
    this.#core().registered.keep(operatorId, notice);
  }

  async sendRealityCheckResponse(operatorId: string, notice: OperatorNotice): Promise<void> {
    this.#core().realityChecks.keep(operatorId, notice);
  }

  /** Does at once what is done by the hour (E16.3). Resolves when all of it is answered. */
  runJanitor(): Promise<void> {
    return this.#wired.janitor.run();
  }

  /**
   * A person's decision on a round (E16.2).
   * @throws EngineRefusedError 14 for an unknown round, 13 for one that is closed and should be again
   */
  resolve(gameProviderId: string, gameRound: string, how: Resolution): Promise<void> {
    return resolveRound(this.#core(), { gameProviderId, gameRound }, how);
  }

  /**
   * The result of a round as its provider shows it, as JSON text (E23.3).
   * @throws EngineRefusedError 14 for an unknown round, 9112 if the provider does not give it
   */
  gameResult(gameProviderId: string, gameRound: string, language: string): Promise<string> {
    const name = { gameProviderId, gameRound };
    return gameResult(this.#core(), this.options.provider, name, language);
  }

  /** A round as it is kept; null if it is not known. */
  round(gameProviderId: string, gameRound: string): Round | null {
    return this.#core().state.rounds.find(gameProviderId, gameRound);
  }

  /** The player's REAL rounds, of every game and currency, the latest start first. */
  roundsOf(operatorId: string, playerId: string): readonly Round[] {
    return [...this.#core().state.rounds.latestOf({ operatorId, playerId, mode: 'REAL' })];
  }

  /** What the service is like now. */
  view(): ServiceView {
    return viewOf(this.#wired);
  }

  /** Resolves once nothing is being sent and no work runs in the background. */
  async idle(): Promise<void> {
    const { core, background } = this.#wired;
    await core.lanes.idle();
    await background.idle();
    await core.delivery.idle();
  }

  /** Ends: calls are refused, what is being sent is answered, the journal is closed. */
  async close(): Promise<void> {
    const { core, janitor, background } = this.#wired;
    this.#isClosed = true;
    this.#cancelTimer?.();
    janitor.stop();
    await core.lanes.idle();
    await core.delivery.stop();
    await background.idle();
    await this.options.journal.close();
  }

  #runHourly(): void {
    const { core, janitor, background } = this.#wired;
    background.add(janitor.run());
    const everyMs = this.options.janitorEveryMs ?? 3_600_000;
    this.#cancelTimer = core.clock.after(everyMs, () => this.#runHourly(), 'background');
  }

  #core(cause: Cause = null): Core {
    return cause === null ? this.#wired.core : { ...this.#wired.core, cause };
  }

  /** @throws EngineRefusedError 9000 once the service is closed */
  #openCore(cause: Cause = null): Core {
    if (this.#isClosed) throw new EngineRefusedError('INTERNALERROR', 'B4');
    return this.#core(cause);
  }

  #shown<Reply extends EngineReplies[EngineCall] | ConnectReply>(reply: Reply): Reply {
    const { optionalMembers: names = [] } = this.options;
    return names.length === 0 ? reply : withOptionalMembers(new Set(names), reply);
  }
}

/**
 * Starts a service from its journal (B4): the events are replayed, debits without an outcome are cancelled,
 * queues are sent, and the janitor runs once, in the background.
 * @throws TypeError naming an option that is wrong; JournalError or UnreadableEventError for the journal
 */
export async function createRgsService(options: RgsServiceOptions): Promise<RgsService> {
  const service = new RgsService(options);
  await service.start();
  return service;
}
