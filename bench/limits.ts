/**
 * `npm run bench:limits`: what a commit [debit, credit, end] of a new round costs Redis and PostgreSQL, in microseconds of their
 * processor, for a player without limits, with three and with eight. Batches of commits alternate. Linux only.
 */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';

import type { FullStore, LimitKind, LimitWindow } from '../lib/operator/wallet';
import { limitMoment } from '../lib/operator/wallet/limits/moment';
import { createRedisStore } from '../lib/operator/stores/redis';
import { commitCall } from '../lib/operator/stores/redis/codec/commit';
import { Keys } from '../lib/operator/stores/redis/codec/keys';
import { encodeMoment } from '../lib/operator/stores/redis/codec/limits';
import { createPostgresStore } from '../lib/operator/stores/postgres';
import { scripts } from '../lib/operator/stores/redis/commands/scripts';
import { end, give, openingOf, real, take } from '../lib/proof/contracts/changes';
import { closeClient } from '../test/servers/redis/client';
import { startPostgres } from '../test/servers/postgres/server';
import { startRedis } from '../test/servers/redis/server';
import { noArguments } from './arguments';
import { sendCommits } from './redis-commits';
import { cpuSeconds } from './cpu-time';
import { limitAmount, operatorId, retentionMs, threeLimits } from './terms';

const [batches, warmupBatches] = [60, 8];
/** PostgreSQL takes a commit of each of a few sessions at once, Redis all in one pipeline. */
const [commitsInBatch, rowsInBatch, sessions] = [640, 160, 4];
const playersEach = 200;

const eight: readonly (readonly [LimitKind, LimitWindow])[] = [
  ...threeLimits,
  ['stake', 'week'],
  ['stake', 'month'],
  ['loss', 'day'],
  ['loss', 'month'],
  ['deposit', 'day'],
];
const variants = [
  { name: 'no limits', limits: [] },
  { name: 'three limits', limits: threeLimits },
  { name: 'eight limits', limits: eight },
] as const;

const keys = new Keys('rgs');

async function open(store: FullStore): Promise<void> {
  await store.ready();
  for (const [at, { limits }] of variants.entries()) {
    const players = Array.from({ length: playersEach }, async (_, one) => {
      const player = { operatorId, playerId: `player-${at}-${one}` };
      const balances = { real: '900000000' };
      await store.players.openPlayer({ ...player, currency: 'EUR', balances });
      for (const [kind, window] of limits) {
        const order = { kind, window, currency: 'EUR', amount: limitAmount };
        const result = await store.players.setLimit?.(player, order);
        if (result?.kind !== 'done') throw new Error(`a limit was answered ${result?.kind}`);
      }
    });
    await Promise.all(players);
  }
}

/** A new round of one of the players of a variant, and its first call. */
function callOf(variant: number) {
  const playerId = `player-${variant}-${Math.floor(Math.random() * playersEach)}`;
  const gameRound = randomUUID();
  const parts = [take(gameRound, 50_000n), give(randomUUID(), real(70_000n)), end(randomUUID())];
  const change = openingOf(parts, { state: 'closed', credited: 1, ended: 1 });
  return { round: { operatorId, playerId, gameRound }, change };
}

/** The arguments of EVALSHA for a commit of a new round. */
function commitOf(sha: string, variant: number): readonly (string | number)[] {
  const { round, change } = callOf(variant);
  const call = commitCall(keys, round, change, retentionMs);
  const limits = variant === 0 ? null : encodeMoment(limitMoment(['UTC'], Date.now()));
  return [sha, ...scripts.commit.sent({ ...call, limits })];
}

/** Plays batches of each variant in turn, and prints what one commit costs the server. */
async function measure(
  name: string,
  pid: number,
  count: number,
  play: (variant: number) => Promise<void>,
): Promise<void> {
  const seen: number[][] = variants.map(() => []);
  for (let batch = 0; batch < warmupBatches + batches; batch += 1) {
    for (const at of variants.keys()) {
      const before = cpuSeconds(pid);
      await play(at);
      const used = cpuSeconds(pid) - before;
      if (batch >= warmupBatches) seen[at]?.push((used * 1e6) / count);
    }
  }
  for (const [at, variant] of variants.entries()) {
    const all = (seen[at] ?? []).toSorted((one, other) => one - other);
    const [least = Number.NaN, median = Number.NaN] = [all[0], all[Math.floor(all.length / 2)]];
    const figures = `${least.toFixed(1)} us at least, ${median.toFixed(1)} in the median`;
    process.stdout.write(`${name}, ${variant.name}: ${figures}\n`);
  }
}

async function measureRedis(): Promise<void> {
  const server = await startRedis({ config: { 'auto-aof-rewrite-percentage': 0 } });
  const client = new Redis(server.url);
  try {
    const store = createRedisStore({ init: true, url: server.url });
    await open(store);
    await store.close();
    const sha = String(await client.script('LOAD', scripts.commit.source));
    await measure('Redis', server.pid, commitsInBatch, async (at) => {
      await sendCommits(
        client,
        Array.from({ length: commitsInBatch }, () => commitOf(sha, at)),
      );
    });
  } finally {
    closeClient(client);
    await server.stop();
  }
}

async function measurePostgres(): Promise<void> {
  const server = await startPostgres();
  try {
    const store = createPostgresStore({ init: true, url: await server.createDatabase() });
    await open(store);
    await measure('PostgreSQL', server.pid, rowsInBatch, async (at) => {
      const session = async (): Promise<void> => {
        for (let sent = 0; sent < rowsInBatch / sessions; sent += 1) {
          const { round, change } = callOf(at);
          const { kind } = await store.rounds.commit(round, change);
          if (kind !== 'committed') throw new Error(`a commit was answered ${kind}`);
        }
      };
      await Promise.all(Array.from({ length: sessions }, session));
    });
    await store.close();
  } finally {
    await server.stop();
  }
}

async function main(): Promise<void> {
  noArguments({
    command: 'npm run bench:limits',
    does: 'Measures what limits of a player cost Redis and PostgreSQL, in microseconds of their processor a commit (Linux).',
  });
  await measureRedis();
  await measurePostgres();
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : 'it failed'}\n`);
  process.exitCode = 1;
});
