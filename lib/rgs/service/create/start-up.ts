import {
  type ConnectReply,
  type EngineCall,
  type EngineReplies,
  EngineRefusedError,
  type EngineRequests,
} from '../../../protocol/engine-api';
import { connect, disconnect, reconnect } from '../calls/browser';
import { engineCalls } from '../calls/engine-calls';
import { gameResult, resolveRound } from '../calls/person';
import { launch, resendFor } from '../calls/launch';
import { operatorCalls } from '../calls/operator';
import type { Round } from '../../rounds';
import type {
  BrowserService,
  Cause,
  EngineService,
  OperatorService,
  Resolution,
} from '../../ports';
import type { RgsServiceOptions } from '../core/options';
import { withOptionalMembers } from '../calls/optional-members';
import { recoverRounds, replay } from './recovery';
import { type ServiceView, viewOf } from '../calls/view';
import { wire } from './wiring';

/** A remote game server without HTTP: the calls of all sides, and what a person does (E1). */
export interface RgsService extends EngineService, BrowserService, OperatorService {
  /** Does at once what is done by the hour (E16.3). Resolves when all of it is answered. */
  runJanitor(): Promise<void>;
  /**
   * A person's decision on a round (E16.2).
   * @throws EngineRefusedError 14 for an unknown round, 13 for one that is closed and should be again
   */
  resolve(gameProviderId: string, gameRound: string, how: Resolution): Promise<void>;
  /**
   * The result of a round as its provider shows it, as JSON text (E23.3).
   * @throws EngineRefusedError 14 for an unknown round, 9112 if the provider does not give it
   */
  gameResult(gameProviderId: string, gameRound: string, language: string): Promise<string>;
  /** A round as it is kept; null if it is not known. */
  round(gameProviderId: string, gameRound: string): Round | null;
  /** The player's REAL rounds, of every game and currency, the latest start first. */
  roundsOf(operatorId: string, playerId: string): readonly Round[];
  view(): ServiceView;
  /** Resolves once nothing is sent and nothing goes on in the background. */
  idle(): Promise<void>;
  /** Ends: calls are refused, what is being sent is answered, the journal is closed. */
  close(): Promise<void>;
}

/**
 * Starts a service from its journal (B4): the events are replayed, debits without an outcome are cancelled,
 * queues go on, and the janitor runs once, in the background.
 * @throws TypeError naming an option that is wrong; JournalError or UnreadableEventError for the journal
 */
export async function createRgsService(options: RgsServiceOptions): Promise<RgsService> {
  const wired = wire(options);
  const { core, janitor, background, janitorEveryMs } = wired;
  const { state, committer, clock, delivery } = core;
  const calls = engineCalls();
  const optional = new Set(options.optionalMembers);
  const shown = <R extends EngineReplies[EngineCall] | ConnectReply>(reply: R): R =>
    optional.size === 0 ? reply : withOptionalMembers(optional, reply);
  let isClosed = false;
  const checkOpen = (): void => {
    if (isClosed) throw new EngineRefusedError('INTERNALERROR', 'B4');
  };

  await replay(options.journal, state);
  await recoverRounds(state, committer, clock);
  let cancelTimer: (() => void) | null = null;
  const runHourly = (): void => {
    background.add(janitor.run());
    cancelTimer = clock.after(janitorEveryMs, runHourly, 'background');
  };
  runHourly();

  const idle = async (): Promise<void> => {
    await core.lanes.idle();
    await background.idle();
    await delivery.idle();
  };
  return {
    ...operatorCalls(core),
    async call<Name extends EngineCall>(
      gameProviderId: string,
      name: Name,
      request: EngineRequests[Name],
      cause: Cause = null,
    ): Promise<EngineReplies[Name]> {
      checkOpen();
      return shown(await calls[name]({ ...core, cause }, gameProviderId, request));
    },
    async connect(launchToken, cause = null) {
      checkOpen();
      return shown(await connect({ ...core, cause }, launchToken));
    },
    async reconnect(token) {
      checkOpen();
      return shown(await reconnect(core, token));
    },
    async disconnect(token) {
      checkOpen();
      return disconnect(core, token);
    },
    async getGameURL(operatorId, request, cause = null) {
      checkOpen();
      const { url, owner } = await launch(core, operatorId, request);
      return { url, afterReply: () => background.add(resendFor({ ...core, cause }, owner)) };
    },
    runJanitor: () => janitor.run(),
    resolve: (gameProviderId, gameRound, how) =>
      resolveRound(core, { gameProviderId, gameRound }, how),
    gameResult: (gameProviderId, gameRound, language) =>
      gameResult(core, options.provider, { gameProviderId, gameRound }, language),
    round: (gameProviderId, gameRound) => state.rounds.find(gameProviderId, gameRound),
    roundsOf: (operatorId, playerId) => [
      ...state.rounds.latestOf({ operatorId, playerId, mode: 'REAL' }),
    ],
    view: () => viewOf(wired),
    idle,
    async close() {
      isClosed = true;
      cancelTimer?.();
      janitor.stop();
      await core.lanes.idle();
      await delivery.stop();
      await background.idle();
      await options.journal.close();
    },
  };
}
