import type { Exchange } from './exchange';

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
