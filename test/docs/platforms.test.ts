import { expect, test } from '@jest/globals';

import { type Sight, readTable, writeTable } from '../platforms/table';
import { textOf } from '../tidy/source';

const page = textOf('docs/platforms.md');

function seen(version: string): Sight {
  return { version, ran: 'the wallet', date: '2026-11-27' };
}

/** A page without the lines of its table. */
function around(text: string): string {
  return text.replaceAll(/^\| .* \| 20[\d-]+ \|\n/gm, '');
}

test('each line of the table says a version, what ran, and a day', () => {
  const sights = [...readTable(page).values()];
  expect(sights.length).toBeGreaterThan(0);
  for (const { version, ran, date } of sights) {
    expect(version).toMatch(/^\d+\.\d+(?:\.\d+)?/);
    expect(ran.length).toBeGreaterThan(10);
    expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
  }
});

test('the table is written in the order of the names, and the text around it stays', () => {
  const sights = new Map([
    ['Valkey 8.0', seen('8.0.1')],
    ['Bun', seen('1.4.5')],
    ['a platform of before', seen('1.0.0')],
  ]);
  const written = writeTable(page, ['Bun', 'Node 20', 'Valkey 8.0'], sights);
  expect([...readTable(written)].map(([name]) => name)).toEqual(['Bun', 'Valkey 8.0']);
  expect(around(written)).toBe(around(page));
});
