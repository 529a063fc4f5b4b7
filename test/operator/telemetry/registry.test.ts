import { describe, expect, test } from '@jest/globals';
import {
  Counter,
  Gauge,
  Histogram,
  labelSets,
  writeText,
} from '../../../lib/operator/telemetry/registry';

/** The exposition as it was specified, line by line. */
function text(...lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

describe('the text exposition', () => {
  test('has a counter with help, type and every series, zero from the start', () => {
    const counter = new Counter(
      'calls_total',
      'Calls.',
      labelSets({ outcome: ['done', 'failed'] }),
    );
    counter.at({ outcome: 'done' }).add();
    counter.at({ outcome: 'done' }).add(2);
    expect(writeText([counter.read()])).toBe(
      text(
        '# HELP calls_total Calls.',
        '# TYPE calls_total counter',
        'calls_total{outcome="done"} 3',
        'calls_total{outcome="failed"} 0',
      ),
    );
  });

  test('has cumulative buckets in seconds, a sum and a count', () => {
    const histogram = new Histogram('call_seconds', 'Duration.', [{ operation: 'load' }]);
    for (const ms of [0, 1, 2, 3, 10_000, 10_001]) histogram.at({ operation: 'load' }).observe(ms);
    const lines = writeText([histogram.read()]).split('\n');
    expect(lines.slice(2, 5)).toEqual([
      'call_seconds_bucket{operation="load",le="0.001"} 2',
      'call_seconds_bucket{operation="load",le="0.0025"} 3',
      'call_seconds_bucket{operation="load",le="0.005"} 4',
    ]);
    expect(lines.slice(-5, -1)).toEqual([
      'call_seconds_bucket{operation="load",le="10"} 5',
      'call_seconds_bucket{operation="load",le="+Inf"} 6',
      'call_seconds_sum{operation="load"} 20.007',
      'call_seconds_count{operation="load"} 6',
    ]);
    const bounds = lines.flatMap((line) => /le="([^"]+)"/.exec(line)?.[1] ?? []);
    expect(bounds.join(' ')).toBe(
      '0.001 0.0025 0.005 0.01 0.025 0.05 0.075 0.1 0.25 0.5 0.75 1 2.5 5 7.5 10 +Inf',
    );
  });

  test('escapes help and label values, and leaves out a gauge without a reading', async () => {
    const strange = new Gauge('a', 'one\\two\nthree "four"', () => [
      { labels: { name: 'a"b\\c\nd' }, value: 0.5 },
    ]);
    const empty = new Gauge('b', 'Nothing.', () => []);
    expect(writeText([await strange.read(), await empty.read()])).toBe(
      text(
        String.raw`# HELP a one\\two\nthree "four"`,
        '# TYPE a gauge',
        String.raw`a{name="a\"b\\c\nd"} 0.5`,
      ),
    );
  });
});

test('a series that was not made at creation does not exist', () => {
  const counter = new Counter('calls_total', 'Calls.', [{ outcome: 'done' }]);
  expect(() => counter.at({ outcome: 'other' })).toThrow('calls_total has no series');
  const histogram = new Histogram('call_seconds', 'Duration.', [{ operation: 'load' }]);
  expect(() => histogram.at({})).toThrow('call_seconds has no series');
});
