import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';

import { built } from '../support/built';

test('a pause keeps the process, and a pause in the background lets it end', () => {
  const script = `const { systemClock } = require(${JSON.stringify(built('platform/clock.js'))});
    systemClock.pause(30).then(() => process.stdout.write('waited'));
    systemClock.pause(60_000, undefined, 'background').then(() => process.stdout.write('never'));`;
  const { stdout, status } = spawnSync(process.execPath, ['-e', script], { timeout: 30_000 });
  expect([String(stdout), status]).toEqual(['waited', 0]);
});
