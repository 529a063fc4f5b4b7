/** `npm run simulate:points`: every fault at every point of the scenarios, and every pair. */
import { parseArgs } from 'node:util';
import {
  hostedNames,
  type StoreName,
  storeNames,
  walkPoints,
  type WalkResult,
  writeSeedFile,
} from '..';
import { endWith, wholeNumber } from './command';
import { hostOf } from './hosts';
import { Progress } from './progress';

const names: readonly StoreName[] = [...storeNames, ...hostedNames];

const help = `npm run simulate:points -- [options]

Plays every scenario with each fault at each of its points, and with each pair of them, and checks every oracle.
It ends with 1 if something was wrong, and prints what was as a seed file.

  --store NAME    ${names.join(', ')} (default: memory)
  --singles-of N  one of N single faults, and the pairs behind those (default: 1, all)
  --pairs-of N    one of N pairs; 0: none (default: 1, all)
  --seconds N     ends after so many seconds, and says that it did
  --quiet         no progress
  --help          print this`;

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      store: { type: 'string', default: 'memory' },
      'singles-of': { type: 'string', default: '1' },
      'pairs-of': { type: 'string', default: '1' },
      seconds: { type: 'string' },
      quiet: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    print(help);
    return true;
  }
  const store = names.find((name) => name === values.store);
  if (store === undefined) throw new TypeError(`--store is one of ${names.join(', ')}`);
  const singlesOf = wholeNumber('singles-of', values['singles-of'], 1);
  const pairsOf = wholeNumber('pairs-of', values['pairs-of'], 0);
  const end = performance.now() + 1000 * Number(values.seconds ?? Number.POSITIVE_INFINITY);
  const progress = new Progress(values.quiet);
  const result = await walkPoints({
    store,
    singlesOf,
    pairsOf: pairsOf === 0 ? null : pairsOf,
    ...hostOf(store),
    onWorld: (soFar) => progress.show(() => textOf(soFar)),
    isStopped: () => performance.now() > end,
  });
  progress.end();
  print(`store ${store}: ${textOf(result)}`);
  if (performance.now() > end) print('it was ended before everything was walked');
  for (const failing of result.failures) print(writeSeedFile(failing).trimEnd());
  return result.failures.length === 0;
}

function textOf({ scenarios, points, singles, pairs, failures }: WalkResult): string {
  const [first, second] = [singles, pairs].map((one) => one.toLocaleString('en-GB'));
  return `${scenarios} scenarios, ${points} points, ${first} single faults, ${second} pairs, ${failures.length} wrong`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

endWith(main());
