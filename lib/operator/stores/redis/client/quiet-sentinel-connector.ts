import { type Redis, type RedisOptions, SentinelConnector } from 'ioredis';

/** The method of ioredis that makes each connection to a sentinel. */
interface SentinelConnecting {
  connectToSentinel?: (sentinel: unknown, options?: RedisOptions) => Redis;
}

/** How long a closed connection may keep the process alive, in milliseconds. */
const disconnectTimeout = 200;

/**
 * Finds the master as ioredis does. ioredis has no error listener on the connections that wait for
 * failovers, and so prints every failed attempt to reach a sentinel to stderr.
 */
export class QuietSentinelConnector extends SentinelConnector {
  constructor(options: unknown) {
    super(options as ConstructorParameters<typeof SentinelConnector>[0]);
    const connecting = this as unknown as SentinelConnecting;
    const connect = connecting.connectToSentinel?.bind(this);
    if (connect === undefined) return;
    connecting.connectToSentinel = (sentinel, others) =>
      connect(sentinel, { disconnectTimeout, ...others }).on('error', () => {});
  }
}
