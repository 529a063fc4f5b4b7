import { expect, test } from '@jest/globals';

import { runs } from '../../../support/runs';
import { testSeed } from '../../../support/seed';
import { fileForgings } from './file-forgings';
import type { Forging } from './forging';
import { grounds, misjudged, sceneOf } from './judge';
import { lineForgings } from './line-forgings';
import { recordForgings } from './record-forgings';
import { sessionForgings } from './session-forgings';
import { anchorForgings, signatureForgings } from './signature-forgings';

/** In how many archives, at a place of its own in each, a forging is played. */
const PLACES = runs(46, 1);

const places = Array.from({ length: PLACES }, (_, at) => testSeed + at);
const archives = places.map(grounds);

async function wronglyJudged(forging: Forging): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [at, seed] of places.entries()) {
    const scene = sceneOf(archives[at] as (typeof archives)[number], seed);
    found.push(
      ...(await misjudged(forging, scene, PLACES > 1)).map((what) => `seed ${seed}: ${what}`),
    );
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
