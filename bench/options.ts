import { parseArgs } from 'node:util';
import { contestants, reference } from './contestants/list';

/** What is measured. */
export interface BenchOptions {
  readonly letters: readonly string[];
  readonly connections: readonly number[];
  /** Measured for each number of connections. */
  readonly seconds: number;
  readonly warmupSeconds: number;
  /** How often all of them have their turn. */
  readonly repeats: number;
  /** Where the figures are written as JSON. */
  readonly json: string | null;
}

const flags = {
  contestants: { type: 'string', default: Object.keys(contestants).join(',') },
  connections: { type: 'string', default: '1,32,128' },
  seconds: { type: 'string', default: '8' },
  warmup: { type: 'string', default: '3' },
  repeats: { type: 'string', default: '3' },
  json: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/** What `--help` prints. */
export function helpText(): string {
  const list = Object.entries(contestants).map(([letter, { title }]) => `  ${letter}  ${title}\n`);
  return `npm run bench -- [options]

Measures one call [debit, credit, end] of a new round: verified, checked, moved, durable. Every
contestant has a server of its own each time it has its turn; after it, contestant and server are
killed and started again, and the money of every player is counted. A cent too much or too little,
or an answer other than 200, ends it with exit code 1.

  --contestants a,b,c   which (default: all)
  --connections 1,32    connections at once, each number in turn (default: 1,32,128)
  --seconds n           measured for each number of connections (default: 8)
  --warmup n            seconds before each (default: 3)
  --repeats n           how often all have their turn, in alternation (default: 3)
  --json file           write the figures there too
  --help                print this

Contestants (ratios are to ${reference}):
${list.join('')}`;
}

/**
 * Reads the command line; null where help is asked for.
 * @throws TypeError naming the option that is wrong.
 */
export function readOptions(args: string[]): BenchOptions | null {
  const { values } = parseArgs({ args, options: flags });
  if (values.help) return null;
  const letters = values.contestants.split(',');
  for (const letter of letters) {
    if (!Object.hasOwn(contestants, letter)) {
      throw new TypeError(`--contestants: there is no ${letter}`);
    }
  }
  return {
    letters: [...new Set(letters)],
    connections: values.connections.split(',').map((text) => wholeNumber('connections', text)),
    seconds: wholeNumber('seconds', values.seconds),
    warmupSeconds: wholeNumber('warmup', values.warmup),
    repeats: wholeNumber('repeats', values.repeats),
    json: values.json ?? null,
  };
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1 || value > 1000) {
    throw new TypeError(`--${name} must be a whole number from 1 to 1000`);
  }
  return value;
}
