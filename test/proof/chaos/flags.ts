import { parseArgs } from 'node:util';

import { type StoreName, storeNames, stores } from './stores/list';

/** What `npm run chaos` was asked to do. */
export interface Flags {
  /** Null for all that the machine can start. */
  readonly stores: readonly StoreName[] | null;
  /** In all; each store has an equal share. */
  readonly seconds: number;
  readonly seed: number;
  /** Null for all. */
  readonly faults: readonly string[] | null;
  /** Where the report is written as JSON; null for nowhere. */
  readonly json: string | null;
}

/** A wrong flag. */
export class FlagFault extends Error {
  override readonly name = 'FlagFault';
}

/** Kinds of faults, by what they happen to. */
const faultGroups: Readonly<Record<string, readonly string[]>> = {
  'every store': [
    'application-killed',
    'application-restarted',
    'server-killed',
    'server-stands-still',
    'server-and-application-killed',
    'clock-forward',
    'clock-back',
    'clocks-apart',
    'connections-cut',
  ],
  'redis, postgres, pgbouncer, standby': [
    'requests-slow',
    'replies-slow',
    'replies-lost',
    'server-out-of-reach',
  ],
  'redis, postgres': ['disk-full'],
  redis: ['older-append-only-folder', 'older-rdb'],
  postgres: ['log-disk-full', 'older-data-folder', 'older-dump'],
  'redis, sentinel, cluster': ['memory-full'],
  'sentinel, cluster': [
    'failover',
    'failover-of-a-paused-master',
    'replica-killed',
    'replica-stands-still',
  ],
  'sentinel, standby': ['failover-that-loses'],
  cluster: ['failover-by-hand', 'slot-moves'],
  pgbouncer: ['pooler-killed', 'pooler-restarted', 'pooler-stands-still'],
  standby: [
    'failover',
    'failover-of-a-standby-behind',
    'failover-after-a-restart',
    'standby-killed',
    'standby-stands-still',
  ],
};

/** The kinds of faults of a store. */
export function faultsOf(name: StoreName): string[] {
  const groups = Object.entries(faultGroups).filter(
    ([group]) => group === 'every store' || group.split(', ').includes(name),
  );
  return groups.flatMap(([, kinds]) => kinds);
}

const listOfStores = Object.entries(stores)
  .map(([name, { title }]) => `  ${name.padEnd(12)} ${title}\n`)
  .join('');
const listOfFaults = Object.entries(faultGroups)
  .map(([group, kinds]) => `  ${group}:\n${kinds.map((kind) => `    ${kind}\n`).join('')}`)
  .join('');

/** What `--help` says. */
export const helpText = `npm run chaos -- [options]

Plays rounds over HTTP against two processes of \`rgs-wallet serve\` over real servers, with one fault after the other, and
compares the books of the service with the store: round by round, and player by player. Prints one report on stdout. Each
fault comes at least once, so a short run takes longer than asked. Ends with 1 where something is wrong, with 2 for a wrong
option or a missing program.

  --store a,b    which (default: all that this machine can start)
  --faults a,b   which (default: all of each store)
  --seconds N    in all, shared by the stores (default: 60)
  --hours N      the same in hours
  --seed N       of the order and the lengths of the faults, and of the rounds (default: 1)
  --json FILE    write the report there too
  --help         this text

Stores:
${listOfStores}
Faults:
${listOfFaults}
The faults older-* and failover-that-loses come once, after the others: they take acknowledged calls away, and both processes
must notice it within 35 seconds.
The faults disk-full and log-disk-full mount a file system in memory: redis and postgres need root, on Linux.
Ctrl-C ends the faults, and compares the books.
`;

const options = {
  store: { type: 'string' },
  faults: { type: 'string' },
  seconds: { type: 'string' },
  hours: { type: 'string' },
  seed: { type: 'string', default: '1' },
  json: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/** Reads the arguments; null for a request for help. @throws FlagFault for a wrong one. */
export function readFlags(args: readonly string[]): Flags | null {
  const { store, faults, seconds, hours, seed, json, help } = parse(args);
  if (help) return null;
  if (seconds !== undefined && hours !== undefined) {
    throw new FlagFault('--seconds and --hours cannot be combined');
  }
  const names = store === undefined ? null : namesIn('store', store, storeNames);
  const known = [...new Set((names ?? storeNames).flatMap(faultsOf))];
  const kinds = faults === undefined ? null : namesIn('faults', faults, known);
  const idle = names?.find((name) => kinds?.every((kind) => !faultsOf(name).includes(kind)));
  if (idle !== undefined) throw new FlagFault(`--faults: ${idle} has none of these`);
  return {
    stores: names,
    faults: kinds,
    seconds:
      hours === undefined ? above0('seconds', seconds ?? '60') : 3600 * above0('hours', hours),
    seed: whole('seed', seed),
    json: json ?? null,
  };
}

/** Each once, in the order of `known`. */
function namesIn<Name extends string>(
  flag: string,
  text: string,
  known: readonly Name[],
): readonly Name[] {
  const wanted = text.split(',');
  const strange = wanted.find((name) => !(known as readonly string[]).includes(name));
  if (strange === undefined) return known.filter((name) => wanted.includes(name));
  throw new FlagFault(`--${flag}: there is no "${strange}", only ${known.join(', ')}`);
}

function above0(flag: string, text: string): number {
  const value = /^[\d.]+$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value < 1e9) return value;
  throw new FlagFault(`--${flag} must be a number above 0`);
}

function whole(flag: string, text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new FlagFault(`--${flag} must be a whole number`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new FlagFault((error as Error).message.split('\n', 1)[0] ?? '');
  }
}
