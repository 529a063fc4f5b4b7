import { describe, expect, test } from '@jest/globals';
import { helpText } from '../../bench/help';
import { optionNames, readOptions } from '../../bench/options';
import { estimateSeconds, turnsOf } from '../../bench/plan';
import { seriesNames } from '../../bench/series';

const minutesOf = (...args: string[]): number => {
  const options = readOptions(args);
  if (options === null) throw new Error('help');
  const turns = turnsOf(options);
  return turns.reduce((sum, turn) => sum + estimateSeconds(turn, options), 0) / 60;
};

describe('options', () => {
  test('without options all series are run but those that take many minutes for one answer', () => {
    const long = ['resident', 'events', 'history', 'two', 'own'];
    const usual = seriesNames().filter((name) => !long.includes(name));
    expect(readOptions([])?.series).toEqual(usual);
  });

  test('a full run is estimated at no more than twenty-five minutes, a quick one at two', () => {
    expect(minutesOf()).toBeLessThan(25);
    expect(minutesOf('--quick')).toBeLessThan(2);
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
    const options = readOptions([
      '--contestants',
      'e,b,e',
      '--series',
      'hot,closed',
      '--repeats',
      '1',
    ]);
    const turns = options === null ? [] : turnsOf(options);
    expect(turns.map(({ series, letter }) => [series, letter])).toEqual([
      ['closed', 'b'],
      ['closed', 'e'],
      ['hot', 'b'],
      ['hot', 'e'],
    ]);
  });

  test('contestants of a series take turns, so that a machine that slows down does so for all', () => {
    const options = readOptions(['--contestants', 'a,b', '--series', 'closed', '--repeats', '2']);
    const turns = options === null ? [] : turnsOf(options);
    expect(turns.map(({ letter, repeat }) => `${letter}${repeat}`)).toEqual([
      'a1',
      'b1',
      'a2',
      'b2',
    ]);
  });

  test.each([
    [['--series', 'closed,fast'], '--series: there is no "fast", only closed, '],
    [['--contestants', 'a,z'], '--contestants: there is no "z", only a, '],
    [['--seconds', '0'], '--seconds: "0" is no whole number from 1 to 120'],
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
