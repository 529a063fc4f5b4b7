/** Closes what a test opened, the latest first, whatever became of the test. */
export class Cleanup {
  readonly #closers: (() => unknown)[] = [];

  /** Notes how to close something, and hands it back. */
  after<T>(opened: T, close: (opened: T) => unknown): T {
    this.#closers.push(() => close(opened));
    return opened;
  }

  /** For afterEach. */
  async run(): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed()) await close();
  }
}
