import type { CallOptions } from '../protocol/client/run-call';
import type { EngineCall } from '../protocol/engine-api/requests';
import type { EngineReplies, RoundReply } from '../protocol/engine-api/replies';
import type { EngineInputs } from './calls/requests';
import type { LostRound, Recovery } from './recovery/lost';
import { recover, type RecoverOptions } from './recovery/recover';
import { closeAbandoned, type CloseOptions, type FinishRound, resumeRound } from './rounds/resume';
import type { GameRound } from './rounds/round';
import { NotTaken, openRound, type OpenRound, type RoundParts } from './rounds/open';
import { callClasses, engineCaller } from './calls/caller';
import { type GameEngineClientOptions, readEngineOptions } from './calls/options';

/** One method for each call of the Game Engine API, by its own name (S1). */
export type EngineMethods = {
  readonly [Name in EngineCall]: (
    request: EngineInputs[Name],
    options?: CallOptions,
  ) => Promise<EngineReplies[Name]>;
};

/**
 * A game provider's calls at the RGS (game-engine-api 4), each signed anew at every attempt. Reads, void and
 * what is harmless twice are repeated by themselves; money never is: see `recover`, or use `openRound`. Every
 * method rejects with a GameEngineError; check its `code` and `outcome`.
 */
export interface GameEngineClient extends EngineMethods {
  /** Finds out how a call with a lost reply ended, and completes it (S2). */
  recover(given: LostRound, options?: RecoverOptions): Promise<Recovery>;
  /** Takes the first bet of a round, and returns the round to play on (S2). */
  openRound(opening: OpenRound, options?: CallOptions): Promise<GameRound>;
  /**
   * The round to play on after your process died; null if its first bet was never taken: its id is spent (S2).
   * Rejects with SESSIONINVALID for a token that is over.
   */
  resumeRound(token: string, id: string, options?: CallOptions): Promise<GameRound | null>;
  /** Closes an abandoned round, for doAutoClose; idempotent (S2, E23.4). */
  closeAbandoned(
    gameRound: string,
    finish?: FinishRound,
    options?: CloseOptions,
  ): Promise<RoundReply | null>;
}

/**
 * A client for one game provider. It holds no resources: connections are kept by the process, or are those of its `fetch`.
 * @throws TypeError that names the wrong option; no value is repeated.
 */
export function createGameEngineClient(options: GameEngineClientOptions): GameEngineClient {
  const settings = readEngineOptions(options);
  const { clock, random, newId } = settings;
  const call = engineCaller(settings);
  const parts: RoundParts = { call, clock, random, newId, notTaken: new NotTaken() };
  const names = Object.keys(callClasses) as EngineCall[];
  const methods = Object.fromEntries(
    names.map((name) => [
      name,
      (request: EngineInputs[typeof name], given?: CallOptions) => call(name, request, given),
    ]),
  ) as unknown as EngineMethods;
  return Object.freeze<GameEngineClient>({
    ...methods,
    async recover(given, further) {
      const recovery = await recover(parts, given, further);
      const isNeverTaken = recovery.kind === 'notTaken' && given.lost.call === 'start';
      if (isNeverTaken) parts.notTaken.add(given.gameRound);
      return recovery;
    },
    openRound: (opening, given) => openRound(parts, opening, given),
    resumeRound: (token, id, given) => resumeRound(parts, token, id, given),
    closeAbandoned: (gameRound, finish, given) => closeAbandoned(parts, gameRound, finish, given),
  });
}
