import { parseArgs } from 'node:util';

/** What is played. */
export interface StormOptions {
  readonly store: 'redis' | 'postgres';
  readonly operators: 1 | 2;
  readonly connections: number;
  readonly factors: readonly number[];
  readonly seconds: number;
  /** The policy's answer, for the goals. */
  readonly shed: 'void' | 'refuse';
  /** Further flags of `serve`. */
  readonly flags: readonly string[];
}

const help = `npm run bench:storm -- [options] [-- flags of serve]

Plays more than a wallet can do against rgs-wallet serve, as an RGS that keeps its rules, and says what was in time, what was
shed, and whether the money is whole. 1x is what the process can do, measured first. Time is the process's: it stands still while
the process waits for a processor. Ends with exit code 1 if a cent is missing or too much.

  --store redis         or postgres (default: redis)
  --operators 1         or 2: one plays, and the other keeps 60, then 600 connections busy with calls of
                        500 transactions (default: 1)
  --connections 1024    of the RGS, kept alive (default: 1024)
  --factors 0.5,1,2     of what the process can do, each followed by 0.5 (default: 0.5,1,2,5,10)
  --seconds 5           of each (default: 5)
  --shed void           or refuse: a flag of serve (default: void)
  --help                print this
`;

/** An option of a text. */
function usual(value: string): { type: 'string'; default: string } {
  return { type: 'string', default: value };
}

/** With `--help` it prints the help and ends the process; with a wrong argument too, with exit code 2. */
export function readOptions(args: readonly string[]): StormOptions {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const options = {
    store: usual('redis'),
    operators: usual('1'),
    connections: usual('1024'),
    factors: usual('0.5,1,2,5,10'),
    seconds: usual('5'),
    shed: usual('void'),
    help: { type: 'boolean' },
  } as const;
  try {
    const { values } = parseArgs({ args: args.slice(0, end), options });
    if (values.help === true) stop(process.stdout, 0);
    const { store, shed } = values;
    const factors = values.factors.split(',').map(Number);
    const [operators, connections, seconds] = [
      Number(values.operators),
      Number(values.connections),
      Number(values.seconds),
    ];
    if (store !== 'redis' && store !== 'postgres') throw new Error('store');
    if (shed !== 'void' && shed !== 'refuse') throw new Error('shed');
    if (operators !== 1 && operators !== 2) throw new Error('operators');
    const isRight = [connections, seconds, ...factors].every((value) => value > 0 && value <= 1e5);
    if (!isRight) throw new Error('a number');
    const flags = ['--shed', shed, ...args.slice(end + 1)];
    return { store, operators, connections, factors, seconds, shed, flags };
  } catch {
    return stop(process.stderr, 2);
  }
}

function stop(to: NodeJS.WriteStream, code: number): never {
  to.write(help);
  process.exit(code);
}
