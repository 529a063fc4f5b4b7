import { afterAll, expect, test } from '@jest/globals';

import { runs } from '../../../support/runs';
import { testSeed } from '../../../support/seed';
import { fileForgings } from './file-forgings';
import type { Forging } from './forging';
import { grounds, misjudged, sceneOf } from './judge';
import { lineForgings } from './line-forgings';
import { recordForgings } from './record-forgings';
import { sessionForgings } from './session-forgings';
import { anchorForgings, signatureForgings } from './signature-forgings';

/** In how many archives, at a place of its own in each, a forging is played; `PLACES=5` makes more than 1,000 forgeries. */
const PLACES = Number(process.env['PLACES'] ?? runs(46, 1));

const places = Array.from({ length: PLACES }, (_, at) => testSeed + at);
const archives = places.map(grounds);

/** How many forgeries were judged as they have to be, and of how many. */
const judged = { right: 0, all: 0 };

afterAll(() => {
  const { right, all } = judged;
  process.stdout.write(
    `${right} of ${all} forgeries found, by what has to show them and at the place that has to be named\n`,
  );
});

async function wronglyJudged(forging: Forging): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [at, seed] of places.entries()) {
    const scene = sceneOf(archives[at] as (typeof archives)[number], seed);
    const wrong = await misjudged(forging, scene, PLACES > 1);
    judged.all += 1;
    if (wrong.length === 0) judged.right += 1;
    found.push(...wrong.map((what) => `seed ${seed}: ${what}`));
  }
  return found;
}

test.each([
  ...lineForgings,
  ...recordForgings,
  ...sessionForgings,
  ...signatureForgings,
  ...fileForgings,
  ...anchorForgings,
])('verify shows it if $name', async (forging) => {
  expect(await wronglyJudged(forging)).toEqual([]);
});
