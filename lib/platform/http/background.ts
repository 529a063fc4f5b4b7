import { setMaxListeners } from 'node:events';

/** Work that continues before or after its call was answered; closing waits for it. */
export class Background {
  #count = 0;
  readonly #abort = new AbortController();
  readonly #idle: (() => void)[] = [];
  readonly #leave = (): void => {
    this.#count--;
    if (this.#count === 0) for (const resolve of this.#idle.splice(0)) resolve();
  };

  constructor() {
    // Every waiting work listens to the one signal, and there are many while a store is down.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Aborts once closing has begun. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Tracks work until it is done; a failure goes to `onError`, which must not throw. */
  add(work: Promise<unknown>, onError: (error: unknown) => void): void {
    this.#count++;
    work.then(this.#leave, (error: unknown) => {
      onError(error);
      this.#leave();
    });
  }

  /** Asks all tracked work to end, and resolves when it is done. */
  async close(): Promise<void> {
    this.#abort.abort();
    while (this.#count > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }
}
