// Asks a national register of players who may not play, before each stake. The register of this example answers
// GET /players/:playerId with {"barred": true} or {"barred": false}; connections to it are kept alive by fetch.
import { once } from 'node:events';
import express from 'express';
import { createOperatorRouter, createServer } from 'rgs-wallet-kit';
import { createRedisStore } from 'rgs-wallet-kit/redis';

const { OPERATOR_ID, OPERATOR_SECRET, REDIS_URL, REGISTER_URL } = process.env;
const { REGISTER_MS = 500, PORT = 3000 } = process.env;
const store = createRedisStore({ url: REDIS_URL ?? 'redis://127.0.0.1:6379' });
await store.ready();

/** What it throws counts as no answer: the stake is declined with DEBITCHECKFAILED, and nothing moves. */
async function debitCheck({ round, signal }) {
  const { playerId } = round;
  const answer = await fetch(`${REGISTER_URL}/players/${encodeURIComponent(playerId)}`, { signal });
  const text = await answer.text(); // read to its end, or the connection is not used again
  if (answer.status !== 200) throw new Error(`the register answered ${answer.status}`);
  const { barred } = JSON.parse(text);
  if (barred === false) return { allow: true, forMs: 5000 }; // as long as your licence lets you rely on an answer
  if (barred === true) return { allow: false, clientmsg: 'You have excluded yourself from play.' };
  throw new Error('the register answered neither true nor false');
}

const operators = [{ operatorId: OPERATOR_ID, secrets: [OPERATOR_SECRET] }];
const debitCheckMs = Number(REGISTER_MS); // how long a stake waits for the register
const wallet = createOperatorRouter({ store, operators, debitCheck, debitCheckMs });
const server = createServer(express().use('/wallet', wallet)).listen(PORT, '127.0.0.1');
await once(server, 'listening');
console.log(`http://127.0.0.1:${server.address().port}`);

await once(process, 'SIGTERM');
const isClosed = once(server.close(), 'close');
await wallet.close();
await isClosed;
await store.close();
