import { type Background } from '../../platform/http';
import type { AbandonedRound } from './handlers';

/**
 * Closes rounds one at a time each: a second call for a round that is being closed waits for the first one's
 * result. The work continues if its caller was answered before it is done; closing waits for it.
 */
export class AutoClose {
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(
    private readonly handler: (round: AbandonedRound) => unknown,
    private readonly background: Background,
  ) {}

  /** Rejects with what the handler throws. */
  close(round: AbandonedRound): Promise<unknown> {
    const key = JSON.stringify([round.gameProviderId, round.gameRound]);
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const work = (async () => this.handler(round))();
    this.#running.set(key, work);
    // Its failure is reported to each caller that waits for it.
    this.background.add(this.#forget(key, work), () => {});
    return work;
  }

  async #forget(key: string, work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } finally {
      this.#running.delete(key);
    }
  }
}
