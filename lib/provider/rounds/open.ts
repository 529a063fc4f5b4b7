import type { CallOptions } from '../../protocol/client/run-call';
import type { RoundReply } from '../../protocol/engine-api/replies';
import type { Amount, EngineInputs } from '../calls/requests';
import { type InquiryParts, isUnknown } from '../recovery/inquiry';
import { recover } from '../recovery/recover';
import { transactionIdOf } from './ids';
import { playedRound } from './play';
import { checkGiven, drawNames, drawOf, type GivenNames } from './requests';
import { type Draw, errorOf, type GameRound } from './round';
import { defined } from '../../platform/validation/defined';

/** Most rounds that are remembered. */
const most = 10_000;

/**
 * The rounds that this client has reported as not taken. Where the RGS opens one nevertheless, because the
 * start was only late, it is voided and not ended (S2.2). A restart forgets them: your own book does not.
 */
export class NotTaken {
  readonly #rounds = new Set<string>();

  add(gameRound: string): void {
    this.#rounds.add(gameRound);
    const [oldest] = this.#rounds;
    if (this.#rounds.size > most && oldest !== undefined) this.#rounds.delete(oldest);
  }

  has(gameRound: string): boolean {
    return this.#rounds.has(gameRound);
  }
}

/** The first bet of a round (E7). */
export interface OpenRound extends Draw {
  readonly token: string;
  /** In whole minor units; not multiplied by the currency's multiplier again (game-engine-api 4.16). */
  readonly stake: Amount;
  readonly currency: string;
  /**
   * The round's id, at most 32 characters, never used before; made by the client unless set. Keep it in your
   * own book first: by it the round is found after a crash.
   */
  readonly id?: string;
  /** Whether a free play pays the stake. */
  readonly useTicket?: boolean;
  /** Whether an open round of the same game is ended first. */
  readonly closeOpenGame?: boolean;
  readonly useJackpot?: boolean;
}

const openingNames: GivenNames<OpenRound> = {
  ...drawNames,
  token: 'other',
  stake: 'amount',
  currency: 'other',
  id: 'other',
  useTicket: 'other',
  closeOpenGame: 'other',
  useJackpot: 'other',
};

/** What opening a round depends on. */
export interface RoundParts extends InquiryParts {
  readonly newId: () => string;
  readonly notTaken: NotTaken;
}

/**
 * Takes the first bet of a round, once (S2). If its reply is lost, the round is asked for; a second start is
 * never sent.
 * @throws GameEngineError or GameRoundError; with the outcome `refused` the bet was not taken.
 */
export async function openRound(
  parts: RoundParts,
  opening: OpenRound,
  options: CallOptions = {},
): Promise<GameRound> {
  checkGiven('openRound', opening, openingNames);
  const request = startOf(opening, opening.id ?? parts.newId());
  return playedRound(parts, await start(parts, request, options), () => 2);
}

async function start(
  parts: RoundParts,
  request: EngineInputs['startGameOrAddBet'],
  options: CallOptions,
): Promise<RoundReply> {
  const { token, externalGameProviderRoundId: gameRound } = request;
  try {
    return await parts.call('startGameRound', request, options);
  } catch (error) {
    if (!isUnknown(error)) throw error;
    const lost = { call: 'start', request, error } as const;
    const { signal } = options;
    const recovery = await recover(
      parts,
      { token, gameRound, lost, last: null },
      signal === undefined ? {} : { signal },
    );
    if (recovery.kind === 'done') return recovery.round;
    if (recovery.kind === 'notTaken') parts.notTaken.add(gameRound);
    throw errorOf(gameRound, recovery);
  }
}

function startOf(opening: OpenRound, id: string): EngineInputs['startGameOrAddBet'] {
  const { token, stake, currency, useTicket, closeOpenGame, useJackpot } = opening;
  return {
    token,
    rngResult: drawOf(opening),
    debitInformation: {
      debitAmount: stake,
      currency,
      externalGameProviderTransactionId: transactionIdOf(id, 'bet', 1),
      ...(useTicket === undefined ? {} : { useTicketInfo: { useTicket } }),
    },
    endGame: false,
    externalGameProviderRoundId: id,
    ...defined({ closeOpenGame, useJackpot }),
  };
}
