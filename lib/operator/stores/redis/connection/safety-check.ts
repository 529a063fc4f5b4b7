import { StoreUnsafeError } from '../../../wallet';
import { reasonOf, type RedisClient } from '../client/port';

/** The oldest Redis whose scripts know `#!lua`. */
const oldestVersion = 7;

/** What was found of a server. */
export interface Findings {
  /** What its settings put at stake, each as one sentence; empty where it is safe. */
  readonly dangers: readonly string[];
  /** Replicas connected to it. */
  readonly replicas: number;
}

/**
 * Looks into a server.
 * @throws StoreUnsafeError for a server that is too old, an error for a replica.
 */
export async function inspectServer(server: RedisClient): Promise<Findings> {
  const info = await ifPermitted(server.call('info'));
  if (typeof info === 'string') checkInfo(info);
  const replicas = Number(/^connected_slaves:(\d+)/m.exec(String(info))?.[1] ?? 0);
  const settings = await readSettings(server);
  if (info === null || settings === null) {
    const command = info === null ? 'INFO' : 'CONFIG GET';
    const danger = `${command} is not permitted: durability and eviction cannot be checked.`;
    return { dangers: [danger], replicas };
  }
  const dangers = demands.filter(([isMet]) => !isMet(settings)).map(([, danger]) => danger);
  return { dangers, replicas };
}

/** What settings must be, and what is at stake otherwise. */
const demands: readonly (readonly [(settings: ReadonlyMap<string, string>) => boolean, string])[] =
  [
    [
      (settings) => settings.get('maxmemory-policy') === 'noeviction',
      'maxmemory-policy must be noeviction: otherwise a full server forgets hashes and pays wins again.',
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

async function readSettings(server: RedisClient): Promise<ReadonlyMap<string, string> | null> {
  const names = ['maxmemory-policy', 'appendonly', 'appendfsync', 'no-appendfsync-on-rewrite'];
  const replies = await Promise.all(
    names.map((name) => ifPermitted(server.call('config', 'get', name))),
  );
  if (replies.includes(null)) return null;
  return new Map(names.map((name, index) => [name, settingOf(replies[index], name)]));
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
