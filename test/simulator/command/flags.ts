import { parseArgs } from 'node:util';
import { hostedNames, type StoreName, storeNames, type Wire, wires } from '..';

const names: readonly StoreName[] = [...storeNames, ...hostedNames];

/** What `npm run simulate` was asked to do. */
export interface Flags {
  readonly seed: number;
  readonly calls: number;
  readonly store: StoreName;
  readonly wire: Wire;
  /** Calls of one world, about. */
  readonly world: number;
  /** Ends after so many seconds; null for when the calls are played. */
  readonly seconds: number | null;
  /** A seed file to play instead; null for none. */
  readonly replay: string | null;
  /** Where the seed file of a failure is written; null for stdout. */
  readonly out: string | null;
  readonly planted: boolean;
  /** Of the planted bugs, those with this in their names; empty for all. */
  readonly only: string;
  readonly trace: boolean;
  readonly shrink: boolean;
  readonly quiet: boolean;
}

/** A wrong flag. */
export class FlagFault extends Error {
  override readonly name = 'FlagFault';
}

/** What `--help` says. */
export const helpText = `npm run simulate -- [options]

Plays worlds in virtual time: several wallets over one store, the service, operators, faults everywhere. A world's seed
decides all of it, and the same seed gives the same trace. Ends with 1 where something does not hold, and prints the
shortest history that shows it.

  --seed N        seed of the first world; each following one has the next number (1)
  --calls M       money calls that the wallets take in all (100000)
  --store NAME    ${names.join(', ')} (memory); lua: Redis' scripts in this process; sql: PostgreSQL's SQL in it
  --wire NAME     how calls come: ${wires.join(' or ')} (message); http over memory and ledger
  --world M       calls of one world, about (1000)
  --seconds S     end after so many seconds, whatever was played
  --out FILE      write the seed file of a failure there, instead of printing it
  --no-shrink     keep a failing history as long as it is
  --replay FILE   play a seed file
  --trace         print what happens, line by line: for one world
  --planted       play every planted bug until it is found; --seed and --calls say where it looks (1, 300 a world)
  --only TEXT     of the planted bugs, those with this text in their names
  --quiet         no progress on stderr
  --help          this text
`;

const flags = {
  seed: { type: 'string', default: '1' },
  calls: { type: 'string' },
  store: { type: 'string', default: 'memory' },
  wire: { type: 'string', default: 'message' },
  world: { type: 'string' },
  seconds: { type: 'string' },
  replay: { type: 'string' },
  out: { type: 'string' },
  planted: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  trace: { type: 'boolean', default: false },
  'no-shrink': { type: 'boolean', default: false },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Reads the arguments; null for a request for help. @throws FlagFault for a wrong one. */
export function readFlags(args: readonly string[]): Flags | null {
  const values = parse(args);
  if (values.help) return null;
  const { store, wire, planted, only, trace, quiet, replay = null, out = null } = values;
  if (!isStore(store)) throw new FlagFault(`--store must be one of ${names.join(', ')}`);
  if (!isWire(wire)) throw new FlagFault(`--wire must be ${wires.join(' or ')}`);
  if (wire === 'http' && !storeNames.some((known) => known === store)) {
    throw new FlagFault(`--wire http needs --store ${storeNames.join(' or ')}`);
  }
  const whole = (name: 'seed' | 'calls' | 'world' | 'seconds', usual: number): number => {
    const value = Number(values[name] ?? usual);
    if (Number.isSafeInteger(value) && value >= 1) return value;
    throw new FlagFault(`--${name} must be a whole number above 0`);
  };
  return {
    seed: whole('seed', 1),
    calls: whole('calls', planted ? 15_000 : 100_000),
    world: whole('world', planted ? 300 : 1000),
    seconds: values.seconds === undefined ? null : whole('seconds', 0),
    store,
    wire,
    replay,
    out,
    planted,
    only,
    trace,
    shrink: !values['no-shrink'],
    quiet,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, strict: true }).values;
  } catch (error) {
    throw new FlagFault((error as Error).message);
  }
}

function isStore(name: string): name is StoreName {
  return names.some((known) => known === name);
}

function isWire(name: string): name is Wire {
  return wires.some((known) => known === name);
}
