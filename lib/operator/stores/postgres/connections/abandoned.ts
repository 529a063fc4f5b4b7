import type { Clock } from '../../../../platform';
import type { PostgresClient } from '../client/port';

/**
 * Connections that were given up with a statement under way. The server may be at work on it for as long as it likes: a
 * commit that waits for a synchronous standby cannot be ended by its client, nor by `statement_timeout`. So the
 * connection stays taken, and counts against the pool, until its statement is answered, the connection breaks, or a
 * time is over. Otherwise each statement that is given up would leave one more session at the server.
 */
export class AbandonedConnections {
  readonly #held = new Set<() => void>();

  /** @param heldMs Longest that one is held, in milliseconds; 0 for not at all. */
  constructor(
    private readonly heldMs: number,
    private readonly clock: Pick<Clock, 'after'>,
  ) {}

  /** Connections that are held. */
  get size(): number {
    return this.#held.size;
  }

  /** Holds a connection, and then throws it away. */
  hold(client: PostgresClient, statement: Promise<unknown>): void {
    if (this.heldMs === 0) return client.release(true);
    const letGo = (): void => {
      if (!this.#held.delete(letGo)) return;
      cancel();
      client.release(true);
    };
    const cancel = this.clock.after(this.heldMs, letGo, 'background');
    this.#held.add(letGo);
    statement.then(letGo, letGo);
  }

  /** Throws away all that are held. */
  close(): void {
    for (const letGo of this.#held) letGo();
  }
}
