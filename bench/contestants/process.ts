// A contestant in its own process: node process.js <letter> <url of the server>. It sends its parent the
// port, and its memory on request.
import { createServer, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProcessMemory } from '../measurement';
import { contestants } from './list';

async function main(): Promise<void> {
  const [letter = '', url = ''] = process.argv.slice(2);
  const contestant = contestants[letter];
  if (typeof contestant?.start !== 'function') throw new Error(`${letter} is no listener`);
  const made = await contestant.start(url);
  const server = made instanceof Server ? made : createServer(made);
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('message', () => process.send?.(readMemory()));
  process.on('disconnect', () => process.exit(0));
}

/** What is resident as it is; of the heap, what is left once garbage is collected, where node lets it be. */
function readMemory(): ProcessMemory {
  const { rss } = process.memoryUsage();
  globalThis.gc?.();
  return { rss, heap: process.memoryUsage().heapUsed };
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : 'a contestant failed'}\n`);
  process.exit(1);
});
