/** Passwords that are tried at once: each takes 32 MiB. */
const maxAtOnce = 2;

/** Most tries that wait: as many as the port has connections, so that each waits a few seconds at most. */
const maxWaiting = 64;

/**
 * Lets a few passwords be tried at once, in the order in which they came. The others wait rather than being
 * refused: otherwise a caller with names that nobody has could keep the few places busy, and everybody out.
 */
export class PasswordTurns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** Resolves to true once it is the try's turn, which ends with {@link leave}; to false if too many wait. */
  async enter(): Promise<boolean> {
    if (this.running < maxAtOnce) {
      this.running += 1;
      return true;
    }
    if (this.waiting.length >= maxWaiting) return false;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return true;
  }

  leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running -= 1;
    else next();
  }
}
