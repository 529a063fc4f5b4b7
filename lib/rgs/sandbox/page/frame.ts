import type { ServerResponse } from 'node:http';
import {
  frame,
  head,
  hidden,
  type Html,
  html,
  type HtmlPart,
  ofTexts,
  sendPage,
  sheet,
  stackedTable,
  timesIn,
} from '../../../platform/html';
import type { StateView } from '../view/state';

const links = [
  { href: '/', name: 'Overview' },
  { href: '/wire', name: 'Wire' },
  { href: '/faults', name: 'Faults and clock' },
  { href: '/books', name: 'Books and findings' },
] as const;

/** The path of a page in the navigation. */
type PagePath = (typeof links)[number]['href'];

/** What the last form did, or why it could not. */
export interface Notice {
  readonly text: string;
  readonly isError: boolean;
  /** Whether the text is an address to follow. */
  readonly isLink: boolean;
}

/** The parts of a page other than its content. */
export interface Frame {
  readonly response: ServerResponse;
  /** Null for a page that is not in the navigation. */
  readonly here: PagePath | null;
  readonly notice: Notice | null;
  /** Whether the page loads itself again. */
  readonly isLive: boolean;
  /** Null if it could not be read. */
  readonly state: Pick<StateView, 'now' | 'aheadMs' | 'seed' | 'findings'> | null;
  /** The path of this page's JSON under /sandbox, or null. */
  readonly json: string | null;
}

/** The content of a page below its name. */
export interface Content {
  readonly title: string;
  /** The heading; the title unless given. */
  readonly heading?: HtmlPart;
  /** In small below the heading. */
  readonly about?: HtmlPart;
  readonly crumb?: HtmlPart;
  readonly body: HtmlPart;
}

/** Seconds between two loads of a live page. */
const liveEvery = 3;

/** Pages without a field, which a load would empty. */
const mayBeLive: readonly (PagePath | null)[] = ['/', '/wire'];

/** The clocks of the sandbox are shown in UTC, as the command prints them. */
export const times = timesIn('UTC');

/** Sends a page inside the frame that all share. */
export function sendFramed(around: Frame, content: Content, status = 200): void {
  const { response, here, notice, isLive, state, json } = around;
  const { title, heading = title, about = null, crumb, body } = content;
  const isLoadedAgain = isLive && mayBeLive.includes(here);
  const product = 'RGS sandbox';
  const footer = [
    state === null ? null : html`As of ${times.day(state.now)}, UTC`,
    json === null ? null : html`<a href="/sandbox/${json}">This page as JSON</a>`,
    state === null ? null : html`<a href="/books#findings">Findings: ${state.findings}</a>`,
    'rgs-wallet-kit',
  ].filter((one) => one !== null);
  const named = head(heading, { below: about, ...(crumb === undefined ? {} : { crumb }) });
  sendPage(response, status, {
    title: `${title}: ${product}`,
    style: sheet,
    refreshAfter: isLoadedAgain ? liveEvery : null,
    body: frame(
      {
        product,
        owner: state === null ? 'for development' : `seed ${state.seed}`,
        links,
        here,
        search: null,
        person: [state === null ? null : clockOf(state), liveLink(here, isLive)],
        footer,
      },
      html`${said(notice)}${named}${body}`,
    ),
  });
}

function clockOf({ now, aheadMs }: NonNullable<Frame['state']>): Html {
  return html`clock ${times.day(now)}${aheadMs === 0 ? null : `, ${aheadOf(aheadMs)}`}`;
}

/** How far the service's clock is ahead, in words. */
export function aheadOf(ms: number): string {
  if (ms === 0) return 'which is real time';
  const minutes = Math.round(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  return `${hours === 0 ? '' : `${hours} h `}${minutes % 60} min ahead of real time`;
}

function liveLink(here: PagePath | null, isLive: boolean): Html | null {
  if (here === null || !mayBeLive.includes(here)) return null;
  if (isLive) return html` · <a href="${here}">stop refreshing</a>`;
  return html` · <a href="${here}?live=1">refresh every ${liveEvery} s</a>`;
}

function said(notice: Notice | null): Html | null {
  if (notice === null) return null;
  const { text, isError, isLink } = notice;
  const kind = isError || text.endsWith('\nNOT OK') ? 'bad' : 'good';
  if (isLink) {
    return html`<div class="state good" role="status"><span>The game is ready: <a href="${text}">${text}</a></span></div>`;
  }
  if (!text.includes('\n')) {
    return html`<div class="state ${kind}" role="status"><span>${text}</span></div>`;
  }
  return html`<div class="state ${kind}" role="status"><p>${text.split('\n').map((line) => html`${line}<br>`)}</p></div>
<p class="dim">Amounts in these lines are those of the wire: 100 is 1.00.</p>`;
}

/** A button that posts hidden fields. `name` is what a screen reader says, where the label alone is not clear. */
export function button(
  action: string,
  label: string,
  fields: Readonly<Record<string, string | number>> = {},
  {
    name = null,
    isMain = false,
  }: { readonly name?: string | null; readonly isMain?: boolean } = {},
): Html {
  const called = name === null ? null : html` aria-label="${name}"`;
  const kind = isMain ? html` class="main"` : null;
  return html`<form method="post" action="/do/${action}">${hidden(fields)}<button${kind}${called}>${label}</button></form>`;
}

/** A link to the page of a round. */
export function roundLink(gameRound: string): Html {
  return html`<a href="/round?id=${encodeURIComponent(gameRound)}"><bdi>${shortened(gameRound)}</bdi></a>`;
}

/** An id that fits a table. */
export function shortened(id: string): string {
  const characters = Array.from(id);
  if (characters.length <= 20) return id;
  return `${characters.slice(0, 8).join('')}…${characters.slice(-6).join('')}`;
}

/** A table whose rows are lists of values on a narrow screen. */
export function listed(...given: Parameters<typeof stackedTable>): Html {
  return ofTexts(stackedTable(...given));
}

/** How many rows of all a list shows; null if it shows all. */
export function coverage(shown: number, all: number, name: string): Html | null {
  return shown === all ? null : html`<small>${shown} of ${all} ${name}</small>`;
}
