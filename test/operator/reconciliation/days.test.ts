import { describe, expect, test } from '@jest/globals';

import { verdictOf } from '../../../lib/operator/reconciliation/counting/result';
import { isDay, ZoneDays } from '../../../lib/platform/time/zone-days';
import { dayIn, eventLines, randomHistory, statisticsOf } from './histories';
import { compareDays, logOf } from './runs';

const hour = 3_600_000;

describe('days of a zone', () => {
  test.each([
    ['Europe/Malta', '2026-03-29', 23],
    ['Europe/Malta', '2026-10-25', 25],
    ['America/New_York', '2026-03-08', 23],
    ['America/New_York', '2026-11-01', 25],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    ['Asia/Kathmandu', '2026-10-25', 24],
    ['UTC', '2026-10-25', 24],
    ['Pacific/Apia', '2011-12-30', 0],
  ])('%s: %s has %d hours', (zone, day, hours) => {
    const { from, to } = new ZoneDays(zone).boundsOf(day);
    expect((to - from) / hour).toBe(hours);
  });

  test('a day begins at midnight of the zone, also 45 minutes past an hour of UTC', () => {
    const { from } = new ZoneDays('Asia/Kathmandu').boundsOf('2026-10-25');
    expect(new Date(from).toISOString()).toBe('2026-10-24T18:15:00.000Z');
  });

  test('a zone that does not exist is refused', () => {
    expect(() => new ZoneDays('Europe/Atlantis')).toThrow(TypeError);
  });

  test.each(['2026-02-30', '2026-1-01', '20260101', '2026-13-01', '', '2026-01-01x'])(
    '%j is no day',
    (text) => expect(isDay(text)).toBe(false),
  );
});

describe('days that the events do not cover', () => {
  const span = [Date.parse('2026-10-20T00:00:00Z'), Date.parse('2026-10-24T00:00:00Z')] as const;
  const history = randomHistory(1, 200, span);
  const source = statisticsOf(history, { zone: 'UTC', by: 'start' });
  const utc = { zones: ['UTC'], by: 'start' } as const;
  const whole = [span[0] - 48 * hour, span[1] + 72 * hour];

  test('a day before the first event is never equal, and is named with the reason', async () => {
    const lines = eventLines(history, [Date.parse('2026-10-21T00:00:01Z'), whole[1] ?? 0]).filter(
      (line) => (JSON.parse(line) as { at: string }).at > '2026-10-21T00:00:00.500Z',
    );
    const result = await compareDays(lines, source, ['2026-10-21', '2026-10-21'], utc);
    expect(verdictOf(result)).toBe('incomplete');
    expect(result.incomplete[0]?.day).toBe('2026-10-21');
    expect(result.incomplete[0]?.reason).toMatch(/^the events begin at 2026-10-21T00:00:0/);
  });

  test('a day is complete an hour after its end', async () => {
    const none = randomHistory(1, 0, span);
    const silent = statisticsOf(none, { zone: 'UTC', by: 'start' });
    const until = async (last: string): Promise<string> => {
      const lines = eventLines(none, [whole[0] ?? 0, Date.parse(last)]).filter(
        (line) => (JSON.parse(line) as { at: string }).at <= last,
      );
      return verdictOf(await compareDays(lines, silent, ['2026-10-22', '2026-10-22'], utc));
    };
    expect(await until('2026-10-23T00:59:59.999Z')).toBe('incomplete');
    expect(await until('2026-10-23T01:00:00.000Z')).toBe('equal');
  });

  test('a hole in the events, which loses the beginning of a round, makes its days incomplete', async () => {
    const lines = eventLines(history, whole);
    const victim = [...history.rounds.values()].find(({ start, end }) =>
      [start, end].every((at) => dayIn('UTC', at) === '2026-10-22'),
    );
    const holed = lines.filter((line) => !line.includes(`/${victim?.round}/1"`));
    expect(holed).toHaveLength(lines.length - 1);
    const result = await compareDays(holed, source, ['2026-10-20', '2026-10-23'], utc);
    expect(result.differences).toEqual([]);
    expect(verdictOf(result)).toBe('incomplete');
    expect(result.incomplete[0]?.reason).toBe(`the beginning of round ${victim?.round} is missing`);
  });

  test('no events at all are never equal', async () => {
    const result = await compareDays([], source, ['2026-10-21', '2026-10-21'], utc);
    expect(verdictOf(result)).toBe('incomplete');
  });

  test.each([
    ['{', 'the line is not JSON'],
    ['[]', 'the line is not an object'],
    ['{"type":"round","operatorId":"casino","at":"never"}', 'at is not a time'],
    [
      '{"type":"round","operatorId":"casino","at":"2026-10-21T00:00:00Z","round":null}',
      'the event points to a round that was deleted: its content is lost',
    ],
  ])('the line %s is refused with its number', async (line, reason) => {
    const good = eventLines(history, whole).slice(0, 2);
    await expect(logOf([...good, line])).rejects.toThrow(`event in line 3: ${reason}`);
  });
});
