import { describe, expect, test } from '@jest/globals';
import { windowsOf } from '../../../../lib/operator/wallet/limits/windows';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function at(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new Error(`no time: ${text}`);
  return time;
}

/** The windows right before a time and at it: what begins then has other numbers, and the time is its end. */
function edgeAt(zone: string, text: string) {
  const [windows, edge] = [windowsOf(zone), at(text)];
  return { before: windows.numbersOf(edge - 1), from: windows.numbersOf(edge), windows, edge };
}

describe('the number of a week', () => {
  test.each([
    ['2015-12-31', 201_553],
    ['2016-01-03', 201_553],
    ['2016-01-04', 201_601],
    ['2018-12-30', 201_852],
    ['2018-12-31', 201_901],
    ['2021-01-03', 202_053],
    ['2021-01-04', 202_101],
    ['2023-01-01', 202_252],
    ['2024-12-29', 202_452],
    ['2024-12-30', 202_501],
    ['2026-12-27', 202_652],
    ['2026-12-28', 202_653],
    ['2027-01-03', 202_653],
    ['2027-01-04', 202_701],
    ['2028-01-02', 202_752],
    ['2028-01-03', 202_801],
  ])('over the end of a year is that of ISO 8601: %s is in %d', (day, week) => {
    expect(windowsOf('UTC').numbersOf(at(`${day}T12:00Z`))[1]).toBe(week);
  });

  test('rises on Mondays alone: by one, or to the first week of the year that has 4 January', () => {
    const windows = windowsOf('UTC');
    let [, before] = windows.numbersOf(at('1999-12-31T00:00Z'));
    for (let time = at('2000-01-01T00:00Z'); time < at('2051-01-01T00:00Z'); time += dayMs) {
      const [day, week] = windows.numbersOf(time);
      const date = new Date(time);
      const isFirst = date.getUTCMonth() === 0 ? date.getUTCDate() <= 4 : day % 10_000 >= 1229;
      const year = date.getUTCFullYear() + (date.getUTCMonth() === 11 ? 1 : 0);
      const next = isFirst ? year * 100 + 1 : before + 1;
      const right = date.getUTCDay() === 1 ? next : before;
      if (week !== right) throw new Error(`${day} is in ${week}, and should be in ${right}`);
      before = week;
    }
  });
});

describe('a window ends', () => {
  test('at midnight, on Monday, and on the first of the month, which may be one moment', () => {
    const { before, from, windows, edge } = edgeAt('UTC', '2026-06-01T00:00Z');
    expect(before).toEqual([20_260_531, 202_622, 202_605]);
    expect(from).toEqual([20_260_601, 202_623, 202_606]);
    expect(windows.endsOf(edge - 1)).toEqual([edge, edge, edge]);
    expect(windows.endsOf(edge)).toEqual(
      ['2026-06-02', '2026-06-08', '2026-07-01'].map((day) => at(`${day}T00:00Z`)),
    );
  });

  test.each([
    ['2026-01-31', '2026-02-01'],
    ['2026-02-28', '2026-03-01'],
    ['2028-02-28', '2028-03-01'],
    ['2028-02-29', '2028-03-01'],
    ['2026-04-30', '2026-05-01'],
    ['2026-12-31', '2027-01-01'],
  ])('with the month: that of %s on %s', (day, next) => {
    expect(windowsOf('UTC').endsOf(at(`${day}T23:59:59.999Z`))[2]).toBe(at(`${next}T00:00Z`));
  });

  // Each day on which the clocks change: when it begins, and how long it is.
  test.each([
    ['Europe/Stockholm', '2026-03-28T23:00Z', 23, [20_260_329, 202_613, 202_603]],
    ['Europe/Stockholm', '2026-10-24T22:00Z', 25, [20_261_025, 202_643, 202_610]],
    ['America/New_York', '2026-03-08T05:00Z', 23, [20_260_308, 202_610, 202_603]],
    ['America/New_York', '2026-11-01T04:00Z', 25, [20_261_101, 202_644, 202_611]],
    ['Australia/Lord_Howe', '2026-04-04T13:00Z', 24.5, [20_260_405, 202_614, 202_604]],
    ['Australia/Lord_Howe', '2026-10-03T13:30Z', 23.5, [20_261_004, 202_640, 202_610]],
    // There the clocks change at midnight: a day is repeated for an hour, or begins at one o'clock.
    ['America/Santiago', '2026-04-04T03:00Z', 25, [20_260_404, 202_614, 202_604]],
    ['America/Santiago', '2026-09-06T04:00Z', 23, [20_260_906, 202_636, 202_609]],
  ] as const)('in %s with the day that begins at %s, after %d hours', (zone, start, hours, day) => {
    const { before, from, windows, edge } = edgeAt(zone, start);
    const end = edge + hours * hourMs;
    expect(from).toEqual(day);
    expect(before[0]).toBeLessThan(day[0]);
    expect(windows.numbersOf(end - 1)).toEqual(day);
    expect(windows.numbersOf(end)[0]).toBe(day[0] + 1);
    for (const time of [edge, edge + 1, edge + 12 * hourMs, end - 1]) {
      expect(windows.endsOf(time)[0]).toBe(end);
    }
  });

  test.each([
    ['Pacific/Kiritimati', '2026-12-31T10:00Z'],
    ['Pacific/Pago_Pago', '2027-01-01T11:00Z'],
  ])('with the day of %s, far from UTC: the year at %s', (zone, start) => {
    const { before, from, windows, edge } = edgeAt(zone, start);
    expect(before).toEqual([20_261_231, 202_653, 202_612]);
    expect(from).toEqual([20_270_101, 202_653, 202_701]);
    expect(windows.endsOf(edge - 1)).toEqual([edge, edge + 3 * dayMs, edge]);
    expect(windows.endsOf(edge)).toEqual([edge + dayMs, edge + 3 * dayMs, edge + 31 * dayMs]);
  });

  test('with the next day that there is: Samoa left out 30 December 2011', () => {
    const { before, from, windows, edge } = edgeAt('Pacific/Apia', '2011-12-30T10:00Z');
    expect(before).toEqual([20_111_229, 201_152, 201_112]);
    expect(from).toEqual([20_111_231, 201_152, 201_112]);
    expect(windows.endsOf(edge - 1)).toEqual([edge, edge + 2 * dayMs, edge + dayMs]);
  });
});

test('no number ever falls, and each rises at the end that was told for it', () => {
  const zones = ['UTC', 'Europe/Malta', 'America/Havana', 'Asia/Kathmandu', 'Pacific/Chatham'];
  for (const zone of zones) {
    const windows = windowsOf(zone);
    const start = at('2026-01-01T00:00Z');
    let [numbers, ends] = [windows.numbersOf(start), windows.endsOf(start)];
    for (let time = start; time < at('2027-02-01T00:00Z'); time += hourMs) {
      const now = windows.numbersOf(time);
      for (const place of [0, 1, 2] as const) {
        const isNext = time >= ends[place];
        if (now[place] > numbers[place] === isNext && now[place] >= numbers[place]) continue;
        throw new Error(
          `${zone} at ${new Date(time).toISOString()}: ${numbers.join()} and ${now.join()}`,
        );
      }
      if (now[0] !== numbers[0]) [numbers, ends] = [now, windows.endsOf(time)];
    }
  }
});

test('a zone that this system does not know has no windows', () => {
  for (const zone of ['Europe/Atlantis', '', '../etc', 'UTC\0']) {
    expect(() => windowsOf(zone)).toThrow('the time zone is not known');
  }
});
