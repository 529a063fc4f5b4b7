import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, test } from '@jest/globals';

import { names } from '../../lib/operator/archive/format';
import { BuiltFolder, newKey } from '../operator/archive/folder';
import {
  eventLines,
  exportMap,
  exportOf,
  type History,
  randomHistory,
  type RgsRound,
} from '../operator/reconciliation/histories';
import { temporaryFolder } from '../servers/reaper';
import { runCli, temporaryFile } from './cli';

const span = [Date.parse('2026-10-20T00:00:00Z'), Date.parse('2026-10-27T00:00:00Z')] as const;
const frame = [span[0] - 1, Date.parse('2026-10-27T02:00:00Z')];
const utc = { zone: 'UTC', by: 'end' } as const;
const days = new Set(['2026-10-24', '2026-10-25']);
const history = randomHistory(11, 500, span);
const lines = eventLines(history, frame);

/** An archive of lines, in segments of 100 events and a session of the rest. */
async function archiveOf(all: readonly string[]): Promise<BuiltFolder> {
  const folder = await temporaryFolder('archive');
  const segments = Array<number>(Math.floor(all.length / 100)).fill(100);
  const batches = all.length % 100 === 0 ? [] : [all.length % 100];
  return new BuiltFolder(folder, { segments, batches, event: (index) => all[index] ?? '' });
}

/** The same, with all of it signed. */
async function signedArchiveOf(all: readonly string[]): Promise<BuiltFolder> {
  const folder = await archiveOf(all);
  folder.checkpoint();
  return folder;
}

async function run(
  folder: BuiltFolder,
  more: readonly string[] = [],
  text = exportOf(history, utc, days),
) {
  const rows = await temporaryFile('export.csv', text);
  const map = await temporaryFile('map.json', exportMap);
  const period = ['--from', '2026-10-24', '--to', '2026-10-25', '--zone', 'UTC', '--by', 'end'];
  const files = ['--archive', folder.path, '--export', rows, '--map', map];
  return runCli(['reconcile', '--operator', 'casino', ...period, ...files, ...more], { env: {} });
}

/** The segment whose events begin on a day. */
function segmentOf({ lines: all, files }: BuiltFolder, day: string): string {
  const at = files.findIndex((_, index) => dayOf(all[100 * index]) === day);
  return files[at] ?? '';
}

function dayOf(line: string | undefined): string | undefined {
  return /"at":"(.{10})/.exec(line ?? '')?.[1];
}

describe('reconcile --archive', () => {
  test('equal days exit with 0, rounds that began before them included; what the archive proves is said', async () => {
    const folder = await signedArchiveOf(lines);
    const { code, stdout, stderr } = await run(folder, ['--key', folder.key.vkey]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('note: archive whole');
    expect(stdout).toMatch(/Equal: \d+ compared\.$/m);
  });

  test('a round that began days before has its bet from the segment that has its beginning', async () => {
    const long = copyOf(history);
    const [round] = [...long.rounds.values()].filter(({ state }) => state === 'DONE');
    if (round === undefined) throw new Error('no round');
    const [first, second] = long.events.get(round.round) ?? [];
    round.start = Date.parse('2026-10-20T10:00:00Z');
    round.end = Date.parse('2026-10-24T10:00:00Z');
    if (first !== undefined) first.at = round.start;
    if (second !== undefined) second.at = round.end;
    const folder = await signedArchiveOf(eventLines(long, frame));
    const { code, stdout } = await run(folder, [], exportOf(long, utc, days));
    expect([code, code === 0 ? '' : stdout]).toEqual([0, '']);
  });

  test('two rounds whose ids read the same next to each other are two rounds', async () => {
    const hostile = copyOf(history);
    const [first, second] = [...hostile.rounds.values()].filter(
      ({ state, round }) => state === 'DONE' && hostile.events.get(round)?.length === 2,
    );
    if (first === undefined || second === undefined) throw new Error('no rounds');
    rename(hostile, first, ['a#b', 'c'], ['2026-10-24T09:00:00Z', '2026-10-24T10:00:00Z']);
    rename(hostile, second, ['a', 'b#c'], ['2026-10-20T10:00:00Z', '2026-10-24T11:00:00Z']);
    const folder = await signedArchiveOf(eventLines(hostile, frame));
    const { code, stdout } = await run(folder, [], exportOf(hostile, utc, days));
    expect([code, code === 0 ? '' : stdout]).toEqual([0, '']);
  });

  test.each([
    [
      'a file is gone',
      async (folder: BuiltFolder) => {
        await rm(join(folder.path, segmentOf(folder, '2026-10-25')));
      },
      /2026-10-25.*the file is missing/,
    ],
    [
      'a record is gone',
      async (folder: BuiltFolder) => {
        const from = 100 * folder.files.indexOf(segmentOf(folder, '2026-10-25'));
        await rm(join(folder.path, names.recordName(from)));
      },
      /2026-10-25.*no record has the events/,
    ],
    [
      'a line was changed',
      async (folder: BuiltFolder) => {
        const file = segmentOf(folder, '2026-10-25');
        const at = 100 * folder.files.indexOf(file);
        const part = folder.lines.slice(at, at + 100);
        part[7] = part[8] ?? '';
        await writeFile(
          join(folder.path, file),
          gzipSync(part.map((line) => `${line}\n`).join('')),
        );
      },
      /2026-10-25.*line 8: this line is not the one that was sealed/,
    ],
    [
      'a segment long before was cut out of the log',
      async (folder: BuiltFolder) => {
        await rm(join(folder.path, names.recordName(100)));
      },
      /2026-10-2[01].*no record has the events from 100 to 199/,
    ],
  ])(
    'an archive that is not whole, as where %s, is one line with the day, and exit code 2',
    async (_name, spoil, line) => {
      const folder = await signedArchiveOf(lines);
      await spoil(folder);
      const { code, stdout, stderr } = await run(folder);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(line);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    },
  );

  test('a day that the archive does not reach is named, with exit code 2, even if the RGS has rounds of it', async () => {
    const before = lines.filter((line) => (dayOf(line) ?? '') < '2026-10-25');
    const { code, stdout, stderr } = await run(await signedArchiveOf(before));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /2026-10-24 is not complete: the events end at 2026-10-24T.*; nor is 2026-10-25\.$/m,
    );
  });

  test('events that no checkpoint signs make no day complete', async () => {
    // The last event alone ends the last day.
    const cut = lines.filter((line) => (dayOf(line) ?? '') <= '2026-10-25');
    const whole = 100 * Math.floor(cut.length / 100);
    const end = lines.at(-1) ?? '';
    const folder = await archiveOf([...cut.slice(0, whole), ...cut.slice(whole), end]);
    expect((cut.length + 1) % 100).not.toBe(0);
    const unsigned = await run(folder);
    expect([unsigned.code, unsigned.stdout]).toEqual([2, '']);
    expect(unsigned.stderr).toMatch(/2026-10-25 is not complete: the events end at/);
    folder.checkpoint();
    expect(await run(folder)).toMatchObject({ code: 0, stderr: '' });
  });

  test('an archive that begins in the middle of the period names the day', async () => {
    const late = lines.filter((line) => (dayOf(line) ?? '') >= '2026-10-25');
    const { code, stderr } = await run(await signedArchiveOf(late));
    expect(code).toBe(2);
    expect(stderr).toMatch(/2026-10-24 is not complete: the events begin at 2026-10-25T/);
  });

  test('a log that another key signed, or of another operator, or no archive, is refused with exit code 2', async () => {
    const folder = await signedArchiveOf(lines);
    const stranger = await run(folder, ['--key', newKey().vkey]);
    expect([stranger.code, stranger.stdout]).toEqual([2, '']);
    const other = await run(folder, ['--operator', 'other-casino']);
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toContain('the archive is of operator casino');
    const none = await run(folder, ['--archive', await temporaryFolder('empty')]);
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect((await run(folder, ['--events', '-'])).code).toBe(2);
  });
});

describe('the own check', () => {
  /** The indexes of three events in a row that moved one balance, on the days that are compared. */
  function threeOfOnePlayer(): number[] {
    const found = new Map<string, number[]>();
    for (const [index, line] of whole.entries()) {
      const { playerId, movements = [] } = JSON.parse(line) as {
        playerId: string;
        movements?: { currency: string }[];
      };
      const [movement] = movements;
      if (movement === undefined || (dayOf(line) ?? '') < '2026-10-24') continue;
      const key = `${playerId} ${movement.currency}`;
      const of = [...(found.get(key) ?? []), index];
      if (of.length === 3) return of;
      found.set(key, of);
    }
    throw new Error('no player has three events');
  }

  const whole = withAccounts(lines);

  test('an event that is missing is found before the RGS is asked, with the player and the round after it, and exit code 1', async () => {
    const [, at = 0, next = 0] = threeOfOnePlayer();
    const { playerId, gameRound } = JSON.parse(whole[next] ?? '') as Record<string, string>;
    const less = whole.filter((_, index) => index !== at);
    for (const result of [await runFile(less), await run(await signedArchiveOf(less))]) {
      expect([result.code, result.stderr]).toEqual([1, '']);
      expect(result.stdout).toMatch(/the RGS was not asked/);
      expect(result.stdout).toContain(`player ${playerId} round ${gameRound}: the balance jumps`);
    }
    const json = JSON.parse((await runFile(less, ['--json'])).stdout) as Record<string, unknown>;
    expect(json).toMatchObject({
      verdict: 'contradictory',
      own: [{ player: playerId, round: gameRound }],
    });
    // Without the check the RGS is asked.
    expect((await runFile(less, ['--no-own-check'])).stderr).toMatch(/The RGS was asked/);
  });

  test('events that follow from each other pass, also those that were delivered twice', async () => {
    const twice = [...whole.slice(0, 300), ...whole.slice(250, 300), ...whole.slice(300)];
    const result = await runFile(twice);
    expect([result.code, result.stdout]).toEqual([2, '']);
    expect(result.stderr).toMatch(/The RGS was asked/);
    expect((await run(await signedArchiveOf(whole))).code).toBe(0);
  });
});

/** Gives a round of two events another player and id, and other times. */
function rename(
  { rounds, events }: History,
  one: RgsRound,
  [player, id]: readonly [string, string],
  times: readonly [string, string],
): void {
  const of = events.get(one.round) ?? [];
  for (const map of [rounds, events]) map.delete(one.round);
  const [start, end] = times.map((time) => Date.parse(time)) as [number, number];
  rounds.set(id, { ...one, player, round: id, start, end });
  const moved = of.map((event, index) => ({
    ...event,
    player,
    round: id,
    at: index === 0 ? start : end,
  }));
  events.set(id, moved);
}

function copyOf(one: History): History {
  return structuredClone(one);
}

function movementsOf(transactions: readonly Record<string, unknown>[]) {
  return transactions.flatMap(({ type, outcome, currency, amount, hash }) => {
    if (outcome !== 'accepted' || (type !== 'debit' && type !== 'credit')) return [];
    const real = `${type === 'debit' ? '-' : ''}${String(amount)}`;
    return [{ hash, currency: String(currency), real, bonus: '0' }];
  });
}

async function runFile(all: readonly string[], more: readonly string[] = []) {
  const events = await temporaryFile('events.jsonl', all.join('\n'));
  const period = ['--from', '2026-10-24', '--to', '2026-10-25', '--zone', 'UTC', '--by', 'end'];
  // Nobody listens there: to ask would fail with exit code 2.
  const env = {
    RGS_URL: 'http://127.0.0.1:9',
    OPERATOR_ID: 'casino',
    OPERATOR_SECRET: 'x'.repeat(32),
  };
  return runCli(['reconcile', '--events', events, ...period, ...more], { env });
}

/** The lines with the accounts of their players after each event. */
function withAccounts(all: readonly string[]): string[] {
  const balances = new Map<string, number>();
  return all.map((line) => {
    const event = JSON.parse(line) as Record<string, unknown> & {
      playerId: string;
      transactions?: Record<string, unknown>[];
    };
    if (event['type'] !== 'round') return line;
    const movements = movementsOf(event.transactions ?? []);
    for (const { currency, real } of movements) {
      const key = `${event.playerId} ${currency}`;
      balances.set(key, (balances.get(key) ?? 10_000_000) + Math.round(Number(real) * 100));
    }
    const currencies = [...new Set(movements.map(({ currency }) => currency))];
    const accounts = currencies.map((currency) => {
      const hundredths = balances.get(`${event.playerId} ${currency}`) ?? 0;
      return { currency, real: (hundredths / 100).toFixed(2), bonus: '0' };
    });
    return JSON.stringify({ ...event, movements, accounts });
  });
}
