import type { LoopTime } from '../../platform';
import { afterThisTurn } from '../../platform/turn';

/** Calls that begin in one turn of the event loop: as many as leave for Redis in one write. */
export const callsAtOnce = 16;

/**
 * Spreads calls that arrive together over several turns of the event loop, in order. Between two turns the loop takes answers of the
 * store, answers probes, and accepts a connection: one, however many wait. With hundreds of calls in one turn
 * all of these would wait for the last call.
 */
export class TurnSlices {
  private begun = 0;
  private isWatched = false;
  /** Calls that begin in the next turns, and how many of them have begun. */
  private waiting: (() => void)[] = [];
  private begunOfWaiting = 0;
  /** Calls that came since then. */
  private later: (() => void)[] = [];
  private atEnd: (() => void)[] = [];

  /** Null if a call may begin now; otherwise it begins when the promise resolves. */
  wait(): Promise<void> | null {
    this.watch();
    if (this.begun < callsAtOnce && !this.hasWaiting) {
      this.begun += 1;
      return null;
    }
    return new Promise((resolve) => this.later.push(resolve));
  }

  /**
   * The loop with longer turns: one ends once all calls have begun that waited when the one before ended. So it is as long as a
   * turn would be if it were not cut.
   */
  whole(loop: LoopTime): LoopTime {
    const atEnd = (work: () => void) => {
      if (this.hasWaiting) this.atEnd.push(work);
      else work();
    };
    return Object.freeze({
      nowMs: () => loop.nowMs(),
      sleptMs: () => loop.sleptMs(),
      afterTurn: (work: () => void) => loop.afterTurn(() => atEnd(work)),
    });
  }

  private get hasWaiting(): boolean {
    return this.waiting.length + this.later.length > 0;
  }

  private watch(): void {
    if (this.isWatched) return;
    this.isWatched = true;
    afterThisTurn(this.goOn);
  }

  private readonly goOn = (): void => {
    this.isWatched = false;
    if (this.begunOfWaiting === this.waiting.length) this.takeLater();
    const next = this.waiting.slice(this.begunOfWaiting, this.begunOfWaiting + callsAtOnce);
    this.begun = next.length;
    this.begunOfWaiting += next.length;
    for (const begin of next) begin();
    if (this.hasWaiting) this.watch();
  };

  private takeLater(): void {
    for (const work of this.atEnd.splice(0)) work();
    this.waiting = this.later;
    this.begunOfWaiting = 0;
    this.later = [];
  }
}
