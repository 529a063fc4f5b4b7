import type { Clock } from './clock';

/** Why work was stopped: its caller aborted it, or its time limit passed. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';

  constructor(readonly why: 'aborted' | 'attempt' | 'call') {
    super(why);
  }
}

/** A time limit for some work, which a signal may stop earlier. Call `end` when the work is done. */
export class TimeLimit {
  readonly #stop = new AbortController();
  readonly #end = new AbortController();

  constructor(
    clock: Pick<Clock, 'pause'>,
    ms: number,
    which: 'attempt' | 'call',
    parent?: AbortSignal,
  ) {
    const stopWithParent = () => {
      const reason: unknown = parent?.reason;
      this.#stop.abort(reason instanceof StoppedError ? reason : new StoppedError('aborted'));
    };
    if (parent?.aborted) stopWithParent();
    parent?.addEventListener('abort', stopWithParent, { signal: this.#end.signal });
    void clock.pause(ms, this.#end.signal).then(() => {
      if (!this.#end.signal.aborted) this.#stop.abort(new StoppedError(which));
    });
  }

  /** Aborts with a {@link StoppedError}. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** The work's result, or a rejection the moment it is stopped, even if the work ignores the signal. */
  async race<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = this.#stop;
    signal.throwIfAborted();
    const heard = new AbortController();
    const stopped = new Promise<never>((_, reject) => {
      const stop = () => reject(signal.reason as StoppedError);
      signal.addEventListener('abort', stop, { signal: heard.signal });
    });
    try {
      return await Promise.race([work(signal), stopped]);
    } finally {
      heard.abort();
    }
  }

  /** Releases the timer and the caller's signal. */
  end(): void {
    this.#end.abort();
  }
}
