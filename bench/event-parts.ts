/**
 * `npm run bench:events`: what each part of an event costs Redis, in microseconds of its processor for a commit
 * [debit, credit, end] of a new round. The commit's script runs as it is, and with less of the event in it, in batches of
 * pipelined commits that alternate. Then what a page of 1,000 events costs, of 65,536 that wait in all buckets, and what the
 * totals cost an event, and what they keep of a round.
 * Linux only.
 */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { createRedisStore } from '../lib/operator/stores/redis';
import { commitCall } from '../lib/operator/stores/redis/codec/commit';
import { Keys } from '../lib/operator/stores/redis/codec/keys';
import { scripts } from '../lib/operator/stores/redis/commands/scripts';
import { end, give, openingOf, real, take } from '../lib/proof/contracts/changes';
import { closeClient } from '../test/servers/redis/client';
import { startRedis } from '../test/servers/redis/server';
import { noArguments } from './arguments';
import { sendCommits } from './redis-commits';
import { openInStore } from './contestants/kit-accounts';
import { cpuSeconds } from './cpu-time';
import { measurePages, measureTotals, type TotalsCost } from './event-pages';
import { operatorId, players, retentionMs } from './terms';

const batches = 80;
const warmupBatches = 10;
const commitsInBatch = 640;
const totalsTurns = 5;

const { source } = scripts.commit;
const adds = "redis.call('XADD', events.stream, '*', 'e', lines, 't', events.at)";
const builds = source.slice(source.indexOf('  local content = events.text'), source.indexOf(adds));

function withoutText(part: string, by: string): string {
  if (part === '' || !source.includes(part)) throw new Error('commit.lua has another event');
  return source.replace(part, () => by);
}

const empty = "redis.call('XADD', events.stream, '*', 'e', '')";

/** The script, and whether it is given the key and the text of an event. */
const variants = [
  { name: 'no event', script: source, eventKind: null },
  {
    name: 'its key and text are sent, and not used',
    script: withoutText(builds + adds, ''),
    eventKind: 'event',
  },
  {
    name: 'an entry without content',
    script: withoutText(builds + adds, empty),
    eventKind: 'event',
  },
  { name: 'the event is built, and not added', script: withoutText(adds, ''), eventKind: 'event' },
  { name: 'the event as it is', script: source, eventKind: 'event' },
] as const;

type Variant = (typeof variants)[number];

const keys = new Keys('rgs');

/** The arguments of EVALSHA for a commit of a new round. */
function commitOf(sha: string, { eventKind }: Variant): readonly (string | number)[] {
  const playerId = players[Math.floor(Math.random() * players.length)] ?? '';
  const gameRound = randomUUID();
  const round = { operatorId, playerId, gameRound };
  const parts = [take(gameRound, 50_000n), give(randomUUID(), real(70_000n)), end(randomUUID())];
  const change = openingOf(parts, { state: 'closed', credited: 1, ended: 1 });
  const call = commitCall(keys, round, change, retentionMs, { eventKind });
  return [sha, ...scripts.commit.sent(call)];
}

async function measure(): Promise<(readonly number[])[]> {
  const server = await startRedis({ config: { 'auto-aof-rewrite-percentage': 0 } });
  const client = new Redis(server.url);
  try {
    await openInStore(createRedisStore({ init: true, url: server.url }), players);
    const loaded = await Promise.all(variants.map(({ script }) => client.script('LOAD', script)));
    const seen: number[][] = variants.map(() => []);
    for (let batch = 0; batch < warmupBatches + batches; batch += 1) {
      for (let turn = 0; turn < variants.length; turn += 1) {
        const at = (batch + turn) % variants.length;
        const variant = variants[at] ?? variants[0];
        const sha = String(loaded[at]);
        const commits = Array.from({ length: commitsInBatch }, () => commitOf(sha, variant));
        const before = cpuSeconds(server.pid);
        await sendCommits(client, commits);
        const used = cpuSeconds(server.pid) - before;
        if (batch >= warmupBatches) seen[at]?.push((used * 1e6) / commitsInBatch);
      }
    }
    return seen;
  } finally {
    closeClient(client);
    await server.stop();
  }
}

async function main(): Promise<void> {
  noArguments({
    command: 'npm run bench:events',
    does: 'Measures what each part of an event costs Redis, in microseconds of its processor a commit (Linux), what a page of events costs, and what the totals cost an event.',
  });
  const seen = await measure();
  print(
    'the script',
    variants.map(({ name }, at) => [name, seen[at] ?? []]),
  );
  const pages = await measurePages();
  print('a page of 1,000 events', [
    ['milliseconds of Redis', pages.map(({ redis }) => redis)],
    ['milliseconds of this process', pages.map(({ here }) => here)],
    ['scripts', pages.map((page) => page.scripts)],
  ]);
  const counted: TotalsCost[] = [];
  for (let turn = 0; turn < totalsTurns; turn++) counted.push(await measureTotals());
  print('an event that the totals count', [
    ['microseconds of Redis', counted.map(({ redis }) => redis)],
    ['microseconds of this process', counted.map(({ here }) => here)],
    ['bytes that stay of its round', counted.map(({ bytes }) => bytes)],
  ]);
}

function print(title: string, rows: readonly (readonly [string, readonly number[]])[]): void {
  process.stdout.write(`| ${title} | least | quarter | median |\n| --- | --- | --- | --- |\n`);
  for (const [name, seen] of rows) {
    const sorted = seen.toSorted((one, other) => one - other);
    const figures = [0, 0.25, 0.5].map((share) => {
      return sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(1);
    });
    process.stdout.write(`| ${name} | ${figures.join(' | ')} |\n`);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : 'it failed'}\n`);
  process.exitCode = 1;
});
