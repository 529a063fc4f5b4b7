import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { playPlan, readSeedFile } from '.';

/** Histories that once showed a bug, each as its seed file. */
const folder = join(__dirname, '../regressions');
const kept = readdirSync(folder).filter((name) => name.endsWith('.json'));

test.each(kept)('%s: what once broke holds', async (name) => {
  const { plan, faults } = readSeedFile(readFileSync(join(folder, name), 'utf8'));
  expect((await playPlan(plan, { faults })).violation).toBeNull();
});
