import { contestants, reference } from './contestants/list';
import type { Measurement } from './measure';

/** A contestant under a number of connections, over all its turns. */
export interface Summary {
  readonly letter: string;
  readonly title: string;
  readonly connections: number;
  readonly callsPerSecond: Spread;
  /** Of the medians of calls a second; null where the reference was not measured. */
  readonly ratioToReference: number | null;
  /** Milliseconds. */
  readonly p50: Spread;
  readonly p99: Spread;
  /** Microseconds for each call. */
  readonly contestantCpu: Spread | null;
  readonly serverCpu: Spread | null;
  /** Share of a core. */
  readonly loadCpu: Spread;
  readonly signedLate: number;
}

/** The median of some turns, and the least and the most of them. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** Above this share of a core the load may be what limits. */
const busyLoad = 0.85;

/** The medians and ratios, by connections, then in the order measured. */
export function summarize(measurements: readonly Measurement[]): Summary[] {
  const counts = [...new Set(measurements.map(({ connections }) => connections))];
  const letters = [...new Set(measurements.map(({ letter }) => letter))];
  return counts.flatMap((connections) => {
    const of = (wanted: string) =>
      measurements.filter((each) => each.letter === wanted && each.connections === connections);
    const base = of(reference).map(({ callsPerSecond }) => callsPerSecond);
    const middle = base.length === 0 ? null : spreadOf(base).median;
    return letters.map((letter) => summarizeOne(letter, connections, of(letter), middle));
  });
}

function summarizeOne(
  letter: string,
  connections: number,
  turns: readonly Measurement[],
  base: number | null,
): Summary {
  const spread = (read: (turn: Measurement) => number) => spreadOf(turns.map(read));
  const known = (read: (turn: Measurement) => number | null): Spread | null => {
    const values = turns.map(read).filter((value) => value !== null);
    return values.length === turns.length ? spreadOf(values) : null;
  };
  const callsPerSecond = spread((turn) => turn.callsPerSecond);
  return {
    letter,
    title: contestants[letter]?.title ?? '',
    connections,
    callsPerSecond,
    ratioToReference: base === null ? null : callsPerSecond.median / base,
    p50: spread(({ latency }) => latency.p50),
    p99: spread(({ latency }) => latency.p99),
    contestantCpu: known((turn) => turn.contestantCpu),
    serverCpu: known((turn) => turn.serverCpu),
    loadCpu: spread((turn) => turn.loadCpu),
    signedLate: turns.reduce((sum, turn) => sum + turn.signedLate, 0),
  };
}

/** The table that is printed. */
export function tableOf(summaries: readonly Summary[]): string {
  const titles = summaries.map(({ title }) => title.length);
  const width = Math.max(...titles);
  const counts = [...new Set(summaries.map(({ connections }) => connections))];
  const lines = counts.flatMap((connections) => [
    '',
    `${connections} connection${connections === 1 ? '' : 's'}`,
    `   ${''.padEnd(width)}  calls/s [least-most]    to ${reference}   p50 ms   p99 ms  CPU us/call: own  server  load`,
    ...summaries.filter((row) => row.connections === connections).map((row) => lineOf(row, width)),
  ]);
  const busy = summaries.some(({ loadCpu }) => loadCpu.median > busyLoad);
  const note = `! the load used more than ${busyLoad * 100}% of a core: it may be what limits`;
  return [...lines, ...(busy ? ['', note] : [])].join('\n');
}

function lineOf(row: Summary, width: number): string {
  const { letter, title, callsPerSecond: calls, ratioToReference: ratio, loadCpu } = row;
  const range = `[${calls.least.toFixed(0)}-${calls.most.toFixed(0)}]`;
  return [
    `${letter}  ${title.padEnd(width)} `,
    `${calls.median.toFixed(0).padStart(7)} ${range.padEnd(15)}`,
    (ratio?.toFixed(2) ?? '-').padStart(5),
    row.p50.median.toFixed(2).padStart(8),
    row.p99.median.toFixed(2).padStart(8),
    (row.contestantCpu?.median.toFixed(0) ?? '-').padStart(16),
    (row.serverCpu?.median.toFixed(0) ?? '-').padStart(7),
    `${(loadCpu.median * 100).toFixed(0)}%${loadCpu.median > busyLoad ? '!' : ''}`.padStart(5),
  ].join(' ');
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const half = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? at(half) : (at(half - 1) + at(half)) / 2;
  return { median, least: at(0), most: at(sorted.length - 1) };
}
