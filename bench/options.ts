import { parseArgs } from 'node:util';
import { contestants } from './contestants/list';
import { type SeriesName, seriesNames, type StepOptions, usualSeries } from './series';

/** What is measured, and where it is written. */
export interface BenchOptions extends StepOptions {
  readonly series: readonly SeriesName[];
  /** Null for those of each series. */
  readonly letters: readonly string[] | null;
  /** Of each contestant over Redis, before the first turn of a series; others have fewer. */
  readonly warmupCalls: number;
  /** In place of these calls; null for them. */
  readonly warmupSeconds: number | null;
  /** How often all have their turn; null for what each series has. */
  readonly repeats: number | null;
  /** The name under which the ratios are kept in bench/baseline.json; null where they are not. */
  readonly baseline: string | null;
  readonly files: OutputFiles;
}

/** Files that are written; null for none. */
export interface OutputFiles {
  readonly json: string | null;
  readonly markdown: string | null;
  readonly svg: string | null;
}

const flags = {
  series: { type: 'string' },
  contestants: { type: 'string' },
  connections: { type: 'string' },
  rates: { type: 'string' },
  'postgres-rates': { type: 'string' },
  arrivals: { type: 'string' },
  seconds: { type: 'string' },
  'warmup-calls': { type: 'string' },
  warmup: { type: 'string' },
  repeats: { type: 'string' },
  calls: { type: 'string' },
  baseline: { type: 'string' },
  json: { type: 'string' },
  markdown: { type: 'string' },
  svg: { type: 'string' },
  quick: { type: 'boolean' },
  goals: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** All there are. */
export const optionNames: readonly string[] = Object.keys(flags);

/** What an option is where it is not given. */
export const defaults = {
  series: usualSeries.join(','),
  connections: '1,32,128',
  rates: '1000,2500,4000',
  'postgres-rates': '200,500,900',
  arrivals: 'poisson',
  seconds: '3',
  'warmup-calls': '80000',
  calls: '1000000',
} as const;

/** The same, for a look of two minutes. */
export const quickDefaults = {
  ...defaults,
  series: 'closed',
  contestants: 'a,b,c,d,e',
  connections: '32',
  rates: '1500',
  'postgres-rates': '500',
  seconds: '1',
  repeats: '6',
} as const;

/** The same, for what the goals of speed are held against. */
export const goalsDefaults = {
  ...defaults,
  series: 'closed,open,long-round,refused,hundred',
  contestants: 'a,b,c,d,e',
  connections: '32',
  seconds: '2',
  repeats: '6',
} as const;

/** What may be given and has no default in every case. */
interface Given {
  readonly arrivals: string;
  readonly repeats?: string;
  readonly contestants?: string;
}

/**
 * Reads the command line; null where help is asked for.
 * @throws TypeError naming the option that is wrong.
 */
export function readOptions(args: string[]): BenchOptions | null {
  const { values } = parseArgs({ args, options: flags });
  if (values.help === true) return null;
  if (values.quick === true && values.goals === true) {
    throw new TypeError('--quick and --goals cannot be given together');
  }
  const given = { ...defaultsFor(values), ...values };
  const { arrivals, repeats, contestants: list } = given as Given;
  if (arrivals !== 'poisson' && arrivals !== 'even') {
    throw new TypeError(`--arrivals must be poisson or even, not ${arrivals}`);
  }
  const letters =
    list === undefined ? null : namesIn('contestants', list, Object.keys(contestants));
  return {
    series: namesIn('series', given.series, seriesNames()),
    letters,
    connections: numbersIn('connections', given.connections, 1000),
    rates: {
      redis: numbersIn('rates', given.rates, 100_000),
      postgres: numbersIn('postgres-rates', given['postgres-rates'], 100_000),
    },
    arrivals,
    seconds: wholeNumber('seconds', given.seconds, 120),
    warmupCalls: wholeNumber('warmup-calls', given['warmup-calls'], 10_000_000),
    warmupSeconds: values.warmup === undefined ? null : wholeNumber('warmup', values.warmup, 60),
    repeats: repeats === undefined ? null : wholeNumber('repeats', repeats, 100),
    calls: wholeNumber('calls', given.calls, 100_000_000),
    baseline: values.baseline ?? null,
    files: {
      json: values.json ?? null,
      markdown: values.markdown ?? null,
      svg: values.svg ?? null,
    },
  };
}

function defaultsFor({ quick, goals }: { quick?: boolean; goals?: boolean }) {
  if (quick === true) return quickDefaults;
  return goals === true ? goalsDefaults : defaults;
}

/** Each once, in the order of `known`. */
function namesIn<Name extends string>(
  option: string,
  text: string,
  known: readonly Name[],
): readonly Name[] {
  const wanted = text.split(',');
  const strange = wanted.find((name) => !(known as readonly string[]).includes(name));
  if (strange !== undefined) {
    throw new TypeError(`--${option}: there is no "${strange}", only ${known.join(', ')}`);
  }
  return known.filter((name) => wanted.includes(name));
}

function numbersIn(option: string, text: string, most: number): readonly number[] {
  return [...new Set(text.split(',').map((each) => wholeNumber(option, each, most)))];
}

function wholeNumber(option: string, text: string, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= most) return value;
  throw new TypeError(`--${option}: "${text}" is no whole number from 1 to ${most}`);
}
