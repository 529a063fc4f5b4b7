import { afterThisTurn } from '../../../../platform/turn';
import { mastersOf, type RedisClient, type RedisStream } from '../client/port';

/** Commands that leave together at most: then the server works while the next ones are made. */
const mostGathered = 16;

/**
 * Lets the commands of one turn of the event loop leave in one write. Alone each would cost a
 * system call here, and at the server a turn of its own with an fsync of its own. Nothing waits
 * for a later call: what was gathered leaves as soon as the events at hand were heard, before any
 * timer.
 */
export class WriteGathering {
  #held: readonly RedisStream[] = [];
  #gathered = 0;
  #isHolding = false;

  constructor(private readonly client: RedisClient) {}

  /** To be called before each command. */
  add(): void {
    if (this.#gathered === mostGathered) this.release();
    this.#gathered++;
    if (this.#gathered > 1) return;
    this.#held = streamsOf(this.client);
    for (const stream of this.#held) stream.cork();
    if (this.#isHolding) return;
    this.#isHolding = true;
    afterThisTurn(() => {
      this.#isHolding = false;
      this.release();
    });
  }

  private release(): void {
    this.#gathered = 0;
    for (const stream of this.#held) stream.uncork();
  }
}

/** The connections that commands leave by. One that comes later in the turn is not held. */
function streamsOf(client: RedisClient): RedisStream[] {
  const streams: RedisStream[] = [];
  for (const { stream } of mastersOf(client)) {
    if (typeof stream?.cork === 'function') streams.push(stream);
  }
  return streams;
}
