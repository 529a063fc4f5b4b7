import { parseArgs } from 'node:util';

/** What `npm run hostile` was asked to do. */
export interface Flags {
  readonly seed: number;
  readonly inputs: number;
  /** The number of one input to replay; null for all. */
  readonly only: number | null;
  readonly quiet: boolean;
}

/** A wrong flag. */
export class FlagFault extends Error {
  override readonly name = 'FlagFault';
}

/** What `--help` says. */
export const helpText = `npm run hostile -- [options]

Sends hostile inputs to the whole handlers of the wallet, of the RGS and of a game provider, in this process and without
sockets, and judges every answer by the specification. The same seed gives the same inputs. Ends with 1 where something is wrong.

  --inputs N   inputs in all (100000)
  --seed N     seed of the inputs (1)
  --only N     replay the input with this number: prints it with its answer
  --quiet      no progress on stderr
  --help       this text

  forged       valid calls with a signature of another secret, operator or operation, cut, spelled otherwise, stale, doubled
  altered      signed calls with one signed thing changed; calls heard before with something changed that is not signed
  bytes        bodies with bytes changed, bodies that are no call, other content types, methods, paths, queries, early ends
  nonsense     signed as it should be, and nothing that the protocol knows
  good         calls that the rules take: so money moves, and must be there to the unit

Ctrl-C ends it with what was played.
`;

const flags = {
  seed: { type: 'string', default: '1' },
  inputs: { type: 'string', default: '100000' },
  only: { type: 'string' },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Reads the arguments; null for a request for help. @throws FlagFault for a wrong one. */
export function readFlags(args: readonly string[]): Flags | null {
  const { seed, inputs, only, quiet, help } = parse(args);
  if (help) return null;
  return {
    seed: whole('seed', seed, 1),
    inputs: whole('inputs', inputs, 1),
    only: only === undefined ? null : whole('only', only, 0),
    quiet,
  };
}

function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new FlagFault(`--${name} must be a whole number, at least ${least}`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, strict: true }).values;
  } catch (error) {
    throw new FlagFault((error as Error).message);
  }
}
