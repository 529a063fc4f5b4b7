import type { ServerResponse } from 'node:http';
import { framed, hidden, type Html, html, sendPage } from '../../../platform/html';
import { style } from './style';

const pages = [
  ['/', 'Overview'],
  ['/wire', 'Wire'],
  ['/faults', 'Faults and clock'],
  ['/books', 'Books and findings'],
] as const;

/** The path of a page in the navigation. */
export type PagePath = (typeof pages)[number][0];

/** The parts of a page other than its title and body. */
export interface Frame {
  readonly response: ServerResponse;
  /** Null for a page that is not in the navigation. */
  readonly here: PagePath | null;
  /** What the last form did, or why it could not. */
  readonly notice: {
    readonly text: string;
    readonly isError: boolean;
    /** Whether the text is an address to follow. */
    readonly isLink: boolean;
  } | null;
  /** Whether the page loads itself again. */
  readonly isLive: boolean;
}

/** Seconds between two loads of a live page. */
const liveEvery = 3;

/** Sends a page inside the frame that all share. */
export function sendFramed(frame: Frame, title: string, body: Html, status = 200): void {
  const { response, here, notice, isLive } = frame;
  const live =
    here === null
      ? null
      : isLive
        ? html`<a href="${here}">Stop refreshing</a>`
        : html`<a href="${here}?live=1">Refresh every ${liveEvery} seconds</a>`;
  const said =
    notice === null
      ? null
      : html`<p class="notice ${notice.isError ? 'bad' : 'good'}" role="status">${
          notice.isLink ? html`<a href="${notice.text}">${notice.text}</a>` : notice.text
        }</p>`;
  sendPage(response, status, {
    title: `${title}: rgs-wallet sandbox`,
    style,
    refreshAfter: isLive ? liveEvery : null,
    body: framed(
      { name: 'rgs-wallet sandbox', links: pages, here, beside: live },
      title,
      html`${said}${body}`,
    ),
  });
}

/** A button that posts hidden fields. */
export function button(
  action: string,
  label: string,
  fields: Readonly<Record<string, string | number>> = {},
): Html {
  return html`<form method="post" action="/do/${action}">${hidden(fields)}<button>${label}</button></form>`;
}

/** A link to the page of a round. */
export function roundLink(gameRound: string): Html {
  return html`<a href="/round?id=${encodeURIComponent(gameRound)}"><code>${shortened(gameRound)}</code></a>`;
}

/** An id that fits a table. */
export function shortened(id: string): string {
  return id.length > 20 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id;
}

/** A time without its date. */
export function timeOf(iso: string): string {
  return iso.slice(11, 23);
}
