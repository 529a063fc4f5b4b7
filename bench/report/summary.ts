import { contestants, reference, rivals } from '../contestants/list';
import type { Measurement } from '../measurement';
import { type SeriesName, seriesNames } from '../series';
import {
  type CpuPart,
  cpuReadings,
  type Reading,
  ratioOf,
  ratioOfLeast,
  speed,
  type Spread,
  spreadOfAll,
} from './spread';

/** A contestant's ratios to its rival, of calls a second and of what a call takes of the processor. */
export interface Beside {
  readonly rival: string;
  /** Within each repeat. */
  readonly ratios: Readonly<Record<'callsPerSecond' | CpuPart, Spread | null>>;
  /** Of the least of all turns to the rival's least: what other work on the machine changes least. */
  readonly ofLeast: Readonly<Record<CpuPart, number | null>>;
}

/** A contestant in a step of a series, over all its turns. */
export interface Summary {
  readonly series: SeriesName;
  readonly step: string;
  readonly connections: number;
  readonly letter: string;
  readonly title: string;
  readonly turns: number;
  readonly callsPerSecond: Spread | null;
  /** Of calls a second, in the same repeat; null where the reference was not measured. */
  readonly toReference: Spread | null;
  /** Null where its rival was not measured. */
  readonly beside: Beside | null;
  /** Milliseconds. */
  readonly latency: Readonly<Record<'p50' | 'p90' | 'p99' | 'p999' | 'max', Spread | null>>;
  /** Of an open loop: in how many turns the rate was held. */
  readonly held: number | null;
  /** Of an open loop: how late the load itself was, by the 99th percentile. */
  readonly lateness: Spread | null;
  /** Of long rounds: the median latency of their first and of their last hundred calls. */
  readonly firstCalls: Spread | null;
  readonly lastCalls: Spread | null;
  /** Microseconds for each call. */
  readonly contestantCpu: Spread | null;
  readonly serverCpu: Spread | null;
  /** Share of a core. */
  readonly loadCpu: Spread | null;
  readonly signedLate: number;
  /** For each call, those within scripts too. */
  readonly redisCommands: Spread | null;
  /** Bytes. */
  readonly rss: Spread | null;
  readonly heap: Spread | null;
}

/** By series, then by step, then by contestant, in the order in which they were measured. */
export function summarize(measurements: readonly Measurement[]): Summary[] {
  return seriesNames().flatMap((series) => {
    const ofSeries = measurements.filter((each) => each.series === series);
    const steps = [...new Set(ofSeries.map(({ step }) => step))];
    return steps.flatMap((step) => summarizeStep(ofSeries.filter((each) => each.step === step)));
  });
}

function summarizeStep(ofStep: readonly Measurement[]): Summary[] {
  const letters = [...new Set(ofStep.map(({ letter }) => letter))];
  const turnsOf = (wanted: string) => ofStep.filter(({ letter }) => letter === wanted);
  return letters.flatMap((letter) => {
    const turns = turnsOf(letter);
    const rival = rivals[letter];
    const others = rival === undefined ? [] : turnsOf(rival);
    return {
      ...summarizeOne(turns),
      toReference: ratioOf(turns, turnsOf(reference), speed),
      beside: rival === undefined || others.length === 0 ? null : besideOf(turns, rival, others),
    };
  });
}

function besideOf(
  turns: readonly Measurement[],
  rival: string,
  others: readonly Measurement[],
): Beside {
  const ratio = (read: Reading) => ratioOf(turns, others, read);
  const ofLeast = (read: Reading) => ratioOfLeast(turns, others, read);
  const { own, server, both } = cpuReadings;
  return {
    rival,
    ratios: {
      callsPerSecond: ratio(speed),
      own: ratio(own),
      server: ratio(server),
      both: ratio(both),
    },
    ofLeast: { own: ofLeast(own), server: ofLeast(server), both: ofLeast(both) },
  };
}

function summarizeOne(turns: readonly Measurement[]): Omit<Summary, 'toReference' | 'beside'> {
  const { series, step, letter, connections, open } = turns[0] as Measurement;
  const spread = (read: (turn: Measurement) => number | null) => spreadOfAll(turns, read);
  const latency = (name: keyof Measurement['latency']) => spread((turn) => turn.latency[name]);
  return {
    series,
    step,
    letter,
    connections,
    title: contestants[letter]?.title ?? '',
    turns: turns.length,
    callsPerSecond: spread((turn) => turn.callsPerSecond),
    latency: {
      p50: latency('p50'),
      p90: latency('p90'),
      p99: latency('p99'),
      p999: latency('p999'),
      max: latency('max'),
    },
    held: open === null ? null : turns.filter((turn) => turn.open?.isHeld === true).length,
    lateness: spread((turn) => turn.open?.lateness.p99 ?? null),
    firstCalls: spread((turn) => turn.ends?.first.p50 ?? null),
    lastCalls: spread((turn) => turn.ends?.last.p50 ?? null),
    contestantCpu: spread((turn) => turn.contestantCpu),
    serverCpu: spread((turn) => turn.serverCpu),
    loadCpu: spread((turn) => turn.loadCpu),
    signedLate: turns.reduce((sum, turn) => sum + turn.signedLate, 0),
    redisCommands: spread(({ redisCommands, calls }) => redisCommands && redisCommands / calls),
    rss: spread(({ memory }) => memory?.rss ?? null),
    heap: spread(({ memory }) => memory?.heap ?? null),
  };
}
