import type { Contestant } from './contestants/contestant';
import { type CallKind, longRoundCalls } from './load/calls';
import type { Pace } from './load/messages';
import type { Arrivals } from './load/schedule';

/** What is measured of a contestant at a time. */
export interface Step {
  /** Which names it in the tables. */
  readonly label: string;
  readonly calls: CallKind;
  readonly connections: number;
  readonly pace: Pace;
}

/** What the steps of the series are made from. */
export interface StepOptions {
  /** Of the closed loop. */
  readonly connections: readonly number[];
  /** Of the open loop, in calls a second, by the server of the contestant. */
  readonly rates: Readonly<Record<Contestant['server'], readonly number[]>>;
  readonly arrivals: Arrivals;
  /** Measured for each step. */
  readonly seconds: number;
  /** Of the series of resident memory. */
  readonly calls: number;
}

/** Steps that every contestant goes through, in its own processes and with its own server. */
export interface Series {
  readonly title: string;
  /** Of the contestants, unless they are named; null for all. */
  readonly letters: readonly string[] | null;
  readonly repeats: number;
  /** Processes of the contestant, each on a port of its own. */
  readonly processes: number;
  /** Whether calls that are not measured come first. */
  readonly isWarmedUp: boolean;
  /** What is read beside the load's figures. */
  readonly reads: 'nothing' | 'redis commands' | 'memory';
  steps(options: StepOptions, server: Contestant['server'], repeat: number): readonly Step[];
}

/** The names of the series. */
export type SeriesName = keyof typeof allSeries;

/** Connections of a series that is of no other interest in their number; the goals are held against it. */
export const usualConnections = 32;

/** Connections over which an open loop sends: enough that a contestant which holds the rate has always some free. */
const openConnections = 128;

/** Rounds of the series of long rounds that are played at once. */
const longRoundsAtOnce = 4;

/** The memory is read so often. */
export const memoryReadings = 10;

/** All but those that do the same with a consumer of events, or without follow-ups. */
const usualLetters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];

const compared = ['a', 'b', 'c', 'e', 'f', 'g'];

const usual = { repeats: 1, processes: 1, isWarmedUp: true, reads: 'nothing' } as const;

/** All series, in the order in which they are run. */
export const allSeries = {
  closed: {
    ...usual,
    title: 'closed loop: new rounds [debit, credit, end]',
    letters: usualLetters,
    repeats: 3,
    steps: ({ connections, seconds }) =>
      connections.map((count) => ({
        label: `${count} connection${count === 1 ? '' : 's'}`,
        calls: 'round',
        connections: count,
        pace: { kind: 'closed', seconds },
      })),
  },
  open: {
    ...usual,
    title: 'open loop at fixed rates: latency from the time a call was to be sent',
    letters: compared,
    repeats: 3,
    steps: ({ rates, seconds, arrivals }, server, repeat) =>
      rates[server].map((rate) => ({
        label: `${rate} calls/s`,
        calls: 'round',
        connections: openConnections,
        pace: { kind: 'open', seconds, rate, arrivals, seed: repeat },
      })),
  },
  hot: closedLoop('one hot player: new rounds [debit, credit, end]', 'hot'),
  'long-round': {
    ...usual,
    title: `long rounds: a debit, and ${longRoundCalls - 1} calls of a credit each`,
    letters: compared,
    repeats: 3,
    steps: () => [
      {
        label: `${longRoundsAtOnce} rounds at once`,
        calls: 'long-round',
        connections: longRoundsAtOnce,
        pace: { kind: 'counted', callsEach: longRoundCalls },
      },
    ],
  },
  two: {
    ...closedLoop('rounds of two calls: [debit], then [credit, end]', 'two'),
    letters: ['a', 'b', 'l', 'f', 'g', 'm'],
    repeats: 7,
  },
  balance: closedLoop('GET getBalance', 'balance'),
  refused: {
    ...usual,
    title: 'calls with a wrong signature, beside calls that are accepted',
    letters: compared,
    reads: 'redis commands',
    steps: ({ seconds }) =>
      (['round', 'refused'] as const).map((calls) => ({
        label: calls === 'round' ? 'accepted' : 'refused',
        calls,
        connections: usualConnections,
        pace: { kind: 'closed', seconds },
      })),
  },
  hundred: closedLoop('calls of 100 transactions [debit, 98 credits, end]', 'hundred'),
  workers: {
    ...closedLoop('two processes on two ports, connections spread evenly', 'round'),
    letters: ['a', 'b', 'c', 'd', 'e'],
    processes: 2,
  },
  events: {
    ...closedLoop('without and with a consumer of events that none reads', 'round'),
    letters: ['b', 'j', 'g', 'k'],
    repeats: 7,
  },
  history: {
    ...closedLoop('without and with the history of players and balances', 'round'),
    letters: ['b', 'n', 'g', 'o'],
    repeats: 7,
  },
  own: {
    ...closedLoop("the kit's tables, a platform's own, and these by hand", 'round'),
    letters: ['g', 'p', 'q'],
    repeats: 7,
  },
  resident: {
    ...usual,
    title: 'resident memory over many calls',
    letters: ['b', 'r', 's'],
    isWarmedUp: false,
    reads: 'memory',
    steps: ({ calls }) =>
      Array.from({ length: memoryReadings }, (_, at) => {
        const callsEach = Math.ceil(calls / memoryReadings / usualConnections);
        return {
          label: `${(at + 1) * callsEach * usualConnections} calls`,
          calls: 'round',
          connections: usualConnections,
          pace: { kind: 'counted', callsEach },
        };
      }),
  },
} satisfies Record<string, Series>;

/** Those of a run that names none: all but those that take many minutes for one answer. */
export const usualSeries = seriesNames().filter(
  (name) => !['resident', 'events', 'history', 'two', 'own'].includes(name),
);

/** The names, in order. */
export function seriesNames(): SeriesName[] {
  return Object.keys(allSeries) as SeriesName[];
}

/** The series of a name. */
export function seriesOf(name: SeriesName): Series {
  return allSeries[name];
}

function closedLoop(title: string, calls: CallKind): Series {
  return {
    ...usual,
    title,
    letters: compared,
    steps: ({ seconds }) => [
      {
        label: `${usualConnections} connections`,
        calls,
        connections: usualConnections,
        pace: { kind: 'closed', seconds },
      },
    ],
  };
}
