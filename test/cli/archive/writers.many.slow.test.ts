import { afterEach, expect, test } from '@jest/globals';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';

import { verifyArchive } from '../../../lib/operator/archive/verify/check';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import { systemClock } from '../../../lib/platform';
import { ArchiveFiles, splitLines } from '../../operator/archive/forgeries/archive-files';
import { pickFrom, upTo } from '../../operator/archive/forgeries/events';
import { seededRandom } from '../../platform/seeded-random';
import { startServiceLoad } from '../../rgs/load/run';
import { openPlayers } from '../../rgs/load/scene';
import { Cleanup } from '../../servers/cleanup';
import { temporaryFolder } from '../../servers/reaper';
import { startRedis } from '../../servers/redis/server';
import { until } from '../../servers/until';
import { patience } from '../../support/patience';
import { runs } from '../../support/runs';
import { testSeed } from '../../support/seed';
import { MAIN, OPERATOR, OPERATOR_ID, runCli, signer, start, startService } from '../cli';

/** How often one of the writers dies; `KILLS=200` makes a long run of it. */
const KILLS = Number(process.env['KILLS'] ?? runs(100, 6));
const DECIMALS = 2;
const times = 3_600_000 + KILLS * 60_000;
const cleanup = new Cleanup();

afterEach(() => cleanup.run());

interface Line {
  readonly id: string;
  readonly gameRound: string;
  readonly version: number;
}

/** Every event that the folder holds, in the order of the log. */
async function linesOf(folder: string): Promise<Line[]> {
  const archive = await ArchiveFiles.read(folder);
  const sealed = [...archive.recordPaths.keys()].flatMap((at) => archive.lines(at));
  const open = archive.hasSession ? splitLines(archive.bytes(archive.sessionPath)) : [];
  return [...sealed, ...open]
    .filter((line) => line.includes('"type":"round"'))
    .map((line) => JSON.parse(line.toString()) as Line);
}

/** Where the last sealed segment begins. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(join(folder, 'segments')).catch((): string[] => []);
  return Number.parseInt(names.toSorted().at(-1) ?? '-1', 10);
}

/** Processes that write to one folder, each of which may be alone, dead, paused, or overtaken. */
class Writers {
  readonly alive = new Set<ChildProcess>();
  readonly complaints: string[] = [];

  constructor(
    private readonly folder: string,
    private readonly args: readonly string[],
  ) {}

  begin(): void {
    const child = start([...this.args], {}, MAIN);
    this.alive.add(child);
    let said = '';
    child.stderr?.on('data', (bytes: Buffer) => (said += bytes.toString('utf8')));
    child.once('exit', (code, signal) => {
      this.alive.delete(child);
      if (signal === 'SIGKILL') return;
      this.complaints.push(`${code} ${said.trim().replace(/\d{2,}/g, '...')}`);
    });
  }

  async kill(child: ChildProcess): Promise<void> {
    const exit = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGKILL')) await exit;
  }

  async end(): Promise<void> {
    await Promise.all([...this.alive].map((child) => this.kill(child)));
  }

  /** The session looks like that of a writer that has not lived for long: the next one takes it. */
  async backdate(): Promise<void> {
    const below = join(this.folder, 'sessions');
    const old = new Date(Date.now() - 600_000);
    for (const name of await readdir(below).catch(() => [])) {
      await utimes(join(below, name), old, old).catch(() => {});
    }
  }
}

test(
  'writers of one folder that die, stand still and overtake each other lose nothing, and leave no fault',
  async () => {
    const draw = seededRandom(testSeed);
    const server = cleanup.after(await startRedis(), (one) => one.stop());
    const options = { ...patience, url: server.url, decimals: DECIMALS, events: ['archive'] };
    const store = cleanup.after(createRedisStore({ ...options, init: true }), (one) => one.close());
    await store.ready();
    const starts = await openPlayers(store, OPERATOR_ID, 6);
    const where = ['--store', server.url, '--decimals', String(DECIMALS)];
    const service = cleanup.after(
      await startService(['--events', 'archive', ...where], OPERATOR),
      (one) => one.stop(),
    );
    const load = cleanup.after(
      startServiceLoad({
        origins: [`http://127.0.0.1:${service.port}`],
        signer,
        players: [...starts.keys()],
        currency: 'EUR',
        decimals: DECIMALS,
        connections: 2,
        lostReplyShare: 0,
        // The whole archive is verified after each kill, so it must not grow faster than the kills come.
        roundPauseMs: 25,
      }),
      (started) => started.abandon(),
    );
    const below = await temporaryFolder('archive');
    const [folder, anchor, key] = ['kept', 'anchor', 'key'].map((name) => join(below, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(anchor);
    const made = await runCli(['archive', 'key', 'new', '--out', key, '--origin', 'a.example/log']);
    expect(made).toMatchObject({ code: 0 });
    const run = ['archive', 'run', ...where, '--operator', OPERATOR_ID, '--to', folder];
    const often = ['--segment-events', '150', '--checkpoint-seconds', '1'];
    const args = [...run, '--key', key, '--anchor', anchor, ...often];
    const writers = cleanup.after(new Writers(folder, args), (one) => one.end());
    const grows = async (): Promise<void> => {
      const before = await sizeOf(folder);
      const isLarger = async (): Promise<boolean> => {
        if (writers.alive.size === 0) writers.begin();
        return (await sizeOf(folder)) > before;
      };
      await until('the archive to grow', isLarger, { timeoutMs: 3_600_000 });
    };
    const acts: readonly (() => Promise<void>)[] = [
      () => systemClock.pause(upTo(draw, 1500)),
      async () => {
        await grows();
        await writers.backdate();
        writers.begin();
        writers.begin();
        await systemClock.pause(upTo(draw, 2500));
      },
      async () => {
        const [paused] = writers.alive;
        paused?.kill('SIGSTOP');
        await writers.backdate();
        writers.begin();
        await systemClock.pause(500 + upTo(draw, 2500));
        paused?.kill('SIGCONT');
      },
    ];
    writers.begin();
    await until('the first checkpoint', () => existsSync(join(anchor, 'checkpoints')), {
      timeoutMs: 3_600_000,
    });
    for (let kill = 0; kill < KILLS; kill++) {
      while (writers.alive.size < 2) writers.begin();
      await grows();
      await pickFrom(draw, acts)();
      if (writers.alive.size === 0) writers.begin();
      await writers.kill(pickFrom(draw, [...writers.alive]));
      const { faults } = await verifyArchive(folder, { anchors: [anchor] });
      expect([kill, faults]).toEqual([kill, []]);
      if (kill % 20 === 19) process.stdout.write(`${kill + 1} of ${KILLS} kills\n`);
    }
    await load.stop();
    await writers.end();
    const archived = async () => (await runCli([...args, '--once'])).code === 0;
    await until('the rest to be archived', archived, { timeoutMs: 3_600_000 });
    const whole = await verifyArchive(folder, { anchors: [anchor], accounts: true });
    expect(whole.faults).toEqual([]);
    expect(load.violations).toEqual([]);

    const lines = await linesOf(folder);
    const versions = new Map<string, Set<number>>();
    for (const { gameRound, version } of lines)
      versions.set(gameRound, (versions.get(gameRound) ?? new Set<number>()).add(version));
    for (const { playerId, gameRound } of load.book.rounds) {
      const report = await store.rounds.readRound({ operatorId: OPERATOR_ID, playerId, gameRound });
      expect([gameRound, versions.get(gameRound)?.size ?? 0]).toEqual([
        gameRound,
        report?.head.version ?? 0,
      ]);
    }
    process.stdout.write(
      `${KILLS} kills, ${whole.segments} segments, ${lines.length} lines, ${new Set(lines.map(({ id }) => id)).size} events; ` +
        `writers ended with ${JSON.stringify([...new Set(writers.complaints)])}\n`,
    );
  },
  times,
);
