// A contestant, in a process of its own: node process.js <letter> <url of the server>. It tells its parent the port.
import { createServer, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contestants } from './list';

async function main(): Promise<void> {
  const [letter = '', url = ''] = process.argv.slice(2);
  const contestant = contestants[letter];
  if (typeof contestant?.start !== 'function') throw new Error(`${letter} is no listener`);
  const made = await contestant.start(url);
  const server = made instanceof Server ? made : createServer(made);
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit(0));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : 'a contestant failed'}\n`);
  process.exit(1);
});
