/** Colours of the terminal; without colours every text stays unchanged. */
export interface Style {
  readonly fault: (text: string) => string;
  readonly finding: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
}

const escape = '\u001b[';

/** Colours if a person reads at a terminal and did not set NO_COLOR to anything. */
export function styleFor(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Style {
  const { NO_COLOR: noColour = '', TERM: terminal } = environment;
  const isColoured = stream.isTTY === true && noColour === '' && terminal !== 'dumb';
  const paint = (code: number) => (text: string) =>
    isColoured && text !== '' ? `${escape}${code}m${text}${escape}0m` : text;
  return { fault: paint(33), finding: paint(35), bad: paint(31), dim: paint(2), good: paint(32) };
}
