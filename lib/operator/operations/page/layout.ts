import type { ServerResponse } from 'node:http';
import { type Html, html, type HtmlPart, sendPage } from '../../../platform/html';
import type { PurseJson, RoundJson } from '../../wallet';
import type { Person } from '../configuration';
import { style } from './style';

/** The pages in the navigation. Links are relative: the router may be mounted anywhere, behind any proxy. */
const pages = [
  ['./', 'Attention'],
  ['repairs', 'Repairs'],
  ['search', 'Search'],
] as const;

/** The link of a page in the navigation. */
export type Here = (typeof pages)[number][0];

/** The parts of a page other than its title and body. */
export interface Frame {
  /** Null for a page that is not in the navigation. */
  readonly here: Here | null;
  /** The person who is signed in; null on the page of a refusal. */
  readonly person: Person | null;
  /** The `.json` of this page; null if there is none. */
  readonly json: string | null;
  /** What a form did. */
  readonly notice: Html | null;
}

/** A page without its frame. */
export interface PageBody {
  readonly title: string;
  readonly body: Html;
}

/** Sends a page inside the frame that all share. */
export function sendFramed(
  response: ServerResponse,
  status: number,
  { here, person, json, notice }: Frame,
  { title, body }: PageBody,
): void {
  const links = pages.map(([path, name]) =>
    path === here
      ? html`<a href="${path}" aria-current="page">${name}</a>`
      : html`<a href="${path}">${name}</a>`,
  );
  const who =
    person === null ? null : html`<span class="dim">${id(person.name ?? person.id)}</span>`;
  sendPage(response, status, {
    title: `${title}: wallet operations`,
    style,
    refreshAfter: null,
    body: html`<header><strong>Wallet operations</strong>${person === null ? null : html`<nav aria-label="Pages">${links}</nav>`}${who}</header>
<main><h1>${title}</h1>${notice}${body}${json === null ? null : html`<p class="dim"><a href="${json}">This page as JSON</a></p>`}</main>`,
  });
}

/** A section with a heading; `anchor` is its address on the page. */
export function section(anchor: string, title: string, body: HtmlPart): Html {
  return html`<section aria-labelledby="${anchor}"><h2 id="${anchor}">${title}</h2>${body}</section>`;
}

/** What a table shows. Columns whose name begins with # hold numbers. */
export interface Table {
  /** Names the table for a screen reader. */
  readonly label: string;
  readonly columns: readonly string[];
  /** Rows that belong together: a line is drawn between two groups. */
  readonly groups: readonly (readonly (readonly HtmlPart[])[])[];
  /** Placeholder if there are no rows. */
  readonly unless: string;
}

/** A table that scrolls by itself where it is too wide for the screen. */
export function table({ label, columns, groups, unless }: Table): Html {
  if (groups.length === 0) return html`<p class="dim">${unless}</p>`;
  const isNumber = columns.map((name) => name.startsWith('#'));
  const heads = columns.map((name, at) =>
    isNumber[at] === true
      ? html`<th scope="col" class="n">${name.slice(1)}</th>`
      : html`<th scope="col">${name}</th>`,
  );
  const row = (cells: readonly HtmlPart[]): Html => {
    const written = cells.map((cell, at) =>
      isNumber[at] === true ? html`<td class="n">${cell}</td>` : html`<td>${cell}</td>`,
    );
    return html`<tr>${written}</tr>`;
  };
  const bodies = groups.map((rows) => html`<tbody>${rows.map(row)}</tbody>`);
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>${heads}</tr></thead>${bodies}</table></div>`;
}

/** Names and values. */
export function facts(rows: readonly (readonly [string, HtmlPart])[]): Html {
  return html`<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** An id: it may be written in either direction, and must not turn the text around it. */
export function id(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** Both balances: the bonus only if it is not zero. */
export function purse({ real, bonus }: PurseJson): Html {
  return bonus === '0' ? html`${real}` : html`${real} and bonus ${bonus}`;
}

/** What a round gave, its own money first; that is named by `own`, and what people paid in others by its currency. */
export function given({ currency, credits, otherCredits = [] }: Given, own: string): Html {
  const others = otherCredits.map((one) => html`${purse(one)} ${one.currency}`);
  const isOwnEmpty = currency === null && others.length > 0;
  const [first, ...more] = isOwnEmpty ? others : [html`${purse(credits)}${own}`, ...others];
  return html`${first}${more.map((one) => html` and ${one}`)}`;
}

type Given = Pick<RoundJson, 'currency' | 'credits' | 'otherCredits'>;

/** A relative link with its query: ids are never part of a path. */
export function linkTo(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(query).toString()}`;
}

/** The link to a player. */
export function playerLink(player: { operatorId: string; playerId: string }): Html {
  const { operatorId, playerId } = player;
  return html`<a href="${linkTo('player', { operator: operatorId, player: playerId })}">${id(playerId)}</a>`;
}

interface RoundIds {
  readonly operatorId: string;
  readonly playerId: string;
  readonly gameRound: string;
}

/** The link to a round. */
export function roundLink(round: RoundIds): Html {
  return html`<a href="${roundHref(round)}">${id(round.gameRound)}</a>`;
}

/** A number of things, by the name of one: `1 hour`, `72 hours`. */
export function counted(number: number, name: string): string {
  return `${number} ${name}${number === 1 ? '' : 's'}`;
}

/** A time for a person, in UTC; the milliseconds are in its attribute. */
export function timeOf(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)}</time>`;
}

/** How long ago a time was, in its two largest parts: `3 h 12 min`. */
export function ageOf(iso: string, asOf: string): string {
  const minutes = Math.max(0, Math.floor((Date.parse(asOf) - Date.parse(iso)) / 60_000));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min` : 'under a minute';
}

/** How long ago a time was, for one that may be seconds: `4 s ago`. */
export function agoOf(iso: string, asOf: string): string {
  const seconds = Math.max(0, Math.floor((Date.parse(asOf) - Date.parse(iso)) / 1000));
  return seconds < 60 ? `${seconds} s ago` : `${ageOf(iso, asOf)} ago`;
}

/** The link to a round's page, with what a form did. */
export function roundHref(round: RoundIds, did?: string): string {
  const { operatorId, playerId, gameRound } = round;
  const query = { operator: operatorId, player: playerId, round: gameRound };
  return linkTo('round', did === undefined ? query : { ...query, did });
}
