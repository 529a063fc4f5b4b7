import { describe, expect, test } from '@jest/globals';

import type { Owner } from '../../../lib/rgs/journal/lock';
import { CrashingDisk } from './crashing-disk';
import { event, numbersOn, openOn, PATH } from './rig';

/** A process among those that are alive. */
function processOf(pid: number, alive: readonly number[], host = 'studio.local'): Owner {
  return { pid, host, isAlive: (other) => alive.includes(other) };
}

const lockOf = (pid: number, host = 'studio%2Elocal'): string => `${PATH}.${host}.${pid}.lock`;

describe('B4: the lock of a journal', () => {
  test('is a file named after host and pid, while the journal is open', async () => {
    const disk = new CrashingDisk();
    const journal = await openOn(disk, {}, processOf(71, [71]));
    expect(disk.paths()).toContain(lockOf(71));
    await journal.close();
    expect(disk.paths()).toEqual([PATH]);
  });

  test('of a live process refuses another one, naming it, and is left alone', async () => {
    const disk = new CrashingDisk();
    const alive = [72, 73];
    const journal = await openOn(disk, {}, processOf(72, alive));
    await expect(openOn(disk, {}, processOf(73, alive))).rejects.toMatchObject({
      code: 'LOCKED',
      message: `The journal ${PATH} is in use by process 72; if it runs no more, remove ${lockOf(72).slice('/data/'.length)}.`,
    });
    expect(disk.paths().filter((path) => path.endsWith('.lock'))).toEqual([lockOf(72)]);
    await journal.append([event(1)]);
    await journal.close();
    expect(await numbersOn(disk)).toEqual([1]);
  });

  test('of a dead process is taken over, with a line in the log', async () => {
    const disk = new CrashingDisk();
    disk.put(lockOf(74), '');
    const lines: unknown[] = [];
    const logger = {
      info: () => {},
      warn: (...line: unknown[]) => lines.push(line),
      error: () => {},
    };
    const journal = await openOn(disk, { logger }, processOf(75, [75]));
    expect(disk.paths().filter((path) => path.endsWith('.lock'))).toEqual([lockOf(75)]);
    expect(lines).toEqual([
      [{ path: PATH, pids: [74] }, 'journal lock of a dead process taken over'],
    ]);
    await journal.close();
  });

  test('of an earlier process with the same pid is taken over, as in a restarted container', async () => {
    const disk = new CrashingDisk();
    disk.put(lockOf(1), '');
    const journal = await openOn(disk, {}, processOf(1, [1]));
    await journal.close();
    expect(disk.paths()).toEqual([PATH]);
  });

  test('is held once in a process, which can open the journal again after close', async () => {
    const disk = new CrashingDisk();
    const owner = processOf(76, [76]);
    const journal = await openOn(disk, {}, owner);
    await expect(openOn(disk, {}, owner)).rejects.toMatchObject({
      code: 'LOCKED',
      message: `The journal ${PATH} is in use by this process, which has opened it already.`,
    });
    await journal.append([event(1)]);
    await journal.close();
    await (await openOn(disk, {}, owner)).close();
  });

  test('of another host holds, as nobody here can say whether it is alive', async () => {
    const disk = new CrashingDisk();
    disk.put(lockOf(1, 'other'), '');
    await expect(openOn(disk, {}, processOf(77, [77]))).rejects.toMatchObject({
      code: 'LOCKED',
      message: expect.stringContaining(
        'process 1 of host other; if it runs no more, remove rgs.journal.other.1.lock.',
      ),
    });
    expect(disk.paths()).toEqual([lockOf(1, 'other')]);
  });

  test('of another journal in the folder does not matter', async () => {
    const disk = new CrashingDisk();
    for (const name of [
      'rgs.journal.old.host.1.lock',
      'rgs.journal.host.x.lock',
      'other.journal.host.1.lock',
      'rgs.journal.lock',
    ]) {
      disk.put(`/data/${name}`, '');
    }
    const journal = await openOn(disk, {}, processOf(78, [78, 1]));
    await journal.close();
    expect(disk.paths()).toHaveLength(5);
  });

  test('is never held by two that start at once', async () => {
    const disk = new CrashingDisk();
    const alive = [81, 82, 83];
    const starts = alive.map((pid) => openOn(disk, {}, processOf(pid, alive)));
    const opened = (await Promise.allSettled(starts)).filter(
      ({ status }) => status === 'fulfilled',
    );
    expect(opened.length).toBeLessThanOrEqual(1);
  });

  test('that cannot be removed does not hinder close, nor the next start', async () => {
    const disk = new CrashingDisk();
    const owner = processOf(85, [85]);
    const journal = await openOn(disk, {}, owner);
    disk.fault = ({ name }) => (name === 'remove' ? 'fail' : 'none');
    await journal.close();
    disk.fault = () => 'none';
    await (await openOn(disk, {}, owner)).close();
    expect(disk.paths()).toEqual([PATH]);
  });

  test('is released where opening fails', async () => {
    const disk = new CrashingDisk();
    const owner = processOf(84, [84]);
    disk.fault = ({ name, file }) => (name === 'open' && !file.endsWith('.lock') ? 'fail' : 'none');
    await expect(openOn(disk, {}, owner)).rejects.toMatchObject({ code: 'CANNOT_OPEN' });
    disk.fault = () => 'none';
    await (await openOn(disk, {}, owner)).close();
    expect(disk.paths()).toEqual([PATH]);
  });
});
