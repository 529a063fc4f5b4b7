import type { Clock } from '../../../platform';
import { within } from '../../../platform/within';
import { EngineRefusedError } from '../../../protocol/engine-api';

/** The time that a call at the front of its lane has. */
export interface Front {
  /** Milliseconds until the call has to decide what it answers; 0 when that time is over. */
  leftMs(): number;
}

/** One lane a player: calls of a player are processed one after the other (E15.3). */
export interface Lanes {
  /**
   * Does the work once the calls before it with this key are done.
   * @throws EngineRefusedError 9110 if its turn does not come within replyWithinMs: nothing was done; 9000 if
   * the work is not over replyWithinMs after it came to the front. Then the lane stays taken until it is.
   */
  take<T>(key: string, work: (front: Front) => Promise<T>): Promise<T>;
  /** Resolves once no lane is taken. */
  idle(): Promise<void>;
}

/** Of the time to reply, this much at most is left for what is decided to become durable. */
const longestReserveMs = 500;

/** Lanes by this clock, which is real time (E1.3). */
export function createLanes(clock: Clock, replyWithinMs: number): Lanes {
  /** The calls that wait behind the one at the front, by lane; a lane that is free is not there. */
  const lanes = new Map<string, (() => void)[]>();
  const atRest: (() => void)[] = [];
  const workMs = replyWithinMs - Math.min(longestReserveMs, Math.ceil(replyWithinMs / 8));

  const turn = (key: string): Promise<void> => {
    const waiting = lanes.get(key);
    if (waiting === undefined) {
      lanes.set(key, []);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const come = (): void => {
        cancel();
        resolve();
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(come), 1);
        reject(new EngineRefusedError('OPERATIONBEINGPROCESSED', 'E15.3'));
      };
      const cancel = clock.after(replyWithinMs, leave, 'background');
      waiting.push(come);
    });
  };
  const leave = (key: string): void => {
    const next = lanes.get(key)?.shift();
    if (next !== undefined) return next();
    lanes.delete(key);
    if (lanes.size === 0) for (const resolve of atRest.splice(0)) resolve();
  };
  const atFront = async <T>(key: string, work: (front: Front) => Promise<T>): Promise<T> => {
    const end = clock.monotonicMs() + workMs;
    try {
      return await work({ leftMs: () => Math.max(0, end - clock.monotonicMs()) });
    } finally {
      leave(key);
    }
  };
  return {
    async take(key, work) {
      await turn(key);
      return within(clock, replyWithinMs, atFront(key, work), { late });
    },
    idle: () =>
      new Promise((resolve) => (lanes.size === 0 ? resolve() : void atRest.push(resolve))),
  };
}

function late(): never {
  throw new EngineRefusedError('INTERNALERROR', 'E15.3');
}
