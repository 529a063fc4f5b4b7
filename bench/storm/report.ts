import type { Goal } from '../report/goals';
import type { Table } from '../report/table';
import { percentiles } from '../load/percentiles';
import type { StormOptions } from './options';
import type { Tally } from './tally';

/** What was found in the end. */
export interface Found {
  /** Whole rounds a second that the process can do: 1x. */
  readonly pace: number;
  readonly tallies: readonly Tally[];
  /** How many cents each player has beyond what the books say. */
  readonly off: readonly number[];
  /** Credits and voids that were never answered 200. */
  readonly open: number;
}

const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);
const wholeGoals = { void: 0.65, refuse: 0.8 };
const p99 = (values: readonly number[]) => percentiles(values).p99;

const columns =
  '<phase|rounds|begun x|debits in time|p99 ms|503|400|silent|unsent|credits in time|5xx|whole x|voids|sent|5xx|/healthz p99';

/** A line for each phase. */
export function phasesTable({ tallies, pace }: Found): Table {
  return {
    title: `1x is ${pace.toFixed(0)} whole rounds a second of the process's time; in time is within 2 s`,
    columns: columns.split('|'),
    rows: tallies.map((tally) => {
      const { rounds, seconds } = tally;
      const sent = rounds - tally.of('unsent');
      return [
        tally.name,
        String(rounds),
        share(sent, pace * seconds).toFixed(2),
        share(tally.debitsInTime, rounds).toFixed(2),
        p99(tally.debitMs).toFixed(0),
        String(tally.of('503')),
        String(tally.of('400')),
        String(tally.of('silent')),
        String(tally.of('unsent')),
        share(tally.creditsInTime, tally.credits).toFixed(3),
        String(tally.credits5xx),
        share(tally.wholeRounds, pace * seconds).toFixed(2),
        String(tally.voidedRounds),
        String(tally.voidsSent),
        String(tally.voids5xx),
        p99(tally.healthMs).toFixed(0),
      ];
    }),
  };
}

/** The goals of which enough was played. */
export function goalsOf({ tallies, pace, off, open }: Found, { shed }: StormOptions): Goal[] {
  const of = (name: string, goal: (tally: Tally) => Goal) =>
    tallies.filter((tally) => tally.name === name).map(goal);
  const sum = (part: (tally: Tally) => number) =>
    tallies.reduce((total, tally) => total + part(tally), 0);
  const whole = (tally: Tally) => share(tally.wholeRounds, pace * tally.seconds);
  const after = tallies.filter(({ name }) => name.startsWith('after'));
  const half = [...tallies.filter(({ name }) => name === '0.5x'), ...after];
  return [
    ...of('2x', (tally) => least('credits in time at 2x', inTime(tally), 0.99)),
    ...of('5x', (tally) => least('credits in time at 5x', inTime(tally), 0.98)),
    ...of('2x', (tally) => least('whole rounds at 2x', whole(tally), wholeGoals[shed])),
    ...of('10x', (tally) => least('whole rounds at 10x', whole(tally), 0.5)),
    ...after.map((tally) =>
      least(`debits in time ${tally.name}`, share(tally.debitsInTime, tally.rounds), 0.95),
    ),
    ...half.map((tally) =>
      most(`sheds at half load, ${tally.name}, %`, 100 * share(tally.shed, tally.rounds), 0.1),
    ),
    ...of('5x', (tally) => most('/healthz p99 at 5x, ms', p99(tally.healthMs), 100)),
    ...of('beside 60', (tally) =>
      most('wait beside 60 connections, p99 ms', p99(tally.debitMs), 50),
    ),
    ...of('beside 600', (tally) =>
      most('wait beside 600 connections, p99 ms', p99(tally.debitMs), 100),
    ),
    most(
      'credits answered 5xx',
      sum(({ credits5xx }) => credits5xx),
      0,
    ),
    most(
      'voids answered 5xx',
      sum(({ voids5xx }) => voids5xx),
      0,
    ),
    most('credits and voids without an answer in the end', open, 0),
    most('players with less than the books say', off.filter((cents) => cents < 0).length, 0),
    most('players with more', off.filter((cents) => cents > 0).length, 0),
  ];
}

function inTime({ creditsInTime, credits }: Tally): number {
  return share(creditsInTime, credits);
}

function least(goal: string, value: number, target: number): Goal {
  return { goal, target: `>= ${target}`, measured: value.toFixed(3), isMet: value >= target };
}

function most(goal: string, value: number, target: number): Goal {
  return { goal, target: `<= ${target}`, measured: value.toFixed(2), isMet: value <= target };
}
