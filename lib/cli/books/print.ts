import { withoutControls } from '../terminal/failure';

/** Prints lines without characters that control a terminal. */
export function print(text: string): void {
  const lines = text.split('\n').map(withoutControls);
  process.stdout.write(`${lines.join('\n')}\n`);
}
