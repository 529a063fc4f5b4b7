import type { ServerResponse } from 'node:http';
import {
  count,
  frame,
  type Html,
  html,
  type HtmlPart,
  head,
  id,
  type NavLink,
  sendPage,
  sheet,
  verdict,
  type ZonedTimes,
} from '../../../platform/html';
import type { Person } from '../configuration/person';
import type { WaitingCount } from '../view/waiting/count';
import type { Live } from './live';

/** The pages in the navigation. Links are relative: the router may be mounted anywhere, behind any proxy. */
const pages = [
  ['./', 'Overview'],
  ['waiting', 'Waiting'],
  ['repairs', 'Repairs'],
  ['money', 'Money'],
  ['history', 'History'],
  ['changes', 'Changes'],
  ['reconciliation', 'Reconciliation'],
  ['system', 'System'],
] as const;

/** The link of a page in the navigation. */
export type Here = (typeof pages)[number][0];

/** What is around a page. */
interface Frame {
  /** How many rounds wait for a person; null if it is not known. */
  readonly waiting: WaitingCount | null;
  /** Null for a page that is not in the navigation. */
  readonly here: Here | null;
  /** The person who is signed in; null on the page of a refusal. */
  readonly person: Person | null;
  readonly operators: readonly string[];
  /** The `.json` of this page; null if there is none. */
  readonly json: string | null;
  /** What a form did. */
  readonly notice: Html | null;
  readonly reader: Reader;
  /** How often it is loaded again; null for a page that has no such choice. */
  readonly live: Live | null;
}

/** Who reads: times are written in the zone of the reader, and a day is one of the zone of the books. */
export interface Reader {
  readonly times: ZonedTimes;
  readonly booksZone: string;
  /** The time of the page: ISO 8601, UTC. */
  readonly asOf: string;
}

/** The head of a column of times. */
export function inZone(name: string, { times }: Reader): string {
  return `${name}, ${times.zone}`;
}

/** A page without its frame. */
export interface PageBody {
  readonly title: string;
  /** The heading, where it is not the title. */
  readonly heading?: HtmlPart;
  /** Where it is: links above the heading. */
  readonly crumb?: HtmlPart;
  /** What it is about, below the heading. */
  readonly below?: HtmlPart;
  /** What can be done, beside the heading. */
  readonly tools?: HtmlPart;
  readonly body: Html;
}

/** Sends a page inside the frame that all share. */
export function sendFramed(
  response: ServerResponse,
  status: number,
  { waiting, here, person, operators, json, notice, reader, live }: Frame,
  page: PageBody,
): void {
  const { title, heading = title, body, ...rest } = page;
  const above = { ...rest, tools: live === null ? rest.tools : html`${rest.tools}${live.choice}` };
  const { after: refreshAfter = null, to } = live?.refresh ?? {};
  const [only] = operators;
  const around = {
    product: 'Wallet',
    owner:
      person !== null && operators.length === 1 && only !== undefined ? id(only) : 'operations',
    links: person === null ? [] : linksWith(waiting, reader),
    here,
    search: person === null ? null : 'search',
    person: person === null ? null : whoOf(person, reader),
    footer: [
      html`As of ${reader.times.day(reader.asOf)}, ${reader.times.zone}`,
      ...(json === null ? [] : [html`<a href="${json}">This page as JSON</a>`]),
    ],
  };
  sendPage(response, status, {
    title: `${title}: wallet operations`,
    style: sheet,
    refreshAfter,
    ...(to === undefined ? {} : { refreshTo: to }),
    body: frame(around, html`${head(heading, above)}${notice}${body}`),
  });
}

/** The navigation. */
function linksWith(known: WaitingCount | null, { times }: Reader): NavLink[] {
  const at = known === null ? '' : new Date(known.at).toISOString();
  const waiting =
    known === null || known.total === 0
      ? null
      : {
          count: `${known.isWhole ? '' : 'more than '}${count(known.total)}`,
          asOf: `counted at ${times.minute(at)}`,
        };
  return pages.map(([href, name]) =>
    href === 'waiting' ? { href, name, waiting } : { href, name },
  );
}

/** The name, with the zone of the times, which the reader can change. */
function whoOf(person: Person, { times }: Reader): Html {
  return html`${id(person.name ?? person.id)} · <a href="person">${times.zone}</a>`;
}

/** Why a page cannot be shown. */
export function faultPage(title: string, message: string, again: Html | null = null): PageBody {
  const sentence = verdict({ tone: 'bad', title: message, text: null, isAlert: true });
  return { title, body: html`${sentence}${again}` };
}
