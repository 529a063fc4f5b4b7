import type { Exchange } from '../../client';
import { readableBody } from './body';
import { durationInWords } from './words';
import { visibleLine } from './visible';

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
