import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ROOT } from '../tidy/source';
import { Place } from './place';
import { rows } from './rows';
import { readTable, writeTable } from './table';

const FILE = join(ROOT, 'docs/platforms.md');

/** `npm run platforms`, or with the beginnings of names: plays on each, prints what was seen, and notes it in the page. */
async function main(wanted: readonly string[]): Promise<number> {
  const chosen = rows.filter(({ name }) => {
    return wanted.length === 0 || wanted.some((beginning) => name.startsWith(beginning));
  });
  if (chosen.length === 0) {
    process.stderr.write(
      `no such platform; there are: ${rows.map(({ name }) => name).join(', ')}\n`,
    );
    return 2;
  }
  const place = await Place.make();
  let failed = 0;
  for (const { name, see } of chosen) {
    try {
      const seen = await see(place);
      const date = new Date().toISOString().slice(0, 10);
      process.stdout.write(`| ${name} | ${seen.version} | ${seen.ran} | ${date} |\n`);
      const page = await readFile(FILE, 'utf8');
      const sights = readTable(page).set(name, { ...seen, date });
      const names = rows.map((row) => row.name);
      await writeFile(FILE, writeTable(page, names, sights));
    } catch (error) {
      failed += 1;
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      process.stderr.write(`${name} failed: ${String(error)}\n${stdout}${stderr}\n`);
    }
  }
  return failed === 0 ? 0 : 1;
}

void main(process.argv.slice(2)).then((code) => process.exit(code));
