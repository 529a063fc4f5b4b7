import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { createFileJournal } from '../../../lib/rgs/journal/file';
import { temporaryFolder } from '../../servers/reaper';
import { runs } from '../../support/runs';
import { killAgainAndAgain, lastAppendOf, startAppender } from './killed-process';

async function newPath(): Promise<string> {
  return join(await temporaryFolder('journal'), 'rgs.journal');
}

test('B4: no acknowledged append is lost when its process is killed', async () => {
  await killAgainAndAgain(await newPath(), runs(200, 8), 1);
});

test('B4: a journal that a live process holds is refused, and taken over once it was killed', async () => {
  const path = await newPath();
  const appender = startAppender(path, 1);
  await appender.printed(3);
  await expect(createFileJournal({ path })).rejects.toMatchObject({
    code: 'LOCKED',
    message: expect.stringContaining(
      `in use by process ${appender.pid}; if it runs no more, remove `,
    ),
  });
  await appender.kill();
  expect(await lastAppendOf(path)).toBeGreaterThanOrEqual(3);
});

test('B4: a process whose file can grow no more fails, and leaves all that it acknowledged', async () => {
  const path = await newPath();
  // The kernel takes the part of a write that fits, and then refuses: as on a full disk.
  const appender = startAppender(path, 4, "trap '' XFSZ; ulimit -f 40;");
  await appender.printed(Infinity);
  await appender.kill();
  expect(appender.lines.at(-1)).toBe('WRITE_FAILED');
  const acknowledged = Number(appender.lines.at(-2));
  expect(acknowledged).toBeGreaterThan(3);
  const last = await lastAppendOf(path);
  expect(last).toBeGreaterThanOrEqual(acknowledged);
  expect(last).toBeLessThanOrEqual(acknowledged + 4);
});
