import { isTime } from '../format';

/** The `at` of an event's line, without parsing it; null if it has no valid one. */
export function timeOfLine(line: Buffer): string | null {
  // Quotes within a text are escaped, so the first is a member's name; nested members come after the event's own.
  const at = line.indexOf(marker);
  if (at < 0) return null;
  const from = at + marker.length;
  const text = line.toString('latin1', from, from + timeLength);
  if (text === lastTime) return text;
  if (!isTime(text)) return null;
  return (lastTime = text);
}

const marker = Buffer.from('"at":"');
const timeLength = '2026-11-24T10:00:00.000Z'.length;
/** Events of one batch often share their time. */
let lastTime: string | null = null;
