import { afterEach, expect, test } from '@jest/globals';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type { RoundEvent, FullStore } from '../../../lib/operator/wallet';
import { systemClock } from '../../../lib/platform';
import { seededRandom } from '../../platform/seeded-random';
import { startServiceLoad } from '../../rgs/load/run';
import { openPlayers } from '../../rgs/load/scene';
import { Cleanup } from '../../servers/cleanup';
import { startPostgres } from '../../servers/postgres/server';
import { temporaryFolder } from '../../servers/reaper';
import { startRedis } from '../../servers/redis/server';
import { until } from '../../servers/until';
import { patience } from '../../support/patience';
import {
  MAIN,
  OPERATOR,
  OPERATOR_ID,
  runCli,
  type Service,
  signer,
  start,
  startService,
} from '../cli';
import { runs } from '../../support/runs';

/** How often the archive dies, and how often the wallet does; `KILLS=280` makes a long run of it, with 200 kills of the store. */
const KILLS = Number(process.env['KILLS'] ?? runs(100, 5));
const CALLS_BETWEEN_KILLS = 40;
const DECIMALS = 2;
const cleanup = new Cleanup();

afterEach(() => cleanup.run());

type Store = FullStore;

/** The events that the folder holds, sealed or not. */
async function eventsIn(folder: string): Promise<RoundEvent[]> {
  const texts: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    if (name.endsWith('.gz')) texts.push(gunzipSync(await readFile(join(folder, name))).toString());
    if (/^sessions.*\.jsonl$/.test(name)) texts.push(await readFile(join(folder, name), 'utf8'));
  }
  const lines = texts.flatMap((text) => text.split('\n').filter((line) => line !== ''));
  const items = lines.map((line) => JSON.parse(line) as Partial<RoundEvent>);
  return items.filter(({ type }) => type === 'round') as RoundEvent[];
}

/** Bytes of the sessions, and how many segments are sealed: neither stays while events are written. */
async function stateOf(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sessions = names.filter((name) => /^sessions.*\.jsonl$/.test(name));
  const sizes = await Promise.all(
    sessions.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const sealed = names.filter((name) => /^segments.*\.json$/.test(name)).length;
  return `${sealed} ${sizes.reduce((sum, size) => sum + size, 0)}`;
}

/** The archive as a process that dies again and again. */
class MortalArchive {
  readonly folder: string;
  #child: ChildProcess | null = null;
  readonly #random = seededRandom(11);

  constructor(
    folder: string,
    private readonly args: readonly string[],
  ) {
    this.folder = folder;
  }

  /** Dies as it starts up, one time in four; else some moments after it has written and has lost the store. */
  async liveAndDie(killStore: () => Promise<void>): Promise<void> {
    const before = await stateOf(this.folder);
    const child = start(this.args, {}, MAIN);
    this.#child = child;
    let complaints = '';
    child.stderr?.on('data', (bytes: Buffer) => (complaints += bytes.toString('utf8')));
    if (this.#random() < 0.25) {
      await systemClock.pause(Math.floor(this.#random() * 1500));
    } else {
      const has = async () => child.exitCode !== null || (await stateOf(this.folder)) !== before;
      await until('the archive to write', has, { timeoutMs: 3_600_000 });
      await killStore();
      await systemClock.pause(Math.floor(this.#random() * 60));
    }
    expect([child.exitCode, complaints]).toEqual([null, '']);
    await this.end();
  }

  async end(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }
}

/** An address that stays while the wallet behind it dies and comes back on another port. */
class Door {
  #port = 0;
  readonly #server: Server = createServer((near) => {
    const far = connect(this.#port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  });

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  leadTo({ port }: Service): void {
    this.#port = port;
  }

  close(): void {
    this.#server.close();
  }
}

interface Mortal {
  kill9(): Promise<void>;
  restart(): Promise<void>;
}

async function surviveKills(
  store: Store,
  server: Mortal,
  url: string,
  name: string,
): Promise<void> {
  const starts = await openPlayers(store, OPERATOR_ID, 6);
  const where = ['--store', url, '--decimals', String(DECIMALS)];
  const doors = [new Door(), new Door()];
  const serve = async (door: Door | undefined): Promise<Service> => {
    const service = await startService(['--events', 'archive', ...where], OPERATOR);
    door?.leadTo(service);
    return service;
  };
  for (const door of doors) await cleanup.after(door, (one) => one.close()).open();
  const services = await Promise.all(doors.map(serve));
  cleanup.after(services, async (left) => {
    await Promise.all(left.map((service) => service.stop()));
  });
  const load = cleanup.after(
    startServiceLoad({
      origins: doors.map(({ origin }) => origin),
      signer,
      players: [...starts.keys()],
      currency: 'EUR',
      decimals: DECIMALS,
      connections: 8,
      lostReplyShare: 0.01,
    }),
    (started) => started.abandon(),
  );
  const folder = join(await temporaryFolder('archive'), 'kept');
  const key = join(await temporaryFolder('archive'), 'key');
  const made = await runCli([
    'archive',
    'key',
    'new',
    '--out',
    key,
    '--origin',
    'casino.example/op',
  ]);
  const anchor = await temporaryFolder('anchor');
  const to = ['--to', folder, '--key', key, '--anchor', anchor, '--checkpoint-seconds', '1'];
  const reading = ['archive', 'run', ...where, '--operator', OPERATOR_ID, ...to];
  // So that it also dies while it seals.
  reading.push('--segment-events', '25');
  const verify = ['archive', 'verify', folder, '--anchor', anchor, '--key', made.stdout.trim()];
  const archive = cleanup.after(new MortalArchive(folder, reading), (one) => one.end());
  let storeKills = 0;
  const killStore = async (): Promise<void> => {
    await server.kill9();
    await server.restart();
    storeKills += 1;
  };
  for (let kill = 0; kill < KILLS; kill++) {
    const goal = load.figures.processed + CALLS_BETWEEN_KILLS;
    await archive.liveAndDie(killStore);
    const isBegun = await stat(join(anchor, 'checkpoints')).then(
      () => true,
      () => false,
    );
    if (isBegun) expect(await runCli(verify)).toMatchObject({ code: 0 });
    await until('calls to be processed', () => load.figures.processed >= goal, {
      timeoutMs: 3_600_000,
    });
    const at = kill % services.length;
    services[at]?.signal('SIGKILL');
    await services[at]?.exit;
    services[at] = await serve(doors[at]);
  }
  await load.stop();
  // With --once it ends where the store does not answer in a second, as on a machine under load.
  const archived = async () => (await runCli([...reading, '--once'])).code === 0;
  await until('the rest to be archived', archived, { timeoutMs: 3_600_000 });
  expect(await runCli(verify)).toMatchObject({ code: 0 });

  // A seal that died leaves its file beside the session that holds the same events: verify counts what the log holds twice.
  const kept = await eventsIn(folder);
  const events = new Map(kept.map((event) => [event.id, event]));
  expect(load.violations).toEqual([]);
  expect(await load.book.differences(store, OPERATOR_ID, starts)).toEqual([]);
  const told = new Set<string>();
  const moved = new Map<string, bigint>();
  for (const { playerId, gameRound, transactions, movements } of events.values()) {
    for (const one of transactions) told.add(`${gameRound} ${one.type} ${one.hash}`);
    for (const { real } of movements) {
      const cents = BigInt(Math.round(Number(real) * 10 ** DECIMALS));
      moved.set(playerId, (moved.get(playerId) ?? 0n) + cents);
    }
  }
  for (const { playerId, gameRound } of load.book.rounds) {
    const report = await store.rounds.readRound({ operatorId: OPERATOR_ID, playerId, gameRound });
    const missing = [...(report?.entries ?? [])].flatMap(
      ([hash, { transaction, void: voided }]) => {
        const types = [transaction?.type, voided === undefined ? undefined : 'void'];
        return types.filter(
          (type) => type !== undefined && !told.has(`${gameRound} ${type} ${hash}`),
        );
      },
    );
    expect([gameRound, missing]).toEqual([gameRound, []]);
  }
  for (const [playerId, begun] of starts) {
    const result = await store.rounds.accounts({ operatorId: OPERATOR_ID, playerId });
    const real = result.kind === 'known' ? result.accounts?.[0]?.real : undefined;
    expect([playerId, begun + (moved.get(playerId) ?? 0n)]).toEqual([playerId, real]);
  }
  const { calls, lost } = load.figures;
  const counts = { events: events.size, rounds: load.book.rounds.length, calls, lost };
  process.stdout.write(
    `${name}: ${KILLS} kills of the archive, ${KILLS} of the wallet, ${storeKills} of the store: ${JSON.stringify(counts)}\n`,
  );
}

const times = 3_600_000 + KILLS * 60_000;

test(
  'on Redis, which is killed too, archive and wallet are killed as processes: each transaction of each round is archived, sums equal balances',
  async () => {
    const server = cleanup.after(await startRedis(), (one) => one.stop());
    const options = { ...patience, url: server.url, decimals: DECIMALS, events: ['archive'] };
    const store = cleanup.after(createRedisStore({ ...options, init: true }), (one) => one.close());
    await store.ready();
    await surviveKills(store, server, server.url, 'Redis');
  },
  times,
);

test(
  'on PostgreSQL, which is killed too, archive and wallet are killed as processes: each transaction of each round is archived, sums equal balances',
  async () => {
    const server = cleanup.after(await startPostgres(), (one) => one.stop());
    const url = await server.createDatabase();
    const options = { ...patience, url, decimals: DECIMALS, events: ['archive'] };
    const store = cleanup.after(createPostgresStore({ ...options, init: true }), (one) =>
      one.close(),
    );
    await store.ready();
    await surviveKills(store, server, url, 'PostgreSQL');
  },
  times,
);
