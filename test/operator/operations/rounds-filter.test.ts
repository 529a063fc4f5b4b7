import { expect, test } from '@jest/globals';

import { type FilterTexts, readFilter } from '../../../lib/operator/operations/view/rounds/filter';

const inUtc = { decimals: 2, zone: 'UTC' };

test.each([
  ['UTC', '2026-02-28', '2026-02-28T00:00Z', 24],
  ['Asia/Kathmandu', '2026-02-28', '2026-02-27T18:15Z', 24],
  ['Europe/Malta', '2026-03-29', '2026-03-28T23:00Z', 23],
  ['Europe/Malta', '2026-10-25', '2026-10-24T22:00Z', 25],
])('a day of %s is all of it: %s begins at %s and has %d hours', (zone, day, begins, hours) => {
  const from = Date.parse(begins);
  expect(readFilter({ from: day, to: day }, { decimals: 2, zone })).toEqual({
    from,
    to: from + hours * 3_600_000,
  });
});

test('a time is that moment, whatever the zone of the days', () => {
  const day = Date.UTC(2026, 1, 28);
  const times = { from: '2026-02-28T02:00+02:00', to: '2026-02-28T10:30:00.5Z' };
  for (const zone of ['UTC', 'Asia/Kathmandu']) {
    const period = readFilter(times, { decimals: 4, zone });
    expect(period).toEqual({ from: day, to: day + 10.5 * 3_600_000 + 500 });
  }
});

test('what is not set is no part of the filter, and all else is taken as it is', () => {
  expect(readFilter({}, inUtc)).toEqual({});
  const texts = { game: ' bells ', state: 'voided', min: '10.50' };
  expect(readFilter(texts, inUtc)).toEqual(texts);
});

const time =
  'must be a day such as 2026-11-24 (UTC), or a time such as 2026-11-24T10:00Z, since 1970';
const state = 'must be one of none, open, closed, cancelled, voided, stranded, crashed';
const amount =
  'must be a decimal such as 10.50, with at most 2 decimals, and at most 90071992547409.91';

test.each<[FilterTexts, string]>([
  [{ from: '' }, `--from ${time}`],
  [{ from: '2026-02-30' }, `--from ${time}`],
  [{ from: '2026-02-30T10:00Z' }, `--from ${time}`],
  [{ from: '2026-02-28T10:00' }, `--from ${time}`],
  [{ from: '2026-02-28T25:00Z' }, `--from ${time}`],
  [{ from: '1969-12-31' }, `--from ${time}`],
  [{ to: 'yesterday' }, `--to ${time}`],
  [{ to: '1769904000000' }, `--to ${time}`],
  [{ from: '2026-02-02', to: '2026-02-01' }, '--from must be before --to'],
  [{ from: '2026-02-02T00:00Z', to: '2026-02-02T00:00Z' }, '--from must be before --to'],
  [{ game: '' }, '--game must be the code of a game, 1 to 256 characters'],
  [{ game: 'a\u0000b' }, '--game must be the code of a game, 1 to 256 characters'],
  [{ state: 'paid' }, `--state ${state}`],
  [{ state: 'constructor' }, `--state ${state}`],
  [{ min: '1.005' }, `--min ${amount}`],
  [{ min: '-1' }, `--min ${amount}`],
  [{ min: '1e2' }, `--min ${amount}`],
  [{ min: '90071992547409.92' }, `--min ${amount}`],
])('%j is refused, with the name of what is wrong', (texts, message) => {
  expect(() => readFilter(texts, inUtc, (name) => `--${name}`)).toThrow(new TypeError(message));
});

test('a day that began before 1970 is refused, and the zone of the days is named', () => {
  const inMalta = { decimals: 2, zone: 'Europe/Malta' };
  expect(() => readFilter({ from: '1970-01-01' }, inMalta)).toThrow(
    'from must be a day such as 2026-11-24 (Europe/Malta), or a time such as 2026-11-24T10:00Z, since 1970',
  );
});

test('a day that the zone left out is refused by its name', () => {
  const day = '2011-12-30';
  for (const days of [{ from: day }, { to: day }, { from: day, to: day }]) {
    const [name] = Object.keys(days);
    expect(() => readFilter(days, { decimals: 2, zone: 'Pacific/Apia' })).toThrow(
      new TypeError(`${name} must be a day of Pacific/Apia: it left out 2011-12-30`),
    );
  }
});
