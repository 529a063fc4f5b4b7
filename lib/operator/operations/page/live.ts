import { chips, type Html, html } from '../../../platform/html';

/** Seconds between two loads that a reader can choose. */
const paces = ['10', '60'] as const;

/** A page that nobody looks at any more must not be loaded for ever, in milliseconds. */
const longestMs = 30 * 60_000;

/** A page that its reader wants loaded again. */
export interface Live {
  /** The next load; null for none. */
  readonly refresh: { readonly after: number; readonly to: string } | null;
  /** The choices, and whether it has ended. */
  readonly choice: Html;
}

/**
 * How often the reader wants this page again: `live=10` or `live=60`. It ends by itself after half an hour, at `until`, in
 * seconds since 1970. For lists and figures: what was typed into a form would be lost.
 */
export function liveOf(fields: URLSearchParams, now: number): Live {
  const live = paces.find((pace) => pace === fields.get('live')) ?? null;
  const given = fields.get('until') ?? '';
  const latest = Math.floor((now + longestMs) / 1000);
  const until = /^\d{1,11}$/.test(given) ? Math.min(Number(given), latest) : latest;
  const isOver = live !== null && until * 1000 <= now;
  const current = isOver ? null : live;
  const refresh =
    current === null
      ? null
      : { after: Number(current), to: linkWith(fields, { live: current, until: String(until) }) };
  const links = [
    [linkWith(fields, {}), 'Refresh off', current === null] as const,
    ...paces.map(
      (pace) => [linkWith(fields, { live: pace }), `${pace} s`, current === pace] as const,
    ),
  ];
  const ended = isOver
    ? html`<small role="status">Refreshing ended after 30 minutes.</small>`
    : null;
  return { refresh, choice: html`${chips('Refresh', links)}${ended}` };
}

/** This page, relative to itself, with the same query but for these fields. */
function linkWith(fields: URLSearchParams, more: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(fields);
  query.delete('live');
  query.delete('until');
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return `?${query.toString()}`;
}
