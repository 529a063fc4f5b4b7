import { StoreUnsafeError } from '../../errors';
import { bucketCount } from './keys';
import type { RedisClient } from './redis-client';

/** The oldest Redis whose scripts know `#!lua`. */
const oldestVersion = 7;

/** What a server's settings put at stake, each as one sentence; empty where it is safe. */
export async function findDangers(server: RedisClient): Promise<string[]> {
  const dangers: string[] = [];
  const info = String(await server.call('INFO', 'server'));
  const version = /redis_version:([\d.]+)/.exec(info)?.[1] ?? '0';
  if (Number.parseInt(version, 10) < oldestVersion) {
    throw new StoreUnsafeError(
      `Redis ${version} is too old: ${oldestVersion}.0 or later is needed.`,
    );
  }
  const settings = await readSettings(server);
  if (settings === null) {
    return ['CONFIG GET is not permitted, so that durability and eviction cannot be checked.'];
  }
  if (settings.get('maxmemory-policy') !== 'noeviction') {
    dangers.push(
      'maxmemory-policy must be noeviction: otherwise a full server forgets hashes, and pays wins again.',
    );
  }
  if (settings.get('appendonly') !== 'yes' || settings.get('appendfsync') !== 'always') {
    dangers.push(
      'appendonly must be yes and appendfsync always: otherwise a crash loses money that was acknowledged.',
    );
  }
  return dangers;
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
    await client.call('HSETNX', key, name, value);
    const stored = await client.call('HGET', key, name);
    if (stored !== value) {
      throw new StoreUnsafeError(
        `The data under ${key} have ${name} ${String(stored)}, this store would use ${value}.`,
      );
    }
  }
}

async function readSettings(server: RedisClient): Promise<Map<string, string> | null> {
  try {
    const names = ['maxmemory-policy', 'appendonly', 'appendfsync'];
    const settings = new Map<string, string>();
    for (const name of names) {
      settings.set(name, settingOf(await server.call('CONFIG', 'GET', name), name));
    }
    return settings;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (/^(NOPERM|ERR unknown command)/.test(message)) return null;
    throw error;
  }
}

/** RESP2 answers a list of name and value, RESP3 a map. */
function settingOf(reply: unknown, name: string): string {
  if (Array.isArray(reply)) return String(reply[1]);
  if (reply instanceof Map) return String(reply.get(name));
  return String((reply as Record<string, unknown> | null)?.[name]);
}
