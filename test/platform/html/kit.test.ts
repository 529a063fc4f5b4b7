import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import {
  amountText,
  id,
  isZone,
  sheet,
  stackedTable,
  timesIn,
  tokens,
  verdict,
  zoneNames,
} from '../../../lib/platform/html';

type Name = keyof typeof tokens;

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Name, other: Name, at: 0 | 1): number {
  const [dark = 0, light = 0] = [tokens[one][at], tokens[other][at]]
    .map(luminance)
    .toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('the colours of the %s scheme', (_, at) => {
  test.each<[Name, readonly Name[]]>([
    ['text', ['paper', 'card', 'sunk', 'goodback', 'warnback', 'badback', 'noteback']],
    ['dim', ['paper', 'card', 'sunk']],
    ['link', ['paper', 'card', 'sunk']],
    ['good', ['goodback', 'card']],
    ['warn', ['warnback', 'card']],
    ['bad', ['badback', 'card']],
    ['note', ['noteback', 'card']],
  ])('show %s as text at a contrast of 4.5 on each of its grounds', (name, grounds) => {
    for (const ground of grounds) expect(contrast(name, ground, at)).toBeGreaterThanOrEqual(4.5);
  });

  test.each<Name>(['s1', 's2', 's3', 's4', 'goodsolid', 'warnsolid', 'badsolid'])(
    'show %s as a shape at a contrast of 3 on a card',
    (name) => {
      expect(contrast(name, 'card', at)).toBeGreaterThanOrEqual(3);
    },
  );
});

test('the style names no colour that is not defined', () => {
  const used = [...sheet.matchAll(/var\(--(\w+)\)/g)].map(([, name = '']) => name);
  expect(used.filter((name) => !(name in tokens))).toEqual([]);
});

test('the style forces nothing but on paper and where tables are narrow', () => {
  const [wide = '', narrow] = sheet.split('@media (max-width:64rem)');
  expect(narrow).toContain('@media print');
  expect(wide).not.toContain('!important');
});

describe('an amount', () => {
  test.each([
    ['9007199254740993.1234', 'EUR', '9,007,199,254,740,993.1234'],
    ['1200', 'USD', '1,200.00'],
    ['1200', 'JPY', '1,200'],
    ['1', 'BHD', '1.000'],
    ['0.005', 'EUR', '0.005'],
    ['-2.5', 'EUR', '\u22122.50'],
    ['10.5', 'USDT', '10.5'],
    ['<b>', 'EUR', '<b>'],
  ])('%s %s is shown as %s', (amount, currency, shown) => {
    expect(amountText(amount, currency)).toBe(shown);
  });

  test('has a plus where it is asked for, and zero has none', () => {
    expect(amountText('20', 'EUR', 'always')).toBe('+20.00');
    expect(amountText('0', 'EUR', 'always')).toBe('0.00');
  });

  test('keeps every digit, whatever its size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n }), (units) => {
        const shown = amountText(`${units}.5`, 'EUR');
        expect(shown.replaceAll(',', '').replace('\u2212', '-')).toBe(`${units}.50`);
      }),
    );
  });
});

test('an id of more than 40 characters is shortened in the middle, and whole where it is pointed at', () => {
  const long = `${'a'.repeat(200)}"<b>${'z'.repeat(52)}`;
  expect(String(id('r'.repeat(40)))).toBe(`<bdi>${'r'.repeat(40)}</bdi>`);
  expect(String(id(long))).toContain(`>${'a'.repeat(24)}…${'z'.repeat(12)}<`);
  expect(String(id(long))).toContain('title="aaaa');
  expect(String(id(long))).not.toContain('<b>');
});

describe('times', () => {
  test('are those of the zone, with UTC where they are pointed at', () => {
    const iso = '2026-07-24T22:42:10.114Z';
    expect(String(timesIn('Europe/Malta').day(iso))).toBe(
      `<time datetime="${iso}" title="${iso}">Sat 25 Jul 2026, 00:42:10</time>`,
    );
    expect(String(timesIn('UTC').clock(iso))).toContain('>22:42:10.114<');
  });

  test.each([
    ['Europe/Berlin', '2026-10-24T23:55Z', 5, ['01:55', '02a:55', '02b:55', '03:55', '04:55']],
    ['Europe/Berlin', '2026-03-29T00:00Z', 3, ['01:00', '03:00', '04:00']],
    ['Australia/Lord_Howe', '2026-04-04T14:15Z', 3, ['01:15', '01b:45', '02:45']],
    ['Asia/Kathmandu', '2026-11-29T00:00Z', 2, ['05:45', '06:45']],
  ] as const)(
    'of a clock in %s name an hour that comes twice a and b',
    (zone, begin, hours, shown) => {
      const times = Array.from({ length: hours }, (_, hour) =>
        new Date(Date.parse(begin) + hour * 3_600_000).toISOString(),
      );
      expect(times.map((iso) => timesIn(zone).minute(iso))).toEqual(shown);
    },
  );

  test('can be had in UTC, which the list of the runtime lacks, and in no zone that is unknown', () => {
    expect(zoneNames[0]).toBe('UTC');
    expect(zoneNames.filter((name) => name === 'UTC')).toHaveLength(1);
    expect(['UTC', 'Europe/Malta', 'Mars/Base', '', null].map(isZone)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

test('a verdict and a table escape what they are given', () => {
  const hostile = '"><script>';
  const said = verdict({ tone: 'bad', title: hostile, text: hostile });
  const drawn = stackedTable(hostile, [hostile, `#${hostile}`], [[hostile, hostile]], hostile);
  for (const one of [said, drawn]) expect(String(one)).not.toContain('<script>');
  expect(String(drawn)).toContain('data-l="&quot;&gt;&lt;script&gt;"');
});
