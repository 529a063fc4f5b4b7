import { Redis } from 'ioredis';

import { closeClient } from './client';
import { type RedisConfig, type RedisServer, startRedis } from './server';
import { until } from '../until';

const SLOT_COUNT = 16_384;
const MIGRATE_TIMEOUT_MS = 5_000;

/** What a cluster is made of. */
export interface RedisClusterOptions {
  /** At least 3; the default. */
  readonly masters?: number;
  /** redis.conf lines for every node. */
  readonly config?: RedisConfig;
  /** Called with the nodes while none has a slot yet; the cluster forms once it has resolved. */
  readonly beforeForming?: (nodes: readonly RedisServer[]) => Promise<void>;
}

/** A moment of a slot's migration. Between `importing` and `assigned`, clients meet ASK and TRYAGAIN. */
export type MigrationStep =
  | { readonly name: 'importing' | 'migrating' | 'assigned' }
  | { readonly name: 'key'; readonly key: string };

/** What to do while a slot moves. */
export interface MoveSlotOptions {
  /** Called after each step; the next step waits for it. */
  readonly onStep?: (step: MigrationStep) => void | Promise<void>;
}

/** A real Redis Cluster of masters on 127.0.0.1. */
export interface RedisCluster {
  /** The masters, in the order of their first slots. */
  readonly nodes: readonly RedisServer[];
  /** Start-up nodes for `new Cluster(...)`. */
  readonly startupNodes: readonly { readonly host: string; readonly port: number }[];
  /** The slot of a key. */
  slotOf(key: string): Promise<number>;
  /** The index in `nodes` of the master that serves a slot now. */
  nodeOfSlot(slot: number): Promise<number>;
  /** Migrates a slot and its keys, one key at a time, as `redis-cli --cluster reshard` does. */
  moveSlot(slot: number, from: number, to: number, options?: MoveSlotOptions): Promise<void>;
  /** Resolves once every node sees every slot served; use it after restarting a node. */
  whenOk(): Promise<void>;
  stop(): Promise<void>;
}

/** A node, with a connection to it. */
export interface ClusterMember {
  readonly server: RedisServer;
  readonly admin: Redis;
}

/** Starts a cluster whose slots are spread evenly over the masters, and resolves once all of them are served. */
export async function startRedisCluster(options: RedisClusterOptions = {}): Promise<RedisCluster> {
  const members = await startMembers(options.masters ?? 3, options.config ?? {});
  try {
    await options.beforeForming?.(members.map(({ server }) => server));
    await join(members);
  } catch (error) {
    await stop(members);
    throw error;
  }
  const whenOk = async (): Promise<void> => {
    await until('the cluster to be ok', () => isOk(members));
  };
  await whenOk();
  const first = at(members, 0);
  return {
    nodes: members.map(({ server }) => server),
    startupNodes: members.map(({ server }) => ({ host: '127.0.0.1', port: server.port })),
    slotOf: async (key) => Number(await first.admin.call('CLUSTER', 'KEYSLOT', key)),
    nodeOfSlot: (slot) => nodeOfSlot(members, slot),
    moveSlot: (slot, from, to, { onStep } = {}) =>
      moveSlot(members, slot, at(members, from), at(members, to), onStep ?? (() => undefined)),
    whenOk,
    stop: () => stop(members),
  };
}

async function startMembers(count: number, config: RedisConfig): Promise<ClusterMember[]> {
  const members: ClusterMember[] = [];
  try {
    for (let index = 0; index < count; index += 1) {
      members.push(await startMember(config));
    }
    return members;
  } catch (error) {
    await stop(members);
    throw error;
  }
}

async function startMember(config: RedisConfig): Promise<ClusterMember> {
  const server = await startRedis({
    config: {
      'cluster-enabled': 'yes',
      'cluster-config-file': 'nodes.conf',
      'cluster-node-timeout': 2_000,
      ...config,
    },
  });
  return toMember(server);
}

/** Connects to a node. */
export function toMember(server: RedisServer): ClusterMember {
  const admin = new Redis({ ...server.clientOptions, lazyConnect: true });
  admin.on('error', () => undefined); // it reconnects; a command that fails says so itself
  return { server, admin };
}

/** Gives each member its share of the slots, then introduces the members to each other. */
async function join(members: readonly ClusterMember[]): Promise<void> {
  const share = SLOT_COUNT / members.length;
  for (const [index, { admin }] of members.entries()) {
    const [low, high] = [Math.ceil(index * share), Math.ceil((index + 1) * share) - 1];
    await admin.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', String(low), String(high));
  }
  const [first, ...others] = members;
  for (const { server } of others) {
    const [port, busPort] = [String(server.port), String(server.busPort)];
    await first?.admin.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort);
  }
}

async function isOk(members: readonly ClusterMember[]): Promise<boolean> {
  for (const { admin } of members) {
    const info = String(await admin.call('CLUSTER', 'INFO'));
    const whole =
      info.includes('cluster_state:ok') &&
      info.includes(`cluster_slots_ok:${SLOT_COUNT}`) &&
      info.includes(`cluster_known_nodes:${members.length}`);
    if (!whole) return false;
  }
  return true;
}

async function nodeOfSlot(members: readonly ClusterMember[], slot: number): Promise<number> {
  const ranges: unknown = await at(members, 0).admin.call('CLUSTER', 'SLOTS');
  for (const range of asArray(ranges)) {
    const [low, high, master] = asArray(range);
    if (Number(low) <= slot && slot <= Number(high)) {
      const port = Number(asArray(master)[1]);
      return members.findIndex(({ server }) => server.port === port);
    }
  }
  throw new Error(`no node serves slot ${slot}`);
}

/** Migrates a slot from one master to another; `members` are all masters. */
export async function moveSlot(
  members: readonly ClusterMember[],
  slot: number,
  source: ClusterMember,
  target: ClusterMember,
  onStep: NonNullable<MoveSlotOptions['onStep']>,
): Promise<void> {
  const setSlot = (member: ClusterMember, ...state: string[]): Promise<unknown> =>
    member.admin.call('CLUSTER', 'SETSLOT', String(slot), ...state);
  const [sourceId, targetId] = [await idOf(source), await idOf(target)];

  await setSlot(target, 'IMPORTING', sourceId);
  await onStep({ name: 'importing' });
  await setSlot(source, 'MIGRATING', targetId);
  await onStep({ name: 'migrating' });
  for (;;) {
    const [key] = asArray(await source.admin.call('CLUSTER', 'GETKEYSINSLOT', String(slot), '1'));
    if (typeof key !== 'string') break;
    await migrate(source, target, key);
    await onStep({ name: 'key', key });
  }
  // The target first: if the source came first and the target then died, nobody would own the slot.
  await setSlot(target, 'NODE', targetId);
  await setSlot(source, 'NODE', targetId);
  for (const member of members) {
    if (member !== source && member !== target) await setSlot(member, 'NODE', targetId);
  }
  await onStep({ name: 'assigned' });
}

async function migrate(source: ClusterMember, target: ClusterMember, key: string): Promise<void> {
  const { port, password } = target.server.clientOptions;
  const auth = password === undefined ? [] : ['AUTH', password];
  const to = ['127.0.0.1', String(port)];
  await source.admin.call('MIGRATE', ...to, key, '0', String(MIGRATE_TIMEOUT_MS), ...auth);
}

async function idOf({ admin }: ClusterMember): Promise<string> {
  return String(await admin.call('CLUSTER', 'MYID'));
}

async function stop(members: readonly ClusterMember[]): Promise<void> {
  for (const { admin } of members) closeClient(admin);
  await Promise.all(members.map(({ server }) => server.stop()));
}

function at(members: readonly ClusterMember[], index: number): ClusterMember {
  const member = members[index];
  if (!member) throw new RangeError(`the cluster has no node ${index}`);
  return member;
}

function asArray(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? reply : [];
}
