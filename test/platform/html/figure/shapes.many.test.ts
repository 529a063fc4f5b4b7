import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import type { Html } from '../../../../lib/platform/html';
import { columns } from '../../../../lib/platform/html/figure/columns';
import type { FigureData } from '../../../../lib/platform/html/figure/frame';
import { lines } from '../../../../lib/platform/html/figure/lines';
import { spark } from '../../../../lib/platform/html/figure/spark';
import { runs } from '../../../support/runs';

const tones = ['s1', 's2', 's3'] as const;

/** Up to three series of any finite values, with gaps. */
const anyData = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 3 }))
  .chain(([size, count]) => {
    const value = fc.option(
      fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: 0, max: 9999 }),
      ),
      { freq: 8 },
    );
    const values = fc.array(value, { minLength: size, maxLength: size });
    return fc.array(values, { minLength: count, maxLength: count });
  })
  .map((all) => dataOf(all));

function dataOf(all: readonly (readonly (number | null)[])[]): FigureData {
  return {
    anchor: 'f',
    title: 'Calls & more',
    says: 'All went well.',
    of: 'from',
    names: (all[0] ?? []).map((_, at) => `at ${at}`),
    series: all.map((values, at) => ({ name: `<${at}>`, tone: tones[at] ?? 's4', values })),
    text: String,
  };
}

function numbersOf(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map(([, number]) => Number(number));
}

function expectInside(numbers: readonly number[], least: number, most: number): void {
  const outside = numbers.filter((one) => !(one >= least - 0.02 && one <= most + 0.02));
  expect(outside).toEqual([]);
}

/** The cells of the table by rows, and what each column says when it is pointed at. */
function valuesOf(drawn: Html): [table: string[][], hover: string[][]] {
  const text = String(drawn);
  const [, body = ''] = /<tbody>(.*)<\/tbody>/s.exec(text) ?? [];
  const table = body.split('</tr>').slice(0, -1);
  return [
    table.map((row) => [...row.matchAll(/<t[hd][^>]*>([^<]*)</g)].map(([, cell = '']) => cell)),
    [...text.matchAll(/<text x="100%" y="12">([^<]*)</g)].map(([, said = '']) =>
      said.split(' \u00a0'),
    ),
  ];
}

describe.each([
  ['columns', columns],
  ['lines', lines],
] as const)('a figure of %s', (_, draw) => {
  test('draws any finite series inside its box, without NaN', () => {
    fc.assert(
      fc.property(anyData, (data) => {
        const text = String(draw(data));
        expect(text).not.toMatch(/NaN|Infinity|undefined|null|style=/);
        expectInside(numbersOf(text, / (?:x|x1|x2|width)="([^"%]*)%"/g), 0, 100);
        expectInside(numbersOf(text, / (?:y|y1|y2)="([^"]*)"/g), 0, 150);
        const upright = / y="([^"]*)" width="[^"]*" height="([^"]*)"/g;
        const columnEnds = [...text.matchAll(upright)].flatMap(([, y, height]) => [
          Number(height),
          Number(y) + Number(height),
        ]);
        expectInside(columnEnds, 0, 150);
        for (const [, path = ''] of text.matchAll(/ d="M([^"]*)"/g)) {
          const points = path.replace(/Z|h0/g, '').split('L');
          expectInside(
            points.map((point) => Number(point.split(',')[0])),
            0,
            100,
          );
          expectInside(
            points.map((point) => Number(point.split(',')[1])),
            20,
            130,
          );
        }
      }),
      { numRuns: runs(1000, 20) },
    );
  });

  test('says the same values in the picture and in its table, and those that it was given', () => {
    fc.assert(
      fc.property(anyData, (data) => {
        const [table, hover] = valuesOf(draw(data));
        const given = data.names.map((name, at) => [
          name,
          ...data.series.map(({ values }) => {
            const value = values[at] ?? null;
            return value === null ? '\u2013' : String(value);
          }),
        ]);
        expect(table).toEqual(given);
        const named = data.series.length > 1;
        expect(hover.map((said) => said.map((one) => one.replace(/^&lt;\d&gt; /, '')))).toEqual(
          given,
        );
        if (named) expect(hover[0]?.[1]).toMatch(/^&lt;0&gt; /);
      }),
      { numRuns: runs(1000, 20) },
    );
  });

  test('is named for a reader who does not see it, and escapes what it is given', () => {
    const text = String(draw(dataOf([[1, 2]])));
    expect(text).toContain('role="img" aria-labelledby="f-t f-d"');
    expect(text).toContain('<title id="f-t">Calls &amp; more</title>');
    expect(text).toMatch(
      /<desc id="f-d">All went well\.( The scale is logarithmic\.)? The figures are in the table below\.<\/desc>/,
    );
    expect(text).toContain('<th scope="col">&lt;0&gt;</th>');
  });

  test('has 60 columns at most', () => {
    const data = dataOf([Array.from({ length: 61 }, () => 1)]);
    expect(() => draw(data)).toThrow(RangeError);
  });
});

/** Upper edge and height of each column. */
function rects(drawn: Html): [string, number, number][] {
  const shape =
    /<rect class="(s\d(?: part)?)" x="[^"]*" y="([^"]*)" width="[^"]*" height="([^"]*)"/g;
  return [...String(drawn).matchAll(shape)].map(([, tone = '', y, height]) => [
    tone,
    Number(y),
    Number(height),
  ]);
}

test('series are stacked: what is above zero upwards, what is below it downwards', () => {
  expect(rects(columns(dataOf([[60], [40], [-10]])))).toEqual([
    ['s1', 60, 60],
    ['s2', 20, 40],
    ['s3', 120, 10],
  ]);
});

test('no column stands where there is nothing, and one that is not over is paler', () => {
  const data = { ...dataOf([[5, null, 0, 5]]), isRunning: true };
  expect(rects(columns(data))).toEqual([
    ['s1', 20, 110],
    ['s1 part', 20, 110],
  ]);
});

test('a line has a gap where there is no value, and a single value is a point', () => {
  const paths = [...String(lines(dataOf([[1, 10, null, 10]]))).matchAll(/ d="([^"]*)"/g)];
  expect(paths.map(([, path]) => path)).toEqual(['M12.5,130L37.5,20', 'M87.5,20h0']);
});

test('the band is between the first two lines', () => {
  const [, band] =
    / class="band" d="([^"]*)"/.exec(
      String(
        lines(
          dataOf([
            [1, 1],
            [10, 10],
            [9, 9],
          ]),
        ),
      ),
    ) ?? [];
  expect(band).toBe('M25,130L75,130L75,20L25,20Z');
});

test('a narrow screen has the name of every second column that has one', () => {
  const text = String(columns(dataOf([Array.from({ length: 12 }, () => 1)])));
  const names = [...text.matchAll(/<text( class="wide")? x="[^"]*%" y="146"[^>]*>([^<]*)</g)];
  expect(names.map(([, wide, name]) => `${name}${wide === undefined ? '' : ' wide'}`)).toEqual([
    'at 0',
    'at 2 wide',
    'at 4',
    'at 6 wide',
    'at 8',
    'at 10 wide',
  ]);
});

test('a line beside a number is inside its box, begins anew after each gap, and says what it shows', () => {
  const values = fc.array(fc.option(fc.nat(), { freq: 3 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(values, (all) => {
      const text = String(spark(all, 'At most <5>.'));
      expectInside(numbersOf(text, /[ML](-?[\d.]+),/g), 0, 72);
      expectInside(numbersOf(text, /,(-?[\d.]+)/g), 1, 15);
      const begins = all.filter((one, at) => one !== null && (all[at - 1] ?? null) === null);
      const [, line = ''] = /class="ln s1" d="([^"]*)"/.exec(text) ?? [];
      expect(line.split('M')).toHaveLength(begins.length + 1);
      expect(text).toContain('aria-label="At most &lt;5&gt;."');
    }),
    { numRuns: runs(200) },
  );
});
