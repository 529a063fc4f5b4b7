import { setMaxListeners } from 'node:events';

/** Work that goes on, before or after its call was answered, and that closing waits for. */
export class Background {
  #count = 0;
  readonly #abort = new AbortController();
  readonly #idle: (() => void)[] = [];
  readonly #leave = (): void => {
    this.#count--;
    if (this.#count === 0) for (const resolve of this.#idle.splice(0)) resolve();
  };

  constructor() {
    // Each work that waits listens to the one signal, and while a store is down they are many.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Aborts once closing has begun. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Keeps count of a work until it is done; a failure goes to `onError`. */
  add(work: Promise<unknown>, onError: (error: unknown) => void): void {
    this.#count++;
    work.then(this.#leave, (error: unknown) => {
      try {
        onError(error);
      } catch {
        // A logger that throws must not end the process.
      }
      this.#leave();
    });
  }

  /** Resolves when all that is counted is done; asks it to come to an end. */
  async close(): Promise<void> {
    this.#abort.abort();
    while (this.#count > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }
}
