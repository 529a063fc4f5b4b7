// A sandbox with its journal in a file, on a port, until it is killed. It waits for a line on its standard
// input, prints `ready`, then a line for each call on its wire. Argument: the settings of KilledRgs as JSON.
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createServer } from 'node:http';

import { createSandbox } from '../../../lib/rgs/sandbox';
import { optionsOf, type KilledRgs } from './killed-options';

const settings = JSON.parse(process.argv[2] ?? '{}') as KilledRgs;

async function run(): Promise<void> {
  await once(process.stdin, 'data');
  const sandbox = await createSandbox({
    ...optionsOf(settings),
    onCall: ({ line, call }) => writeSync(1, `${line} ${call}\n`),
  });
  const { port } = new URL(settings.origin);
  const server = createServer(sandbox.handle);
  server.listen(Number(port), '127.0.0.1', () => writeSync(1, 'ready\n'));
}

run().catch((error: unknown) => {
  writeSync(2, `${String(error)}\n`);
  process.exit(1);
});
