import { reference } from '../contestants/list';
import { seriesOf, type StepOptions } from '../series';
import { type Goal, verdictOf } from './goal';
import { type Spread, withRange } from './spread';
import type { Summary } from './summary';
import type { Table } from './table';

/** Above this share of a core the load may be what limits. */
const busyLoad = 0.85;

/** How the tables are read. */
export function notesOf({ seconds, arrivals }: StepOptions): string[] {
  const times = arrivals === 'even' ? 'even' : 'Poisson';
  return [
    `Each step is measured for ${seconds} s, unless its calls are counted.`,
    'Medians of the repeats, with the least and the most of them; ratios are taken within each repeat.',
    `Open loop: ${times} arrivals, the same for all contestants; the load's own lateness is in the latencies.`,
    'CPU: microseconds of processor for each call, of the contestant and of its server.',
    'of least: the least of all turns to the least of all turns of the other, which other work on the machine changes least.',
    `!: the load used more than ${busyLoad * 100}% of a core, and may be what limits.`,
  ];
}

interface Column {
  readonly name: string;
  readonly read: (row: Summary) => string;
}

const milliseconds = (name: string, read: (row: Summary) => Spread | null): Column => ({
  name,
  read: (row) => medianOf(read(row), 2),
});

const contestant: Column = {
  name: '<contestant',
  read: ({ letter, title }) => `${letter} ${title}`,
};

const costs: readonly Column[] = [
  { name: 'CPU own', read: (row) => medianOf(row.contestantCpu, 0) },
  { name: 'server', read: (row) => medianOf(row.serverCpu, 0) },
  {
    name: 'load',
    read: ({ loadCpu }) => {
      const share = loadCpu?.median ?? 0;
      return `${(share * 100).toFixed(0)}%${share > busyLoad ? '!' : ''}`;
    },
  },
];

const closedLoop: readonly Column[] = [
  contestant,
  { name: '<calls/s', read: (row) => withRange(row.callsPerSecond, 0) },
  { name: `<to ${reference}`, read: (row) => withRange(row.toReference, 2) },
  milliseconds('p50 ms', ({ latency }) => latency.p50),
  milliseconds('p99 ms', ({ latency }) => latency.p99),
  ...costs,
];

/** The same for all calls of a round of two, with their spread. */
const roundOfTwo: readonly Column[] = [
  contestant,
  { name: '<calls/s', read: (row) => withRange(row.callsPerSecond, 0) },
  cpuOfTwo('node', (row) => row.contestantCpu),
  cpuOfTwo('server', (row) => row.serverCpu),
  milliseconds('p50 ms', ({ latency }) => latency.p50),
  milliseconds('p99 ms', ({ latency }) => latency.p99),
  ...costs.filter(({ name }) => name === 'load'),
];

function cpuOfTwo(name: string, read: (row: Summary) => Spread | null): Column {
  return {
    name: `<${name}, us a round`,
    read: (row) => {
      const each = read(row);
      if (each === null) return '-';
      const { median, least, most } = each;
      return withRange({ median: 2 * median, least: 2 * least, most: 2 * most }, 0);
    },
  };
}

/** Latencies of a contestant that did not hold the rate say how long it was measured, and nothing else. */
const ifHeld =
  (read: (row: Summary) => string) =>
  (row: Summary): string =>
    row.held === row.turns ? read(row) : '-';

const openLoop: readonly Column[] = [
  contestant,
  {
    name: '<rate',
    read: ({ held, turns, callsPerSecond }) => {
      if (held === turns) return 'held';
      const answered = `not held: ${medianOf(callsPerSecond, 0)}/s answered`;
      return held === 0 ? answered : `${answered}, held in ${held} of ${turns}`;
    },
  },
  ...(['p50', 'p90', 'p99', 'p999', 'max'] as const).map((name) => ({
    name: `${name === 'p999' ? 'p99.9' : name} ms`,
    read: ifHeld(({ latency }) => withRange(latency[name], 2)),
  })),
  milliseconds('load late p99', ({ lateness }) => lateness),
  ...costs,
];

const mebibytes = (name: string, read: (row: Summary) => Spread | null): Column => ({
  name,
  read: (row) => {
    const bytes = read(row)?.median;
    return bytes === undefined ? '-' : (bytes / 2 ** 20).toFixed(1);
  },
});

function columnsOf(series: Summary['series']): readonly Column[] {
  if (series === 'open') return openLoop;
  if (series === 'two') return roundOfTwo;
  if (series === 'refused') {
    return [
      ...closedLoop,
      { name: 'Redis commands a call', read: (row) => medianOf(row.redisCommands, 2) },
    ];
  }
  if (series === 'long-round') {
    return [
      ...closedLoop,
      milliseconds('p50 of calls 1-100', ({ firstCalls }) => firstCalls),
      milliseconds('of 901-1000', ({ lastCalls }) => lastCalls),
    ];
  }
  if (series === 'resident') {
    return [
      contestant,
      { name: 'calls/s', read: (row) => medianOf(row.callsPerSecond, 0) },
      mebibytes('resident MiB', ({ rss }) => rss),
      mebibytes('heap MiB', ({ heap }) => heap),
      ...costs,
    ];
  }
  return closedLoop;
}

/** What the ratios of a contestant to its rival are of. */
const besideColumns = [
  '<contestant',
  '<calls/s',
  '<CPU own',
  '<server',
  '<both',
  'of least: own',
  'server',
  'both',
];

function besideTable(title: string, rows: readonly Summary[]): Table[] {
  const cells = rows.flatMap(({ letter, beside }) => {
    if (beside === null) return [];
    const { callsPerSecond, own, server, both } = beside.ratios;
    const { ofLeast } = beside;
    const ratios = [callsPerSecond, own, server, both].map((ratio) => withRange(ratio, 2));
    const least = [ofLeast.own, ofLeast.server, ofLeast.both].map(
      (ratio) => ratio?.toFixed(2) ?? '-',
    );
    return [[`${letter} to ${beside.rival}`, ...ratios, ...least]];
  });
  return cells.length === 0
    ? []
    : [{ title: `${title}; ratios`, columns: besideColumns, rows: cells }];
}

/**
 * A table for each step of each series, with another one of the ratios to rivals; for resident memory, one with a row for each
 * step.
 */
export function tablesOf(summaries: readonly Summary[]): Table[] {
  const groups = new Map<string, Summary[]>();
  for (const summary of summaries) {
    const { series, step } = summary;
    const name = seriesOf(series).title;
    const title = series === 'resident' ? name : `${name}; ${step}`;
    groups.set(title, [...(groups.get(title) ?? []), summary]);
  }
  return [...groups].flatMap(([title, rows]) => {
    const [{ series }] = rows as [Summary];
    const step: Column = { name: '<after', read: (row) => row.step };
    const columns = [...(series === 'resident' ? [step] : []), ...columnsOf(series)];
    const table = {
      title,
      columns: columns.map(({ name }) => name),
      rows: rows.map((row) => columns.map(({ read }) => read(row))),
    };
    return [table, ...(series === 'open' ? [] : besideTable(title, rows))];
  });
}

/** What was aimed at, and what came of it. */
export function goalsTable(goals: readonly Goal[]): Table {
  return {
    title: 'goals',
    columns: ['<goal', '<target', '<measured', '<'],
    rows: goals.map((each) => [each.goal, each.target, each.measured, verdictOf(each)]),
  };
}

function medianOf(spread: Spread | null, decimals: number): string {
  return spread === null ? '-' : spread.median.toFixed(decimals);
}
