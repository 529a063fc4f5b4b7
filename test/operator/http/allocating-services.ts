// A separate process, with a young generation that holds everything a test allocates: a bare service and
// the kit's handler over the memory store. It sends its parent both ports, and its heap size on request.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PerformanceObserver } from 'node:perf_hooks';

import { createOperatorHandler } from '../../../lib/operator/http/handler';
import { createMemoryStore } from '../../../lib/operator/stores/memory';

/** A message to the parent. */
export type AllocationMessage =
  | { readonly kind: 'listening'; readonly bare: number; readonly kit: number }
  | { readonly kind: 'heap'; readonly bytes: number; readonly collections: number };

const tell = (message: AllocationMessage): unknown => process.send?.(message);

/** Reads a request whole, and answers with as many bytes as the handler does; it does nothing else. */
const bare: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = 'x'.repeat(Math.min(220, Buffer.concat(chunks).length));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
    response.end(`"${text.slice(2)}"`);
  });
};

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function main(): Promise<void> {
  const [operatorId = '', secret = '', playerId = ''] = process.argv.slice(2);
  const store = createMemoryStore();
  await store.players.openPlayer({
    operatorId,
    playerId,
    currency: 'EUR',
    balances: { real: '1000000' },
  });
  const handler = createOperatorHandler({ store, operators: [{ operatorId, secrets: [secret] }] });
  let collections = 0;
  new PerformanceObserver((list) => (collections += list.getEntries().length)).observe({
    entryTypes: ['gc'],
  });
  process.on('message', (asked: 'collect' | 'tell') => {
    if (asked === 'collect') globalThis.gc?.();
    setImmediate(() => {
      const bytes = process.memoryUsage().heapUsed;
      tell({ kind: 'heap', bytes, collections });
    });
  });
  process.on('disconnect', () => process.exit(0));
  tell({ kind: 'listening', bare: await listen(bare), kit: await listen(handler.handle) });
}

void main();
