// A game provider's game (S4): three reels, one bet a round. The RGS keeps the round and the player's money.
import { randomBytes, randomInt } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import express from 'express';
import {
  createGameEngineClient,
  createGameProviderRouter,
  scaleStakes,
} from 'rgs-wallet-kit/provider';

const { RGS_URL = '', PROVIDER_ID: gameProviderId = 'studio-1' } = process.env;
const { PROVIDER_SECRET: secret = '', PORT = 8082, BOOK = 'provider-game.book' } = process.env;
const rgs = createGameEngineClient({ baseUrl: RGS_URL, gameProviderId, secret });

// Your own book: rounds that are not over. Each line is durable before what it tells of is sent.
const book = new Map();
function note(id, { isOver, ...step }) {
  if (isOver) book.delete(id);
  else book.set(id, { ...book.get(id), ...step });
}
function write(id, step) {
  appendFileSync(BOOK, `${JSON.stringify({ id, ...step })}\n`, { flush: true });
  note(id, step);
}
const lines = existsSync(BOOK) ? readFileSync(BOOK, 'utf8').trim().split('\n') : [];
for (const { id, ...step } of lines.filter(Boolean).map((line) => JSON.parse(line))) note(id, step);

// Three reels of six symbols: three alike pay 18 times the stake, two alike pay it back. RTP 91.67 %.
const draw = () => [0, 0, 0].map(() => randomInt(6));
const odds = (reels) => [18n, 1n, 0n][new Set(reels).size - 1];

async function play(round) {
  const { reels = draw() } = book.get(round.id) ?? {}; // a draw that was made is never made again
  write(round.id, { reels });
  const winAmount = round.state.gameRoundInfo.stake * odds(reels);
  const result = { rngCallId: `${round.id.slice(0, 29)}-r1`, result: reels.join(','), winAmount };
  await round.addWin({ ...result, collect: true }); // a lost reply is asked for, never paid twice
  write(round.id, { isOver: true });
  const balance = String(round.state.balance?.totalBalance);
  return { reels, winAmount: String(winAmount), balance };
}

async function bet({ token, stake, currency }) {
  const id = randomBytes(16).toString('hex');
  write(id, { token });
  return rgs.openRound({ id, token, stake, currency }).catch((error) => {
    if (error.outcome === 'refused') write(id, { isOver: true }); // the bet was not taken
    throw error;
  });
}

async function spin(request, response) {
  try {
    response.json(await play(await bet(request.body)));
  } catch (error) {
    const { outcome, clientmsg } = Object(error);
    const message = clientmsg ?? 'Please try again.';
    response.status(outcome === 'refused' ? 400 : 503).json({ message });
  }
}

// The RGS asks to close a round that a player left, or that was left by a process that died.
async function doAutoClose({ gameRound }) {
  await rgs.closeAbandoned(gameRound, play, { token: book.get(gameRound)?.token });
  write(gameRound, { isOver: true });
}

// What a process that died has left: asked for, and played to its end, before the next bet.
async function resume([id, { token }]) {
  try {
    const round = await rgs.resumeRound(token, id); // null: the bet was not taken, and never will be
    if (round?.state.gameRoundInfo.status === 'open') await play(round);
    else write(id, { isOver: true });
  } catch (error) {
    if (error.serviceCode === 'SESSIONINVALID')
      await doAutoClose({ gameRound: id }); // a new token
    else console.error(`${id} stays open: ${error.message}`); // until the next start, or doAutoClose
  }
}
await Promise.allSettled([...book].map(resume));

const providers = [{ gameProviderId, secrets: [secret] }];
const getGameConfiguration = ({ currency, currencyMultiplier }) => {
  const stakes = scaleStakes([10, 20, 50, 100, 200], currencyMultiplier);
  return { stakes, currency, currencyMultiplier, expectedRtp: 91.67, maxPayoutOdds: 36 };
};
// The launch URL leads here; /connect gives the token to play with.
const page = `<!doctype html><meta charset="utf-8"><title>Bells</title>
<button disabled>Spin 1.00 EUR</button><pre></pre><script type="module">
const [launch, button] = [new URLSearchParams(location.search), document.querySelector('button')];
const connected = await fetch(launch.get('login') + '?token=' + launch.get('token'));
const { token } = await connected.json();
const [method, headers] = ['POST', { 'content-type': 'application/json' }];
const body = JSON.stringify({ token, stake: 100, currency: 'EUR' });
button.onclick = async () => {
  const answer = await fetch('spin', { method, headers, body });
  document.querySelector('pre').textContent = await answer.text();
};
button.disabled = token === undefined; // a launch URL serves once
</script>`;

const app = express();
app.use('/rgs', createGameProviderRouter({ providers, getGameConfiguration, doAutoClose }));
app.get('/game', (_, response) => void response.send(page));
app.post('/spin', express.json(), (request, response) => void spin(request, response));
app.listen(PORT);
