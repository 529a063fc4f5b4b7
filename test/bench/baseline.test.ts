import { describe, expect, test } from '@jest/globals';
import baselines from '../../bench/baseline.json';
import {
  type Baseline,
  distanceTable,
  ratiosOf,
  setbacks,
  withBaseline,
} from '../../bench/report/baseline';
import { summarize } from '../../bench/report/summary';
import { measured } from './measurements';

const speed = 'b to a, calls/s';
const own = 'b to a, CPU own';

const baseline = (name: string, ratios: Baseline['ratios']): Baseline => {
  return { name, how: 'by hand', ratios };
};

describe('ratios that are kept', () => {
  test('are those of b, c and d to their rivals, in the closed loop at 32 connections', () => {
    const ratios = ratiosOf(
      summarize([
        measured({ letter: 'a', callsPerSecond: 1000, contestantCpu: 60, serverCpu: 40 }),
        measured({ letter: 'b', callsPerSecond: 900, contestantCpu: 75, serverCpu: 42 }),
        measured({ letter: 'a', connections: 1, step: '1 connection' }),
        measured({ letter: 'b', connections: 1, step: '1 connection' }),
        measured({ letter: 'd', series: 'hot' }),
        measured({ letter: 'c' }),
      ]),
    );
    expect(ratios).toEqual({
      [speed]: 0.9,
      [own]: 1.25,
      'b to a, CPU server': 1.05,
      'b to a, CPU both': 1.17,
    });
  });
});

describe('the distance to baselines', () => {
  const first = baseline('first', { [speed]: 0.8, [own]: 1.2 });
  const last = baseline('last', { [speed]: 1 });

  test('is told for each ratio, to the first and to the last', () => {
    const between = baseline('between', { [speed]: 5 });
    const table = distanceTable({ [speed]: 0.9, [own]: 1.26 }, [first, between, last]);
    expect(table?.columns).toEqual(['<ratio', 'now', '<first', '<last']);
    expect(table?.rows).toEqual([
      [speed, '0.90', '0.80: +12.5 %', '1.00: -10.0 %'],
      [own, '1.26', '1.20: +5.0 %', '-'],
    ]);
  });

  test('has one column where there is one baseline, and no table where there is nothing', () => {
    expect(distanceTable({ [speed]: 0.9 }, [first])?.columns).toEqual(['<ratio', 'now', '<first']);
    expect(distanceTable({}, [first])).toBeNull();
    expect(distanceTable({ [speed]: 0.9 }, [])).toBeNull();
  });

  test('speed that falls and processor time that rises by more than 3 % have a line each', () => {
    expect(setbacks({ [speed]: 0.9, [own]: 1.26 }, [first, last])).toEqual([
      `${own} rose by more than 3 % since first: 1.20 to 1.26`,
      `${speed} fell by more than 3 % since last: 1.00 to 0.90`,
    ]);
    expect(setbacks({ [speed]: 0.98, [own]: 1.23 }, [first, last])).toEqual([]);
    expect(setbacks({ [speed]: 0.7 }, [first])).toHaveLength(1);
    expect(setbacks({ [speed]: 0.7 }, [])).toEqual([]);
  });
});

describe('baselines', () => {
  test('a new one is the last, also where its name was there before', () => {
    const [one, two] = [baseline('one', {}), baseline('two', {})];
    const again = baseline('one', { [speed]: 1 });
    expect(withBaseline([one], two)).toEqual([one, two]);
    expect(withBaseline([one, two], again)).toEqual([two, again]);
  });

  test('the file begins with the commit that all are compared with', () => {
    expect(baselines[0]?.name).toBe('b735447');
  });
});
