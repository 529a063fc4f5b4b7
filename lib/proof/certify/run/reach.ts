import type { Clock } from '../../../platform';
import type { Exchange } from '../client';

/** A wallet that takes no connection at the end of so many cases in a row has gone. */
const mostCases = 3;
/** Pauses before a look whether it is back, after each of these cases, in milliseconds: it may be starting again. */
const lookAgainMs = [250, 1000, 4000];

/** Whether the calls of a case reach the wallet, and since when none does. */
export class Reach {
  #calls = 0;
  #lost = 0;
  #isLastLost = false;
  #isCut = false;
  #why = '';
  #inARow = 0;
  #since: string | null = null;

  /** Forgets the calls of the case before. */
  begin(): void {
    [this.#calls, this.#lost, this.#isLastLost, this.#isCut] = [0, 0, false, false];
  }

  add({ reply, isUnconnected }: Exchange): void {
    this.#calls += 1;
    this.#isLastLost = isUnconnected === true;
    if (isUnconnected) {
      this.#lost += 1;
      this.#why = reply.kind === 'cut' ? reply.why : 'none in time';
    } else if (reply.kind !== 'reply') this.#isCut = true;
  }

  /** Why no call of the case had a connection; null if one had, or there was none. */
  get whyNone(): string | null {
    return this.#lost > 0 && this.#lost === this.#calls ? this.#why : null;
  }

  /** Whether a call of the case had a connection, and no whole reply on it: the wallet may have ended by that call. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Id of the case in which the wallet was lost; null while it is there. */
  get since(): string | null {
    return this.#since;
  }

  /** Whether the wallet has gone for good. */
  get isGone(): boolean {
    return this.#inARow >= mostCases;
  }

  /**
   * A case is over. Waits a while for a wallet that did not take its last call.
   * @param look Sends a call.
   */
  async ended(id: string, run: RunTime, look: () => Promise<unknown>): Promise<void> {
    if (this.#calls === 0) return;
    await this.#untilConnected(run, look);
    if (this.#isLastLost) {
      this.#inARow += 1;
      this.#since ??= id;
    } else [this.#inARow, this.#since] = [0, null];
  }

  async #untilConnected(run: RunTime, look: () => Promise<unknown>) {
    for (const pauseMs of lookAgainMs) {
      if (!this.#isLastLost) return;
      await run.clock.pause(pauseMs);
      if (run.timeLeftMs() === 0) return;
      await look();
    }
  }
}

/** The time of a run. */
interface RunTime {
  readonly clock: Clock;
  /** Milliseconds until it is over. */
  timeLeftMs(): number;
}
