import { describe, expect, test } from '@jest/globals';
import { helpText } from '../../bench/help';
import type { Pace } from '../../bench/load/messages';
import { optionNames, readOptions } from '../../bench/options';
import { type Act, estimateSeconds, planOf } from '../../bench/plan';
import { seriesNames } from '../../bench/series';

function actsOf(...args: string[]): Act[] {
  const options = readOptions(args);
  if (options === null) throw new Error('help');
  return planOf(options);
}

const minutesOf = (...args: string[]): number =>
  actsOf(...args).reduce((sum, act) => sum + estimateSeconds(act), 0) / 60;

const pacesOf = (...args: string[]): Pace[] =>
  actsOf('--contestants', 'b,g', ...args).flatMap((act) =>
    act.kind === 'warm-up' ? [act.pace] : [],
  );

const counted = (calls: number): Pace => ({ kind: 'counted', callsEach: Math.ceil(calls / 32) });

const nameOf = (act: Act): string =>
  `${act.series} ${act.letter} ${act.kind === 'turn' ? `${act.step.label} ${act.repeat}` : act.kind}`;

describe('options', () => {
  test('without options all series are run but those that take many minutes for one answer', () => {
    const long = ['resident', 'events', 'history', 'two', 'own'];
    const usual = seriesNames().filter((name) => !long.includes(name));
    expect(readOptions([])?.series).toEqual(usual);
  });

  test('a full run is estimated at no more than twenty-five minutes, the goals at twenty, a quick one at two', () => {
    expect(minutesOf()).toBeLessThan(25);
    expect(minutesOf('--goals')).toBeLessThan(20);
    expect(minutesOf('--quick')).toBeLessThan(2);
  });

  test('--goals plays what every goal over Redis is held against, several times', () => {
    const { series, letters, repeats } = readOptions(['--goals']) ?? {};
    expect(series).toEqual(['closed', 'open', 'long-round', 'refused', 'hundred']);
    expect([letters, repeats]).toEqual([['a', 'b', 'c', 'd', 'e'], 6]);
    expect(() => readOptions(['--goals', '--quick'])).toThrow('cannot be given together');
  });

  test('what is given holds against what --quick would have', () => {
    const options = readOptions(['--quick', '--rates', '700', '--repeats', '4']);
    expect(options).toMatchObject({
      connections: [32],
      rates: { redis: [700], postgres: [500] },
      repeats: 4,
    });
  });

  test('contestants that are named take part in every series, each once, in their order', () => {
    const acts = actsOf('--contestants', 'e,b,e', '--series', 'hot,closed', '--repeats', '1');
    const starts = acts.filter(({ kind }) => kind === 'start');
    expect(starts.map(({ series, letter }) => [series, letter])).toEqual([
      ['closed', 'b'],
      ['closed', 'e'],
      ['hot', 'b'],
      ['hot', 'e'],
    ]);
  });

  test('contestants start and warm up once, then take turns, so that a machine that slows down does so for all', () => {
    const chosen = ['--contestants', 'a,b', '--series', 'closed', '--connections', '1,32'];
    expect(actsOf(...chosen, '--repeats', '2').map(nameOf)).toEqual([
      'closed a start',
      'closed b start',
      'closed a warm-up',
      'closed b warm-up',
      'closed a 1 connection 1',
      'closed b 1 connection 1',
      'closed a 32 connections 1',
      'closed b 32 connections 1',
      'closed a 1 connection 2',
      'closed b 1 connection 2',
      'closed a 32 connections 2',
      'closed b 32 connections 2',
      'closed a books',
      'closed b books',
    ]);
  });

  test('the warm-up is counted in calls, fewer over PostgreSQL and of large calls, unless it has seconds', () => {
    expect(pacesOf('--series', 'closed')).toEqual([counted(80_000), counted(10_000)]);
    expect(pacesOf('--series', 'hundred', '--warmup-calls', '64000')).toEqual([
      counted(6_400),
      counted(800),
    ]);
    expect(pacesOf('--series', 'closed', '--warmup', '3')).toEqual([
      { kind: 'closed', seconds: 3 },
      { kind: 'closed', seconds: 3 },
    ]);
    expect(pacesOf('--series', 'resident')).toEqual([]);
  });

  test('each kind of call that a series measures is warmed up', () => {
    const acts = actsOf('--series', 'refused', '--contestants', 'b');
    const kinds = acts.flatMap((act) => (act.kind === 'warm-up' ? [act.calls] : []));
    expect(kinds).toEqual(['round', 'refused']);
  });

  test.each([
    [['--series', 'closed,fast'], '--series: there is no "fast", only closed, '],
    [['--contestants', 'a,z'], '--contestants: there is no "z", only a, '],
    [['--seconds', '0'], '--seconds: "0" is no whole number from 1 to 120'],
    [['--warmup-calls', '0'], '--warmup-calls: "0" is no whole number from 1 to 10000000'],
    [['--seconds', '1e1'], '--seconds: "1e1" is no whole number from 1 to 120'],
    [['--rates', '500,'], '--rates: "" is no whole number from 1 to 100000'],
    [['--postgres-rates', '-5'], "Option '--postgres-rates' argument is ambiguous"],
    [['--arrivals', 'bursts'], '--arrivals must be poisson or even, not bursts'],
    [['--fast'], "Unknown option '--fast'"],
    [['closed'], "Unexpected argument 'closed'"],
  ])('%j is refused with a TypeError that says why', (args, message) => {
    expect(() => readOptions(args)).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }),
    );
  });
});

describe('help', () => {
  test('is asked for beside whatever else is given', () => {
    expect(readOptions(['--help', '--series', 'closed'])).toBeNull();
  });

  test('names every option and every series', () => {
    const text = helpText();
    const missing = [...optionNames.map((name) => `--${name} `), ...seriesNames()].filter(
      (word) => !text.includes(word),
    );
    expect(missing).toEqual([]);
  });
});
