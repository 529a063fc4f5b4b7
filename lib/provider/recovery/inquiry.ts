import { backOffMs } from '../../platform/back-off';
import type { Clock, Random } from '../../platform';
import type { CallOptions } from '../../protocol/client/run-call';
import {
  InvalidRequestError,
  RgsClientError,
  ServiceError,
  SignatureRefusedError,
} from '../../protocol/client/errors';
import { engineErrors } from '../../protocol/engine-api/errors';
import type { RoundReply } from '../../protocol/engine-api/replies';
import { type EngineCaller, isVoided } from '../calls/requests';
import { judgeClosed } from './closed';
import { type LostRound, type Recovery, sendCall } from './lost';
import { nextStep, type Progress, type RecoveryPolicy } from './step';
import { entryOf } from './traces';

/** What an inquiry depends on. */
export interface InquiryParts {
  readonly call: EngineCaller;
  readonly clock: Clock;
  readonly random: Random;
}

/** Most times that the round is fetched (S2.6). */
const maxAttempts = 5;
const pauses = { firstMs: 200, longestMs: 5000 };

const neverStarted = engineErrors.GAMEROUNDNOTSTARTED.id;
const notActive = engineErrors.GAMEROUNDNOTACTIVE.id;
const knownAlready = engineErrors.TRANSACTIONALREADYEXISTS.id;
const tooManyRequests = engineErrors.RATELIMITEXCEEDED.status;

/** One recovery: what was learned of the lost call so far (S2). */
export class Inquiry {
  readonly #endsAt: number;
  #token: string;
  #progress: Progress = { isRepeated: false, isKnown: false };
  /** A 13 sent it back to asking; once is allowed (S2.4). */
  #wentBack = false;
  /** The latest failure with an unknown outcome. */
  #failure: unknown = null;

  constructor(
    private readonly parts: InquiryParts,
    private readonly given: LostRound,
    private readonly policy: RecoveryPolicy,
    timeoutMs: number,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.#endsAt = parts.clock.monotonicMs() + timeoutMs;
    this.#token = given.token;
  }

  /** @throws EngineClientError */
  async run(): Promise<Recovery> {
    let round: RoundReply | null = null;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const answer = await this.fetchRound();
      if ('kind' in answer) return answer;
      round = answer;
      this.#token = round.tokenData.currentToken;
      const recovery = await this.act(round);
      if (recovery !== null) return recovery;
      if (!(await this.pause(attempt))) break;
    }
    return this.giveUp(round);
  }

  /** S2.1 and S2.2: the round, or what a refusal of the question means. */
  private async fetchRound(): Promise<RoundReply | Recovery> {
    const { gameRound, lost } = this.given;
    for (let failures = 1; ; failures++) {
      try {
        const request = { token: this.#token, gameRound };
        return await this.parts.call('getGameRoundInfo', request, this.options());
      } catch (error) {
        if (isRefusal(error)) {
          if (!isId(error, neverStarted)) return this.refused(null, 'the round', error);
          if (lost.call === 'start') return { kind: 'notTaken' };
          return { kind: 'unclear', round: null, why: 'the round was never started' };
        }
        this.noteFailure(error);
        if (!(await this.pause(failures))) return this.giveUp(null);
      }
    }
  }

  /** S2.3 to S2.5; null to ask again. */
  private async act(round: RoundReply): Promise<Recovery | null> {
    const { lost, last } = this.given;
    let spinsAvailable: number | null = null;
    try {
      spinsAvailable = await this.spinsAvailable(round);
    } catch (error) {
      this.noteFailure(error);
      return null;
    }
    const step = nextStep(lost, last, round, spinsAvailable, this.policy, this.#progress);
    switch (step.kind) {
      case 'done':
      case 'undone':
        return { kind: step.kind, round };
      case 'unclear':
        return { ...step, round };
      case 'refuse':
        throw new InvalidRequestError(
          'recover',
          'policy',
          'must not be endOnly: the win is not in the round, and ending would lose it',
        );
      case 'repeat':
        return this.repeat(round);
      case 'end':
        return this.end(round);
      case 'wait':
        return null;
    }
  }

  private async repeat(round: RoundReply): Promise<Recovery | null> {
    const { lost } = this.given;
    if (lost.call === 'start') return null;
    this.#progress = { ...this.#progress, isRepeated: true };
    try {
      const reply = await sendCall(this.parts.call, lost, this.#token, this.options());
      return { kind: isVoided(reply) ? 'undone' : 'done', round: reply };
    } catch (error) {
      if (isId(error, knownAlready) && lost.call === 'addBet') {
        this.#progress = { isRepeated: true, isKnown: true };
        return null;
      }
      // The same key with other content: something else took its place.
      const isOther = isId(error, notActive) || isId(error, knownAlready);
      if (isRefusal(error) && !isOther) return { kind: 'notTaken', refusal: error };
      return this.afterFailure(round, 'the repeated request', error);
    }
  }

  private async end(round: RoundReply): Promise<Recovery | null> {
    const { gameRound, lost, last } = this.given;
    try {
      const request = { token: this.#token, gameRound };
      const reply = await this.parts.call('endGameRound', request, this.options());
      return { ...judgeClosed(lost, last, reply), round: reply };
    } catch (error) {
      return this.afterFailure(round, 'endGameRound', error);
    }
  }

  /** A 13 or an unknown outcome: ask again. Any other refusal is for a person. */
  private afterFailure(round: RoundReply, what: string, error: unknown): Recovery | null {
    if (isId(error, notActive) && !this.#wentBack) {
      this.#wentBack = true;
      return null;
    }
    if (isRefusal(error)) return this.refused(round, what, error);
    this.noteFailure(error);
    return null;
  }

  private refused(
    round: RoundReply | null,
    what: string,
    refusal: ServiceError | SignatureRefusedError,
  ): Recovery {
    const id = refusal.id === null ? `status ${refusal.status}` : `error ${refusal.id}`;
    return { kind: 'unclear', round, why: `${what} was refused: ${id}`, refusal };
  }

  /** The counter of a lost spin that gameState does not show; null where it is of no use. */
  private async spinsAvailable(round: RoundReply): Promise<number | null> {
    const { gameRound, lost, last } = this.given;
    const isOpen = round.gameRoundInfo.status === 'open';
    if (lost.call !== 'spin' || !isOpen || (last?.spinsAvailable ?? null) === null) return null;
    if (entryOf(lost, round) !== null) return null;
    const { counterType } = lost.request;
    const request = { token: this.#token, gameRound, counterType };
    const reply = await this.parts.call('getAvailableSpinCounter', request, this.options());
    return reply.spinsAvailable;
  }

  /** Waits before the next attempt; false if no time is left for one. */
  private async pause(failures: number): Promise<boolean> {
    const { clock, random } = this.parts;
    const ms = Math.round(backOffMs(pauses, failures, random));
    if (this.signal?.aborted || clock.monotonicMs() + ms >= this.#endsAt) return false;
    await clock.pause(ms, this.signal);
    return !this.signal?.aborted;
  }

  /** @throws what is wrong with the request itself, which no repeat can help. */
  private noteFailure(error: unknown): void {
    if (error instanceof InvalidRequestError) throw error;
    if (isTooMany(error)) this.#progress = { ...this.#progress, isRepeated: false };
    this.#failure = error;
  }

  /**
   * The outcome stays unknown (S2.1). A question that was not even sent says nothing of the lost call, so its
   * own error would mislead.
   */
  private giveUp(round: RoundReply | null): Recovery {
    const { lost } = this.given;
    if (lost.error !== undefined) throw lost.error;
    if (isUnknown(this.#failure)) throw this.#failure;
    const why =
      this.#failure === null
        ? 'it was sent again once, and is not in the round'
        : 'the round could not be looked up';
    return { kind: 'unclear', round, why };
  }

  private options(): CallOptions {
    const timeoutMs = Math.max(1, this.#endsAt - this.parts.clock.monotonicMs());
    return this.signal === undefined ? { timeoutMs } : { timeoutMs, signal: this.signal };
  }
}

/** A 4xx: nothing happened. Too many requests is not one: the same call is taken later. */
function isRefusal(error: unknown): error is ServiceError | SignatureRefusedError {
  const isOne = error instanceof ServiceError || error instanceof SignatureRefusedError;
  return isOne && error.outcome === 'refused' && !isTooMany(error);
}

function isTooMany(error: unknown): boolean {
  return error instanceof ServiceError && error.status === tooManyRequests;
}

/** Whether a failed call may have had any effect. */
export function isUnknown(error: unknown): boolean {
  return error instanceof RgsClientError && error.outcome === 'unknown';
}

/** Whether the RGS answered with the error of this id. */
export function isId(error: unknown, id: number): boolean {
  return error instanceof ServiceError && error.id === id;
}
