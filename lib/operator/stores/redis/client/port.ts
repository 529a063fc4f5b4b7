/** An argument of a command. */
export type RedisArgument = string | number;

/** A chain of commands, sent at once. */
export interface RedisPipeline {
  call(command: string, ...args: RedisArgument[]): unknown;
  exec(): Promise<[Error | null, unknown][] | null>;
}

/** A connection as a Node stream. */
export interface RedisStream {
  cork(): void;
  uncork(): void;
}

/**
 * The part of a Redis client that the store needs; `Redis` and `Cluster` of ioredis 5 and 6 both have it.
 * Structural, so that the user's own version of ioredis fits.
 */
export interface RedisClient {
  readonly status: string;
  /** The options it was created with. */
  readonly options?: object;
  /** Of a client of one server, while connected. */
  readonly stream?: RedisStream;
  call(command: string, ...args: RedisArgument[]): Promise<unknown>;
  pipeline(): RedisPipeline;
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  off(event: string, listener: (...args: unknown[]) => void): unknown;
  disconnect(): void;
}

/** A client of a Redis Cluster. */
export interface RedisClusterClient extends RedisClient {
  nodes(role?: 'all' | 'master' | 'slave'): RedisClient[];
}

/** Whether a client connects to a cluster. */
export function isCluster(client: RedisClient): client is RedisClusterClient {
  return 'nodes' in client && typeof client.nodes === 'function';
}

/** Whether a client finds the master by Sentinel and does not listen for failovers. */
export function missesFailovers({ options }: RedisClient): boolean {
  const { sentinels, failoverDetector } = Object(options) as Record<string, unknown>;
  return Array.isArray(sentinels) && failoverDetector !== true;
}

/** The servers that hold the data: the masters of a cluster, or the one server. */
export function mastersOf(client: RedisClient): readonly RedisClient[] {
  return isCluster(client) ? client.nodes('master') : [client];
}

/** Errors that a server answers before it runs a script: the command did not happen. */
const notExecuted =
  /^(NOSCRIPT|MOVED|ASK|TRYAGAIN|CLUSTERDOWN|LOADING|READONLY|NOREPLICAS|OOM|MISCONF|MASTERDOWN|BUSY|NOAUTH|NOPERM|WRONGPASS)\b/;

/** The message of ioredis for a command that it did not send, and never will. */
const notSent = /^(Stream isn't writeable|Cluster isn't ready) and enableOfflineQueue/;

/** Whether a command failed because the client has no connection. */
export function isNotConnected(error: unknown): boolean {
  return notSent.test(reasonOf(error));
}

/** Whether an error means that the command did not happen; after any other the outcome is unknown. */
export function wasNotExecuted(error: unknown): boolean {
  const reason = reasonOf(error);
  return notExecuted.test(reason) || notSent.test(reason);
}

/** Whether the server does not know the script. */
export function isScriptUnknown(error: unknown): boolean {
  return reasonOf(error).startsWith('NOSCRIPT');
}

/**
 * Whether another node of the cluster has the keys. A single command follows the redirection inside
 * ioredis, and updates its slots; a pipeline with WAIT does neither.
 */
export function isRedirection(error: unknown): boolean {
  return /^(MOVED|ASK)\b/.test(reasonOf(error));
}

/** The message of an error; by its shape, because an error of another realm is not an instance of our Error. */
export function reasonOf(error: unknown): string {
  const { message, code } = Object(error) as { message?: unknown; code?: unknown };
  if (typeof message === 'string' && message !== '') return message;
  return typeof code === 'string' ? code : 'an unknown error';
}

/** Options of ioredis under which the store would be wrong, each with what goes wrong and the cure. */
const unfit: readonly (readonly [name: string, problem: string])[] = [
  [
    'keyPrefix',
    'the books and rgs-wallet would not find the keys. Remove it, and set the option namespace instead',
  ],
  [
    'stringNumbers',
    'numbers in replies would be misread. Give the store a separate client without it',
  ],
];

/**
 * Checks the options of a client that the user created; of a cluster also those of its nodes.
 * @throws TypeError that names the option. Its value is not repeated.
 */
export function checkClientOptions({ options }: RedisClient): void {
  const ofClient = Object(options) as Record<string, unknown>;
  const ofNodes = Object(ofClient['redisOptions']) as Record<string, unknown>;
  for (const [name, problem] of unfit) {
    if (ofClient[name] || ofNodes[name]) {
      throw new TypeError(`client must not have ${name}: ${problem}`);
    }
  }
}
