import { createGameEngineClient, type GameEngineClient } from '../../lib/provider';
import { createRgsClient } from '../../lib/operator/client';
import { currency, gameCode, operator, provider } from './parties';

/** A player with a session. */
export interface Seat {
  readonly client: GameEngineClient;
  readonly token: string;
}

/** Launches the game for a player, as a casino and its browser do. */
export async function openSeat(url: string, playerId: string): Promise<Seat> {
  const casino = createRgsClient({
    baseUrl: `${url}/operator`,
    operatorId: operator.operatorId,
    secret: operator.secret,
  });
  const launched = (await casino.call({
    method: 'POST',
    path: '/getGameURL',
    body: { playerId, gameCode, currency, language: 'en', mode: 'REAL' },
    signedFields: ['playerId', 'gameCode', 'currency', 'language', 'mode'],
  })) as { url: string };
  const short = new URL(launched.url).searchParams.get('token') ?? '';
  const reply = await fetch(`${url}/gameapi/v2/connect?token=${short}`);
  const { token } = (await reply.json()) as { token: string };
  const client = createGameEngineClient({
    baseUrl: `${url}/gameapi/v2`,
    gameProviderId: provider.gameProviderId,
    secret: provider.secret,
  });
  return { client, token };
}

/** A round as most are: a bet, and a win that is collected. */
export async function playRound({ client, token }: Seat, nth: number): Promise<void> {
  const id = `${nth.toString(36)}-${Math.random().toString(36).slice(2)}`.slice(0, 32);
  await client.startGameRound({
    token,
    rngResult: {},
    debitInformation: { debitAmount: 100, currency },
    endGame: false,
    externalGameProviderRoundId: id,
  });
  const rngResult = { rngCallId: `${id}-1`.slice(0, 32), winAmount: nth % 3 === 0 ? 250 : 0 };
  await client.addWin({ token, gameRound: id, rngResult, collect: true });
}

/** One round of many calls: gambles of the open win, one after another. */
export async function playLongRound(
  { client, token }: Seat,
  calls: number,
  onCall: (nth: number) => void,
): Promise<void> {
  const id = `long-${Math.random().toString(36).slice(2)}`.slice(0, 32);
  await client.startGameRound({
    token,
    rngResult: {},
    debitInformation: { debitAmount: 100, currency },
    endGame: false,
    externalGameProviderRoundId: id,
  });
  for (let nth = 1; nth <= calls; nth++) {
    await client.addWin({
      token,
      gameRound: id,
      rngResult: { rngCallId: `${nth}`, winAmount: 1 },
      collect: false,
    });
    onCall(nth);
  }
  await client.endGameRound({ token, gameRound: id });
}
