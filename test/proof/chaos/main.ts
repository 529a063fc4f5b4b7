/** `npm run chaos`: real servers and processes that are killed and cut off under load, and one report. */
import { parseArgs } from 'node:util';

import { type ChaosStore, playChaos } from './play';
import { chaosText } from './report';

const { values } = parseArgs({
  options: {
    hours: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string', default: 'redis,postgres' },
  },
});

async function main(): Promise<void> {
  const { hours, store, seed } = values;
  const seconds = hours === undefined ? Number(values.seconds) : Number(hours) * 3600;
  const names = store.split(',');
  if (!(seconds > 0) || !Number.isSafeInteger(Number(seed)) || !names.every(isStore)) {
    throw new TypeError('--hours or --seconds above 0, --seed a number, --store redis,postgres');
  }
  for (const name of names) {
    const each = seconds / names.length;
    const report = await playChaos({ store: name, seconds: each, seed: Number(seed) });
    process.stdout.write(chaosText(report));
    if (report.wrong.length > 0) process.exitCode = 1;
  }
}

function isStore(name: string): name is ChaosStore {
  return name === 'redis' || name === 'postgres';
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'it failed'}\n`);
  process.exitCode = 2;
});
