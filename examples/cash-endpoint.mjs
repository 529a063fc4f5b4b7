// Deposits and withdrawals over HTTP, for your cashier: POST /players/:playerId/deposit and .../withdraw with
// {"currency": "EUR", "amount": "25.00", "reference": "psp-7781"}. It listens on this machine only, and asks for a token.
import { timingSafeEqual } from 'node:crypto';
import express from 'express';
import { formatAmount } from 'rgs-wallet-kit';
import { createRedisStore } from 'rgs-wallet-kit/redis';
import { InvalidInputError } from 'rgs-wallet-kit/store';

const { OPERATOR_ID: operatorId, CASH_TOKEN: token = '', REDIS_URL, PORT } = process.env;
if (token.length < 32) throw new Error('CASH_TOKEN must have at least 32 characters');
const store = createRedisStore({ url: REDIS_URL ?? 'redis://127.0.0.1:6379' });
await store.ready();

const app = express();
app.use((request, response, next) => {
  const given = Buffer.from(request.get('authorization') ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) next();
  else response.sendStatus(401);
});
app.post('/players/:playerId/:move', express.json(), (request, response, fail) => {
  const answered = answerTo(request.params, request.body ?? {});
  answered.then(([status, body]) => response.status(status).json(body)).catch(fail);
});

async function answerTo({ playerId, move }, { currency, amount, reference }) {
  if (move !== 'deposit' && move !== 'withdraw') return [404, { code: 'noSuchMove' }];
  const order = { operatorId, playerId, currency, amount, reference };
  try {
    // Only texts reach the store: JSON.parse may have rounded a number.
    const wrong = Object.keys(order).find((field) => typeof order[field] !== 'string');
    if (wrong !== undefined) throw new InvalidInputError(wrong, `${wrong} must be a text`);
    const result = await store.players[move](order);
    if (result.kind === 'refused') return [409, { code: result.reason }]; // tooLow, noPlayer, referenceReused, ...
    if (result.kind === 'unknown') return [503, { code: 'unknown' }]; // it may have moved: send the same reference again
    const balance = formatAmount(result.account.real, store.decimals);
    return [200, { balance, replay: result.replay }];
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return [400, { code: error.code, field: error.field, message: error.message }];
  }
}

const server = app.listen(Number(PORT ?? 8090), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
process.on('SIGTERM', () => server.close(() => void store.close()));
