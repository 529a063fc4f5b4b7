import type { Measurement } from '../measurement';
import { usualConnections } from '../series';
import { cpuReadings, ratioOf, ratioOfLeast, speed, spreadOf, withRange } from './spread';

/** What was aimed at, and what came of it. */
export interface Goal {
  readonly goal: string;
  readonly target: string;
  readonly measured: string;
  readonly isMet: boolean;
}

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

/** Whose latency in an open loop is not to be above whose. */
const latencyGoals = [
  ['b', 'a'],
  ['c', 'e'],
  ['g', 'f'],
] as const;

/** Contestants made with the kit of which refused calls are measured. */
const kitLetters = ['b', 'c', 'd', 'g', 'h', 'i'] as const;

/** What a refused call may take of the processor, as a share of an accepted one. */
const maxOfRefused = 0.5;

/** Most that a call may take of the processor, of contestant and server, as a share of another contestant's. */
export const cpuGoals = [
  { series: 'events', letter: 'j', other: 'b', most: 1.07, what: 'with a consumer of events' },
  { series: 'events', letter: 'k', other: 'g', most: 1.1, what: 'with a consumer of events' },
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
    ...latencyGoals.flatMap(([letter, other]) => latencyGoalsOf(measurements, letter, other)),
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
  if (ratio === null) return [];
  return [
    {
      goal: `calls/s of ${letter} to ${other}, ${usualConnections} connections`,
      target: `>= ${least.toFixed(2)}`,
      measured: withRange(ratio, 2),
      isMet: ratio.median >= least,
    },
  ];
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
  return [
    {
      goal: `CPU of ${part === 'own' ? 'the process' : 'the server'}, a call of ${letter} to one of ${other}, least turn of each`,
      target: `<= ${most.toFixed(2)}`,
      measured: `${ratio.toFixed(2)}, turns ${turns}`,
      isMet: ratio <= most,
    },
  ];
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
  letter: string,
  other: string,
): Goal[] {
  const open = measurements.filter(({ series }) => series === 'open');
  const steps = [...new Set(open.map(({ step }) => step))];
  return steps.flatMap((step) => {
    const of = (wanted: string) =>
      open.filter((each) => each.letter === wanted && each.step === step);
    const [mine, theirs] = [of(letter), of(other)];
    if (mine.length === 0 || theirs.length === 0 || !theirs.every(isHeld)) return [];
    const goal = { goal: `p99 of ${letter} to ${other}, ${step}`, target: '<= 1.00' };
    if (!mine.every(isHeld)) return [{ ...goal, measured: 'rate not held', isMet: false }];
    const ratio = ratioOf(mine, theirs, ({ latency }) => latency.p99);
    if (ratio === null) return [];
    return [{ ...goal, measured: withRange(ratio, 2), isMet: ratio.median <= 1 }];
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
  const cpuGoal = ratio && {
    goal: `CPU of a refused call of ${letter} to an accepted one`,
    target: `< ${maxOfRefused.toFixed(2)}`,
    measured: withRange(ratio, 2),
    isMet: ratio.median < maxOfRefused,
  };
  const most = Math.max(...commands);
  const commandsGoal = commands.length > 0 && {
    goal: `Redis commands while calls of ${letter} were refused`,
    target: '0',
    measured: String(most),
    isMet: most === 0,
  };
  return [cpuGoal, commandsGoal].filter((each) => each !== null && each !== false);
}

function cpuGoalOf(
  measurements: readonly Measurement[],
  { series, letter, other, most, what }: (typeof cpuGoals)[number],
): Goal[] {
  const of = (wanted: string) =>
    measurements.filter((each) => each.series === series && each.letter === wanted);
  const ratio = ratioOf(of(letter), of(other), cpuReadings.both);
  if (ratio === null) return [];
  return [
    {
      goal: `CPU of a call of ${letter}, ${what}, to one of ${other}`,
      target: `<= ${most.toFixed(2)}`,
      measured: withRange(ratio, 2),
      isMet: ratio.median <= most,
    },
  ];
}

/** HTTP, signature and schema included, which are the larger part of node's. */
function followUpGoal(
  measurements: readonly Measurement[],
  [letter, other, part, most]: (typeof followUpGoals)[number],
): Goal[] {
  const of = (wanted: string) =>
    measurements.filter(({ series, letter: own }) => series === 'two' && own === wanted);
  const ratio = ratioOf(of(letter), of(other), (turn) => turn[part]);
  if (ratio === null) return [];
  const whose = part === 'contestantCpu' ? 'node, with HTTP' : 'the server';
  return [
    {
      goal: `CPU of ${whose}: a round of two calls of ${letter}, to one of ${other} without follow-ups`,
      target: `<= ${most.toFixed(2)}`,
      measured: withRange(ratio, 2),
      isMet: ratio.median <= most,
    },
  ];
}

function bestTurnGoal(measurements: readonly Measurement[]): Goal[] {
  const { letter, other, least } = longRoundGoal;
  const [mine, theirs] = [letter, other].map((wanted) => {
    const turns = measurements.filter(
      (each) => each.series === 'long-round' && each.letter === wanted,
    );
    return spreadOf(turns.map(speed).filter((pace) => pace !== null));
  });
  if (!mine || !theirs) return [];
  const ratio = mine.most / theirs.most;
  return [
    {
      goal: `calls/s of ${letter} to ${other} in long rounds, best turn of each`,
      target: `>= ${least.toFixed(2)}`,
      measured: ratio.toFixed(2),
      isMet: ratio >= least,
    },
  ];
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
      if (before === undefined || after === undefined) return [];
      const growth = after / before;
      return [
        {
          goal: `${part} of ${letter} after ${late.step} to after ${early.step}`,
          target: `<= ${maxGrowth.toFixed(2)}`,
          measured: growth.toFixed(2),
          isMet: growth <= maxGrowth,
        },
      ];
    });
  });
}
