import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { freePort, onFormerPort, onFreePort } from '../ports';
import { temporaryFolder } from '../reaper';
import { type Endpoint, type RedisProcess, spawnRedis } from './process';

/** Redis directives by name, as in redis.conf. */
export type RedisConfig = Readonly<Record<string, string | number>>;

/** What to start. */
export interface RedisServerOptions {
  /** Lines of redis.conf over the defaults, e.g. `{ appendfsync: 'everysec', requirepass: 'x', replicaof: '127.0.0.1 7001' }`. */
  readonly config?: RedisConfig;
  /** Serve TLS, and TLS only, with these files; clients need no certificate of their own. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca: string };
  /** Where its data folder is made, e.g. on a disk of mountDisk. */
  readonly below?: string;
  /** The path of another server than the one that findRedisServer finds. */
  readonly binary?: string;
}

/** Options for `new Redis(...)` that reach the server. */
export interface RedisClientOptions {
  readonly host: string;
  readonly port: number;
  readonly password?: string;
  readonly tls?: { readonly ca: string };
}

/** A private Redis on 127.0.0.1, with a data folder of its own. */
export interface RedisServer {
  readonly port: number;
  /** The port of the cluster bus; 0 without a cluster. */
  readonly busPort: number;
  readonly url: string;
  readonly dir: string;
  readonly clientOptions: RedisClientOptions;
  /** The id of the current process; it changes with every restart. */
  readonly pid: number;
  isRunning(): boolean;
  /** Ends the process as a power cut would; what was written stays on disk. */
  kill9(): Promise<void>;
  /** Starts it again on the same port over the same data, first killing it if it still runs. */
  restart(): Promise<void>;
  /** Freezes the process: connections stay open, and nothing is answered until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

const DURABLE: RedisConfig = {
  appendonly: 'yes',
  appendfsync: 'always',
  'maxmemory-policy': 'noeviction',
  save: '',
  'enable-debug-command': 'local',
};

/** Starts a Redis that loses no acknowledged write, and resolves once it answers. */
export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  const config: RedisConfig = { ...DURABLE, ...options.config };
  const dir = await temporaryFolder('redis', options.below);
  const { endpoint, busPort, process: first } = await startOnFreePort(dir, config, options);
  const { port, password } = endpoint;
  let current = first;

  const kill9 = (): Promise<void> => current.kill('SIGKILL');
  return {
    port,
    busPort,
    dir,
    url: urlOf(endpoint),
    clientOptions: {
      host: '127.0.0.1',
      port,
      ...(password === undefined ? {} : { password }),
      ...(options.tls ? { tls: { ca: await readFile(options.tls.ca, 'utf8') } } : {}),
    },
    get pid() {
      return current.pid;
    },
    isRunning: () => current.isRunning(),
    kill9,
    async restart() {
      await kill9();
      current = await onFormerPort(() => spawnRedis(['redis.conf'], dir, endpoint, options.binary));
    },
    pause: () => current.kill('SIGSTOP'),
    resume: () => current.kill('SIGCONT'),
    async stop() {
      await kill9();
      // A child that rewrites the AOF may write for a moment longer.
      await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

async function startOnFreePort(
  dir: string,
  config: RedisConfig,
  { tls, binary }: RedisServerOptions,
): Promise<{ endpoint: Endpoint; busPort: number; process: RedisProcess }> {
  const password = config['requirepass']?.toString();
  return onFreePort(async (port) => {
    const endpoint = { port, password, tls: tls !== undefined };
    const busPort = config['cluster-enabled'] === 'yes' ? await freePort() : 0;
    const bus: RedisConfig = busPort === 0 ? {} : { 'cluster-port': busPort };
    const directives = { bind: '127.0.0.1', dir, ...config, ...bus, ...listen(port, tls) };
    await writeFile(join(dir, 'redis.conf'), configFile(directives));
    await rm(join(dir, 'redis.log'), { force: true }); // or this failure would be read as the one before
    const process = await spawnRedis(['redis.conf'], dir, endpoint, binary);
    return { endpoint, busPort, process };
  });
}

function listen(port: number, tls: RedisServerOptions['tls']): RedisConfig {
  if (!tls) return { port };
  return {
    port: 0,
    'tls-port': port,
    'tls-cert-file': tls.cert,
    'tls-key-file': tls.key,
    'tls-ca-cert-file': tls.ca,
    'tls-auth-clients': 'no',
  };
}

function configFile(directives: RedisConfig): string {
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value === '' ? '""' : value}\n`)
    .join('');
}

function urlOf({ port, password, tls }: Endpoint): string {
  const user = password ? `:${encodeURIComponent(password)}@` : '';
  return `${tls ? 'rediss' : 'redis'}://${user}127.0.0.1:${port}`;
}
