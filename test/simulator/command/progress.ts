/** Milliseconds between two lines: on a terminal, where each overwrites the last; and elsewhere. */
const everyMs = { terminal: 500, file: 10_000 };

/** A line on stderr that says how far it is. */
export class Progress {
  private readonly isTerminal = process.stderr.isTTY;
  private shownAt = performance.now();

  constructor(private readonly isQuiet: boolean) {}

  /** Shows the text, if the last one stands long enough. */
  show(text: () => string): void {
    const { isTerminal } = this;
    const now = performance.now();
    if (this.isQuiet || now - this.shownAt < everyMs[isTerminal ? 'terminal' : 'file']) return;
    this.shownAt = now;
    process.stderr.write(isTerminal ? `\r\u001b[K${text()}` : `${text()}\n`);
  }

  /** Nothing is shown any more. */
  end(): void {
    if (!this.isQuiet && this.isTerminal) process.stderr.write('\r\u001b[K');
  }
}
