import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { QuietSentinelConnector } from './quiet-sentinel-connector';
import type { RedisClient } from './port';

/** Where a Redis is: one server, a master by Sentinel, or a cluster. */
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
 * Settings that keep a client from repeating by itself what was in flight, and from queueing while
 * it is not connected: the outcome of a command is told at once.
 */
const safeOptions = {
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  enableAutoPipelining: false,
} as const satisfies RedisOptions;

/**
 * Sentinel tells of a new master, and the connection to the former one is ended at once: a master that
 * was only paused takes itself for the master still, and loses what it acknowledges until Sentinel makes
 * it a replica. A sentinel that was away is listened to again after a second. READONLY comes from a
 * master that was made a replica while it was connected.
 */
const sentinelOptions = {
  Connector: QuietSentinelConnector,
  failoverDetector: true,
  sentinelReconnectStrategy: () => 1_000,
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
} as const satisfies RedisOptions;

/** What every connection is given; replies are read as the server sends them. */
type ConnectionOptions = Omit<RedisOptions, 'replyMapping' | 'host' | 'port' | 'path'>;

/** How long a connection of the store's own client may take. */
export interface ConnectTimeouts {
  /** Longest wait for an answer; a connection that is silent for twice as long is dropped. */
  readonly commandTimeoutMs: number;
  readonly connectTimeoutMs: number;
}

/** A client that the store made, and lets go of. */
export interface OwnedClient {
  readonly client: RedisClient;
  readonly release: () => void;
}

/** Pause before a connection that was given up is begun anew, in milliseconds. */
const revivalPauseMs = 50;

/**
 * A client made for the store: `redis://`, `rediss://`, `redis+sentinel://host:port,.../name`,
 * `redis+cluster://host:port,...`; with TLS `rediss+sentinel://` and `rediss+cluster://`. It drops
 * a connection that has gone silent, which the system would keep for minutes.
 * @throws TypeError for another form. The address is not repeated: it may hold a password.
 */
export function connect(
  url: string,
  { commandTimeoutMs, connectTimeoutMs }: ConnectTimeouts,
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
    return keptUp(master);
  }
  const [address] = hosts;
  const server = new Redis({ ...options, ...address, db: path === '' ? 0 : Number(path) });
  return { client: server, release: () => server.disconnect() };
}

/**
 * ioredis ends a connection for good where a failover is announced while it asks a sentinel for the
 * master. It is begun anew.
 */
function keptUp(client: Redis): OwnedClient {
  let isReleased = false;
  let revival: NodeJS.Timeout | undefined;
  const revive = (): void => {
    client.connect().catch(() => {}); // 'end' comes again
  };
  client.on('end', () => {
    if (!isReleased) revival = setTimeout(revive, revivalPauseMs);
  });
  const release = (): void => {
    isReleased = true;
    clearTimeout(revival);
    client.disconnect();
  };
  return { client, release };
}

function readAddress(url: string): RedisAddress {
  const match = form.exec(url);
  if (match === null)
    throw new TypeError(
      'the Redis address must begin with redis://, rediss://, redis+sentinel:// or redis+cluster://',
    );
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
  return { kind, tls: tls === 's', ...readLogin(login), hosts, path: decodeURIComponent(path) };
}

function readLogin(login: string | undefined): { username?: string; password?: string } {
  if (login === undefined || login === '') return {};
  const colon = login.indexOf(':');
  if (colon < 0) return { username: decodeURIComponent(login) };
  const username = decodeURIComponent(login.slice(0, colon));
  const password = decodeURIComponent(login.slice(colon + 1));
  return username === '' ? { password } : { username, password };
}

/** A host with an @ is the rest of a password that is not encoded, and would show up in errors. */
function readHost(text: string, defaultPort: number): { host: string; port: number } {
  const match = /^(\[[0-9a-fA-F:]+\]|[^:[\]@\s]+)(?::(\d{1,5}))?$/.exec(text);
  const port = Number(match?.[2] ?? defaultPort);
  const host = match?.[1]?.replace(/^\[|\]$/g, '');
  if (host === undefined || port < 1 || port > 65535) {
    throw new TypeError('the Redis address has an invalid host or port');
  }
  return { host, port };
}
