import { setMaxListeners } from 'node:events';

/** Work that goes on after its call was answered, and that closing waits for. */
export class Background {
  readonly #works = new Set<Promise<void>>();
  readonly #abort = new AbortController();

  constructor() {
    // Each work that waits listens to the one signal, and while a store is down they are many.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Aborts once closing has begun. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Keeps hold of a work until it is done; a failure goes to `onError`. */
  add(work: Promise<unknown>, onError: (error: unknown) => void): void {
    const held: Promise<void> = work
      .then(() => {}, onError)
      .catch(() => {})
      .finally(() => this.#works.delete(held));
    this.#works.add(held);
  }

  /** Resolves when all that is held is done; asks it to come to an end. */
  async close(): Promise<void> {
    this.#abort.abort();
    while (this.#works.size > 0) await Promise.all(this.#works);
  }
}
