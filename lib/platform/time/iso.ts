let latest: readonly [second: number, text: string] = [Number.NaN, ''];

/**
 * Milliseconds since 1970 as ISO 8601 in UTC. The text of the latest second is kept: all parts of a commit are in it, and most of
 * a page of events.
 */
export function timeText(at: number): string {
  const second = Math.floor(at / 1_000);
  if (second !== latest[0]) latest = [second, new Date(at).toISOString().slice(0, -4)];
  return `${latest[1]}${String(Math.floor(at) - second * 1_000).padStart(3, '0')}Z`;
}

/** The same, or null for no time. */
export function timeOrNull(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : timeText(at);
}
