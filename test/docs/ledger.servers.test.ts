import { expect, test } from '@jest/globals';
import { textOf } from '../tidy/source';
import { blockOf } from './blocks';
import { runProgram } from './process';
import { type Replacements, userFolder, writeProgram } from './program';

/** How many cases of the contract pass under node:test, as the page calls it; no other may be there. */
async function casesOf(replacements: Replacements): Promise<number> {
  const folder = await userFolder();
  const path = await writeProgram(folder, blockOf('docs/ledger.md', 'seed'), replacements);
  const args = ['--test-reporter', 'tap', path];
  const output = await runProgram(process.execPath, args, { cwd: folder });
  expect(output).toMatch(/^# fail 0$/m);
  return Number(/^# pass (\d+)$/m.exec(output)?.[1]);
}

test('the contract runs under node:test with a seed, and has as many cases as the page says', async () => {
  expect(blockOf('docs/ledger.md', 'seed').after).toContain('node-test');
  const figures =
    /has (\d+) cases, (\d+)\s+of them without bonus/.exec(textOf('docs/ledger.md')) ?? [];
  const [, all, withoutBonus] = figures;
  expect(await casesOf({})).toBe(Number(all));
  const seeded = { 'seed:': 'hasBonus: false, seed:' };
  expect(await casesOf(seeded)).toBe(Number(withoutBonus));
});
