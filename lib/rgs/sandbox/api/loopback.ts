import type { IncomingMessage } from 'node:http';

/** `127.0.0.1`, all of 127.0.0.0/8, `[::1]` and `localhost`, with any port. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Why a request may not see or do anything here; null if it may. The Host must be loopback or a host that
 * was allowed, and the Origin absent or its own: otherwise a web page in the developer's browser could post
 * here, or read it by a name that it made to point to loopback.
 */
export function whyForeign(
  { headers, method }: IncomingMessage,
  allowedHosts: readonly string[],
): string | null {
  const { host = '', origin } = headers;
  if (!loopback.test(host) && !allowedHosts.includes(host)) {
    return 'The Host is not loopback: open the page as 127.0.0.1 or localhost.';
  }
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
    return 'The Origin is another site.';
  }
  // A browser may leave out the Origin, and no page can set this. A link to the page from another site is no harm.
  const site = headers['sec-fetch-site'];
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead && site !== undefined && site !== 'same-origin' && site !== 'none') {
    return 'The request comes from another site.';
  }
  return null;
}
