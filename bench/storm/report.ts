import { atLeast, atMost, type Goal, verdictOf } from '../report/goal';
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
  readonly stakesWithoutBet: number;
  /** POSTs that the proxy sent to both processes; null without one. */
  readonly repeated: number | null;
  /** Credits and voids that were never answered 200. */
  readonly open: number;
}

/** Of nothing, not a number: no goal is met by it. */
const share = (part: number, whole: number) => (whole === 0 ? Number.NaN : part / whole);
const wholeGoals = { void: 0.65, refuse: 0.8 };
const p99 = (values: readonly number[]) =>
  values.length === 0 ? Number.NaN : percentiles(values).p99;

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

/** A line for what was played, as the flags of the command name it. */
export function titleOf(options: StormOptions): string {
  const { store, operators, connections, processes, maxConnections, shed, flags } = options;
  const bound = maxConnections === null ? [] : [`${maxConnections} let in`];
  return [
    store,
    shed,
    `${operators} operator${operators === 1 ? '' : 's'}`,
    `${connections} connections`,
    ...bound,
    ...(processes === 1 ? [] : [`${processes} processes behind a proxy`]),
    ...flags,
  ].join(', ');
}

/** The goals of which enough was played. */
export function goalsOf(found: Found, options: StormOptions): Goal[] {
  return [...goalsOfLoad(found, options), ...goalsOfOthers(found), ...goalsOfMoney(found)];
}

function goalsOfLoad(
  { tallies, pace }: Found,
  { shed, processes, maxConnections }: StormOptions,
): Goal[] {
  const of = (name: string, goal: (tally: Tally) => Goal) =>
    tallies.filter((tally) => tally.name === name).map(goal);
  const whole = (tally: Tally) => share(tally.wholeRounds, pace * tally.seconds);
  const credits = (factor: string, target: number) =>
    of(factor, (tally) => least(`credits in time at ${factor}`, inTime(tally), target));
  const after = tallies.filter(({ name }) => name.startsWith('after'));
  const half = [...tallies.filter(({ name }) => name === '0.5x'), ...after];
  return [
    ...credits('2x', 0.99),
    ...credits('5x', 0.98),
    // Of one process's pace: behind the proxy, the repeats are work too.
    ...(processes === 1 && maxConnections === null
      ? of('2x', (tally) => least('whole rounds at 2x', whole(tally), wholeGoals[shed]))
      : []),
    ...(maxConnections === null
      ? []
      : of('10x', (tally) => least('whole rounds at 10x, connections bounded', whole(tally), 0.5))),
    ...after.map((tally) =>
      least(`debits in time ${tally.name}`, share(tally.debitsInTime, tally.rounds), 0.95),
    ),
    ...half.map((tally) =>
      most(`sheds at half load, ${tally.name}, %`, 100 * share(tally.shed, tally.rounds), 0.1),
    ),
  ];
}

function goalsOfOthers({ tallies }: Found): Goal[] {
  const of = (name: string, goal: (tally: Tally) => Goal) =>
    tallies.filter((tally) => tally.name === name).map(goal);
  const wait = (count: number, target: number) =>
    of(`beside ${count}`, ({ debitMs }) =>
      most(`another operator's wait beside ${count} connections, p99 ms`, p99(debitMs), target),
    );
  return [
    ...of('5x', (tally) => most('/healthz p99 at 5x, ms', p99(tally.healthMs), 100)),
    ...wait(60, 50),
    ...wait(600, 100),
  ];
}

function goalsOfMoney({ tallies, off, open, stakesWithoutBet }: Found): Goal[] {
  const sum = (part: (tally: Tally) => number) =>
    tallies.reduce((total, tally) => total + part(tally), 0);
  const counts: readonly (readonly [string, number])[] = [
    ['credit-only calls answered 5xx', sum(({ credits5xx }) => credits5xx)],
    ['void calls shed', sum(({ voids5xx }) => voids5xx)],
    ['credits and voids without an answer in the end', open],
    ['lost: players with less than the books say', off.filter((cents) => cents < 0).length],
    ['doubled: players with more', off.filter((cents) => cents > 0).length],
    ['stakes without a bet', stakesWithoutBet],
  ];
  return counts.map(([goal, value]) => atMost(goal, { value, target: 0, decimals: 0 }));
}

/** Each goal once, by the storm that is furthest on the wrong side of it or else nearest to it. */
export function worstOf(
  storms: readonly (readonly [title: string, goals: readonly Goal[]])[],
): Table {
  const all = storms.flatMap(([title, goals]) => goals.map((goal) => ({ title, ...goal })));
  const names = [...new Set(all.map(({ goal, target }) => `${goal}\n${target}`))];
  return {
    title: `each goal in the worst of ${storms.length} storms`,
    columns: ['<goal', '<target', '<measured', '<', '<missed in', '<worst'],
    rows: names.map((name) => {
      const own = all.filter(({ goal, target }) => `${goal}\n${target}` === name);
      const [worst] = own.toSorted((one, other) => other.margin - one.margin);
      if (worst === undefined) return [];
      const missed = own.filter(({ isMet }) => !isMet).length;
      const { goal, target, measured, title } = worst;
      return [goal, target, measured, verdictOf(worst), `${missed} of ${own.length}`, title];
    }),
  };
}

function inTime({ creditsInTime, credits }: Tally): number {
  return share(creditsInTime, credits);
}

function least(goal: string, value: number, target: number): Goal {
  return atLeast(goal, { value, target, decimals: 3 });
}

function most(goal: string, value: number, target: number): Goal {
  return atMost(goal, { value, target });
}
