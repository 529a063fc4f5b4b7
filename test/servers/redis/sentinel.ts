import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Redis } from 'ioredis';

import { freePort } from '../ports';
import { temporaryFolder } from '../reaper';
import { closeClient, withRedis } from './client';
import { type RedisProcess, spawnRedis } from './process';
import { type RedisConfig, type RedisServer, startRedis } from './server';
import { until } from '../until';

const NAME = 'wallet';
/** Below a second Sentinel takes a master that it has just promoted for down, and promotes yet another. */
const DOWN_AFTER_MS = 1_500;

/** What stands behind the sentinels. */
export interface RedisSentinelOptions {
  /** One sentinel decides alone; of three, two must agree. One is the default. */
  readonly sentinels?: 1 | 3;
  /** One is the default. */
  readonly replicas?: 1 | 2;
  /** redis.conf lines for the master and the replicas. */
  readonly config?: RedisConfig;
}

/** A master, its replicas, and the sentinels that watch them, all on 127.0.0.1. */
export interface RedisSentinel {
  /** The name the sentinels know the master by. */
  readonly name: string;
  /** Sentinel addresses for `new Redis({ sentinels, name })`. */
  readonly sentinels: readonly { readonly host: string; readonly port: number }[];
  /** The first master and the first replicas, in this order whatever their roles are now. */
  readonly servers: readonly [RedisServer, RedisServer, ...RedisServer[]];
  /** The port of the master the sentinels name now. */
  masterPort(): Promise<number>;
  /** The server on that port. */
  master(): Promise<RedisServer>;
  /** A server that is not the master. */
  replica(): Promise<RedisServer>;
  /** Resolves once the replicas have all that the present master has: a failover then loses none of it. */
  replicated(): Promise<void>;
  /** Kills the present master with kill -9; the sentinels notice after a second and a half. */
  killMaster(): Promise<void>;
  /** Resolves to the port of the new master once the sentinels name another than `previous` and it takes writes. */
  nextMaster(previous: number): Promise<number>;
  /**
   * Has every server that runs follow the master that the sentinels name, and resolves once all are in step. Sentinel does
   * the same with a former master, ten seconds later.
   */
  heal(): Promise<void>;
  stop(): Promise<void>;
}

interface Watcher {
  readonly port: number;
  readonly dir: string;
  readonly process: RedisProcess;
  readonly admin: Redis;
}

/** Starts a replicated pair under Sentinel, and resolves once a failover would find the replica in step. */
export async function startRedisSentinel(
  options: RedisSentinelOptions = {},
): Promise<RedisSentinel> {
  const count = options.sentinels ?? 1;
  const first = await startRedis({ config: { 'repl-diskless-sync-delay': 0, ...options.config } });
  const startReplica = (): Promise<RedisServer> =>
    startRedis({
      config: {
        'repl-diskless-sync-delay': 0,
        replicaof: `127.0.0.1 ${first.port}`,
        ...options.config,
      },
    });
  const servers: [RedisServer, RedisServer, ...RedisServer[]] = [first, await startReplica()];
  if (options.replicas === 2) servers.push(await startReplica());
  const watchers: Watcher[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all([...watchers.map(stopWatcher), ...servers.map((server) => server.stop())]);
  };
  try {
    for (const replica of servers.slice(1)) {
      await until('the replica to be in step', () => isInStep(replica));
    }
    for (let index = 0; index < count; index += 1) watchers.push(await startWatcher(first, count));
    const knowsAll = (): Promise<boolean> => knowAll(watchers, servers.length - 1);
    await until('the sentinels to know all', knowsAll);
  } catch (error) {
    await stop();
    throw error;
  }

  const masterPort = async (): Promise<number> => {
    const reply = await anyOf(watchers).admin.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME);
    return Number(Array.isArray(reply) ? reply[1] : Number.NaN);
  };
  const serverOn = (port: number): RedisServer => {
    const server = servers.find((candidate) => candidate.port === port);
    if (!server) throw new Error(`no server on port ${port}`);
    return server;
  };
  const master = async (): Promise<RedisServer> => serverOn(await masterPort());
  return {
    name: NAME,
    master,
    replica: async () => {
      const present = await master();
      const replica = servers.find((server) => server !== present);
      if (replica === undefined) throw new Error('there is no replica');
      return replica;
    },
    heal: async () => {
      await until('the replicas to follow the master', async () => follow(servers, await master()));
    },
    sentinels: watchers.map(({ port }) => ({ host: '127.0.0.1', port })),
    servers,
    masterPort,
    replicated: async () => {
      const present = serverOn(await masterPort());
      const written = await offsetOf(present, 'master_repl_offset');
      for (const replica of servers.filter((server) => server !== present)) {
        await until(
          'the replica to have it all',
          async () => (await offsetOf(replica, 'slave_repl_offset')) >= written,
        );
      }
    },
    killMaster: async () => serverOn(await masterPort()).kill9(),
    nextMaster: (previous) =>
      until('a failover', async () => {
        const port = await masterPort();
        return port !== previous && (await roleOf(serverOn(port))) === 'master' && port;
      }),
    stop,
  };
}

async function startWatcher(master: RedisServer, count: number): Promise<Watcher> {
  const [port, dir] = [await freePort(), await temporaryFolder('sentinel')];
  const { password } = master.clientOptions;
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${dir}`,
    `sentinel monitor ${NAME} 127.0.0.1 ${master.port} ${Math.floor(count / 2) + 1}`,
    `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${NAME} 3000`,
    `sentinel parallel-syncs ${NAME} 1`,
    ...(password === undefined ? [] : [`sentinel auth-pass ${NAME} ${password}`]),
  ];
  await writeFile(join(dir, 'sentinel.conf'), `${lines.join('\n')}\n`);
  const process = await spawnRedis(['sentinel.conf', '--sentinel'], dir, { port });
  const admin = new Redis({ host: '127.0.0.1', port, lazyConnect: true, enableReadyCheck: false });
  admin.on('error', () => undefined); // it reconnects; a command that fails says so itself
  return { port, dir, process, admin };
}

async function stopWatcher({ admin, process, dir }: Watcher): Promise<void> {
  closeClient(admin);
  await process.kill('SIGKILL');
  await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

/** True once each sentinel has seen the replicas in step, and all the other sentinels. */
async function knowAll(watchers: readonly Watcher[], replicaCount: number): Promise<boolean> {
  for (const { admin } of watchers) {
    const replicas = fieldsOf(await admin.call('SENTINEL', 'REPLICAS', NAME));
    const others = fieldsOf(await admin.call('SENTINEL', 'SENTINELS', NAME));
    const ready = replicas.filter((fields) => fields.get('master-link-status') === 'ok');
    if (ready.length < replicaCount || others.length !== watchers.length - 1) return false;
  }
  return true;
}

/** Sentinel answers each instance as a flat list of names and values. */
function fieldsOf(reply: unknown): Map<string, string>[] {
  const instances: unknown[] = Array.isArray(reply) ? reply : [];
  return instances.map((instance) => {
    const flat = Array.isArray(instance) ? instance.map(String) : [];
    const pairs = flat.flatMap((name, index) =>
      index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : [],
    );
    return new Map(pairs);
  });
}

async function isInStep(replica: RedisServer): Promise<boolean> {
  const info = await withRedis(replica, (client) => client.info('replication'));
  return info.includes('master_link_status:up');
}

/** How far a server is in the stream of what is written, by a field of INFO replication. */
async function offsetOf(server: RedisServer, field: string): Promise<number> {
  const info = await withRedis(server, (client) => client.info('replication'));
  return Number(info.match(new RegExp(`^${field}:(\\d+)`, 'm'))?.[1] ?? Number.NaN);
}

/** Whether all the others follow the master; tells those that do not to. */
async function follow(servers: readonly RedisServer[], master: RedisServer): Promise<boolean> {
  if ((await roleOf(master)) !== 'master') return false;
  let inStep = true;
  for (const server of servers) {
    if (server === master) continue;
    const info = await withRedis(server, (client) => client.info('replication'));
    const follows = info.includes(`master_port:${master.port}\r`);
    if (!follows) await withRedis(server, (client) => client.replicaof('127.0.0.1', master.port));
    inStep &&= follows && info.includes('master_link_status:up');
  }
  return inStep;
}

async function roleOf(server: RedisServer): Promise<string> {
  const reply = await withRedis(server, (client) => client.role());
  return String(reply[0]);
}

function anyOf(watchers: readonly Watcher[]): Watcher {
  const [watcher] = watchers;
  if (!watcher) throw new Error('there is no sentinel');
  return watcher;
}
