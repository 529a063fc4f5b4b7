import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import type { Clock } from '../../../../platform';
import { MasterFinder } from './master-finder';
import type { RedisClient } from './port';

/** Address of a Redis: one server, a master that Sentinel watches, or a cluster. */
type RedisAddress = {
  readonly kind: 'single' | 'sentinel' | 'cluster';
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: string;
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  /** Number of the database, or the name of the master. */
  readonly path: string;
};

const form = /^redis(s?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/]*)@)?([^/?]+)(?:\/([^/?]*))?$/;
const defaultPorts = { single: 6379, sentinel: 26379, cluster: 6379 } as const;

/**
 * Settings against automatic retries of commands in flight, and against queueing while disconnected: the
 * outcome of a command is reported at once.
 */
const safeOptions = {
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  enableAutoPipelining: false,
} as const satisfies RedisOptions;

/**
 * Sentinel announces a new master, and the client then closes the connection to the former one at once: a
 * master that was only paused still acts as master, and its acknowledged writes are lost when Sentinel
 * makes it a replica. The client reconnects to a lost sentinel after a second. READONLY comes from a
 * master that became a replica while connected.
 */
const sentinelOptions = {
  Connector: MasterFinder,
  failoverDetector: true,
  sentinelReconnectStrategy: () => 1_000,
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
} as const satisfies RedisOptions;

/** Options of every connection; replies are read as the server sends them. */
type ConnectionOptions = Omit<RedisOptions, 'replyMapping' | 'host' | 'port' | 'path'>;

/** Time limits of a connection of the store's own client, and the clock of its pauses. */
export interface ConnectTimes {
  /** Time limit of an answer; a connection that is silent for twice as long is dropped. */
  readonly commandTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
}

/** A client that the store created, and closes. */
interface OwnedClient {
  readonly client: RedisClient;
  readonly release: () => void;
}

/** Pause before a lost connection is opened again, in milliseconds. */
const revivalPauseMs = 50;

/**
 * The store's own client: `redis://`, `rediss://`, `redis+sentinel://host:port,.../name`,
 * `redis+cluster://host:port,...`; with TLS `rediss+sentinel://` and `rediss+cluster://`. It drops a
 * silent connection, which the system would keep for minutes.
 * @throws TypeError for another form. The address is not repeated: it may hold a password.
 */
export function connect(
  url: string,
  { commandTimeoutMs, connectTimeoutMs, clock }: ConnectTimes,
  tlsOptions?: TlsOptions,
): OwnedClient {
  const { kind, tls, username, password, hosts, path } = readAddress(url);
  if (tlsOptions !== undefined && !tls) {
    throw new TypeError('tls needs an address with TLS: rediss://, rediss+sentinel://, ...');
  }
  const security: TlsOptions = tlsOptions ?? {};
  const options: ConnectionOptions = {
    ...safeOptions,
    connectTimeout: connectTimeoutMs,
    socketTimeout: 2 * commandTimeoutMs,
    disconnectTimeout: 200,
    ...(tls ? { tls: security } : {}),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    retryStrategy: (attempt) => Math.min(attempt * 20, 500),
  };
  if (kind === 'cluster') {
    const cluster = new Cluster([...hosts], {
      enableOfflineQueue: false,
      retryDelayOnFailover: 0,
      retryDelayOnTryAgain: 10,
      redisOptions: options,
      clusterRetryStrategy: (attempt) => Math.min(attempt * 20, 500),
    });
    return { client: cluster, release: () => cluster.disconnect() };
  }
  if (kind === 'sentinel') {
    const master = new Redis({
      ...options,
      ...sentinelOptions,
      sentinels: [...hosts],
      name: path,
      sentinelCommandTimeout: commandTimeoutMs,
      ...(tls ? { enableTLSForSentinelMode: true, sentinelTLS: security } : {}),
    });
    return keptUp(master, clock);
  }
  const [address] = hosts;
  const server = new Redis({ ...options, ...address, db: path === '' ? 0 : Number(path) });
  return { client: server, release: () => server.disconnect() };
}

/**
 * ioredis ends a connection for good if a failover is announced while it asks a sentinel for the master.
 * This opens it again.
 */
function keptUp(client: Redis, clock: Clock): OwnedClient {
  let isReleased = false;
  let cancelRevival: (() => void) | null = null;
  const revive = (): void => {
    client.connect().catch(() => {}); // 'end' fires again
  };
  client.on('end', () => {
    if (!isReleased) cancelRevival = clock.after(revivalPauseMs, revive);
  });
  const release = (): void => {
    isReleased = true;
    cancelRevival?.();
    client.disconnect();
  };
  return { client, release };
}

function readAddress(url: string): RedisAddress {
  const match = form.exec(url);
  if (match === null) {
    throw new TypeError(
      /^redis[^?]*\?/.test(url)
        ? 'the Redis address takes no parameters: a ? in a password is written %3F'
        : 'the Redis address must begin with redis://, rediss://, redis+sentinel:// or redis+cluster://',
    );
  }
  const [, tls, cluster, login, list = '', path = ''] = match;
  const kind = cluster === 'sentinel' || cluster === 'cluster' ? cluster : 'single';
  const hosts = list.split(',').map((host) => readHost(host, defaultPorts[kind]));
  if (kind === 'single' && hosts.length > 1) throw new TypeError('redis:// takes one server');
  if (kind === 'single' && !/^\d{0,3}$/.test(path)) {
    throw new TypeError('the path of redis:// is the number of a database');
  }
  if (kind === 'sentinel' && path === '') {
    throw new TypeError('redis+sentinel:// needs the name of the master as its path');
  }
  return { kind, tls: tls === 's', ...readLogin(login), hosts, path: decoded(path) };
}

/** @throws TypeError for a % that begins no character; the text is not repeated. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TypeError(
      'the Redis address has a % that encodes no character: a % in a user, a password or a path is written %25',
    );
  }
}

function readLogin(login: string | undefined): { username?: string; password?: string } {
  if (login === undefined || login === '') return {};
  const colon = login.indexOf(':');
  if (colon < 0) return { username: decoded(login) };
  const username = decoded(login.slice(0, colon));
  const password = decoded(login.slice(colon + 1));
  return username === '' ? { password } : { username, password };
}

/** A host with an @ is the rest of an unencoded password, and would appear in errors. */
function readHost(text: string, defaultPort: number): { host: string; port: number } {
  const match = /^(\[[0-9a-fA-F:]+\]|[^:[\]@\s]+)(?::(\d{1,5}))?$/.exec(text);
  const port = Number(match?.[2] ?? defaultPort);
  const host = match?.[1]?.replace(/^\[|\]$/g, '');
  if (host === undefined || port < 1 || port > 65535) {
    throw new TypeError('the Redis address has an invalid host or port');
  }
  return { host, port };
}
