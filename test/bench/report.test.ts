import { describe, expect, test } from '@jest/globals';
import { contestants } from '../../bench/contestants/list';
import type { Measurement } from '../../bench/measurement';
import { chartOf } from '../../bench/report/chart';
import { goalsOf } from '../../bench/report/goals';
import { spreadOf } from '../../bench/report/spread';
import { summarize } from '../../bench/report/summary';
import { asMarkdown, asText } from '../../bench/report/table';
import { goalsTable, tablesOf } from '../../bench/report/tables';
import { measured, measuredOpen } from './measurements';

const fast = (letter: string, speeds: readonly number[]) =>
  speeds.map((callsPerSecond, at) => measured({ letter, callsPerSecond, repeat: at + 1 }));

const long = (letter: string, speeds: readonly number[]) =>
  fast(letter, speeds).map((turn) => ({ ...turn, series: 'long-round' as const }));

/** Each turn with what a call takes of the processor: of the contestant, and of its server. */
const using = (letter: string, ...turns: readonly (readonly [own: number, server: number])[]) =>
  turns.map(([contestantCpu, serverCpu], at) =>
    measured({ letter, contestantCpu, serverCpu, repeat: at + 1 }),
  );

const two = (letter: string, contestantCpu: number, serverCpu: number) =>
  measured({ letter, series: 'two', contestantCpu, serverCpu });

const hundred = (letter: string, callsPerSecond: number) =>
  measured({ letter, series: 'hundred', callsPerSecond });

describe('spread', () => {
  test('is the median, the least and the most', () => {
    expect(spreadOf([9, 1, 4])).toEqual({ median: 4, least: 1, most: 9 });
    expect(spreadOf([9, 1, 4, 6])).toEqual({ median: 5, least: 1, most: 9 });
    expect(spreadOf([])).toBeNull();
  });
});

describe('summary', () => {
  test('ratios are taken within each repeat, so that a slow machine is slow for both', () => {
    const measurements = [...fast('b', [900, 100, 480]), ...fast('e', [1000, 200, 600])];
    const [ofB] = summarize(measurements);
    expect(ofB?.toReference).toEqual({ median: 0.8, least: 0.5, most: 0.9 });
  });

  test('a contestant is held against its rival too, where that was measured', () => {
    const measurements = [...fast('a', [1000]), ...fast('b', [900]), ...fast('g', [10])];
    const besides = summarize(measurements).map(({ letter, beside }) => [
      letter,
      beside?.rival,
      beside?.ratios.callsPerSecond,
    ]);
    expect(besides).toEqual([
      ['a', undefined, undefined],
      ['b', 'a', { median: 0.9, least: 0.9, most: 0.9 }],
      ['g', undefined, undefined],
    ]);
  });

  test('processor time has its ratio in each repeat, and that of the least turns, whenever they were', () => {
    const ofB = summarize([
      ...using('a', [100, 50], [110, 40]),
      ...using('b', [120, 60], [121, 50]),
    ]);
    expect(ofB[1]?.beside).toMatchObject({
      ratios: { own: { least: 1.1, most: 1.2 }, server: { least: 1.2, most: 1.25 } },
      ofLeast: { own: 1.2, server: 1.25, both: 171 / 150 },
    });
  });
});

describe('goals', () => {
  test('a speed goal is met by the median of the ratios, and reported with their spread', () => {
    expect(told(...fast('g', [1200, 1300, 100]), ...fast('f', [1000, 1000, 1000]))).toEqual([
      ['calls/s of g to f, 32 connections', '1.20 (0.10..1.30)', true],
    ]);
    expect(told(...fast('c', [1999]), ...fast('e', [1000]))).toEqual([
      ['calls/s of c to e, 32 connections', '2.00', false],
    ]);
  });

  test('the processor time of b is held against that of a at the least turn of each', () => {
    const compared = 'a call of b to one of a, least turn of each';
    expect(told(...using('a', [100, 50], [200, 40]), ...using('b', [300, 42], [115, 90]))).toEqual([
      ['calls/s of b to a, 32 connections', '1.00', true],
      [`CPU of the process, ${compared}`, '1.15, turns 1.79 (0.57..3.00)', true],
      [`CPU of the server, ${compared}`, '1.05, turns 1.54 (0.84..2.25)', true],
    ]);
    expect(told(...using('a', [100, 40]), ...using('b', [116, 43]))).toEqual([
      ['calls/s of b to a, 32 connections', '1.00', true],
      [`CPU of the process, ${compared}`, '1.16, turns 1.16', false],
      [`CPU of the server, ${compared}`, '1.07, turns 1.07', false],
    ]);
  });

  test('goals of what was not measured are left out', () => {
    expect(told(...fast('b', [1]), measured({ letter: 'a', connections: 1 }))).toEqual([]);
    expect(told()).toEqual([]);
  });

  test('a goal of latency is missed by who does not hold a rate that the other holds', () => {
    const goal = 'p99 of b to a, 1500 calls/s';
    expect(told(measuredOpen('a', 4), measuredOpen('b', 4))).toEqual([[goal, '1.00', true]]);
    expect(told(measuredOpen('a', 20), measuredOpen('b', 21))).toEqual([[goal, '1.05', true]]);
    expect(told(measuredOpen('a', 4), measuredOpen('b', 5))).toEqual([[goal, '1.25', false]]);
    expect(told(measuredOpen('e', 20), measuredOpen('c', 21))).toEqual([
      ['p99 of c to e, 1500 calls/s', '1.05', false],
    ]);
    expect(told(measuredOpen('a', 4), measuredOpen('b', 1, false))).toEqual([
      [goal, 'rate not held', false],
    ]);
    expect(told(measuredOpen('a', 4, false), measuredOpen('b', 4))).toEqual([]);
  });

  test('a refused call takes at most 0.40 of the processor of an accepted one, and no command', () => {
    expect(told(refusing('accepted', [100, 50], 9000), refusing('refused', [60, 0], 0))).toEqual([
      ['CPU of a refused call of b to an accepted one', '0.40', true],
      ['Redis commands while calls of b were refused', '0', true],
    ]);
    expect(told(refusing('accepted', [100, 50], 9000), refusing('refused', [62, 0], 1))).toEqual([
      ['CPU of a refused call of b to an accepted one', '0.41', false],
      ['Redis commands while calls of b were refused', '1', false],
    ]);
  });

  test('a round of two calls is held against one without follow-ups, by the processor of each side', () => {
    const compared = 'a round of two calls of g, to one of m without follow-ups';
    expect(told(two('g', 80, 30), two('m', 100, 40), two('b', 90, 41))).toEqual([
      [`CPU of node, with HTTP: ${compared}`, '0.80', true],
      [`CPU of the server: ${compared}`, '0.75', true],
    ]);
    expect(told(two('g', 101, 31), two('m', 100, 40))).toEqual([
      [`CPU of node, with HTTP: ${compared}`, '1.01', false],
      [`CPU of the server: ${compared}`, '0.78', false],
    ]);
  });

  test('long rounds are held against those by hand at the best turn of each', () => {
    const goal = 'calls/s of b to a in long rounds, best turn of each';
    expect(told(...long('b', [300, 900]), ...long('a', [1000, 500]))).toEqual([
      [goal, '0.90, turns 1.05 (0.30..1.80)', true],
    ]);
    expect(told(...long('b', [800, 890]), ...long('a', [1000, 1000]))).toEqual([
      [goal, '0.89, turns 0.84 (0.80..0.89)', false],
    ]);
  });

  test('calls of 100 transactions make at least 0.65 of the calls of those by hand', () => {
    const goal = 'calls/s of b to a, calls of 100 transactions';
    expect(told(hundred('a', 100), hundred('b', 65))).toEqual([[goal, '0.65', true]]);
    expect(told(hundred('a', 100), hundred('b', 64))).toEqual([[goal, '0.64', false]]);
  });

  test('a goal that is missed is printed with how far, a figure that is none without', () => {
    expect(verdicts(...fast('c', [1900]), ...fast('e', [1000]))).toEqual(['missed by 0.10']);
    expect(verdicts(...fast('c', [1999]), ...fast('e', [1000]))).toEqual(['missed by 0.001']);
    expect(verdicts(...fast('c', [2000]), ...fast('e', [1000]))).toEqual(['met']);
    expect(verdicts(measuredOpen('a', 4), measuredOpen('b', 1, false))).toEqual(['missed']);
  });

  test('memory that grows after caches are full misses its goal', () => {
    expect(told(...afterSteps([10, 100]))).toEqual([]);
    expect(told(...afterSteps([10, 100, 60, 110]))).toEqual([
      ['rss of b after 400000 calls to after 200000 calls', '1.00', true],
      ['heap of b after 400000 calls to after 200000 calls', '1.10', true],
    ]);
    expect(told(...afterSteps([10, 100, 60, 111]))).toContainEqual([
      'heap of b after 400000 calls to after 200000 calls',
      '1.11',
      false,
    ]);
  });
});

describe('tables', () => {
  const tables = tablesOf(
    summarize([...fast('a', [1000, 2000]), ...fast('b', [900, 1000]), measuredOpen('c', 7, false)]),
  );

  test('each step of a series has a table, with as many cells in a row as columns', () => {
    expect(tables.map(({ title }) => title.split('; ')[1])).toEqual([
      '32 connections',
      '32 connections',
      '1500 calls/s',
    ]);
    for (const { columns, rows } of tables) {
      expect(rows.map((row) => row.length)).toEqual(rows.map(() => columns.length));
    }
  });

  test('a rate that is not held has no percentiles, but how many calls were answered', () => {
    const open = tables.at(-1);
    const [name, rate, ...latencies] = open?.rows[0]?.slice(0, 7) ?? [];
    expect([name, rate]).toEqual([expect.stringMatching(/^c kit: /), 'not held: 1000/s answered']);
    expect(latencies).toEqual(latencies.map(() => '-'));
    expect(latencies).toHaveLength(5);
  });

  test('rounds of two calls have the processor time of a round', () => {
    const [table] = tablesOf(summarize([two('a', 60, 50), two('b', 90, 50)]));
    const [, ofB = []] = table?.rows ?? [];
    expect(table?.columns.slice(2, 4)).toEqual(['<node, us a round', '<server, us a round']);
    expect(ofB.slice(2, 4)).toEqual(['180', '100']);
    expect(ofB).toHaveLength(table?.columns.length ?? 0);
  });

  test('ratios to a rival have a table of their own', () => {
    const [, ratios] = tablesOf(summarize([two('a', 60, 50), two('b', 90, 50)]));
    expect(ratios?.rows).toEqual([
      ['b to a', '1.00', '1.50', '1.00', '1.27', '1.50', '1.00', '1.27'],
    ]);
  });

  test('as text the columns stand below each other, as Markdown between bars', () => {
    const table = {
      title: 'sizes',
      columns: ['<of', 'n'],
      rows: [
        ['a|b', '1'],
        ['c', '10'],
      ],
    };
    expect(asText(table)).toBe('sizes\n  of    n\n  a|b   1\n  c    10');
    expect(asMarkdown(table)).toBe(
      '### sizes\n\n| of | n |\n| :-- | --: |\n| a\\|b | 1 |\n| c | 10 |',
    );
  });
});

describe('chart', () => {
  const letters = Object.keys(contestants);

  test('has a bar for each contestant, as long as it is fast, and less than 6 KB with all of them', () => {
    const speeds = letters.flatMap((letter, at) => fast(letter, [100 * (at + 1)]));
    const svg = chartOf(summarize(speeds)) ?? '';
    const bars = [...svg.matchAll(/<rect[^>]* width="(\d+)"/g)].map(([, length]) => Number(length));
    const longest = Math.max(...bars);
    expect(bars).toHaveLength(letters.length);
    expect(bars[0]).toBe(Math.round(longest / letters.length));
    expect(svg).toContain('>500 (1.00)<');
    expect(svg.length).toBeLessThan(6 * 1024);
  });

  test('needs nothing from elsewhere', () => {
    const svg = chartOf(summarize(fast('a', [1]))) ?? '';
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|url\(|@import|href/);
  });

  test('is none where the closed loop was not measured over 32 connections', () => {
    expect(chartOf(summarize([measured({ letter: 'a', connections: 1 })]))).toBeNull();
    expect(chartOf([])).toBeNull();
  });
});

function verdicts(...measurements: readonly Measurement[]): unknown[] {
  return goalsTable(goalsOf(measurements)).rows.map((row) => row.at(-1));
}

function told(...measurements: readonly Measurement[]): unknown[] {
  return goalsOf(measurements).map(({ goal, measured: value, isMet }) => [goal, value, isMet]);
}

function refusing(
  step: string,
  [contestantCpu, serverCpu]: readonly [number, number],
  redisCommands: number,
): Measurement {
  return measured({
    letter: 'b',
    series: 'refused',
    step,
    contestantCpu,
    serverCpu,
    redisCommands,
  });
}

function afterSteps(heaps: readonly number[]): Measurement[] {
  return heaps.map((heap, at) => {
    const [calls, memory] = [100_000, { rss: 100, heap }];
    return measured({
      letter: 'b',
      series: 'resident',
      step: `${at + 1}00000 calls`,
      memory,
      calls,
    });
  });
}
