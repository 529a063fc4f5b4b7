import type { ServerResponse } from 'node:http';
import { framed, type Html, html, sendPage } from '../../../platform/html';
import type { Actor, PurseJson, RoundJson } from '../../wallet';
import type { Person } from '../configuration/person';
import { style } from './style';
import type { RoundState } from '../../gameround';

/** The pages in the navigation. Links are relative: the router may be mounted anywhere, behind any proxy. */
const pages = [
  ['./', 'Attention'],
  ['repairs', 'Repairs'],
  ['changes', 'Changes'],
  ['reconciliation', 'Reconciliation'],
  ['search', 'Search'],
] as const;

/** The link of a page in the navigation. */
export type Here = (typeof pages)[number][0];

/** The parts of a page other than its title and body. */
interface Frame {
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
  const who =
    person === null ? null : html`<span class="dim">${id(person.name ?? person.id)}</span>`;
  const content = html`${notice}${body}${json === null ? null : html`<p class="dim"><a href="${json}">This page as JSON</a></p>`}`;
  const links = person === null ? [] : pages;
  sendPage(response, status, {
    title: `${title}: wallet operations`,
    style,
    refreshAfter: null,
    body: framed({ name: 'Wallet operations', links, here, beside: who }, title, content),
  });
}

/** An id: it may be written in either direction, and must not turn the text around it. */
export function id(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** Who did something. The id is what counts: two people may have one name. */
export function nameOf(by: Actor | null): Html | string {
  if (by === null) return 'a program';
  return by.name === null ? id(by.id) : html`${id(by.name)} (${id(by.id)})`;
}

/** Both balances: the bonus only if it is not zero. */
export function purse({ real, bonus }: PurseJson): Html {
  return bonus === '0' ? html`${real}` : html`${real} and bonus ${bonus}`;
}

/** What a round gave: in its own currency, named by `own`, then what people paid in others, named by currency. */
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

/** Which operator a page is of, with links to the others; nothing if there is one. */
export function operatorLinks(
  path: string,
  operatorId: string,
  operators: readonly string[],
): Html | null {
  const others = operators.filter((one) => one !== operatorId);
  const links = others.map(
    (one) => html` <a href="${linkTo(path, { operator: one })}">${id(one)}</a>`,
  );
  return others.length === 0
    ? null
    : html`<p>Of the operator ${id(operatorId)}. Others:${links}</p>`;
}

/** The link to the next page; nothing on the last page. */
export function nextLink(href: string | null, text: string): Html | null {
  return href === null ? null : html`<p><a href="${href}">${text}</a></p>`;
}

/** Attributes of a field for an id. */
export const idAttributes: Html = html`maxlength="256" autocomplete="off"`;

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

/** The same for a time that may be seconds ago: `4 s ago`. */
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

/** What each state means for a person. */
const names: Readonly<Record<RoundState, string>> = {
  none: 'never started',
  open: 'open',
  closed: 'closed',
  cancelled: 'cancelled: waits for the void',
  voided: 'voided',
  stranded: 'stranded: a credit was refused for good',
  crashed: 'crashed: a later credit was refused for good',
};

/** A state in words. */
export function nameOfState(state: RoundState): string {
  return names[state];
}

/** Why a page cannot be shown. */
export function faultPage(title: string, message: string): PageBody {
  return { title, body: html`<p class="notice bad" role="alert">${message}</p>` };
}
