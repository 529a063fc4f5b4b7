// An Express app of yours with the wallet calls of the RGS; `rgs-wallet init --store ...` made the store in Redis.
import { once } from 'node:events';
import express from 'express';
import { createOperatorRouter, createServer } from 'rgs-wallet-kit';
import { createRedisStore } from 'rgs-wallet-kit/redis';

const { OPERATOR_ID, OPERATOR_SECRET, REDIS_URL, PORT = 3000 } = process.env;
const store = createRedisStore({ url: REDIS_URL ?? 'redis://127.0.0.1:6379' });
await store.ready(); // throws if Redis could lose acknowledged money, or has lost its data
const operators = [{ operatorId: OPERATOR_ID, secrets: [OPERATOR_SECRET] }];
const wallet = createOperatorRouter({ store, operators });

const app = express();
app.use('/wallet', wallet); // before any body parser: it verifies the raw bytes
app.use(express.json());
app.post('/echo', (request, response) => response.json(request.body)); // what your app does
const server = createServer(app).listen(PORT); // faster than app.listen, and otherwise the same
await once(server, 'listening');
console.log(`http://127.0.0.1:${server.address().port}`);

await once(process, 'SIGTERM');
const isClosed = once(server.close(), 'close');
await wallet.close(); // from here on each answer closes its connection
await isClosed;
await store.close();
