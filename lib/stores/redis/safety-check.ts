import { StoreUnsafeError } from '../../errors';
import { bucketCount } from './keys';
import { reasonOf, type RedisClient } from './redis-client';

/** The oldest Redis whose scripts know `#!lua`. */
const oldestVersion = 7;

/**
 * What a server's settings put at stake, each as one sentence; empty where it is safe.
 * @throws StoreUnsafeError for a server that is too old, an error for a replica.
 */
export async function findDangers(server: RedisClient): Promise<string[]> {
  const info = await ifPermitted(server.call('info'));
  if (typeof info === 'string') checkInfo(info);
  const settings = await readSettings(server);
  if (info === null || settings === null) {
    const command = info === null ? 'INFO' : 'CONFIG GET';
    return [`${command} is not permitted, so that durability and eviction cannot be checked.`];
  }
  return demands.filter(([isMet]) => !isMet(settings)).map(([, danger]) => danger);
}

/** What settings must be, and what is at stake otherwise. */
const demands: readonly (readonly [(settings: ReadonlyMap<string, string>) => boolean, string])[] =
  [
    [
      (settings) => settings.get('maxmemory-policy') === 'noeviction',
      'maxmemory-policy must be noeviction: otherwise a full server forgets hashes, and pays wins again.',
    ],
    [
      (settings) =>
        settings.get('appendonly') === 'yes' && settings.get('appendfsync') === 'always',
      'appendonly must be yes and appendfsync always: otherwise a crash loses money that was acknowledged.',
    ],
    [
      (settings) => settings.get('no-appendfsync-on-rewrite') === 'no',
      'no-appendfsync-on-rewrite must be no: otherwise a crash while the log is rewritten loses money that was acknowledged.',
    ],
  ];

function checkInfo(info: string): void {
  const version = /redis_version:([\d.]+)/.exec(info)?.[1] ?? '0';
  if (Number.parseInt(version, 10) < oldestVersion) {
    throw new StoreUnsafeError(
      `Redis ${version} is too old: ${oldestVersion}.0 or later is needed.`,
    );
  }
  // What it has may be behind its master, and it takes no writes.
  if (/^role:slave/m.test(info)) throw new Error('the server is a replica');
}

/**
 * Holds what the data were written with against what this store would write; the first store to
 * come notes it.
 * @throws StoreUnsafeError where they differ.
 */
export async function checkDataSettings(
  client: RedisClient,
  key: string,
  decimals: number,
): Promise<void> {
  const expected = { format: '1', decimals: String(decimals), buckets: String(bucketCount) };
  for (const [name, value] of Object.entries(expected)) {
    await client.call('hsetnx', key, name, value);
    const stored = await client.call('hget', key, name);
    if (stored !== value) {
      throw new StoreUnsafeError(
        `The data under ${key} have ${name} ${String(stored)}, this store would use ${value}.`,
      );
    }
  }
}

async function readSettings(server: RedisClient): Promise<ReadonlyMap<string, string> | null> {
  const names = ['maxmemory-policy', 'appendonly', 'appendfsync', 'no-appendfsync-on-rewrite'];
  const settings = new Map<string, string>();
  for (const name of names) {
    const reply = await ifPermitted(server.call('config', 'get', name));
    if (reply === null) return null;
    settings.set(name, settingOf(reply, name));
  }
  return settings;
}

/** The reply, or null where the user may not ask. */
async function ifPermitted(asked: Promise<unknown>): Promise<unknown> {
  try {
    return await asked;
  } catch (error) {
    if (/^(NOPERM|ERR unknown command)/.test(reasonOf(error))) return null;
    throw error;
  }
}

/** RESP2 answers a list of name and value, RESP3 a map. */
function settingOf(reply: unknown, name: string): string {
  if (Array.isArray(reply)) return String(reply[1]);
  if (reply instanceof Map) return String(reply.get(name));
  return String((reply as Record<string, unknown> | null)?.[name]);
}
