import { usualConnections } from '../series';
import type { Spread } from './spread';
import type { Summary } from './summary';
import type { Table } from './table';

/** The ratios of one commit, by name: `b to a, calls/s`. */
export interface Baseline {
  readonly name: string;
  /** The command that measured them, and on what machine. */
  readonly how: string;
  readonly ratios: Ratios;
}

type Ratios = Readonly<Record<string, number>>;

/** A ratio that got worse by more is reported. */
const tolerance = 0.03;

/** Of calls a second, more is better; of processor time, less. */
const speedName = 'calls/s';

/** Whose ratios are kept. */
const keptLetters = ['b', 'c', 'd'];

/** Ratios of the closed loop at the usual connections: of calls a second the median of the repeats, of processor time that of the least turns. */
export function ratiosOf(summaries: readonly Summary[]): Ratios {
  const kept = summaries.filter(
    ({ series, connections, letter }) =>
      series === 'closed' && connections === usualConnections && keptLetters.includes(letter),
  );
  const named = kept.flatMap(({ letter, beside }) => {
    if (beside === null) return [];
    const { rival, ratios, ofLeast } = beside;
    const values: readonly (readonly [string, number | null])[] = [
      [speedName, medianOf(ratios.callsPerSecond)],
      ['CPU own', ofLeast.own],
      ['CPU server', ofLeast.server],
      ['CPU both', ofLeast.both],
    ];
    return values.flatMap(([name, value]) =>
      value === null ? [] : [[`${letter} to ${rival}, ${name}`, round(value)] as const],
    );
  });
  return Object.fromEntries(named);
}

function medianOf(spread: Spread | null): number | null {
  return spread === null ? null : spread.median;
}

function round(ratio: number): number {
  return Math.round(ratio * 1000) / 1000;
}

/** The ratios beside those of the first baseline and of the last; null where nothing can be compared. */
export function distanceTable(now: Ratios, baselines: readonly Baseline[]): Table | null {
  const [first, last] = [baselines[0], baselines.at(-1)];
  if (first === undefined || last === undefined || Object.keys(now).length === 0) return null;
  const compared = first === last ? [first] : [first, last];
  return {
    title: `ratios at ${usualConnections} connections, and how far they are from baselines`,
    columns: ['<ratio', 'now', ...compared.map(({ name }) => `<${name}`)],
    rows: Object.entries(now).map(([name, ratio]) => {
      return [
        name,
        ratio.toFixed(2),
        ...compared.map(({ ratios }) => distance(ratio, ratios[name])),
      ];
    }),
  };
}

function distance(now: number, then: number | undefined): string {
  if (then === undefined) return '-';
  const percent = (now / then - 1) * 100;
  return `${then.toFixed(2)}: ${percent < 0 ? '' : '+'}${percent.toFixed(1)} %`;
}

/** A line for each ratio that is worse than that of the first baseline or of the last. */
export function setbacks(now: Ratios, baselines: readonly Baseline[]): string[] {
  const compared = new Set([baselines[0], baselines.at(-1)]);
  return [...compared].flatMap((baseline) =>
    Object.entries(now).flatMap(([name, ratio]) => {
      const then = baseline?.ratios[name];
      if (baseline === undefined || then === undefined) return [];
      const isSpeed = name.endsWith(speedName);
      const change = isSpeed ? then / ratio : ratio / then;
      if (change <= 1 + tolerance) return [];
      const verb = isSpeed ? 'fell' : 'rose';
      const values = `${then.toFixed(2)} to ${ratio.toFixed(2)}`;
      return [
        `${name} ${verb} by more than ${tolerance * 100} % since ${baseline.name}: ${values}`,
      ];
    }),
  );
}

/** All baselines with one more at the end, in place of an earlier one of its name. */
export function withBaseline(baselines: readonly Baseline[], one: Baseline): Baseline[] {
  return [...baselines.filter(({ name }) => name !== one.name), one];
}
