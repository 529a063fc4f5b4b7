// What every platform and every bundle must do: a wallet is opened, served and called over HTTP, and holds what it must.
// STORE is `memory` or the address of an empty server.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createMemoryStore } from 'rgs-wallet-kit';
import { createOperationsHandler } from 'rgs-wallet-kit/operations';
import { createPostgresStore, migratePostgres } from 'rgs-wallet-kit/postgres';
import { createRedisStore } from 'rgs-wallet-kit/redis';
import { createRequestSigner } from 'rgs-wallet-kit/testing';

const operatorId = 'casino';
const secret = 'a secret of one wallet, long enough';
const player = { operatorId, playerId: 'ann', currency: 'EUR' };
const round = { playerId: 'ann', gameCode: 'bells' };
const limits = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 };

async function openStore(address) {
  if (address === 'memory') return createMemoryStore();
  if (address.startsWith('redis')) {
    return createRedisStore({ url: address, init: true, ...limits });
  }
  await migratePostgres({ url: address });
  return createPostgresStore({ url: address, ...limits });
}

async function addressOf(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}`;
}

let time = Date.now();
const signer = createRequestSigner({ operatorId, secret, now: () => (time += 1) });

async function send(address, { path, ...request }) {
  const reply = await fetch(`${address}${path}`, request);
  return { status: reply.status, ...(await reply.json()) };
}

function transactions(gameRound, ...list) {
  return { ...round, gameRound, transactions: list, transactionCount: list.length };
}

const debit = (hash, amount) => ({
  type: 'debit',
  isFirstDebit: true,
  hash,
  amount,
  currency: 'EUR',
});

/** Rounds won, sent again, voided and declined; 100.00 at the start. */
async function play(address) {
  const call = async (...message) => send(address, signer.doTransactions(transactions(...message)));
  const first = await call('round-1', debit('round-1', 10));
  const again = await call('round-1', debit('round-1', 10));
  const credit = { type: 'credit', hash: 'credit-1', amount: 25.5, currency: 'EUR' };
  const won = await call('round-1', credit, { type: 'end', hash: 'end-1' });
  const lost = await call('round-2', debit('round-2', 5));
  const voided = await call('round-2', { ...debit('round-2', 5), type: 'void' });
  const declined = await call('round-3', debit('round-3', 1000));
  const statuses = [first, again, won, lost, voided].map(({ status }) => status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
  assert.notEqual(declined.status, 200);
  const forged = signer.doTransactions(transactions('round-4', debit('round-4', 1)));
  const refused = await send(address, { ...forged, body: forged.body.replace(':1}', ':2}') });
  assert.equal(Math.floor(refused.status / 100), 4);
  const query = { playerId: 'ann', currency: 'EUR', gameCode: 'bells' };
  const { balances } = await send(address, signer.getBalance(query));
  assert.equal(balances[0].amount, 115.5);
}

async function run(serverOf) {
  const store = await openStore(process.env.STORE ?? 'memory');
  await store.ready();
  await store.players.openPlayer({ ...player, balances: { real: '100' } });
  const server = await serverOf({ store, operators: [{ operatorId, secrets: [secret] }] });
  await play(await addressOf(server));

  const person = { id: 'bo', name: 'Bo', may: ['look'] };
  const page = createOperationsHandler({ store, operators: [operatorId], authorize: () => person });
  const pages = createServer(page.handle);
  const start = await fetch(`${await addressOf(pages)}/`);
  assert.equal(start.status, 200);
  assert.match(await start.text(), /<html/);

  for (const each of [server, pages]) {
    each.closeAllConnections?.();
    await new Promise((resolve) => each.close(resolve));
  }
  await store.close();
  console.log('the wallet holds 115.5');
}

/** Plays on what makes a server of the options of a wallet, and ends the process: with 1 where anything is not as it must be. */
export function playWallet(serverOf) {
  run(serverOf).then(
    () => process.exit(0),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
}
