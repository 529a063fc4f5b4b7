/**
 * Measures what Redis holds in memory, and PostgreSQL on disk, for a closed round, a further transaction and a player;
 * how much more a round takes, of that and of the server's processor, once there are a hundred times as many; and in
 * Redis what the index of open rounds takes.
 * `npm run bench:memory`, or `npm run bench:memory -- 1000000` for more rounds.
 */
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import type { Transaction } from '../lib/protocol/operator-api/transaction';
import { createPostgresStore } from '../lib/operator/stores/postgres';
import { createRedisStore, type RedisStoreOptions } from '../lib/operator/stores/redis';
import { bucketCount, Keys } from '../lib/operator/stores/redis/codec/keys';
import { doTransactions, type AccountStore } from '../lib/operator/wallet';
import { systemClock } from '../lib/platform';
import { startPostgres } from '../test/servers/postgres/server';
import { withRedis } from '../test/servers/redis/client';
import { type RedisServer, startRedis } from '../test/servers/redis/server';
import { countOfRounds } from './arguments';
import { cpuSeconds } from './cpu-time';
import { noRewrite } from './quiet-server';
import { type Spread, spreadOf, withRange } from './report/spread';
import { patience } from './terms';

const operatorId = 'casino';
const currency = 'EUR';
const policy = { useBonusFirst: true, creditTo: 'real' } as const;
const atOnce = 64;
const roundsPerPlayer = 100;

/** A store, and how many bytes its server holds. */
interface Place {
  readonly name: string;
  readonly store: AccountStore;
  /** Of its server. */
  readonly pid: number;
  bytes(): Promise<number>;
  /** What the index of open rounds takes. */
  indexBytes?(): Promise<number>;
  stop(): Promise<void>;
}

async function main(): Promise<void> {
  const rounds = countOfRounds({
    command: 'npm run bench:memory',
    does: 'Measures what Redis holds in memory, and PostgreSQL on disk, for a closed round, a further transaction and a player, and how much more a round takes once there are a hundred times as many.',
    usual: 100_000,
    least: 100,
  });
  const parts: [open: () => Promise<Place>, work: typeof measure][] = [
    [openRedis, measure],
    [() => openRedis({ history: true }), measureIndex],
    [openPostgres, measure],
  ];
  for (const [open, work] of parts) {
    const place = await open();
    try {
      await work(place, rounds);
    } finally {
      await place.store.close();
      await place.stop();
    }
  }
}

/** Open rounds of many players, few and then many in each bucket. */
async function measureIndex(place: Place, rounds: number): Promise<void> {
  await place.store.ready();
  const players = Math.ceil(rounds / 10);
  await grown(place, players, (index) => openPlayer(place.store, index));
  print('Redis with a history, memory');
  let opened = 0;
  for (const count of [Math.ceil(rounds / 10), 2 * rounds]) {
    await grown(place, count - opened, (index) => openRound(place.store, index % players));
    opened = count;
    const bytes = ((await place.indexBytes?.()) ?? 0) / count;
    const inBucket = (count / bucketCount).toFixed(0);
    print(
      `  the index, for an open round          ${bytes.toFixed(0)} bytes (${count}, ${inBucket} a bucket)`,
    );
  }
}

async function measure(place: Place, rounds: number): Promise<void> {
  const { store } = place;
  await store.ready();
  const players = Math.ceil(rounds / roundsPerPlayer);
  const perPlayer = await grown(place, players, (index) => openPlayer(store, index));
  const few = Math.ceil(rounds / 100);
  const early = await grown(place, few, (index) => playRound(store, index, 1));
  const earlyCost = await costOfRound(place, few, players);
  const perRound = await grown(place, rounds - few, (index) => playRound(store, few + index, 1));
  const lateCost = await costOfRound(place, few, players);
  const more = Math.ceil(rounds / 10);
  const perLongRound = await grown(place, more, (index) => playRound(store, index, 11));
  print(place.name);
  print(`  a closed round of three transactions  ${perRound} bytes (${rounds} rounds)`);
  print(`    to one of the first ${few}: ${(perRound / early).toFixed(2)}`);
  print(`  its processor time at the server      ${withRange(lateCost, 0)} us (${rounds} rounds)`);
  const growth = (lateCost?.median ?? Number.NaN) / (earlyCost?.median ?? Number.NaN);
  print(`    to ${withRange(earlyCost, 0)} us after the first ${few}: ${growth.toFixed(2)}`);
  const perTransaction = ((perLongRound - perRound) / 10).toFixed(0);
  print(`  each further transaction              ${perTransaction} bytes (${more} rounds of 13)`);
  const long = Math.ceil(rounds / 1000);
  const perTable = await grown(place, long, (index) => playRound(store, index, 998));
  print(
    `  each transaction of a long round      ${(perTable / 1000).toFixed(0)} bytes (${long} rounds of 1000)`,
  );
  print(`  a player with one account             ${perPlayer} bytes (${players} players)`);
}

/**
 * Microseconds of the server's processor for each of the next rounds, of all players in turn: of ten parts, since the
 * server also works for itself now and then.
 */
async function costOfRound(place: Place, rounds: number, players: number): Promise<Spread | null> {
  const part = Math.max(Math.ceil(rounds / 10), 100);
  const costs: number[] = [];
  while (costs.length < 10) {
    const before = cpuSeconds(place.pid);
    const from = costs.length * part;
    await grown(place, part, (index) =>
      playRound(place.store, ((from + index) % players) * roundsPerPlayer, 1),
    );
    costs.push(((cpuSeconds(place.pid) - before) / part) * 1e6);
  }
  return spreadOf(costs);
}

async function openRedis(options: RedisStoreOptions = {}): Promise<Place> {
  const server = await startRedis({ config: noRewrite });
  return {
    name: 'Redis, memory',
    store: createRedisStore({ init: true, url: server.url, ...patience, ...options }),
    pid: server.pid,
    bytes: () => usedMemory(server),
    indexBytes: () => indexMemory(server),
    stop: () => server.stop(),
  };
}

async function openPostgres(): Promise<Place> {
  const server = await startPostgres();
  const pool = new Pool({ connectionString: server.url });
  pool.on('error', () => undefined); // the server stops first
  return {
    name: 'PostgreSQL, disk: tables and indexes',
    store: createPostgresStore({ url: server.url, init: true, decimals: 2, ...patience }),
    pid: server.pid,
    async bytes() {
      const { rows } = await pool.query<{ bytes: string }>(sizeOfSchema);
      return Number(rows[0]?.bytes);
    },
    async stop() {
      await pool.end();
      await server.stop();
    },
  };
}

const sizeOfSchema = `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
  WHERE relnamespace = 'rgs_wallet'::regnamespace AND relkind IN ('r', 'm', 'p')`;

/** Does a work this many times, several concurrently, and returns by how many bytes the server grew for each. */
async function grown(
  place: Place,
  count: number,
  work: (index: number) => Promise<void>,
): Promise<number> {
  const before = await place.bytes();
  let next = 0;
  const worker = async () => {
    while (next < count) {
      if (next % 10_000 === 0 && next > 0) process.stderr.write(`${next} of ${count}\n`);
      await work(next++);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return Math.round(((await place.bytes()) - before) / count);
}

/** The data alone: without buffers of clients and of the log. */
function usedMemory(server: RedisServer): Promise<number> {
  return withRedis(server, async (client) => {
    const info = String(await client.call('INFO', 'memory'));
    return Number(/used_memory_dataset:(\d+)/.exec(info)?.[1]) + (await keyOverhead(client));
  });
}

function indexMemory(server: RedisServer): Promise<number> {
  const keys = new Keys('rgs');
  return withRedis(server, async (client) => {
    let bytes = 0;
    for (const index of keys.ofBuckets(operatorId, 'open')) {
      bytes += Number((await client.call('MEMORY', 'USAGE', index, 'SAMPLES', '0')) ?? 0);
    }
    return bytes;
  });
}

/** The tables of keys and of expiries, which the server counts apart from the data. */
async function keyOverhead(client: {
  call(...command: [string, ...string[]]): Promise<unknown>;
}): Promise<number> {
  const stats = (await client.call('MEMORY', 'STATS')) as (string | unknown[])[];
  const tables = stats[stats.indexOf('db.0') + 1];
  if (!Array.isArray(tables)) return 0;
  return tables.filter((value) => typeof value === 'number').reduce((sum, bytes) => sum + bytes, 0);
}

async function openPlayer(store: AccountStore, index: number): Promise<void> {
  const opened = await store.players.openPlayer({
    operatorId,
    playerId: `player-${index}`,
    currency,
    balances: { real: '100000' },
  });
  if (opened.kind === 'unknown') throw opened.cause;
}

/** A native round: the first debit has the round's own hash, the credits and the end hashes of theirs. */
async function playRound(store: AccountStore, index: number, credits: number): Promise<void> {
  await play(store, Math.floor(index / roundsPerPlayer), [
    ...Array.from({ length: credits }, () => {
      return { type: 'credit', hash: randomUUID(), currency, amount, serial: null } as const;
    }),
    { type: 'end', hash: randomUUID() },
  ]);
}

/** A round of one debit, whose end never comes. */
function openRound(store: AccountStore, player: number): Promise<void> {
  return play(store, player, []);
}

const amount = 10_000n;

async function play(
  store: AccountStore,
  player: number,
  rest: readonly Transaction[],
): Promise<void> {
  const gameRound = randomUUID();
  const playerId = `player-${player}`;
  const debit = { discount: 0n, isFirstDebit: true, serial: null };
  const transactions: Transaction[] = [
    { type: 'debit', hash: gameRound, currency, amount, ...debit },
    ...rest,
  ];
  const call = { playerId, gameCode: 'game-bells', gameRound, transactions };
  const ports = {
    rounds: store.rounds,
    clock: systemClock,
    policy,
    deadlineMs: patience.commandTimeoutMs,
  };
  const delivery = { id: 'Ab-_', fingerprint: 'Ab+/cd01EF23', isOtherBody: false };
  const outcome = await doTransactions({ operatorId, playerId, gameRound }, call, delivery, ports);
  if (outcome.state !== (rest.length === 0 ? 'open' : 'closed'))
    throw outcome.unknown?.cause ?? new Error('a round is not as it was played');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'it failed'}\n`);
  process.exitCode = 1;
});
