import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOperatorHandler } from '../lib/operator/http/handler';
import { createMemoryStore } from '../lib/operator/stores/memory';
import { runLoad } from './run-load';
import { currency, operatorId, players, secret } from './terms';

/**
 * Microseconds of processor of the serving process for a whole call over HTTP, with the memory store and without metrics:
 * the least of a call that has a server for its store. The load is in a process of its own.
 */
export async function wholeCall(): Promise<number> {
  const store = createMemoryStore();
  for (const playerId of players) {
    await store.players.openPlayer({
      operatorId,
      playerId,
      currency,
      balances: { real: '10000000' },
    });
  }
  const handler = createOperatorHandler({
    store,
    operators: [{ operatorId, secrets: [secret] }],
  });
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    handler.handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const pace = { kind: 'closed', seconds: 4 } as const;
  const before = process.cpuUsage();
  await runLoad(
    { ports: [port], connections: 32, calls: 'round', warmupSeconds: 3, pace },
    { pids: [], commands: null },
  );
  const { user, system } = process.cpuUsage(before);
  server.closeAllConnections();
  server.close();
  await handler.close();
  return (user + system) / calls;
}
