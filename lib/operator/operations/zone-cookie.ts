import { isZone } from '../../platform/html';

/** How long a browser keeps the zone, in seconds: a year. */
const keptSeconds = 31_536_000;

/** The cookie that keeps the zone of a reader's times, for the pages of this router alone. */
export function zoneCookie(zone: string): string {
  return `zone=${encodeURIComponent(zone)}; Max-Age=${keptSeconds}; HttpOnly; SameSite=Strict`;
}

/** The zone that a reader has kept; null for none, and for what is not a zone. */
export function zoneOf(cookies: string | undefined): string | null {
  const [, text = ''] = /(?:^|;\s*)zone=([\w%/+-]{1,100})(?:;|$)/.exec(cookies ?? '') ?? [];
  const zone = decoded(text);
  return isZone(zone) ? zone : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
