// A wallet in its own process, with two operators, one of whom is rotating its secret. It sends its parent
// the port, and on request its CPU time in microseconds.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOperatorHandler } from '../../lib/operator/http';
import { createMemoryStore } from '../../lib/operator/stores/memory';
import { operatorId, secret } from '../terms';

const { handle } = createOperatorHandler({
  store: createMemoryStore(),
  operators: [
    { operatorId, secrets: [secret, `${secret}-older`] },
    { operatorId: 'other', secrets: [`${secret}-of-the-other`] },
  ],
});
const server = createServer(handle);
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.on('disconnect', () => process.exit(0));
