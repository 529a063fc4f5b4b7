import { type CheckedSetting, StoreUnsafeError } from '../../../wallet';
import { reasonOf, type RedisClient } from '../client/port';
import { scripts } from '../commands/scripts';

/** The oldest Redis with `#!lua` scripts. */
const oldestVersion = 7;

/** What the user of the connection must be allowed to do. */
interface NeededRights {
  /** A key of the namespace. */
  readonly key: string;
  /** The commands that scripts run. */
  readonly commands: readonly string[];
  /** Whether the store waits for replicas. */
  readonly waits: boolean;
}

/** What a server is inspected for. */
export interface InspectedFor {
  /** Accept a server that does not permit CONFIG GET: its service guarantees durability. */
  readonly assumeDurable: boolean;
  /** The rights of the user to try, as of now; null if the process does not serve. */
  readonly rights: (() => NeededRights) | null;
}

/** Findings about a server. */
export interface Findings {
  /** What its settings put at stake, one sentence each; empty if it is safe. */
  readonly dangers: readonly string[];
  /** The settings that money depends on. */
  readonly settings: readonly CheckedSetting[];
  /** Number of connected replicas; null if INFO is not permitted. */
  readonly replicas: number | null;
  /** Settings with a password of the administrator that the user of the wallet can read. */
  readonly passwords: readonly string[];
  /** What INFO says of the append-only file if durability is assumed; null if it was checked. */
  readonly assumed: { readonly aofEnabled: boolean } | null;
}

/**
 * Inspects a server. With `assumeDurable`, durability is not checked if CONFIG GET is not permitted; the
 * eviction policy is then read from INFO.
 * @throws StoreUnsafeError for a server that is too old or of another kind, has not the database of the address, or does not let its user
 * run what the store needs; an error for a replica.
 */
export async function inspectServer(
  server: RedisClient,
  { assumeDurable, rights }: InspectedFor,
): Promise<Findings> {
  await checkDatabase(server);
  const reply = await ifPermitted(server.call('info'));
  const info = typeof reply === 'string' ? reply : null;
  if (info !== null) checkInfo(info);
  if (rights !== null) await checkRights(server, rights());
  const replicas = Number(/^connected_slaves:(\d+)/m.exec(info ?? '')?.[1] ?? 0);
  const settings = await readSettings(server);
  const passwords = settings === null ? [] : await readablePasswords(server);
  const checked = settings === null ? checkedOf(new Map(), null) : checkedOf(settings, false);
  const found = { passwords, replicas, assumed: null, settings: checked };
  if (info === null) return { ...found, dangers: [notPermitted('INFO')], replicas: null };
  if (settings !== null) return { ...found, dangers: dangersOf(settings) };
  if (!assumeDurable) {
    const cure = 'If the service guarantees both, set assumeDurable (--assume-durable).';
    return { ...found, dangers: [`${notPermitted('CONFIG GET')} ${cure}`] };
  }
  const policy = /^maxmemory_policy:([\w-]+)/m.exec(info)?.[1] ?? 'unknown';
  const known = new Map([['maxmemory-policy', policy]]);
  const assumed = { aofEnabled: /^aof_enabled:1/m.test(info) };
  const said = demands.filter(({ name }) => known.has(name));
  const dangers = dangersOf(known, said);
  return { ...found, settings: checkedOf(known, null), dangers, assumed };
}

function notPermitted(command: string): string {
  return `${command} is not permitted: durability and eviction cannot be checked.`;
}

/** What the values put at stake, one sentence each; what the server does not say counts as wrong. */
function dangersOf(settings: ReadonlyMap<string, string>, list = demands): string[] {
  const unmet = list.filter(({ name, needs }) => settings.get(name) !== needs);
  return [...new Set(unmet.map(({ rule, otherwise }) => `${rule}: otherwise ${otherwise}.`))];
}

/** @param isMissingMet Of a setting without a value: false if the server has none, null if it may not be read. */
function checkedOf(
  settings: ReadonlyMap<string, string>,
  isMissingMet: false | null,
): CheckedSetting[] {
  return demands.map(({ name, needs, otherwise }) => {
    const value = settings.get(name) ?? null;
    return {
      name,
      value,
      needs,
      isMet: value === null ? isMissingMet : value === needs,
      otherwise,
    };
  });
}

/** The required value of a setting, and what is at stake otherwise. */
interface Demand extends Pick<CheckedSetting, 'name' | 'needs' | 'otherwise'> {
  readonly rule: string;
}

const durable = {
  rule: 'appendonly must be yes and appendfsync always',
  otherwise: 'a crash loses money that was acknowledged',
} as const;

const demands: readonly Demand[] = [
  {
    name: 'maxmemory-policy',
    needs: 'noeviction',
    rule: 'maxmemory-policy must be noeviction',
    otherwise: 'a full server forgets hashes and pays wins again',
  },
  { name: 'appendonly', needs: 'yes', ...durable },
  { name: 'appendfsync', needs: 'always', ...durable },
  {
    name: 'no-appendfsync-on-rewrite',
    needs: 'no',
    rule: 'no-appendfsync-on-rewrite must be no',
    otherwise: 'a crash while the log is rewritten loses money that was acknowledged',
  },
];

/** If SELECT is refused, ioredis stays in database 0: another wallet's money. */
async function checkDatabase(server: RedisClient): Promise<void> {
  const { db } = Object(server.options) as { readonly db?: unknown };
  if (typeof db !== 'number' || db === 0) return;
  try {
    await server.call('select', db);
  } catch (error) {
    const reason = reasonOf(error);
    if (!/^(ERR|NOPERM)\b/.test(reason)) throw error;
    throw new StoreUnsafeError(`Redis refuses the database ${db} of the address: ${reason}`);
  }
}

/** Servers that speak as Redis does and may lose what they acknowledged: the line of INFO that names one, its name, and why. */
const refusedServers: readonly (readonly [RegExp, string, string])[] = [
  [
    /^dragonfly_version:/m,
    'DragonflyDB',
    'it has no append-only file, so it replies before a write is on disk',
  ],
  [
    /^kvrocks_version:/m,
    'Kvrocks',
    'it replies before a write is on disk unless set otherwise, and no appendfsync says which',
  ],
  [
    /^mvcc_depth:/m,
    'KeyDB',
    'it is a Redis 6 with several writing threads and masters, and the last write of two masters wins',
  ],
];

function checkInfo(info: string): void {
  for (const [line, name, reason] of refusedServers) {
    if (!line.test(info)) continue;
    throw new StoreUnsafeError(
      `${name} is refused: ${reason}; a failover loses money that was acknowledged. Use Redis ${oldestVersion}.0 or later, or Valkey.`,
    );
  }
  const version = /redis_version:([\d.]+)/.exec(info)?.[1] ?? '0';
  if (Number.parseInt(version, 10) < oldestVersion) {
    throw new StoreUnsafeError(
      `Redis ${version} is too old: ${oldestVersion}.0 or later is needed.`,
    );
  }
  // A replica may be behind its master, and refuses writes.
  if (/^role:slave/m.test(info)) throw new Error('the server is a replica');
}

/** The right to read one setting is the right to read all. The values are not kept. */
async function readablePasswords(server: RedisClient): Promise<string[]> {
  const { username = 'default' } = Object(server.options) as { readonly username?: unknown };
  if (username === null || username === 'default') return [];
  const names = ['requirepass', 'masterauth'];
  const settings = await readSettings(server, names);
  return names.filter((name) => (settings?.get(name) ?? '') !== '');
}

async function readSettings(
  server: RedisClient,
  names: readonly string[] = demands.map(({ name }) => name),
): Promise<ReadonlyMap<string, string> | null> {
  const replies = await Promise.all(
    names.map((name) => ifPermitted(server.call('config', 'get', name))),
  );
  if (replies.includes(null)) return null;
  return new Map(
    names.flatMap((name, index): [string, string][] => {
      const value = settingOf(replies[index], name);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

/** The reply, or null if the user lacks permission. */
async function ifPermitted(reply: Promise<unknown>): Promise<unknown> {
  try {
    return await reply;
  } catch (error) {
    if (/^(NOPERM|ERR unknown command)/.test(reasonOf(error))) return null;
    throw error;
  }
}

/** RESP2 answers a list of name and value, RESP3 a map; an empty one for a setting that the server has not. */
function settingOf(reply: unknown, name: string): unknown {
  if (Array.isArray(reply)) return reply[1];
  if (reply instanceof Map) return reply.get(name);
  return (reply as Record<string, unknown> | null)?.[name];
}

/**
 * Tries every command that the store needs, without an effect. A script stops at the first command that the user
 * may not run: the balance has moved, the index or the expiry has not, and the retry is answered as done.
 * @throws StoreUnsafeError that names what is missing.
 */
async function checkRights(
  server: RedisClient,
  { key, commands, waits }: NeededRights,
): Promise<void> {
  const tried = [...commands, ...(waits ? ['set'] : [])];
  const [refused, ...outside] = await Promise.all([
    server.call('eval', ...scripts.tryCommands.evaluated({ key, commands: tried })),
    isRefused(server.call('evalsha', '0'.repeat(40), 0)),
    waits && isRefused(server.call('wait', 0, 1)),
  ]);
  const names = ['evalsha', 'wait'].filter((_, at) => outside[at]);
  const missing = [...(refused as string[]), ...names];
  if (missing.length === 0) return;
  const rights = missing.map((name) => `+${name}`).join(' ');
  throw new StoreUnsafeError(
    `The Redis user may not run all that the store needs on the keys of ${key}: a commit would be made in part. Allow ${rights}.`,
  );
}

async function isRefused(reply: Promise<unknown>): Promise<boolean> {
  try {
    await reply;
    return false;
  } catch (error) {
    return reasonOf(error).startsWith('NOPERM');
  }
}
