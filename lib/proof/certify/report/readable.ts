import { parseJson } from '../../../protocol/json/parse';
import type { Exchange } from '../client';
import { durationInWords } from './words';

/** A body for a reader. */
interface ReadableBody {
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
function readableBody(body: Uint8Array | null): ReadableBody {
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

/** A message of HTTP for a reader. */
export interface ReadableMessage {
  /** `POST https://wallet/doTransactions`, or `400 after 12 ms`. */
  readonly line: string;
  /** `name: value` each. */
  readonly headers: readonly string[];
  readonly body: string;
  readonly note: string | null;
}

/** The request to the wallet. */
export function readableRequest({ url, request }: Exchange): ReadableMessage {
  const { text, note } = readableBody(request.body);
  const headers = request.headers.map(([name, value]) => visibleLine(`${name}: ${value}`));
  const line = visibleLine(`${request.method} ${url.replace(/\/$/, '')}${request.path}`);
  return { line, headers, body: text, note };
}

/** What came of it. */
export function readableReply({ reply }: Exchange): ReadableMessage {
  const after = durationInWords(reply.ms);
  const nothing = { headers: [], body: '', note: null };
  if (reply.kind === 'timeOut') return { ...nothing, line: `no reply within ${after}` };
  if (reply.kind === 'cut') {
    return { ...nothing, line: visibleLine(`no whole reply after ${after}: ${reply.why}`) };
  }
  const { text, note } = readableBody(reply.body);
  const headers = Object.entries(reply.headers).map(([name, value]) =>
    visibleLine(`${name}: ${value}`),
  );
  return { line: `${reply.status} after ${after}`, headers, body: text, note };
}

/** A message as plain text. */
export function messageText({ line, headers, body, note }: ReadableMessage): string {
  const remark = note === null ? '' : `\n(${note})`;
  return `${[line, ...headers].join('\n')}${body === '' ? '' : `\n\n${body}`}${remark}`;
}

/** Controls, format characters such as a change of direction, halves of a pair, and what XML forbids. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu;

/**
 * A text with every character that does not show, or that changes how others show, written as `[U+001B]`. Ends
 * of lines and tabs remain. What is left can stand in a terminal, in XML and in HTML once it is escaped.
 */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(invisible, (character) => {
    if (character === '\n' || character === '\t') return character;
    const code = character.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

/** The same in one line. */
export function visibleLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}

/** A curl line, if it can be copied from a report; null if it holds characters that do not show. */
export function shownCurl(curl: string | null): string | null {
  return curl === null || visible(curl) !== curl ? null : curl;
}

/** A text in one line, with a capital at its beginning and a full stop at its end. */
export function sentence(text: string): string {
  const line = visibleLine(text);
  return line.charAt(0).toUpperCase() + line.slice(1) + (/[.!?…]$/.test(line) ? '' : '.');
}
