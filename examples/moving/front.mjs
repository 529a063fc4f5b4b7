// In front of an old and a new wallet while you move. Each call goes to the wallet that has its round; MODE says where a new
// round goes: old (and with SHADOW=1 a copy of every call to the new wallet, to compare), player (to the new wallet for the
// players of MOVED_FILE, a line each), or new. docs/moving.md has the steps.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import {
  isTimely,
  parseJson,
  readSignedParts,
  Secret,
  verifySignature,
} from 'rgs-wallet-kit/signature';
import { openRounds, roundKey } from './rounds.mjs';
import { createShadow } from './shadow.mjs';

const { OLD_URL, NEW_URL, MODE = '', SHADOW, OPERATOR_ID, OPERATOR_SECRET = '' } = process.env;
const { ROUNDS_FILE = 'rounds-of-old.log', MOVED_FILE = 'moved-players.txt', PORT } = process.env;
const [longestBody, longestAnswerMs, clockToleranceMs] = [262_144, 15_000, 300_000];
if (!['old', 'player', 'new'].includes(MODE)) throw new Error('MODE is old, player or new');
const secret = new Secret(OPERATOR_SECRET);
const rounds = await openRounds(ROUNDS_FILE);
const moved = new Set(MODE === 'player' ? (await readFile(MOVED_FILE, 'utf8')).split('\n') : []);
const print = (line) => console.log(JSON.stringify(line));
const shadow = createShadow((request, body) => send(NEW_URL, request, body), print);

/** Player and round of a call that the RGS has signed; null for any other. */
function signedCall({ headers }, body) {
  const [authId, timestamp, signature] = ['auth-id', 'timestamp', 'auth-sig'].map((name) => {
    return headers[`x-h-${name}`] ?? '';
  });
  try {
    const message = parseJson(body.toString('utf8'));
    const { parts } = readSignedParts('doTransactions', message);
    const isOurs = authId === OPERATOR_ID && isTimely(timestamp, Date.now(), clockToleranceMs);
    const claim = { authId, timestamp, signature, parts };
    return isOurs && parts !== null && verifySignature([secret], claim) ? message.value : null;
  } catch {
    return null; // no JSON
  }
}

/** The wallet for a call, once it is certain that every later call of the round will go there too. */
async function walletFor(player, call) {
  const isNew = MODE === 'new' || moved.has(player);
  if (call === null) return isNew ? NEW_URL : OLD_URL; // getBalance; or what must not fill the file, and is refused there
  const key = roundKey({ operatorId: OPERATOR_ID, ...call });
  if (isNew && !rounds.has(key)) return NEW_URL;
  await rounds.add(key);
  return OLD_URL;
}

async function send(wallet, { method, url, headers }, body) {
  const names = ['content-type', 'x-h-auth-id', 'x-h-auth-sig', 'x-h-timestamp', 'traceparent'];
  const passed = names.filter((name) => headers[name] !== undefined);
  const { pathname, search } = new URL(url, 'http://front'); // so that no text of a caller becomes a host
  const reply = await fetch(wallet + pathname + search, {
    method,
    headers: Object.fromEntries(passed.map((name) => [name, headers[name]])),
    ...(method === 'GET' ? {} : { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(longestAnswerMs),
  });
  return { status: reply.status, text: await reply.text() };
}

async function answer(request, response) {
  const pieces = [];
  let length = 0;
  for await (const piece of request) {
    length += piece.length;
    if (length > longestBody) return response.writeHead(413, { connection: 'close' }).end();
    pieces.push(piece);
  }
  const body = Buffer.concat(pieces);
  const isMoney = request.method === 'POST';
  const call = isMoney ? signedCall(request, body) : null;
  const asked = new URL(request.url, 'http://front').searchParams.get('playerId');
  const player = isMoney ? call?.playerId : asked;
  const wallet = await walletFor(player, call);
  const reply = await send(wallet, request, body);
  response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.text);
  if (isMoney && call === null && reply.status === 200)
    print({ warning: 'answered 200 to a call that is not verified here: do not change MODE' });
  if (SHADOW === '1' && wallet === OLD_URL) shadow.copy(player, { request, body, reply });
}

const server = createServer((request, response) => {
  // Without an answer the RGS voids or resends. A 5xx of ours could meet a credit, which never gets one.
  answer(request, response).catch(() => response.destroy());
}).listen(Number(PORT ?? 8080));
await once(server, 'listening');
console.log(`http://127.0.0.1:${server.address().port}`);
await once(process, 'SIGTERM');
await once(server.close(), 'close');
await shadow.idle();
await rounds.close();
