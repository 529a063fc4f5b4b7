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
export interface GrantOptions {
  readonly collect?: boolean;
  /** The draw's id; made unless given. */
  readonly rngCallId?: string;
}

/**
 * A game provider that makes single calls, one request each and none repeated, and keeps its own book of them.
 * All throw what the client throws.
 */
export interface Dealer {
  newId(): string;
  start(session: Session, stake: bigint, options?: StartOptions): Promise<RoundReply>;
  addBet(session: Session, gameRound: string, stake: bigint): Promise<RoundReply>;
  addWin(
    session: Session,
    gameRound: string,
    winAmount: bigint,
    options?: GrantOptions,
  ): Promise<RoundReply>;
  wager(
    session: Session,
    gameRound: string,
    wagerAmount: bigint,
    winAmount: bigint,
  ): Promise<RoundReply>;
  spins(
    session: Session,
    gameRound: string,
    counter: { readonly awarded?: number; readonly used?: number },
  ): Promise<RoundReply>;
  end(session: Session, gameRound: string): Promise<RoundReply>;
  voidRound(session: Session, gameRound: string): Promise<RoundReply>;
  info(session: Session, gameRound: string): Promise<RoundReply>;
}

/** What a dealer depends on. */
export interface DealerParts {
  readonly client: GameEngineClient;
  readonly book: ProviderBook;
  readonly newId: () => string;
}

/** The counter of free spins. */
export const counterType = 'free-spins';

/** A dealer who has not dealt yet. */
export function createDealer({ client, book, newId }: DealerParts): Dealer {
  const unknownIsUnclear = async <T>(gameRound: string, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (isUnknown(error)) book.unclear(gameRound);
      throw error;
    }
  };
  return {
    newId,
    async start({ token, currency }, stake, { id = newId(), useTicket, creditAmount } = {}) {
      if (book.find(id) === null) book.requested(id, currency);
      const work = client.startGameRound({
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
      const reply = await unknownIsUnclear(id, work).catch((error: unknown) => {
        if (!isUnknown(error)) book.notTaken(id);
        throw error;
      });
      book.taken(reply, stake);
      if (creditAmount !== undefined) {
        book.won(id, creditAmount);
        book.collected(id, creditAmount);
      }
      return reply;
    },
    async addBet({ token, currency }, gameRound, stake) {
      const work = client.startGameOrAddBet({
        token,
        rngResult: {},
        debitInformation: {
          debitAmount: stake,
          currency,
          externalGameProviderTransactionId: newId(),
        },
        endGame: false,
        externalGameProviderRoundId: gameRound,
      });
      const reply = await unknownIsUnclear(gameRound, work);
      book.debitAdded(gameRound, stake);
      return reply;
    },
    async addWin({ token }, gameRound, winAmount, { collect = false, rngCallId = newId() } = {}) {
      const rngResult = { rngCallId, winAmount };
      const work = client.addWin({ token, gameRound, rngResult, collect });
      const reply = await unknownIsUnclear(gameRound, work);
      book.won(gameRound, winAmount);
      if (collect) book.ended(gameRound);
      return reply;
    },
    async wager({ token, currency }, gameRound, wagerAmount, winAmount) {
      const rngResult = { rngCallId: newId(), winAmount };
      const wagerInformation = { wagerAmount, currency };
      const work = client.wagerWin({ token, gameRound, rngResult, wagerInformation });
      const reply = await unknownIsUnclear(gameRound, work);
      book.gambled(gameRound, winAmount);
      return reply;
    },
    spins: ({ token }, gameRound, result) =>
      client.addSpinCounterGameState({
        token,
        gameRound,
        counterType,
        rngResult: { rngCallId: newId(), result },
        gameStateResult: '{}',
      }),
    async end({ token }, gameRound) {
      const reply = await unknownIsUnclear(gameRound, client.endGameRound({ token, gameRound }));
      book.ended(gameRound);
      return reply;
    },
    async voidRound({ token }, gameRound) {
      const reply = await unknownIsUnclear(gameRound, client.voidGameRound({ token, gameRound }));
      book.undone(gameRound);
      return reply;
    },
    info: ({ token }, gameRound) => client.getGameRoundInfo({ token, gameRound }),
  };
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
