import type { Random } from '../../../platform';
import {
  type GameEngineClient,
  GameEngineError,
  type GameRound,
  GameRoundError,
  type RoundReply,
} from '../../../provider';
import type { ProviderBook } from './book';
import { drawReels, nameOf, oddsOf, type Reels } from './reels';

/** A bet on one spin. */
export interface SpinRequest {
  readonly token: string;
  /** Minor units. */
  readonly stake: bigint;
  readonly currency: string;
  /** What the reels shall show; drawn unless set. */
  readonly force?: Reels;
  /** Whether a free play pays the stake. */
  readonly useTicket?: boolean;
}

/** A spin that was played to its end. */
interface SpinResult {
  readonly gameRound: string;
  readonly reels: Reels;
  /** Minor units. */
  readonly winAmount: bigint;
  /** The last reply of the round. */
  readonly round: RoundReply;
}

/** What was drawn for a round. */
interface DrawnSpin {
  readonly reels: Reels;
  readonly winAmount: bigint;
}

/** The spins of a game, played with the game provider's client. */
export interface Spins {
  /**
   * Plays one round: takes the bet, draws, and adds and collects the win.
   * @throws GameEngineError or GameRoundError; see `outcome`.
   */
  play(request: SpinRequest): Promise<SpinResult>;
  /** Plays an abandoned round to its end, for doAutoClose. Idempotent. */
  closeAbandoned(gameRound: string): Promise<void>;
  /** What was drawn; null for a round that this process did not draw. */
  find(gameRound: string): DrawnSpin | null;
}

/** What the spins depend on. */
interface SpinParts {
  readonly rgs: GameEngineClient;
  readonly book: ProviderBook;
  /** For the reels. */
  readonly draws: Random;
  /** Makes the ids of rounds: at most 32 characters. */
  readonly newId: () => string;
}

/** Most draws that are remembered. */
const maxDraws = 20_000;

/** No spin was played yet. */
export function createSpins({ rgs, book, draws, newId }: SpinParts): Spins {
  const drawn = new Map<string, DrawnSpin>();
  const draw = (gameRound: string, stake: bigint, force: Reels | undefined): DrawnSpin => {
    const reels = force ?? drawReels(draws);
    const spin = { reels, winAmount: stake * oddsOf(reels) };
    drawn.set(gameRound, spin);
    const [oldest] = drawn.keys();
    if (drawn.size > maxDraws && oldest !== undefined) drawn.delete(oldest);
    return spin;
  };
  const addWin = async (round: GameRound, { reels, winAmount }: DrawnSpin): Promise<void> => {
    try {
      const rngCallId = callIdOf(round.id);
      await round.addWin({ rngCallId, result: nameOf(reels), winAmount, collect: true });
      book.won(round.id, winAmount);
      book.ended(round.id);
    } catch (error) {
      if (error instanceof GameRoundError && error.code === 'UNDONE') book.undone(round.id);
      else if (outcomeOf(error) === 'unknown') book.unclear(round.id);
      throw error;
    }
  };
  return {
    async play({ token, stake, currency, force, useTicket = false }) {
      const id = newId();
      book.requested(id, currency);
      const round = await rgs
        .openRound({ token, stake, currency, id, useTicket })
        .catch((error: unknown) => {
          if (outcomeOf(error) === 'unknown') book.unclear(id);
          else book.notTaken(id);
          throw error;
        });
      book.taken(round.state, stake);
      const spin = draw(id, stake, force);
      await addWin(round, spin);
      return { gameRound: id, ...spin, round: round.state };
    },

    async closeAbandoned(gameRound) {
      const spin = drawn.get(gameRound);
      const isNotTaken = book.find(gameRound)?.state === 'notTaken';
      const last = await rgs.closeAbandoned(gameRound, async (round) => {
        if (isNotTaken) return 'void';
        if (spin !== undefined && !isCounted(round)) await addWin(round, spin);
        return 'end';
      });
      if (last !== null) adopt(book, last, spin);
    },

    find: (gameRound) => drawn.get(gameRound) ?? null,
  };
}

/** What is known of a round once it was closed for a player who left. */
function adopt(book: ProviderBook, last: RoundReply, spin: DrawnSpin | undefined): void {
  const { hash, stake, currency } = last.gameRoundInfo;
  if (book.find(hash) === null) book.requested(hash, currency ?? last.tokenData.currency);
  if (last.passThroughData['outcome'] === 'voided') return book.undone(hash);
  if (book.find(hash)?.state === 'ended') return;
  book.taken(last, stake ?? 0n);
  book.won(hash, spin?.winAmount ?? grantedIn(last));
  book.ended(hash);
}

/** What the RGS has credited, or still has to. */
function grantedIn({ amountCredited, passThroughData }: RoundReply): bigint {
  return (amountCredited ?? 0n) + BigInt(passThroughData['creditPending'] ?? '0');
}

function isCounted({ id, state }: GameRound): boolean {
  return state.gameState.some(({ result }) => result.info['rngCallId'] === callIdOf(id));
}

/** The draw's id: the same after a crash. */
function callIdOf(gameRound: string): string {
  return `${gameRound.slice(0, 29)}-r1`;
}

/** `unknown` unless the error says that nothing happened. */
function outcomeOf(error: unknown): 'nothing' | 'refused' | 'unknown' {
  const isKnown = error instanceof GameEngineError || error instanceof GameRoundError;
  return isKnown ? error.outcome : 'unknown';
}
