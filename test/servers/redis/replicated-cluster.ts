import { until } from '../until';
import { closeClient, withRedis } from './client';
import { type ClusterMember, moveSlot, startRedisCluster, toMember } from './cluster';
import { startClusterReplica } from './cluster-replica';
import type { RedisServer } from './server';

const SLOT_COUNT = 16_384;

/** A real Redis Cluster on 127.0.0.1: three masters with a replica each, which take turns in these roles. */
export interface ReplicatedCluster {
  /** The first masters, then the first replicas, whatever their roles are now. */
  readonly servers: readonly RedisServer[];
  slotOf(key: string): Promise<number>;
  /** The server that serves a slot now. */
  masterOf(slot: number): Promise<RedisServer>;
  /** The replica of a master. */
  replicaOf(master: RedisServer): Promise<RedisServer>;
  /** Moves a slot with its keys to another master. */
  moveSlot(slot: number): Promise<void>;
  /** Resolves once every server sees every slot served, and each master has a replica in step. */
  whenWhole(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it, and resolves once it is whole. */
export async function startReplicatedCluster(): Promise<ReplicatedCluster> {
  const cluster = await startRedisCluster({ config: { 'repl-diskless-sync-delay': 0 } });
  const replicas: RedisServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all([cluster.stop(), ...replicas.map((replica) => replica.stop())]);
  };
  try {
    for (const master of cluster.nodes) replicas.push(await startClusterReplica(cluster, master));
  } catch (error) {
    await stop();
    throw error;
  }
  const servers = [...cluster.nodes, ...replicas];
  const masterOf = (slot: number): Promise<RedisServer> => findMaster(servers, slot);
  const replicated: ReplicatedCluster = {
    servers,
    slotOf: (key) =>
      askAny(servers, async (server) =>
        Number(await withRedis(server, (admin) => admin.call('CLUSTER', 'KEYSLOT', key))),
      ),
    masterOf,
    replicaOf: (master) => findReplica(servers, master),
    moveSlot: async (slot) => moveAway(await mastersOf(servers), slot, await masterOf(slot)),
    whenWhole: async () => {
      await until('the cluster to be whole', () => isWhole(servers));
    },
    stop,
  };
  await replicated.whenWhole();
  return replicated;
}

async function moveAway(
  masters: readonly RedisServer[],
  slot: number,
  from: RedisServer,
): Promise<void> {
  const members = masters.map(toMember);
  try {
    const at = members.findIndex(({ server }) => server === from);
    const source = members[at];
    const target = members[(at + 1) % members.length];
    if (source === undefined || target === undefined) throw new Error('there is no such master');
    await moveSlot(members, slot, source, target, () => undefined);
  } finally {
    for (const { admin } of members as readonly ClusterMember[]) closeClient(admin);
  }
}

async function findMaster(servers: readonly RedisServer[], slot: number): Promise<RedisServer> {
  return until(`the master of slot ${slot}`, async () => {
    const port = await askAny(servers, (server) => masterPort(server, slot));
    return servers.find((server) => server.port === port);
  });
}

async function masterPort(server: RedisServer, slot: number): Promise<number> {
  const ranges: unknown = await withRedis(server, (admin) => admin.call('CLUSTER', 'SLOTS'));
  for (const range of asArray(ranges)) {
    const [low, high, master] = asArray(range);
    if (Number(low) <= slot && slot <= Number(high)) return Number(asArray(master)[1]);
  }
  throw new Error(`no node serves slot ${slot}`);
}

async function findReplica(
  servers: readonly RedisServer[],
  { port }: RedisServer,
): Promise<RedisServer> {
  return until('a replica of the master', async () => {
    for (const server of servers) {
      if ((await replicationOf(server)).includes(`master_port:${port}\r`)) return server;
    }
    return null;
  });
}

async function mastersOf(servers: readonly RedisServer[]): Promise<RedisServer[]> {
  const infos = await Promise.all(servers.map(replicationOf));
  return servers.filter((_, at) => infos[at]?.includes('role:master'));
}

async function isWhole(servers: readonly RedisServer[]): Promise<boolean> {
  const infos = await Promise.all(servers.map(replicationOf));
  const masters = infos.filter((info) => info.includes('role:master'));
  const inStep = infos.filter((info) => info.includes('master_link_status:up'));
  if (masters.length !== servers.length / 2 || inStep.length !== masters.length) return false;
  if (!masters.every((info) => info.includes('connected_slaves:1'))) return false;
  const views = await Promise.all(servers.map(seesAll));
  return views.every(Boolean);
}

async function seesAll(server: RedisServer): Promise<boolean> {
  return withRedis(server, async (admin) => {
    const info = String(await admin.call('CLUSTER', 'INFO'));
    const nodes = String(await admin.call('CLUSTER', 'NODES'));
    const isOk =
      info.includes('cluster_state:ok') && info.includes(`cluster_slots_ok:${SLOT_COUNT}`);
    return isOk && !/fail|handshake|noaddr/.test(nodes);
  });
}

function replicationOf(server: RedisServer): Promise<string> {
  return withRedis(server, (admin) => admin.info('replication'));
}

/** The answer of the first server that gives one. */
async function askAny<T>(
  servers: readonly RedisServer[],
  ask: (server: RedisServer) => Promise<T>,
): Promise<T> {
  let last: unknown;
  for (const server of servers) {
    if (!server.isRunning()) continue;
    try {
      return await ask(server);
    } catch (error) {
      last = error;
    }
  }
  throw new Error('no node of the cluster answers', { cause: last });
}

function asArray(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? reply : [];
}
