import { createServer } from 'node:http';

import {
  createGameEngineClient,
  createGameProviderHandler,
  type GameEngineClient,
} from '../../../../lib/provider';
import { close, StudioBook } from './studio-book';
import { listen, stopServer } from '../../../network/listening';

export const gameProviderId = 'studio-1';
export const studioSecret = 'studio-secret-0123456789';
export const gameCode = 'bells';

/** A game provider with its own book: its calls to the RGS, and its router on a port. */
export interface Studio {
  readonly rgs: GameEngineClient;
  readonly book: StudioBook;
  /** Address of its router. */
  readonly url: string;
  /** Abandoned rounds that are being closed. */
  readonly closing: number;
  stop(): Promise<void>;
}

/** Starts a studio for the RGS at this address. */
export async function startStudio(rgsOrigin: string, attemptTimeoutMs: number): Promise<Studio> {
  const book = new StudioBook();
  const rgs = createGameEngineClient({
    baseUrl: `${rgsOrigin}/gameapi/v2`,
    gameProviderId,
    secret: studioSecret,
    attemptTimeoutMs,
  });
  let closing = 0;
  const handler = createGameProviderHandler({
    providers: [{ gameProviderId, secrets: [studioSecret] }],
    getGameConfiguration: ({ currency, currencyMultiplier }) => ({
      stakes: [10, 100],
      currency,
      currencyMultiplier,
      expectedRtp: 96,
      maxPayoutOdds: 36,
    }),
    async doAutoClose({ gameRound }) {
      closing++;
      try {
        await closeAbandoned({ rgs, book }, gameRound);
      } finally {
        closing--;
      }
    },
  });
  const server = createServer((request, response) => {
    if (request.url !== '/book') return handler.handle(request, response);
    response.end(JSON.stringify(book.rounds(), bigintsAsText));
  });
  const port = await listen(server);
  return {
    rgs,
    book,
    url: `http://127.0.0.1:${port}`,
    get closing() {
      return closing;
    },
    async stop() {
      await stopServer(server);
      await handler.close();
    },
  };
}

function bigintsAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/**
 * Plays what an abandoned round has left, and ends it. The win has one id for good, so another attempt sees
 * whether it came; the token that a former attempt used is revoked by then, so that it cannot come later.
 */
export async function closeAbandoned(
  { rgs, book }: Pick<Studio, 'rgs' | 'book'>,
  gameRound: string,
): Promise<void> {
  const entry = book.find(gameRound);
  const { left } = entry;
  const rngCallId = `${gameRound.slice(0, 24)}-left`;
  await rgs.closeAbandoned(gameRound, async (round) => {
    if (entry.state === 'notTaken') return 'void';
    const isThere = round.state.gameState.some(
      ({ result }) => result.info['rngCallId'] === rngCallId,
    );
    if (left !== null && !isThere) await round.addWin({ ...left, rngCallId });
    return 'end';
  });
  // Nobody but the studio closes a round, and it ends none before its win is in.
  if (entry.state !== 'open') return;
  entry.open += left?.winAmount ?? 0n;
  close(entry);
}
