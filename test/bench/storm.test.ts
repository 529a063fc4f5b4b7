import { describe, expect, test } from '@jest/globals';
import { verdictOf } from '../../bench/report/goal';
import { readStorms } from '../../bench/storm/options';
import { type Found, goalsOf, titleOf, worstOf } from '../../bench/storm/report';
import { Tally } from '../../bench/storm/tally';

const storms = (...args: string[]) => readStorms(args) ?? [];
const [usual] = storms();
if (usual === undefined) throw new Error('no storm');

/** A phase of 10 s at 100 rounds a second of the process. */
function phase(name: string, part: Partial<Tally> = {}): Tally {
  return Object.assign(new Tally(name, 2, 10), part);
}

function found(part: Partial<Found>): Found {
  const money = { off: [0, 0], open: 0, stakesWithoutBet: 0, repeated: null };
  return { pace: 100, tallies: [], ...money, ...part };
}

const verdicts = (part: Partial<Found>, options = usual) =>
  Object.fromEntries(goalsOf(found(part), options).map((goal) => [goal.goal, verdictOf(goal)]));

describe('options', () => {
  test('without options one storm is played, and with lists one for each combination', () => {
    expect(storms()).toHaveLength(1);
    expect(storms('--store', 'redis,postgres', '--connections', '64,1024,4096')).toHaveLength(6);
  });

  test('--all plays both stores, both answers, one and two operators, three counts of connections', () => {
    const of = storms('--all').filter(({ processes, maxConnections: most }) => {
      return processes === 1 && most === null;
    });
    const names = of.map(({ store, shed, operators, connections }) =>
      [store, shed, operators, connections].join(' '),
    );
    expect(new Set(names).size).toBe(2 * 2 * 2 * 3);
    expect(of).toHaveLength(2 * 2 * 2 * 3);
  });

  test('--all plays two processes with `void` alone, and 10x with connections that are bounded', () => {
    const two = storms('--all').filter(({ processes }) => processes === 2);
    expect(two.map(({ shed, store }) => [shed, store])).toEqual([
      ['void', 'redis'],
      ['void', 'postgres'],
    ]);
    const bounded = storms('--all').filter(({ maxConnections }) => maxConnections !== null);
    expect(bounded.map(({ factors }) => factors)).toEqual([[10], [10], [10], [10]]);
  });

  test('what is given holds for all storms of --all, and none is played twice', () => {
    const given = storms('--all', '--store', 'redis', '--connections', '64', '--factors', '2');
    expect(new Set(given.map(titleOf)).size).toBe(given.length);
    expect(given.every(({ connections, factors }) => connections === 64 && factors[0] === 2)).toBe(
      true,
    );
  });

  test('flags behind -- are those of serve', () => {
    expect(storms('--', '--turn-budget-ms', '5')[0]?.flags).toEqual(['--turn-budget-ms', '5']);
  });

  test.each([
    ['--store', 'memory'],
    ['--processes', '2', '--shed', 'refuse'],
    ['--connections', '1.5'],
    ['--factors', '1,,2'],
    ['--operators', '3'],
  ])('%s %s %s %s is refused', (...args) => {
    expect(() => readStorms(args.filter((each) => each !== undefined))).toThrow();
  });
});

describe('goals', () => {
  test('credits and whole rounds at 2x are held against their targets, with how far they are missed', () => {
    const tally = phase('2x', { credits: 100, creditsInTime: 98, wholeRounds: 640 });
    expect(verdicts({ tallies: [tally] })).toMatchObject({
      'credits in time at 2x': 'missed by 0.01',
      'whole rounds at 2x': 'missed by 0.01',
    });
    Object.assign(tally, { creditsInTime: 99, wholeRounds: 650 });
    expect(verdicts({ tallies: [tally] })).toMatchObject({
      'credits in time at 2x': 'met',
      'whole rounds at 2x': 'met',
    });
    expect(verdicts({ tallies: [tally] }, { ...usual, shed: 'refuse' })).toMatchObject({
      'whole rounds at 2x': 'missed by 0.15',
    });
  });

  test('10x has a goal only where connections are bounded', () => {
    const tallies = [phase('10x', { wholeRounds: 500 })];
    const goal = 'whole rounds at 10x, connections bounded';
    expect(verdicts({ tallies })).not.toHaveProperty(goal);
    expect(verdicts({ tallies }, { ...usual, maxConnections: 256 })).toHaveProperty(goal, 'met');
  });

  test('after a storm 95 of 100 debits are in time, and at most one of 1,000 is shed', () => {
    const tally = phase('after 5x', { rounds: 1000, debitsInTime: 949 });
    for (let shed = 0; shed < 2; shed += 1) tally.debit('503');
    expect(verdicts({ tallies: [tally] })).toMatchObject({
      'debits in time after 5x': 'missed by 0.001',
      'sheds at half load, after 5x, %': 'missed by 0.10',
    });
  });

  test('a phase without a debit or a health that was answered does not meet what it cannot show', () => {
    const tallies = [phase('2x'), phase('5x'), phase('beside 60')];
    const unseen = Object.entries(verdicts({ tallies })).filter(([, verdict]) => verdict !== 'met');
    expect(unseen.map(([goal]) => goal)).toEqual([
      'credits in time at 2x',
      'credits in time at 5x',
      'whole rounds at 2x',
      '/healthz p99 at 5x, ms',
      "another operator's wait beside 60 connections, p99 ms",
    ]);
  });

  test('one cent too little, too much, a stake without a bet or a void that was shed misses a goal', () => {
    const tallies = [phase('2x', { credits: 1, creditsInTime: 1, credits5xx: 2, voids5xx: 3 })];
    const part = { tallies, off: [-1, 1, 1], open: 4, stakesWithoutBet: 5 };
    expect(verdicts(part)).toMatchObject({
      'credit-only calls answered 5xx': 'missed by 2.00',
      'void calls shed': 'missed by 3.00',
      'credits and voids without an answer in the end': 'missed by 4.00',
      'lost: players with less than the books say': 'missed by 1.00',
      'doubled: players with more': 'missed by 2.00',
      'stakes without a bet': 'missed by 5.00',
    });
  });

  test('several storms are told by the worst of each goal', () => {
    const [good, bad] = [found({}), found({ off: [-1, -2] })];
    const { rows } = worstOf([
      ['one', goalsOf(good, usual)],
      ['other', goalsOf(bad, usual)],
    ]);
    expect(rows.find(([goal]) => goal?.startsWith('lost') === true)).toEqual([
      'lost: players with less than the books say',
      '<= 0',
      '2',
      'missed by 2.00',
      '1 of 2',
      'other',
    ]);
  });
});
