import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyRefusedError, cutUnreadBody, originForm, pathOf, sendJson } from '../../platform/http';
import { StoreUnavailableError } from '../wallet';
import type { OperationsSettings } from './configuration/options';
import { type Person, readPerson, type Right } from './configuration/person';
import { timesIn } from '../../platform/html';
import { formAgain } from './form-again';
import { type Live, liveOf } from './page/live';
import { faultPage, type Reader, sendFramed } from './page/layout';
import { FileSender } from './export/file-sender';
import { RequestFault } from './view/request';
import { routes } from './answers';
import { type Answer, isOwnPost, readForm, type Route } from './request';
import { forgetReads } from './view/query-store';
import { LastWaiting, type WaitingCount } from './view/waiting/count';
import { zoneCookie, zoneOf } from './zone-cookie';
import { scopeOf } from '../minutes/sample';

/** The pages of the wallet for the people who run it. Every answer is made for a person who may see it. */
export class Pages {
  private readonly files = new FileSender();
  private readonly waiting = new LastWaiting();

  constructor(private readonly settings: OperationsSettings) {}

  /** Whether the path is one of the page's. */
  knows(request: IncomingMessage): boolean {
    return routes.has(nameOf(request));
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => {});
    void this.answer(request, response).catch((error: unknown) => {
      this.settings.events.emit({ kind: 'endpointFailed', error });
      if (response.headersSent) response.destroy();
      else if (!response.destroyed) this.refuse(request, response, whenBroken);
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (lacksSlash(request)) {
      cutUnreadBody(request, response);
      // The dot keeps a name with a colon from being read as an address.
      return redirect(response, `./${lastPart(request)}/${searchOf(request)}`);
    }
    let person: Person | null = null;
    let asked: Asked | null = null;
    const { repairs } = this.waiting;
    try {
      if (request.method === 'POST' && !isOwnPost(request, this.settings.publicOrigin)) {
        throw new RequestFault(403, 'The form was not sent by this page.');
      }
      person = readPerson(await this.settings.authorize(request));
      checkRight(person, ['look']);
      asked = await this.read(request, person);
      const answer = await this.answerTo(asked, person);
      await this.send(request, response, person, answer, repairs);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) throw error;
      if (refusal.status === 503) this.settings.events.emit({ kind: 'endpointFailed', error });
      this.refuse(request, response, refusal, person, asked);
    }
  }

  private async read(request: IncomingMessage, person: Person): Promise<Asked> {
    const route = routes.get(nameOf(request));
    if (route === undefined) throw new RequestFault(404, 'There is no such page.');
    const isPost = request.method === 'POST';
    if (!isPost && request.method !== 'GET' && request.method !== 'HEAD') {
      throw new RequestFault(405, 'This page does not take the method.');
    }
    if (isPost !== route.isPost) throw new RequestFault(405, 'This page does not take the method.');
    if (route.rights !== undefined) checkRight(person, route.rights);
    return { route, fields: isPost ? await readForm(request) : queryOf(request) };
  }

  private async answerTo({ route, fields }: Asked, person: Person): Promise<Answer> {
    try {
      return await route.answer({ ...this.settings, fields, person });
    } finally {
      const { store, clock } = this.settings;
      if (route.repair !== undefined) forgetReads(store.lists);
      if (route.repair === 'made') this.waiting.forget(clock.now());
    }
  }

  private async send(
    request: IncomingMessage,
    response: ServerResponse,
    person: Person,
    answer: Answer,
    repairs: number,
  ): Promise<void> {
    guard(request, response);
    if (answer.kind === 'file') {
      return this.files.send(response, person, answer.file, this.settings.clock);
    }
    if (answer.kind === 'moved') {
      if (answer.zone !== undefined) response.setHeader('set-cookie', zoneCookie(answer.zone));
      return redirect(response, wantsJson(request) ? answer.to.replace('?', '.json?') : answer.to);
    }
    if (answer.waiting) this.waiting.note(answer.waiting, repairs);
    if (wantsJson(request)) {
      return sendJson(response, { status: answer.status, text: JSON.stringify(answer.json) });
    }
    const { status, here, page, notice = null } = answer;
    const reader = this.readerOf(request);
    const { operators } = this.settings;
    const live = liveIn(request, reader);
    const waiting = this.known();
    const json = jsonOf(request);
    const around = { waiting, here, person, operators, json, notice, reader, live };
    sendFramed(response, status, around, page(reader));
  }

  private known(): WaitingCount | null {
    const { calls, clock, operators } = this.settings;
    const sample = calls?.recorder.sample ?? null;
    const isOurs = sample?.scope === scopeOf(operators);
    return this.waiting.read(clock.now(), isOurs ? sample : null);
  }

  private readerOf({ headers }: IncomingMessage): Reader {
    const { timeZone, booksZone, clock } = this.settings;
    const times = timesIn(zoneOf(headers.cookie) ?? timeZone);
    return { times, booksZone, asOf: new Date(clock.now()).toISOString() };
  }

  private refuse(
    request: IncomingMessage,
    response: ServerResponse,
    { status, title, message, field = null }: Refusal,
    person: Person | null = null,
    asked: Asked | null = null,
  ): void {
    guard(request, response);
    if (status === 405) {
      response.setHeader(
        'allow',
        routes.get(nameOf(request))?.isPost === true ? 'POST' : 'GET, HEAD',
      );
    }
    if (wantsJson(request)) {
      return sendJson(response, { status, text: JSON.stringify({ error: message }) });
    }
    const { operators } = this.settings;
    const reader = this.readerOf(request);
    const again =
      asked === null || status === 403 || (status === 404 && nameOf(request) !== 'round')
        ? null
        : formAgain({
            path: nameOf(request),
            isPost: asked.route.isPost,
            fields: asked.fields,
            wrong: field,
            message,
          });
    // A page that its reader wants loaded again comes back by itself, once the store does.
    const live = status === 503 ? liveIn(request, reader) : null;
    const nothing = { here: null, json: null, notice: null };
    const around = { ...nothing, waiting: this.known(), person, operators, reader, live };
    sendFramed(response, status, around, faultPage(title, message, again));
  }
}

/** How often the reader wants the page again; null for a page that has no such choice. */
function liveIn(request: IncomingMessage, { asOf }: Reader): Live | null {
  const isLive = routes.get(nameOf(request))?.isLive === true;
  return isLive ? liveOf(queryOf(request), Date.parse(asOf)) : null;
}

/** What was asked for, once its fields are read. */
interface Asked {
  readonly route: Route;
  readonly fields: URLSearchParams;
}

interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  /** The field of a form that is wrong. */
  readonly field?: string | null;
}

const whenBroken: Refusal = {
  status: 500,
  title: 'Error',
  message: 'The page could not be made. The log has the reason.',
};

/** The refusal for an error of the request or the store; null for an internal error. */
function refusalOf(error: unknown): Refusal | null {
  if (error instanceof RequestFault) {
    const { status, message, field } = error;
    return { status, title: titles[status], message, field };
  }
  if (error instanceof StoreUnavailableError) {
    const message = 'The store does not answer, so its data cannot be shown now. Try again.';
    return { status: 503, title: 'No answer', message };
  }
  if (error instanceof BodyRefusedError) {
    return { status: error.status, title: 'Refused', message: error.detail };
  }
  return null;
}

const titles: Readonly<Record<RequestFault['status'], string>> = {
  400: 'Not understood',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Not possible',
  409: 'Refused',
  415: 'Not understood',
  501: 'Not possible',
};

/** @throws RequestFault unless the person has one of these rights. */
function checkRight(person: Person | null, rights: readonly Right[]): asserts person is Person {
  if (person === null) throw new RequestFault(403, 'You may not see this page.');
  if (rights.some((right) => person.may.includes(right))) return;
  throw new RequestFault(403, `You may not do this: it needs the right ${rights.join(' or ')}.`);
}

/** No other site may embed or probe a page, and unneeded bodies are not read. */
function guard(request: IncomingMessage, response: ServerResponse): void {
  cutUnreadBody(request, response);
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('x-content-type-options', 'nosniff');
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, 'content-length': 0, 'cache-control': 'no-store' });
  response.end();
}

/** The page's name: its path without the slash, and without `.json`. */
function nameOf(request: IncomingMessage): string {
  const path = pathOf(request.url ?? '/').replace(/^\//, '');
  return path.replace(/\.json$/, '');
}

function wantsJson(request: IncomingMessage): boolean {
  return pathOf(request.url ?? '/').endsWith('.json');
}

/** The link to the `.json` of this page. */
function jsonOf(request: IncomingMessage): string {
  return `${nameOf(request) || 'attention'}.json${searchOf(request)}`;
}

/** The query with its question mark, or an empty text. */
function searchOf({ url = '/' }: IncomingMessage): string {
  return originForm(url).slice(pathOf(url).length);
}

function queryOf(request: IncomingMessage): URLSearchParams {
  return new URLSearchParams(searchOf(request));
}

/** The target as the browser sent it: Express keeps it there, and cuts the mount path off the url. */
function targetOf(request: IncomingMessage & { readonly originalUrl?: unknown }): string {
  const { originalUrl, url = '/' } = request;
  return pathOf(typeof originalUrl === 'string' ? originalUrl : url);
}

/** Links are relative: without a slash at the end they would resolve outside the mount path. */
function lacksSlash(request: IncomingMessage): boolean {
  return nameOf(request) === '' && !wantsJson(request) && !targetOf(request).endsWith('/');
}

function lastPart(request: IncomingMessage): string {
  return targetOf(request).split('/').at(-1) ?? '';
}
