import { GameEngineError, type GameEngineClient, type RoundReply } from '../../../../provider';
import type { ProviderBook } from '../../game-bells';

/** What a start may say besides its stake. */
export interface StartOptions {
  /** The round's id; made unless given. */
  readonly id?: string;
  readonly useTicket?: boolean;
  /** Credited with the start. */
  readonly creditAmount?: bigint;
}

/** What a win may say besides its amount. */
interface GrantOptions {
  readonly collect?: boolean;
  /** The draw's id; made unless given. */
  readonly rngCallId?: string;
}

export const counterType = 'free-spins';

/**
 * A game provider that makes single calls, one request each and none repeated, and keeps its own book of them.
 * All throw what the client throws.
 */
export class Dealer {
  constructor(
    private readonly client: GameEngineClient,
    private readonly book: ProviderBook,
    readonly newId: () => string,
  ) {}

  async start(
    { token, currency }: Session,
    stake: bigint,
    { id = this.newId(), useTicket, creditAmount }: StartOptions = {},
  ): Promise<RoundReply> {
    const { book } = this;
    if (book.find(id) === null) book.requested(id, currency);
    const work = this.client.startGameRound({
      token,
      rngResult: {},
      debitInformation: {
        debitAmount: stake,
        currency,
        ...(useTicket === undefined ? {} : { useTicketInfo: { useTicket } }),
      },
      endGame: false,
      externalGameProviderRoundId: id,
      ...(creditAmount === undefined ? {} : { creditInformation: { creditAmount, currency } }),
    });
    const reply = await this.unknownIsUnclear(id, work).catch((error: unknown) => {
      if (!isUnknown(error)) book.notTaken(id);
      throw error;
    });
    book.taken(reply, stake);
    if (creditAmount !== undefined) {
      book.won(id, creditAmount);
      book.collected(id, creditAmount);
    }
    return reply;
  }

  async addBet(
    { token, currency }: Session,
    gameRound: string,
    stake: bigint,
  ): Promise<RoundReply> {
    const work = this.client.startGameOrAddBet({
      token,
      rngResult: {},
      debitInformation: {
        debitAmount: stake,
        currency,
        externalGameProviderTransactionId: this.newId(),
      },
      endGame: false,
      externalGameProviderRoundId: gameRound,
    });
    const reply = await this.unknownIsUnclear(gameRound, work);
    this.book.debitAdded(gameRound, stake);
    return reply;
  }

  async addWin(
    { token }: Session,
    gameRound: string,
    winAmount: bigint,
    { collect = false, rngCallId = this.newId() }: GrantOptions = {},
  ): Promise<RoundReply> {
    const rngResult = { rngCallId, winAmount };
    const work = this.client.addWin({ token, gameRound, rngResult, collect });
    const reply = await this.unknownIsUnclear(gameRound, work);
    this.book.won(gameRound, winAmount);
    if (collect) this.book.ended(gameRound);
    return reply;
  }

  async wager(
    { token, currency }: Session,
    gameRound: string,
    wagerAmount: bigint,
    winAmount: bigint,
  ): Promise<RoundReply> {
    const rngResult = { rngCallId: this.newId(), winAmount };
    const wagerInformation = { wagerAmount, currency };
    const work = this.client.wagerWin({ token, gameRound, rngResult, wagerInformation });
    const reply = await this.unknownIsUnclear(gameRound, work);
    this.book.gambled(gameRound, winAmount);
    return reply;
  }

  spins(
    { token }: Session,
    gameRound: string,
    result: { readonly awarded?: number; readonly used?: number },
  ): Promise<RoundReply> {
    const rngResult = { rngCallId: this.newId(), result };
    const counted = { token, gameRound, counterType, rngResult, gameStateResult: '{}' };
    return this.client.addSpinCounterGameState(counted);
  }

  async end({ token }: Session, gameRound: string): Promise<RoundReply> {
    const work = this.client.endGameRound({ token, gameRound });
    const reply = await this.unknownIsUnclear(gameRound, work);
    this.book.ended(gameRound);
    return reply;
  }

  async voidRound({ token }: Session, gameRound: string): Promise<RoundReply> {
    const work = this.client.voidGameRound({ token, gameRound });
    const reply = await this.unknownIsUnclear(gameRound, work);
    this.book.undone(gameRound);
    return reply;
  }

  info({ token }: Session, gameRound: string): Promise<RoundReply> {
    return this.client.getGameRoundInfo({ token, gameRound });
  }

  private async unknownIsUnclear<T>(gameRound: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (isUnknown(error)) this.book.unclear(gameRound);
      throw error;
    }
  }
}

function isUnknown(error: unknown): boolean {
  return !(error instanceof GameEngineError) || error.outcome === 'unknown';
}

/** A player at the operator's wallet. */
export interface Player {
  readonly playerId: string;
  readonly currency: string;
}

/** A player's session of a game. */
export interface Session extends Player {
  /** The long token. */
  readonly token: string;
  /** By the reply to connect, in minor units; null if it had none. */
  readonly balance: bigint | null;
}
