import { afterThisTurn } from '../../../../platform/turn';
import { mastersOf, type RedisClient, type RedisStream } from '../client/port';

/** Most commands that leave together: then the server works while the next ones are prepared. */
const maxGathered = 16;

/**
 * Sends the commands of one turn of the event loop in one write. Each alone would cost a system call here,
 * and at the server its own turn with its own fsync. No command waits for a later call: the gathered
 * commands leave after the current events, and those of a request or a reply before any timer.
 */
export class WriteGathering {
  #held: readonly RedisStream[] = [];
  #gathered = 0;
  #isHolding = false;

  constructor(private readonly client: RedisClient) {}

  /** Call it before each command. */
  add(): void {
    if (this.#gathered === maxGathered) this.release();
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

/** The connections that commands leave by. One that opens later in the turn is not held. */
function streamsOf(client: RedisClient): RedisStream[] {
  const streams: RedisStream[] = [];
  for (const { stream } of mastersOf(client)) {
    if (typeof stream?.cork === 'function') streams.push(stream);
  }
  return streams;
}
