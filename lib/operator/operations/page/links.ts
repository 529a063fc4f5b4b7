import { type Html, html, id } from '../../../platform/html';
import { isDay, ZoneDays } from '../../../platform/time/zone-days';
import { dayAfter, periodOf } from '../view/money/period';
import type { Reader } from './layout';

/** A relative link with its query: ids are never part of a path. */
export function linkTo(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(query).toString()}`;
}

interface PlayerIds {
  readonly operatorId: string;
  readonly playerId: string;
}

/** The link to a player's page, with what a form did. */
export function playerHref({ operatorId, playerId }: PlayerIds, did?: string): string {
  const query = { operator: operatorId, player: playerId };
  return linkTo('player', did === undefined ? query : { ...query, did });
}

/** The link to a player. */
export function playerLink(player: PlayerIds): Html {
  return html`<a href="${playerHref(player)}">${id(player.playerId)}</a>`;
}

interface RoundIds extends PlayerIds {
  readonly gameRound: string;
}

/** The link to a round's page, with what a form did. */
export function roundHref(round: RoundIds, did?: string): string {
  const { operatorId, playerId, gameRound } = round;
  const query = { operator: operatorId, player: playerId, round: gameRound };
  return linkTo('round', did === undefined ? query : { ...query, did });
}

/** The link to a round. */
export function roundLink(round: RoundIds): Html {
  return html`<a href="${roundHref(round)}">${id(round.gameRound)}</a>`;
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

/** Links to the files of a list for who may take them; else which right that needs. */
export function fileLinks(
  mayExport: boolean,
  name: string,
  query: Readonly<Record<string, string>>,
): Html {
  if (!mayExport) return html`<span class="dim">Files need the right export.</span>`;
  return html`<a class="btn" href="${linkTo(`${name}.csv`, query)}">CSV of all that fit</a><a class="btn" href="${linkTo(`${name}.jsonl`, query)}">JSON lines</a>`;
}

/** The link to the next page; nothing on the last page. */
export function nextLink(href: string | null, text: string): Html | null {
  return href === null ? null : html`<p><a href="${href}">${text}</a></p>`;
}

/** Attributes of a field for an id. */
export const idAttributes: Html = html`maxlength="256" autocomplete="off"`;

/** Attributes of a field for the reason of a person (D11.1). */
export const reasonAttributes: Html = html`required minlength="10" maxlength="500" autocomplete="off"`;

/** The label of that field. */
export const reasonLabel = 'Why, 10 to 500 characters';

/** The months of the books that are asked for most, each from its first to its last day. */
export function readyMonths({ asOf, booksZone }: Pick<Reader, 'asOf' | 'booksZone'>) {
  const now = monthOf(new ZoneDays(booksZone).dayOf(Date.parse(asOf)));
  return [
    ['This month', now],
    ['Last month', monthOf(dayAfter(now.from, -1))],
  ] as const;
}

function monthOf(day: string): { readonly from: string; readonly to: string } {
  const { first: from, last: to } = periodOf(day, 'month');
  return { from, to };
}

/** Attributes of a field for a day. A browser would empty one that holds a time, as a link may have it. */
export function dayAttributes(value = ''): Html {
  const type = value === '' || isDay(value) ? 'date' : 'text';
  return html`type="${type}" maxlength="40" value="${value}"`;
}
