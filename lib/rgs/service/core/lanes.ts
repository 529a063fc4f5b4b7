import type { Clock } from '../../../platform';
import { within } from '../../../platform/within';
import { EngineRefusedError } from '../../../protocol/engine-api/errors';

/** The time that a call at the front of its lane has. */
export interface Front {
  /** Milliseconds until the call has to decide what it answers; 0 when that time is over. */
  leftMs(): number;
}

/** Of the time to reply, this much at most is left for what is decided to become durable. */
const longestReserveMs = 500;

/** One lane a player: calls of a player are processed one after the other (E15.3). */
export class Lanes {
  /** The calls that wait for the one at the front, by lane; a free lane has no entry. */
  readonly #lanes = new Map<string, (() => void)[]>();
  readonly #atRest: (() => void)[] = [];

  /** @param clock Real time (E1.3). */
  constructor(
    private readonly clock: Clock,
    private readonly replyWithinMs: number,
  ) {}

  /**
   * Does the work once the calls before it with this key are done.
   * @throws EngineRefusedError 9110 if its turn does not come within replyWithinMs: nothing was done; 9000 if
   * the work is not over replyWithinMs after it came to the front. Then the lane stays taken until it is.
   */
  async take<T>(key: string, work: (front: Front) => Promise<T>): Promise<T> {
    await this.#turn(key);
    return within(this.clock, this.replyWithinMs, this.#atFront(key, work), { late });
  }

  /** Resolves once no lane is taken. */
  idle(): Promise<void> {
    if (this.#lanes.size === 0) return Promise.resolve();
    return new Promise((resolve) => void this.#atRest.push(resolve));
  }

  #turn(key: string): Promise<void> {
    const waiting = this.#lanes.get(key);
    if (waiting === undefined) {
      this.#lanes.set(key, []);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const come = (): void => {
        cancel();
        resolve();
      };
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(come), 1);
        reject(new EngineRefusedError('OPERATIONBEINGPROCESSED', 'E15.3'));
      };
      const cancel = this.clock.after(this.replyWithinMs, giveUp, 'background');
      waiting.push(come);
    });
  }

  async #atFront<T>(key: string, work: (front: Front) => Promise<T>): Promise<T> {
    const { clock, replyWithinMs } = this;
    const reserveMs = Math.min(longestReserveMs, Math.ceil(replyWithinMs / 8));
    const end = clock.monotonicMs() + replyWithinMs - reserveMs;
    try {
      return await work({ leftMs: () => Math.max(0, end - clock.monotonicMs()) });
    } finally {
      this.#leave(key);
    }
  }

  #leave(key: string): void {
    const next = this.#lanes.get(key)?.shift();
    if (next !== undefined) return next();
    this.#lanes.delete(key);
    if (this.#lanes.size === 0) for (const resolve of this.#atRest.splice(0)) resolve();
  }
}

function late(): never {
  throw new EngineRefusedError('INTERNALERROR', 'E15.3');
}
