import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { expect } from '@jest/globals';

import { createFileJournal } from '../../../lib/rgs/journal/file';
import { createSeededRandom, wholeBelow } from '../../../lib/platform/random';
import { reapWithThisProcess } from '../../servers/reaper';

const ROOT = join(__dirname, '../../..');

/** A process that appends to a journal. */
export interface Appender {
  readonly pid: number;
  /** The lines that it printed so far. */
  readonly lines: readonly string[];
  /** Resolves once it has printed so many, or has ended. */
  printed(lines: number): Promise<void>;
  /** Kills it with -9, and resolves once it is gone and all that it printed is read. */
  kill(): Promise<void>;
}

/** Starts a process that appends to the file. @param prefix - Commands of the shell before it. */
export function startAppender(path: string, atOnce: number, prefix = ''): Appender {
  const command = `${prefix} exec "$@"`;
  const args = [
    '--require',
    './bench/register.cjs',
    'test/rgs/journal/appender.ts',
    path,
    String(atOnce),
  ];
  const child = spawn('/bin/sh', ['-c', command, 'appender', process.execPath, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  reapWithThisProcess(child);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const closed = Promise.all([once(child, 'close'), once(reader, 'close')]);
  return {
    pid: child.pid ?? 0,
    lines,
    printed: async (count) => {
      while (lines.length < count && child.exitCode === null) {
        await Promise.race([once(reader, 'line'), closed]);
      }
    },
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/** The number of the last append that the file holds; each one must be there once, in order. */
export async function lastAppendOf(path: string): Promise<number> {
  const journal = await createFileJournal({ path });
  let last = 0;
  let isFirst = true;
  for await (const { type, number } of journal.replay()) {
    if (type !== 'snapshot') expect(number).toBe(last + 1);
    else expect(isFirst).toBe(true);
    last = Number(number);
    isFirst = false;
  }
  await journal.close();
  return last;
}

/** Has processes append to the file one after the other, each killed at a random one of its appends. */
export async function killAgainAndAgain(path: string, kills: number, seed: number): Promise<void> {
  const random = createSeededRandom(seed);
  let acknowledged = 0;
  for (let kill = 0; kill < kills; kill++) {
    const atOnce = kill % 2 === 0 ? 1 : 8;
    const appender = startAppender(path, atOnce);
    await appender.printed(1 + wholeBelow(random, 60));
    await appender.kill();
    for (const line of appender.lines) {
      expect(Number(line)).toBe(++acknowledged);
    }
    const last = await lastAppendOf(path);
    expect(last).toBeGreaterThanOrEqual(acknowledged);
    expect(last).toBeLessThanOrEqual(acknowledged + atOnce);
    acknowledged = last;
  }
}
