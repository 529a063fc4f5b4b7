import { type Random, wholeBelow } from '../../../../platform/random';
import { type GameEngineClient, GameEngineError, GameRoundError } from '../../../../provider';
import type { GameRound } from '../../../../provider';
import { drawReels, oddsOf } from '../../game-bells/reels';
import type { ProviderBook } from '../../game-bells';
import type { Session } from '../context';

/** What a round of the storm is played with. */
export interface RoundParts {
  readonly client: GameEngineClient;
  readonly book: ProviderBook;
  /** What the round is, and what its reels show. */
  readonly draws: Random;
  readonly newId: () => string;
}

/** One way to play an open round. */
type Course = (round: GameRound, parts: RoundParts) => Promise<void>;

/** The stake of every bet, in minor units. */
const stake = 100n;

/**
 * Plays one round as a provider does who uses openRound. The book says what is known: `unclear` if a call's
 * outcome stayed unknown.
 * @throws GameEngineError or GameRoundError of the call that ended it early.
 */
export async function playRound(session: Session, parts: RoundParts): Promise<void> {
  const { client, book, newId, draws } = parts;
  const { token, currency } = session;
  const id = newId();
  const course = courses[wholeBelow(draws, courses.length)] ?? abandon;
  book.requested(id, currency);
  const round = await booked(
    parts,
    id,
    client.openRound({ token, stake, currency, id, closeOpenGame: true }),
    () => book.notTaken(id),
  );
  book.taken(round.state, stake);
  await course(round, parts);
}

const spin: Course = async (round, parts) => {
  const winAmount = draw(parts);
  await booked(parts, round.id, round.addWin({ winAmount, collect: true }));
  parts.book.won(round.id, winAmount);
  parts.book.ended(round.id);
};

const double: Course = async (round, parts) => {
  await booked(parts, round.id, round.addBet({ stake }));
  parts.book.debitAdded(round.id, stake);
  await spin(round, parts);
};

const gamble: Course = async (round, parts) => {
  const { book } = parts;
  await booked(parts, round.id, round.addWin({ winAmount: stake }));
  book.won(round.id, stake);
  const winAmount = wholeBelow(parts.draws, 2) === 0 ? 0n : 2n * stake;
  await booked(parts, round.id, round.wager({ wagerAmount: stake, winAmount }));
  book.gambled(round.id, winAmount);
  await end(round, parts);
};

const end: Course = async (round, parts) => {
  await booked(parts, round.id, round.end());
  parts.book.ended(round.id);
};

const takeBack: Course = async (round, parts) => {
  await booked(parts, round.id, round.void());
  parts.book.undone(round.id);
};

/** The player leaves; the next start of the game ends the round, or doAutoClose does. */
const abandon: Course = async () => {};

const courses: readonly Course[] = [
  spin,
  spin,
  spin,
  spin,
  double,
  double,
  gamble,
  end,
  takeBack,
  abandon,
];

function draw({ draws }: RoundParts): bigint {
  return stake * oddsOf(drawReels(draws));
}

/** The outcome of a call; where it stays unknown, the book says so. */
async function booked<T>(
  { book }: RoundParts,
  gameRound: string,
  work: Promise<T>,
  refused: () => void = () => {},
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isKnown = error instanceof GameEngineError || error instanceof GameRoundError;
    if (!isKnown || error.outcome === 'unknown') book.unclear(gameRound);
    else if (error instanceof GameRoundError && error.code === 'UNDONE') book.undone(gameRound);
    else refused();
    throw error;
  }
}
