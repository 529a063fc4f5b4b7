import type { Clock } from './clock';

/** Most lines a second. */
const linesPerSecond = 20;

/** How often those left out are counted in one line, in milliseconds. */
const countedEveryMs = 10_000;

/**
 * Bounds the lines about requests that nobody has signed: a stranger's 25 bytes would otherwise make 215 bytes of log, as
 * often as the stranger likes. Costs nothing until such a request comes.
 */
export class LineLimit {
  private second = Number.NaN;
  private written = 0;
  private leftOut = 0;

  /** @param tell Gets the number of lines that were left out, at most every ten seconds. */
  constructor(
    private readonly clock: Pick<Clock, 'monotonicMs' | 'after'>,
    private readonly tell: (leftOut: number) => void,
  ) {}

  /** Whether a line may be written now; otherwise it is counted as left out. */
  take(): boolean {
    const second = Math.floor(this.clock.monotonicMs() / 1000);
    if (second !== this.second) this.written = 0;
    this.second = second;
    if (this.written < linesPerSecond) {
      this.written += 1;
      return true;
    }
    if (this.leftOut === 0) this.clock.after(countedEveryMs, () => this.count(), 'background');
    this.leftOut += 1;
    return false;
  }

  private count(): void {
    const { leftOut } = this;
    this.leftOut = 0;
    this.tell(leftOut);
  }
}
