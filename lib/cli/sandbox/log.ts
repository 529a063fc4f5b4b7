import type { Logger } from '../../platform';
import { messageOf, withoutControls } from '../terminal/failure';
import type { Style } from '../terminal/style';

/** A log for a person at a terminal: warnings and errors, a line each. */
export function terminalLog(print: (line: string) => void, style: Style): Logger {
  const write = (level: string) => (fields: object, message: string) => {
    const { err } = fields as { err?: unknown };
    const why = err === undefined ? '' : `: ${messageOf(err)}`;
    print(style.bad(`${level}: ${message}${withoutControls(why)}`));
  };
  return { info: () => {}, warn: write('warning'), error: write('error') };
}
