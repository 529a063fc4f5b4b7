import type { Measurement } from '../measurement';
import { type SeriesName, usualConnections } from '../series';
import { atLeast, atMost, type Goal, missed } from './goal';
import {
  cpuReadings,
  ratioOf,
  ratioOfLeast,
  type Spread,
  speed,
  spreadOf,
  withRange,
} from './spread';

/** The least ratio of calls a second in the closed loop, over the usual connections. */
const speedGoals = [
  ['b', 'a', 0.9],
  ['c', 'e', 2],
  ['i', 'e', 1.1],
  ['d', 'a', 0.85],
  ['g', 'f', 1.2],
] as const;

/** Most that a call may take of the processor in the same turns, as a share of the same by hand. */
const cpuByHandGoals = [
  { letter: 'b', other: 'a', part: 'own', most: 1.15 },
  { letter: 'b', other: 'a', part: 'server', most: 1.05 },
] as const;

/** Whose latency in an open loop is not to be above whose, and by what factor. */
const latencyGoals = [
  ['b', 'a', 1.05],
  ['c', 'e', 1],
  ['g', 'f', 1],
] as const;

/** The least ratio of calls a second with calls of 100 transactions. */
const hundredGoal = { letter: 'b', other: 'a', least: 0.65 } as const;

/** Contestants made with the kit of which refused calls are measured. */
const kitLetters = ['b', 'c', 'd', 'g', 'h', 'i'] as const;

/** What a refused call may take of the processor, as a share of an accepted one. */
const maxOfRefused = 0.4;

/** Most that a call may take of the processor, of contestant and server, as a share of another contestant's. */
export const cpuGoals = [
  { series: 'events', letter: 'j', other: 'b', most: 1.07, what: 'with a consumer of events' },
  { series: 'events', letter: 'k', other: 'g', most: 1.1, what: 'with a consumer of events' },
  { series: 'events', letter: 't', other: 'b', most: 1.1, what: 'with totals' },
  { series: 'events', letter: 'u', other: 'g', most: 1.1, what: 'with totals' },
  { series: 'own', letter: 'p', other: 'g', most: 1.35, what: 'over own tables' },
  { series: 'own', letter: 'p', other: 'q', most: 0.85, what: 'over own tables' },
] as const;

/** Most that a round of two calls may take of the processor, as a share of one without follow-ups. */
const followUpGoals = [
  ['b', 'l', 'contestantCpu', 1],
  ['b', 'l', 'serverCpu', 1],
  ['g', 'm', 'contestantCpu', 1],
  ['g', 'm', 'serverCpu', 0.75],
] as const;

/** The least ratio of calls a second in long rounds, each at its best turn: single turns may be slowed to a third. */
const longRoundGoal = { letter: 'b', other: 'a', least: 0.9 } as const;

/** By how much the memory may grow once caches are full. */
const maxGrowth = 1.1;

/** After so many calls they are: the signatures of the latest 100,000 are remembered (D1.8). */
const callsToFill = 200_000;

/** The goals of which enough was measured. */
export function goalsOf(measurements: readonly Measurement[]): Goal[] {
  return [
    ...speedGoals.flatMap(([letter, other, least]) =>
      speedGoal(measurements, { letter, other, least }),
    ),
    ...cpuByHandGoals.flatMap((goal) => cpuByHandGoal(measurements, goal)),
    ...hundredGoalOf(measurements),
    ...latencyGoals.flatMap((goal) => latencyGoalsOf(measurements, goal)),
    ...kitLetters.flatMap((letter) => refusalGoals(measurements, letter)),
    ...cpuGoals.flatMap((goal) => cpuGoalOf(measurements, goal)),
    ...followUpGoals.flatMap((goal) => followUpGoal(measurements, goal)),
    ...bestTurnGoal(measurements),
    ...memoryGoals(measurements),
  ];
}

function speedGoal(
  measurements: readonly Measurement[],
  { letter, other, least }: { letter: string; other: string; least: number },
): Goal[] {
  const ratio = ratioOf(usualTurns(measurements, letter), usualTurns(measurements, other), speed);
  const goal = `calls/s of ${letter} to ${other}, ${usualConnections} connections`;
  return ratio === null ? [] : [atLeast(goal, medianOf(ratio, least))];
}

function hundredGoalOf(measurements: readonly Measurement[]): Goal[] {
  const { letter, other, least } = hundredGoal;
  const of = (wanted: string) => turnsOf(measurements, 'hundred', wanted);
  const ratio = ratioOf(of(letter), of(other), speed);
  const goal = `calls/s of ${letter} to ${other}, calls of 100 transactions`;
  return ratio === null ? [] : [atLeast(goal, medianOf(ratio, least))];
}

/** By the least of many turns: what else runs only adds to what a call takes. */
function cpuByHandGoal(
  measurements: readonly Measurement[],
  { letter, other, part, most }: (typeof cpuByHandGoals)[number],
): Goal[] {
  const [mine, theirs] = [usualTurns(measurements, letter), usualTurns(measurements, other)];
  const ratio = ratioOfLeast(mine, theirs, cpuReadings[part]);
  if (ratio === null) return [];
  const turns = withRange(ratioOf(mine, theirs, cpuReadings[part]), 2);
  const whose = part === 'own' ? 'the process' : 'the server';
  const goal = `CPU of ${whose}, a call of ${letter} to one of ${other}, least turn of each`;
  const measured = `${ratio.toFixed(2)}, turns ${turns}`;
  return [atMost(goal, { value: ratio, target: most, measured })];
}

function turnsOf(
  measurements: readonly Measurement[],
  series: SeriesName,
  letter: string,
): Measurement[] {
  return measurements.filter((each) => each.series === series && each.letter === letter);
}

function medianOf(ratio: Spread, target: number) {
  return { value: ratio.median, target, measured: withRange(ratio, 2) };
}

/** Of the closed loop, over the usual connections. */
function usualTurns(measurements: readonly Measurement[], letter: string): Measurement[] {
  return measurements.filter(
    (each) =>
      each.series === 'closed' && each.letter === letter && each.connections === usualConnections,
  );
}

/** At each rate that the other held; one that it does not hold itself is missed. */
function latencyGoalsOf(
  measurements: readonly Measurement[],
  [letter, other, most]: (typeof latencyGoals)[number],
): Goal[] {
  const open = measurements.filter(({ series }) => series === 'open');
  const steps = [...new Set(open.map(({ step }) => step))];
  return steps.flatMap((step) => {
    const of = (wanted: string) =>
      open.filter((each) => each.letter === wanted && each.step === step);
    const [mine, theirs] = [of(letter), of(other)];
    if (mine.length === 0 || theirs.length === 0 || !theirs.every(isHeld)) return [];
    const goal = `p99 of ${letter} to ${other}, ${step}`;
    if (!mine.every(isHeld)) return [missed(goal, `<= ${most.toFixed(2)}`, 'rate not held')];
    const ratio = ratioOf(mine, theirs, ({ latency }) => latency.p99);
    return ratio === null ? [] : [atMost(goal, medianOf(ratio, most))];
  });
}

function isHeld({ open }: Measurement): boolean {
  return open?.isHeld === true;
}

function refusalGoals(measurements: readonly Measurement[], letter: string): Goal[] {
  const of = (wanted: string) =>
    measurements.filter(
      (each) => each.series === 'refused' && each.letter === letter && each.step === wanted,
    );
  const refused = of('refused');
  const ratio = ratioOf(refused, of('accepted'), cpuReadings.both);
  const commands = refused.flatMap(({ redisCommands }) => redisCommands ?? []);
  const goals: Goal[] = [];
  if (ratio !== null) {
    const goal = `CPU of a refused call of ${letter} to an accepted one`;
    goals.push(atMost(goal, medianOf(ratio, maxOfRefused)));
  }
  if (commands.length > 0) {
    const goal = `Redis commands while calls of ${letter} were refused`;
    goals.push(atMost(goal, { value: Math.max(...commands), target: 0, decimals: 0 }));
  }
  return goals;
}

function cpuGoalOf(
  measurements: readonly Measurement[],
  { series, letter, other, most, what }: (typeof cpuGoals)[number],
): Goal[] {
  const of = (wanted: string) => turnsOf(measurements, series, wanted);
  const ratio = ratioOf(of(letter), of(other), cpuReadings.both);
  const goal = `CPU of a call of ${letter}, ${what}, to one of ${other}`;
  return ratio === null ? [] : [atMost(goal, medianOf(ratio, most))];
}

/** HTTP, signature and schema included, which are the larger part of node's. */
function followUpGoal(
  measurements: readonly Measurement[],
  [letter, other, part, most]: (typeof followUpGoals)[number],
): Goal[] {
  const of = (wanted: string) => turnsOf(measurements, 'two', wanted);
  const ratio = ratioOf(of(letter), of(other), (turn) => turn[part]);
  const whose = part === 'contestantCpu' ? 'node, with HTTP' : 'the server';
  const goal = `CPU of ${whose}: a round of two calls of ${letter}, to one of ${other} without follow-ups`;
  return ratio === null ? [] : [atMost(goal, medianOf(ratio, most))];
}

function bestTurnGoal(measurements: readonly Measurement[]): Goal[] {
  const { letter, other, least } = longRoundGoal;
  const turns = (wanted: string) => turnsOf(measurements, 'long-round', wanted);
  const best = (wanted: string) =>
    spreadOf(turns(wanted).flatMap((turn) => speed(turn) ?? []))?.most ?? null;
  const [mine, theirs] = [best(letter), best(other)];
  if (mine === null || theirs === null) return [];
  const ratio = mine / theirs;
  const spread = withRange(ratioOf(turns(letter), turns(other), speed), 2);
  const measured = `${ratio.toFixed(2)}, turns ${spread}`;
  const goal = `calls/s of ${letter} to ${other} in long rounds, best turn of each`;
  return [atLeast(goal, { value: ratio, target: least, measured })];
}

/** Of the last reading to the first one at which what is remembered is full; none where that is the same. */
function memoryGoals(measurements: readonly Measurement[]): Goal[] {
  const readings = measurements.filter(({ series }) => series === 'resident');
  const letters = [...new Set(readings.map(({ letter }) => letter))];
  return letters.flatMap((letter) => {
    const own = readings.filter((each) => each.letter === letter && each.repeat === 1);
    let calls = 0;
    const early = own.find((each) => (calls += each.calls) >= callsToFill);
    const late = own.at(-1);
    if (early === undefined || late === undefined || early === late) return [];
    return (['rss', 'heap'] as const).flatMap((part) => {
      const [before, after] = [early.memory?.[part], late.memory?.[part]];
      if (typeof before !== 'number' || typeof after !== 'number') return [];
      const goal = `${part} of ${letter} after ${late.step} to after ${early.step}`;
      return [atMost(goal, { value: after / before, target: maxGrowth })];
    });
  });
}
