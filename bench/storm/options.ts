import { parseArgs } from 'node:util';

/** One storm. */
export interface StormOptions {
  readonly store: 'redis' | 'postgres';
  readonly operators: 1 | 2;
  readonly connections: number;
  /** Two stand behind a proxy that repeats a POST now and then. */
  readonly processes: 1 | 2;
  readonly factors: readonly number[];
  readonly seconds: number;
  /** Before the pace is measured, and how long it is. */
  readonly warmUpSeconds: number;
  /** The policy's answer, for the goals. */
  readonly shed: 'void' | 'refuse';
  /** Of `serve`; null for no bound. */
  readonly maxConnections: number | null;
  /** Further flags of `serve`. */
  readonly flags: readonly string[];
}

const help = `npm run bench:storm -- [options] [-- flags of serve]

Plays more than a wallet can do against rgs-wallet serve, as an RGS that keeps its rules, and says what was in time, what was
shed, and whether the money is whole. 1x is what the process can do, measured first. Time is the process's: it stands still while
the process waits for a processor. Several values, as in --store redis,postgres, play a storm for each combination. Ends with
exit code 1 if a cent is missing or too much.

  --all                  the storms that the goals need: both stores, both answers, 1 and 2 operators, 64, 1,024 and 4,096
                         connections, two processes behind the proxy, and 10x with 256 connections let in (about an hour)
  --store redis          or postgres (default: redis)
  --operators 1          or 2: one plays, and the other keeps 60, then 600 connections busy with calls of
                         500 transactions (default: 1)
  --connections 1024     of the RGS, kept alive (default: 1024)
  --processes 1          or 2, behind a proxy that sends every twentieth POST to both and passes on the later answer;
                         with --shed void alone (default: 1)
  --max-connections 256  that the process lets in: the goal of 10x is with such a bound (default: no bound)
  --factors 0.5,1,2      of what the process can do, each followed by 0.5 (default: 0.5,1,2,5,10)
  --seconds 5            of each (default: 5)
  --warmup 3             seconds before the pace of 1x is measured, and how long it is (default: 3)
  --shed void            or refuse: a flag of serve (default: void)
  --help                 print this
`;

const text = { type: 'string' } as const;
const flags = {
  all: { type: 'boolean' },
  store: text,
  operators: text,
  connections: text,
  processes: text,
  'max-connections': text,
  factors: text,
  seconds: text,
  warmup: text,
  shed: text,
  help: { type: 'boolean' },
} as const;

/** A combination of them is a storm. */
interface Choices {
  readonly store: readonly StormOptions['store'][];
  readonly operators: readonly StormOptions['operators'][];
  readonly connections: readonly number[];
  readonly processes: readonly StormOptions['processes'][];
  readonly maxConnections: readonly (number | null)[];
  readonly shed: readonly StormOptions['shed'][];
  readonly factors: readonly number[];
}

const usual: Choices = {
  store: ['redis'],
  operators: [1],
  connections: [1024],
  processes: [1],
  maxConnections: [null],
  shed: ['void'],
  factors: [0.5, 1, 2, 5, 10],
};

const every: Choices = {
  ...usual,
  store: ['redis', 'postgres'],
  connections: [64, 1024, 4096],
  shed: ['void', 'refuse'],
};

/** What the goals need. */
const all: readonly Choices[] = [
  every,
  { ...every, operators: [2], factors: [2, 5] },
  { ...every, connections: [1024], maxConnections: [256], factors: [10] },
  { ...every, connections: [1024], processes: [2], shed: ['void'], factors: [0.5, 2, 5] },
];

/** With `--help` it prints the help and ends the process; with a wrong argument too, with exit code 2. */
export function readOptions(args: readonly string[]): StormOptions[] {
  try {
    const storms = readStorms(args);
    return storms ?? stop(process.stdout, 0);
  } catch {
    return stop(process.stderr, 2);
  }
}

/** The storms to play, in order; null for the help. @throws Error for a wrong argument. */
export function readStorms(args: readonly string[]): StormOptions[] | null {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const { values } = parseArgs({ args: args.slice(0, end), options: flags });
  if (values.help === true) return null;
  const { seconds, warmup, 'max-connections': most } = values;
  const times = {
    seconds: positive(seconds ?? '5', 600),
    warmUpSeconds: positive(warmup ?? '3', 60),
  };
  const chosen = values.all === true ? all : [usual];
  const storms = chosen.flatMap((choices) => {
    const given: Choices = {
      store: listOf(values.store, choices.store, oneOf('redis', 'postgres')),
      operators: listOf(values.operators, choices.operators, oneOf(1, 2)),
      connections: listOf(values.connections, choices.connections, countOf),
      processes: listOf(values.processes, choices.processes, oneOf(1, 2)),
      maxConnections: listOf(most, choices.maxConnections, countOf),
      shed: listOf(values.shed, choices.shed, oneOf('void', 'refuse')),
      factors: listOf(values.factors, choices.factors, (each) => positive(each, 100)),
    };
    return combinations(given, times);
  });
  const further = args.slice(end + 1);
  const wrong = storms.find(({ processes, shed }) => processes === 2 && shed === 'refuse');
  if (wrong !== undefined) throw new Error('a proxy that repeats a POST needs --shed void');
  return unique(storms).map((storm) => ({ ...storm, flags: further }));
}

function combinations(
  choices: Choices,
  times: Pick<StormOptions, 'seconds' | 'warmUpSeconds'>,
): Omit<StormOptions, 'flags'>[] {
  const { factors } = choices;
  let storms: Omit<StormOptions, 'flags'>[] = [];
  for (const store of choices.store)
    for (const operators of choices.operators)
      for (const connections of choices.connections)
        for (const processes of choices.processes)
          for (const maxConnections of choices.maxConnections)
            for (const shed of choices.shed) {
              const storm = { store, operators, connections, processes, maxConnections, shed };
              storms = [...storms, { ...storm, factors, ...times }];
            }
  return storms;
}

/** `--all` with a choice may name a storm twice. */
function unique<T>(storms: readonly T[]): T[] {
  return [...new Map(storms.map((storm) => [JSON.stringify(storm), storm])).values()];
}

function listOf<Value>(
  given: string | undefined,
  usualOnes: readonly Value[],
  read: (each: string) => Value,
): readonly Value[] {
  return given === undefined ? usualOnes : given.split(',').map(read);
}

function oneOf<const Value extends string | number>(...known: readonly Value[]) {
  return (each: string): Value => {
    const found = known.find((value) => String(value) === each);
    if (found === undefined) throw new Error('no such choice');
    return found;
  };
}

/** Of connections. */
function countOf(given: string): number {
  const value = positive(given, 20_000);
  if (!Number.isInteger(value)) throw new Error('no whole number');
  return value;
}

function positive(given: string, most: number): number {
  const value = Number(given);
  if (value > 0 && value <= most) return value;
  throw new Error('no such number');
}

function stop(to: NodeJS.WriteStream, code: number): never {
  to.write(help);
  process.exit(code);
}
