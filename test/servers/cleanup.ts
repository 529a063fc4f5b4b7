/** What can be closed in one way. */
type Closable =
  | { close(): unknown; stop?: never; end?: never }
  | { stop(): unknown; close?: never; end?: never }
  | { end(): unknown; close?: never; stop?: never };

/** Closes what a test opened, the latest first, whatever became of the test. */
export class Cleanup {
  readonly #closers: (() => unknown)[] = [];

  /** Notes how to close something, and hands it back: by its own `close`, `stop` or `end` unless said otherwise. */
  after<T extends Closable>(opened: T): T;
  after<T>(opened: T, close: (opened: T) => unknown): T;
  after<T>(opened: T, close: (opened: T) => unknown = closeIt): T {
    this.#closers.push(() => close(opened));
    return opened;
  }

  /** For afterEach. */
  async run(): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed()) await close();
  }
}

function closeIt(opened: unknown): unknown {
  const closable = opened as Closable;
  if (closable.close !== undefined) return closable.close();
  return closable.stop === undefined ? closable.end() : closable.stop();
}
