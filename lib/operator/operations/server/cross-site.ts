import type { IncomingMessage } from 'node:http';

/**
 * Whether a form was posted by one of our own pages. Cookies, basic auth and client certificates are sent
 * with a post of any site, so they prove nothing here. A browser says where a request comes from by
 * Sec-Fetch-Site, which no page can set; over plain http it does so for localhost alone, and sends Origin. A
 * request with neither is refused.
 * @param publicOrigin The origin in the address bar; null if it is the Host's.
 */
export function isOwnPost({ headers }: IncomingMessage, publicOrigin: string | null): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined) return false;
  if (publicOrigin !== null) return origin === publicOrigin;
  if (host === undefined || host === '') return false;
  const hostOfUs = host.toLowerCase();
  return origin === `http://${hostOfUs}` || origin === `https://${hostOfUs}`;
}
