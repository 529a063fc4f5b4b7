import type { Clock } from '../../../../platform';
import type { PostgresClient } from '../client/port';

/**
 * Abandoned connections with a statement in flight. The server may work on the statement as long as it
 * likes: neither the client nor `statement_timeout` can end a commit that waits for a synchronous standby.
 * So the connection counts against the pool until its statement is answered, the connection breaks, or a
 * time-out. Otherwise every abandoned statement would leave one more session at the server.
 */
export class AbandonedConnections {
  readonly #held = new Set<() => void>();

  /** @param heldMs Longest time to hold one, in milliseconds; 0 for not at all. */
  constructor(
    private readonly heldMs: number,
    private readonly clock: Pick<Clock, 'after'>,
  ) {}

  /** Number of held connections. */
  get size(): number {
    return this.#held.size;
  }

  /** Holds a connection, and then closes it. */
  hold(client: PostgresClient, statement: Promise<unknown>): void {
    if (this.heldMs === 0) return client.release(true);
    const release = (): void => {
      if (!this.#held.delete(release)) return;
      cancel();
      client.release(true);
    };
    const cancel = this.clock.after(this.heldMs, release, 'background');
    this.#held.add(release);
    statement.then(release, release);
  }

  /** Closes all held connections. */
  close(): void {
    for (const release of this.#held) release();
  }
}
