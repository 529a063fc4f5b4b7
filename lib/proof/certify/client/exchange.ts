/** One header of a request, to the byte: name and value. */
export type Header = readonly [name: string, value: string];

/** A request to the wallet, to the byte. */
export interface WalletRequest {
  readonly method: 'GET' | 'POST';
  /** Path with the query, appended to the wallet's address. */
  readonly path: string;
  /** In this order; a name may stand twice. Content-Length is added. */
  readonly headers: readonly Header[];
  /** Null if there is none. */
  readonly body: Uint8Array | null;
}

/** What came back. `ms` is the time from sending to the last byte, or to the end of the wait. */
export type WalletReply =
  | {
      readonly kind: 'reply';
      readonly status: number;
      /** By name in lower case; a header that came twice is joined. */
      readonly headers: Readonly<Record<string, string>>;
      /** At most `maxReplyBytes`. */
      readonly body: Buffer;
      readonly ms: number;
    }
  | { readonly kind: 'timeOut'; readonly ms: number }
  /** The connection failed, or ended before the reply was whole. */
  | { readonly kind: 'cut'; readonly why: string; readonly ms: number };

/** A request and what came of it. */
export interface Exchange {
  /** Address that the path was appended to. */
  readonly url: string;
  readonly request: WalletRequest;
  readonly reply: WalletReply;
  /** Set if no connection could be made: the wallet has not seen the request. */
  readonly isUnconnected?: true;
  /** Set if it was sent twice, since a kept connection was lost before a reply; the reply is that to the second one. */
  readonly isSentAgain?: true;
}

/** Longest reply that is read, in bytes: one that is longer counts as cut (W1). */
export const maxReplyBytes = 256 * 1024;

/** Longest body of a curl line, in bytes; a shell takes no longer ones. */
const maxBytes = 32 * 1024;

/**
 * The call as a curl line for a POSIX shell. It holds the signature, never the secret, so it is valid as long
 * as its timestamp is. Null where a line could not say the same bytes.
 */
export function curlOf({ url, request }: Exchange): string | null {
  const { method, path, headers, body } = request;
  const text = body === null ? '' : Buffer.from(body).toString('utf8');
  if (body !== null && !Buffer.from(text, 'utf8').equals(body)) return null;
  if (Buffer.byteLength(text) > maxBytes || text.includes('\0')) return null;
  const parts = ['curl -sS -i', `-X ${method}`];
  for (const [name, value] of headers) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== null) parts.push(`--data-binary ${quoted(text)}`);
  return [...parts, quoted(url.replace(/\/$/, '') + path)].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
