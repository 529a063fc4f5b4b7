import { type Clock, type Random, systemClock, systemRandom } from '../../../platform';
import type { RequestListener } from '../../../platform/http';
import { fetchWhole } from '../../../platform/http/fetch-whole';
import {
  createGameEngineClient,
  createGameProviderHandler,
  type GameEngineClient,
  type GameProviderOptions,
  scaleStakes,
} from '../../../provider';
import type { FetchPort } from '../../../protocol/client/ports';
import { type BookedRound, createProviderBook, type ProviderBook } from './book';
import { createListener } from './listener';
import { baseStakes, expectedRtp, maxPayoutOdds, nameOf } from './reels';
import { createSeats } from './seats';
import { createSpins, type Spins } from './spins';
import { defined } from '../../../platform/validation/defined';

/** The game's code. */
export const gameCode = 'game-bells';

/** Options of {@link createGameBells}. */
interface GameBellsOptions {
  /** Address of the engine calls, such as `http://127.0.0.1:8090/gameapi/v2`. */
  readonly engineUrl: string;
  readonly gameProviderId: string;
  readonly secret: string;
  readonly clock?: Clock;
  /** For ids; the machine's unless given. */
  readonly random?: Random;
  /** For the reels; `random` unless given. */
  readonly draws?: Random;
  readonly fetch?: FetchPort;
  /** Time limit of one attempt at an engine call, in milliseconds; 10,000 unless set. */
  readonly attemptTimeoutMs?: number;
  readonly onCall?: GameProviderOptions['onCall'];
}

/** The built-in game provider, with its one game. */
export interface GameBells {
  /** The pages of the game, and under /rgs the calls of the RGS. */
  readonly listener: RequestListener;
  readonly spins: Spins;
  readonly rgs: GameEngineClient;
  readonly book: ProviderBook;
  /** The provider's own book, for compareBooks. */
  rounds(): readonly BookedRound[];
  close(): Promise<void>;
}

/**
 * A game provider with the game game-bells: three reels of six symbols, three alike pay 18 times the stake and
 * two 1 time (RTP 91.67 %). Holds no port; mount `listener`.
 */
export function createGameBells(options: GameBellsOptions): GameBells {
  const { engineUrl, gameProviderId, secret, clock = systemClock, random = systemRandom } = options;
  const { draws = random, fetch, attemptTimeoutMs, onCall } = options;
  const rgs = createGameEngineClient({
    baseUrl: engineUrl,
    gameProviderId,
    secret,
    clock,
    random,
    ...defined({ fetch, attemptTimeoutMs }),
  });
  const book = createProviderBook();
  const newId = (): string => random.bytes(16).toString('hex');
  const spins = createSpins({ rgs, book, draws, newId });
  const provider = createGameProviderHandler({
    providers: [{ gameProviderId, secrets: [secret] }],
    getGameConfiguration: ({ gameCode: requested, currency, currencyMultiplier }) => {
      if (requested !== gameCode) return null;
      const stakes = scaleStakes(baseStakes, currencyMultiplier);
      return { stakes, currency, currencyMultiplier, expectedRtp, maxPayoutOdds };
    },
    doAutoClose: ({ gameRound }) => spins.closeAbandoned(gameRound),
    getGameResult: ({ gameRound }) => {
      const spin = spins.find(gameRound);
      return spin === null ? null : { reels: nameOf(spin.reels), win: String(spin.winAmount) };
    },
    health: () => ({ status: 'ok' }),
    certifiedFiles: () => [],
    clock,
    random,
    ...defined({ onCall }),
  });
  const seats = createSeats({
    connectUrl: `${engineUrl}/connect`,
    send: fetchWhole,
    stakesFor: (multiplier) => scaleStakes(baseStakes, multiplier),
    random,
    clock,
  });
  return {
    listener: createListener({ provider: provider.handle, spins, seats }),
    spins,
    rgs,
    book,
    rounds: () => book.rounds(),
    close: () => provider.close(),
  };
}
