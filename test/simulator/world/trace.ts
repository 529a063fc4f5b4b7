// Taken once: where globals are looked up by interceptors, as under a test runner, that is most of the time.
const { imul } = Math;

/**
 * What happened in a world, in its order: as a hash of 64 bits, and as lines for who wants them. Two runs with
 * the same hash are the same run. The hash is of the words of each event, so that no line is built for it.
 */
export class Trace {
  private low = 0x811c9dc5;
  private high = 0x9e3779b9;

  constructor(private readonly onLine: ((line: string) => void) | null = null) {}

  /** An event: its time, its words, and its line. */
  add(now: number, words: readonly (string | number)[], line: () => string): void {
    this.mix(now);
    for (const word of words) {
      if (typeof word === 'number') this.mix(word);
      else this.mixText(word);
    }
    this.onLine?.(line());
  }

  /** 16 hexadecimal digits. */
  get hash(): string {
    return [this.low, this.high].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
  }

  private mixText(text: string): void {
    this.mix(text.length);
    for (let at = 0; at < text.length; at++) this.mix(text.charCodeAt(at));
  }

  /** Numbers beyond 32 bits are cut: of money and time, far below that, none is. */
  private mix(value: number): void {
    const { high } = this;
    this.low = imul(this.low ^ value, 0x01000193) ^ (this.low >>> 13);
    this.high = imul(high ^ (value + 0x7f4a7c15), 0x85ebca6b) ^ (high >>> 15);
  }
}
