/** Certifies the wallet that is written by hand over Express and ioredis, and prints what is found: docs/certification.md. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../lib/platform';
import { certify } from '../lib/proof/certify';
import { createProgress } from '../lib/proof/certify/report/progress';
import { summaryTable } from '../lib/proof/certify/report/terminal';
import { startRedis } from '../test/servers/redis/server';
import { noArguments } from './arguments';
import { expressRedis } from './contestants/express-redis';
import { currency, operatorId, secret } from './terms';

/** What it was never written to do: the others are tried all the same. */
const exceptions = new Map([
  ['plain-round', 'it knows no end'],
  ['plain-void', 'it knows no void'],
]);

const plain = (text: string): string => text;
const style = { good: plain, bad: plain, warn: plain, dim: plain };

async function main(): Promise<void> {
  noArguments({
    command: 'npm run bench:certify',
    does: 'Certifies the wallet that is written by hand over Express and ioredis, and prints what is found.',
  });
  const redis = await startRedis();
  const playerIds = ['ann', 'bob'];
  await expressRedis.prepare(redis.url, playerIds);
  if (typeof expressRedis.start !== 'function') throw new Error('it is no listener');
  const listener = await expressRedis.start(redis.url);
  if (typeof listener !== 'function') throw new Error('it is no listener');
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const progress = createProgress(process.stderr, { clock: systemClock, style, isQuiet: false });
  const result = await certify({
    urls: [`http://127.0.0.1:${port}`],
    operator: { operatorId, secret },
    playerIds,
    currency,
    exceptions,
    long: { seed: 1 },
    progress,
  });
  progress.close();
  process.stdout.write(`${summaryTable(result, style).join('\n')}\n`);
  await redis.stop();
  process.exit();
}

void main();
