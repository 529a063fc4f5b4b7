/**
 * `npm run bench:limits`: what a commit [debit, credit, end] of a new round costs Redis, in microseconds of its processor, for a
 * player without limits, with three and with eight. Batches of pipelined commits alternate. Linux only.
 */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';

import type { FullStore, LimitKind, LimitWindow } from '../lib/operator/wallet';
import { limitMoment } from '../lib/operator/wallet/limits/moment';
import { createRedisStore } from '../lib/operator/stores/redis';
import { commitCall } from '../lib/operator/stores/redis/codec/commit';
import { Keys } from '../lib/operator/stores/redis/codec/keys';
import { encodeMoment } from '../lib/operator/stores/redis/codec/limits';
import { scripts } from '../lib/operator/stores/redis/commands/scripts';
import { end, give, openingOf, real, take } from '../lib/proof/contracts/changes';
import { closeClient } from '../test/servers/redis/client';
import { startRedis } from '../test/servers/redis/server';
import { noArguments } from './arguments';
import { sendCommits } from './redis-commits';
import { cpuSeconds } from './cpu-time';
import { operatorId, retentionMs } from './terms';

const batches = 60;
const warmupBatches = 8;
const commitsInBatch = 640;
const playersEach = 200;

const three: readonly (readonly [LimitKind, LimitWindow])[] = [
  ['stake', 'day'],
  ['loss', 'week'],
  ['deposit', 'month'],
];
const eight: typeof three = [
  ...three,
  ['stake', 'week'],
  ['stake', 'month'],
  ['loss', 'day'],
  ['loss', 'month'],
  ['deposit', 'day'],
];
const variants = [
  { name: 'no limits', limits: [] },
  { name: 'three limits', limits: three },
  { name: 'eight limits', limits: eight },
] as const;

const keys = new Keys('rgs');

async function open(store: FullStore): Promise<void> {
  await store.ready();
  for (const [at, { limits }] of variants.entries()) {
    for (let one = 0; one < playersEach; one++) {
      const player = { operatorId, playerId: `player-${at}-${one}` };
      await store.players.openPlayer({
        ...player,
        currency: 'EUR',
        balances: { real: '900000000' },
      });
      for (const [kind, window] of limits) {
        const order = { kind, window, currency: 'EUR', amount: '800000000' };
        const result = await store.players.setLimit?.(player, order);
        if (result?.kind !== 'done') throw new Error(`a limit was answered ${result?.kind}`);
      }
    }
  }
  await store.close();
}

/** The arguments of EVALSHA for a commit of a new round. */
function commitOf(sha: string, variant: number): readonly (string | number)[] {
  const playerId = `player-${variant}-${Math.floor(Math.random() * playersEach)}`;
  const gameRound = randomUUID();
  const round = { operatorId, playerId, gameRound };
  const parts = [take(gameRound, 50_000n), give(randomUUID(), real(70_000n)), end(randomUUID())];
  const change = openingOf(parts, { state: 'closed', credited: 1, ended: 1 });
  const call = commitCall(keys, round, change, retentionMs);
  const limits = variant === 0 ? null : encodeMoment(limitMoment(['UTC'], Date.now()));
  return [sha, ...scripts.commit.sent({ ...call, limits })];
}

async function main(): Promise<void> {
  noArguments({
    command: 'npm run bench:limits',
    does: 'Measures what limits of a player cost Redis, in microseconds of its processor a commit (Linux).',
  });
  const server = await startRedis({ config: { 'auto-aof-rewrite-percentage': 0 } });
  const client = new Redis(server.url);
  try {
    await open(createRedisStore({ init: true, url: server.url }));
    const sha = String(await client.script('LOAD', scripts.commit.source));
    const seen: number[][] = variants.map(() => []);
    for (let batch = 0; batch < warmupBatches + batches; batch += 1) {
      for (const [at] of variants.entries()) {
        const commits = Array.from({ length: commitsInBatch }, () => commitOf(sha, at));
        const before = cpuSeconds(server.pid);
        await sendCommits(client, commits);
        const used = cpuSeconds(server.pid) - before;
        if (batch >= warmupBatches) seen[at]?.push((used * 1e6) / commitsInBatch);
      }
    }
    for (const [at, { name }] of variants.entries()) {
      const all = (seen[at] ?? []).toSorted((one, other) => one - other);
      const median = all[Math.floor(all.length / 2)] ?? Number.NaN;
      const least = all[0] ?? Number.NaN;
      process.stdout.write(
        `${name}: ${least.toFixed(1)} us at least, ${median.toFixed(1)} in the median\n`,
      );
    }
  } finally {
    closeClient(client);
    await server.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : 'it failed'}\n`);
  process.exitCode = 1;
});
