import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { stackedTable } from '../../../../lib/platform/html';
import { cellBar } from '../../../../lib/platform/html/figure/cell-bar';
import { mirrored } from '../../../../lib/platform/html/figure/mirrored';
import { runs } from '../../../support/runs';

const size = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
  fc.integer({ min: 0, max: 9999 }),
);
const pairs = fc.array(fc.tuple(size, size), { minLength: 1, maxLength: 60 });

function drawn(values: readonly (readonly [number, number])[], height = 150): string {
  return String(
    mirrored({
      anchor: 'f',
      title: 'Money',
      says: 'All is well.',
      of: 'hour',
      names: values.map((_, at) => `${at}`),
      above: { name: 'taken', tone: 's1', values: values.map(([up]) => up) },
      below: { name: 'given', tone: 's2', values: values.map(([, down]) => down) },
      also: [{ name: 'kept', texts: values.map(([up, down]) => `<${up - down}>`) }],
      text: String,
      height,
    }),
  );
}

/** Upper and lower edge of each column by its tone. */
function edges(text: string): [tone: string, upper: number, lower: number][] {
  const shape = /<rect class="(s\d)" x="[^"]*" y="([^"]*)" width="[^"]*" height="([^"]*)"/g;
  return [...text.matchAll(shape)].map(([, tone = '', y, height]) => [
    tone,
    Number(y),
    Number(y) + Number(height),
  ]);
}

describe('a mirrored figure', () => {
  test('has one scale, the first series above its zero, the second below', () => {
    const [up, down] = edges(drawn([[60, 40]]));
    expect([up, down]).toEqual([
      ['s1', 20, 86],
      ['s2', 86, 130],
    ]);
  });

  test('draws any finite sizes inside its box, and says them in the picture and in its table', () => {
    fc.assert(
      fc.property(pairs, (values) => {
        const text = drawn(values);
        expect(text).not.toMatch(/NaN|Infinity|undefined|null|style=/);
        for (const [, upper, lower] of edges(text)) {
          expect(upper).toBeGreaterThanOrEqual(19.98);
          expect(lower).toBeLessThanOrEqual(130.02);
        }
        const cells = [...text.matchAll(/<td>([^<]*)</g)].map(([, cell]) => cell);
        const said = [...text.matchAll(/<text x="100%" y="12">([^<]*)</g)].map(([, one]) => one);
        const kept = values.map(([up, down]) => `&lt;${up - down}&gt;`);
        expect(cells).toEqual(values.flatMap(([up, down], at) => [`${up}`, `${down}`, kept[at]]));
        expect(said).toEqual(
          values.map(([up, down], at) =>
            [at, `taken ${up}`, `given ${down}`, `kept ${kept[at]}`].join(' \u00a0'),
          ),
        );
      }),
      { numRuns: runs(1000, 20) },
    );
  });
});

test('a bar in a cell is inside of it from any place to any other, and never too thin to see', () => {
  const place = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(place, place, (from, to) => {
      const text = String(cellBar(from, to, 's1'));
      const [, left, width] = /class="s1" x="([^"]*)%" y="0" width="([^"]*)%"/.exec(text) ?? [];
      expect(Number(left)).toBeGreaterThanOrEqual(0);
      expect(Number(width)).toBeGreaterThanOrEqual(0.5);
      expect(Number(left) + Number(width)).toBeLessThanOrEqual(100.02);
    }),
    { numRuns: runs(1000, 20) },
  );
  expect(String(cellBar(0.25, 0.75, 's2'))).toContain('class="s2" x="25%" y="0" width="50%"');
  expect(String(cellBar(0.75, 0.25, 's2'))).toContain('class="s2" x="25%" y="0" width="50%"');
});

test('the bars of a table have a column without a name in front of each on a narrow screen', () => {
  const bar = cellBar(0, 1, 's1');
  const table = String(
    stackedTable('Lines', ['line', '~picture', '#EUR'], [['a', bar, '1']], '', [], 'two'),
  );
  expect(table).toContain('<div class="tbl stack two">');
  expect(table).toContain('<th scope="col" class="bar">picture</th>');
  expect(table).toContain('<td class="bar"><svg class="cellbar"');
  expect(table).toContain('<td class="n" data-l="EUR">1</td>');
});
