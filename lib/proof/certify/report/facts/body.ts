import { parseJson } from '../../../../protocol/json';
import { visible } from './visible';

/** A body for a reader. */
export interface ReadableBody {
  readonly text: string;
  /** What the text does not show of the bytes; null if nothing. */
  readonly note: string | null;
}

/** Characters of a body that are shown. */
export const maxShown = 4096;

/**
 * A body to be read: JSON is indented, its numbers and strings unchanged; what cannot be shown is written as a
 * code, and a long body is cut.
 */
export function readableBody(body: Uint8Array | null): ReadableBody {
  if (body === null || body.byteLength === 0) return { text: '', note: 'no body' };
  const bytes = Buffer.from(body);
  const decoded = bytes.toString('utf8');
  const isText = Buffer.from(decoded).equals(bytes);
  const text = visible(indented(decoded));
  const notes = [
    ...(isText ? [] : ['not UTF-8: wrong bytes are shown as \u{FFFD}']),
    ...(text.length > maxShown ? [`cut; the body has ${bytes.byteLength} bytes`] : []),
  ];
  return { text: cut(text), note: notes.length === 0 ? null : notes.join('; ') };
}

function cut(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown).toWellFormed()}…`;
}

/** JSON with a member a line; any other text unchanged. */
function indented(text: string): string {
  try {
    parseJson(text);
  } catch {
    return text;
  }
  let written = '';
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === '{' || token === '[') written += token + newLine(++depth);
    else if (token === '}' || token === ']') written += newLine(--depth) + token;
    else if (token === ',') written += token + newLine(depth);
    else if (token === ':') written += ': ';
    else written += /^[{[]/.test(token) ? token.replace(/\s/g, '') : token;
  }
  return written;
}

function newLine(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}
