import { type Redis, type RedisOptions, SentinelConnector } from 'ioredis';

/** Where a server listens. */
interface Address {
  readonly host: string;
  readonly port: number;
}

/** Methods of ioredis that its types keep private. */
interface SentinelAsking {
  /** Makes each connection to a sentinel: with options, to listen there for failovers; without, to ask for the master. */
  connectToSentinel?: (sentinel: Address, options?: RedisOptions) => Redis;
  /** Asks a sentinel for the master. */
  resolve?: (sentinel: Address) => Promise<Address | null>;
}

/** How long a closed connection may keep the process alive, in milliseconds. */
const disconnectTimeout = 200;

/** Where sentinels announce a new master. */
const failovers = '+switch-master';

/**
 * Finds the master as ioredis does, and misses no failover. ioredis hears of those alone that are announced while it
 * listens: not of one between the answer of the sentinel and the subscription, nor of one while the connection to
 * the sentinel was lost; and where it could not subscribe in its first attempts, it never does. So each
 * connection that listens subscribes whenever it is ready, and then asks its sentinel, if that one named the master,
 * whether it is the master still.
 *
 * ioredis has no error listener on these connections either, and so prints every failed attempt to reach a
 * sentinel to stderr.
 */
export class MasterFinder extends SentinelConnector {
  /** The master as it was named last, and who named it. */
  #named: { readonly master: Address; readonly sentinel: Address } | null = null;

  constructor(options: unknown) {
    super(options as ConstructorParameters<typeof SentinelConnector>[0]);
    const finder = this as unknown as SentinelAsking;
    const connect = finder.connectToSentinel?.bind(this);
    const resolve = finder.resolve?.bind(this);
    if (connect === undefined || resolve === undefined) return;
    finder.resolve = async (sentinel) => {
      const master = await resolve(sentinel);
      if (master !== null) this.#named = { master, sentinel };
      return master;
    };
    finder.connectToSentinel = (sentinel, others) => {
      const client = connect(sentinel, { disconnectTimeout, ...others }).on('error', () => {});
      if (others === undefined) return client;
      return client.on('ready', () => {
        // Where the connection is lost again, it is ready again.
        this.#listen(client, () => resolve(sentinel), sentinel).catch(() => {});
      });
    };
  }

  async #listen(
    client: Redis,
    resolve: () => Promise<Address | null>,
    sentinel: Address,
  ): Promise<void> {
    await client.subscribe(failovers);
    const named = this.#named;
    if (named === null || !isSame(named.sentinel, sentinel)) return;
    const master = await resolve();
    if (master === null || isSame(master, named.master)) return;
    if (this.#named === named) this.disconnect();
  }
}

function isSame(one: Address, other: Address): boolean {
  return one.host === other.host && one.port === other.port;
}
