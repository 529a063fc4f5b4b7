// A game provider's game (S4): three reels, one bet a round. The RGS keeps the round and the player's money.
import { randomInt } from 'node:crypto';
import express from 'express';
import {
  createGameEngineClient,
  createGameProviderRouter,
  scaleStakes,
} from 'rgs-wallet-kit/provider';

const { RGS_URL = '', PROVIDER_SECRET: secret = '', PORT = 8082 } = process.env;
const gameProviderId = 'studio-1';
const rgs = createGameEngineClient({ baseUrl: RGS_URL, gameProviderId, secret });

// Three reels of six symbols: three alike pay 18 times the stake, two alike pay it back. RTP 91.67 %.
const draw = () => [0, 0, 0].map(() => randomInt(6));
const odds = (reels) => [18n, 1n, 0n][new Set(reels).size - 1];

async function play(round) {
  if (round.state.gameState.some(({ type }) => type === 'genericwin')) return null; // drawn before
  const reels = draw();
  const winAmount = round.state.gameRoundInfo.stake * odds(reels);
  const result = { rngCallId: `${round.id.slice(0, 29)}-r1`, result: reels.join(','), winAmount };
  await round.addWin({ ...result, collect: true }); // a lost reply is asked for, never paid twice
  const balance = String(round.state.balance?.totalBalance);
  return { reels, winAmount: String(winAmount), balance };
}

const providers = [{ gameProviderId, secrets: [secret] }];
const getGameConfiguration = ({ currency, currencyMultiplier }) => {
  const stakes = scaleStakes([10, 20, 50, 100, 200], currencyMultiplier);
  return { stakes, currency, currencyMultiplier, expectedRtp: 91.67, maxPayoutOdds: 36 };
};
const doAutoClose = ({ gameRound }) => rgs.closeAbandoned(gameRound, play); // a player left it

async function spin(request, response) {
  try {
    const { token, stake, currency } = request.body;
    const round = await rgs.openRound({ token, stake, currency }); // throws if the bet was not taken
    response.json(await play(round));
  } catch (error) {
    const { outcome, clientmsg } = Object(error);
    const message = clientmsg ?? 'Please try again.';
    response.status(outcome === 'refused' ? 400 : 503).json({ message });
  }
}

const app = express();
app.use('/rgs', createGameProviderRouter({ providers, getGameConfiguration, doAutoClose }));
app.post('/spin', express.json(), (request, response) => void spin(request, response));
app.listen(PORT);
