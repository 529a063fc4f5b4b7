// A player pays in and plays a gameround. Needs nothing but this package: the wallet is on node:http,
// the money in memory, and the RGS of the example signs its calls as the real one does.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createMemoryStore, createOperatorHandler, formatAmount } from 'rgs-wallet-kit';
import { createRequestSigner } from 'rgs-wallet-kit/testing';

const operatorId = 'my-casino';
const secret = 'a-secret-of-at-least-16-bytes';
const player = { operatorId, playerId: 'ann' };

// The wallet.
const store = createMemoryStore();
const handler = createOperatorHandler({ store, operators: [{ operatorId, secrets: [secret] }] });
const server = createServer(handler.handle).listen(0, '127.0.0.1');
await once(server, 'listening');

// The cashier: `reference` is an idempotency key, so the same deposit never moves money twice.
await store.players.openPlayer({ ...player, currency: 'EUR', balances: { real: '0' } });
const order = { ...player, currency: 'EUR', amount: '25.00', reference: 'psp-7781' };
for (const result of [await store.players.deposit(order), await store.players.deposit(order)]) {
  if (result.kind !== 'done') throw new Error(`the deposit is ${result.kind}`);
  const balance = formatAmount(result.account.real, store.decimals);
  console.log(
    `deposit of ${order.amount}, ${result.replay ? 'sent again' : 'new'}: balance ${balance}`,
  );
}

// The RGS: a debit, and in the next call the credit and the end.
const signer = createRequestSigner({ operatorId, secret });
async function call(...transactions) {
  const round = { playerId: 'ann', gameCode: 'bells', gameRound: 'round-1' };
  const message = { ...round, transactions, transactionCount: transactions.length };
  const { method, path, headers, body } = signer.doTransactions(message);
  const url = `http://127.0.0.1:${server.address().port}${path}`;
  const answer = await fetch(url, { method, headers, body });
  const { balances } = await answer.json();
  const names = transactions.map(({ type }) => type).join(' and ');
  console.log(`${names}: ${answer.status}, balance ${balances[0].amount}`);
}
await call({ type: 'debit', hash: 'round-1', amount: 2.5, currency: 'EUR', isFirstDebit: true });
await call(
  { type: 'credit', hash: 'credit-1', amount: 7.75, currency: 'EUR' },
  { type: 'end', hash: 'end-1' },
);

const { head } = await store.rounds.readRound({ ...player, gameRound: 'round-1' });
console.log(`the round is ${head.state}`);
server.close();
server.closeIdleConnections();
await handler.close();
await store.close();
