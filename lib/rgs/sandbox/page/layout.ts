import type { ServerResponse } from 'node:http';
import { type Html, html, type HtmlPart, sendPage } from '../../../platform/html';
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
  /** The base path of the pages, such as `` or `/tools`. */
  readonly base: string;
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
  const { response, base, here, notice, isLive } = frame;
  const links = pages.map(([path, name]) =>
    path === here
      ? html`<a href="${base}${path}" aria-current="page">${name}</a>`
      : html`<a href="${base}${path}">${name}</a>`,
  );
  const live =
    here === null
      ? null
      : isLive
        ? html`<a href="${base}${here}">Stop refreshing</a>`
        : html`<a href="${base}${here}?live=1">Refresh every ${liveEvery} seconds</a>`;
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
    body: html`<header><strong>rgs-wallet sandbox</strong><nav aria-label="Pages">${links}</nav>${live}</header>
<main><h1>${title}</h1>${said}${body}</main>`,
  });
}

/** A section with a heading; `id` is its address on the page. */
export function section(id: string, title: string, body: HtmlPart): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`;
}

/**
 * A table, or its placeholder if there are no rows. Columns whose name begins with # hold numbers.
 * @param label Names the table for a screen reader.
 */
export function table(
  label: string,
  columns: readonly string[],
  rows: readonly (readonly HtmlPart[])[],
  unless: string,
): Html {
  if (rows.length === 0) return html`<p class="dim">${unless}</p>`;
  const isNumber = columns.map((name) => name.startsWith('#'));
  const heads = columns.map((name, at) =>
    isNumber[at] === true
      ? html`<th scope="col" class="n">${name.slice(1)}</th>`
      : html`<th scope="col">${name}</th>`,
  );
  const lines = rows.map((cells) => {
    const written = cells.map((cell, at) =>
      isNumber[at] === true ? html`<td class="n">${cell}</td>` : html`<td>${cell}</td>`,
    );
    return html`<tr>${written}</tr>`;
  });
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

/** A button that posts hidden fields. */
export function button(
  base: string,
  action: string,
  label: string,
  fields: Readonly<Record<string, string | number>> = {},
): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${base}/do/${action}">${hidden}<button>${label}</button></form>`;
}

/** A link to the page of a round. */
export function roundLink(base: string, gameRound: string): Html {
  return html`<a href="${base}/round?id=${encodeURIComponent(gameRound)}"><code>${shortened(gameRound)}</code></a>`;
}

/** An id that fits a table. */
export function shortened(id: string): string {
  return id.length > 20 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id;
}

/** A time without its date. */
export function timeOf(iso: string): string {
  return iso.slice(11, 23);
}
