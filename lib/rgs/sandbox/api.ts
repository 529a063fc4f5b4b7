import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Logger } from '../../platform';
import {
  BodyRefusedError,
  originForm,
  pathOf,
  readBytes,
  type RequestListener,
  sendJson,
} from '../../platform/http';
import { documentRoute } from '../../platform/http/documents';
import { JsonSyntaxError, parseJson } from '../../protocol/json/parse';
import { type Act, ActionRefusedError } from './actions';
import type { PageSource } from './page/source';
import type { FaultsView, StateView } from './view/state';
import type { TimelineView } from './view/wire';

/** `127.0.0.1`, all of 127.0.0.0/8, `[::1]` and `localhost`, with any port. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Why a request may not see or do anything here; null if it may. The Host must be loopback or a host that
 * was allowed, and the Origin absent or its own: otherwise a web page in the developer's browser could post
 * here, or read it by a name that it made to point to loopback.
 */
function whyForeign(
  { headers, method }: IncomingMessage,
  allowedHosts: readonly string[],
): string | null {
  const { host = '', origin } = headers;
  if (!loopback.test(host) && !allowedHosts.includes(host)) {
    return 'The Host is not loopback: open the page as 127.0.0.1 or localhost.';
  }
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
    return 'The Origin is another site.';
  }
  // A browser may leave out the Origin, and no page can set this. A link to the page from another site is no harm.
  const site = headers['sec-fetch-site'];
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead && site !== undefined && site !== 'same-origin' && site !== 'none') {
    return 'The request comes from another site.';
  }
  return null;
}

/** What the API shows and does, and who may see it. */
interface ApiParts {
  readonly source: Omit<PageSource, 'act'>;
  readonly act: Act;
  /** Answers everything that is not under /sandbox. */
  readonly page: RequestListener;
  readonly allowedHosts: readonly string[];
  readonly logger: Logger;
}

const base = '/sandbox/';
const description = documentRoute('sandbox');
const maxBytes = 65_536;

/**
 * The page of a sandbox and its API under /sandbox, which does what the page does: JSON over HTTP, for
 * loopback alone (F).
 */
export function createApiHandler(parts: ApiParts): RequestListener {
  return (request, response) => {
    response.on('error', () => {});
    const why = whyForeign(request, parts.allowedHosts);
    if (why !== null) return refuse(response, 403, why);
    const path = pathOf(request.url ?? '/');
    if (path === '/openapi.json') return description(request, response);
    if (!path.startsWith(base)) return parts.page(request, response);
    void answer(parts, request, response).catch((error: unknown) => {
      const status = statusOf(error);
      if (status === 500) parts.logger.error({ err: error }, 'the API of the sandbox failed');
      refuse(response, status, status === 500 ? 'The log has the reason.' : messageOf(error));
    });
  };
}

async function answer(
  { source, act }: ApiParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = originForm(request.url ?? '/');
  const path = pathOf(target).slice(base.length);
  const query = new URLSearchParams(target.split('?')[1] ?? '');
  const { method = 'GET' } = request;
  if (method === 'GET' || method === 'HEAD') {
    const view = await read(source, path, query);
    if (view === null) throw new ActionRefusedError('there is no such view', 404);
    return send(response, 200, view);
  }
  const bytes = Buffer.from(await readBytes(request, maxBytes));
  const body: unknown = bytes.byteLength === 0 ? {} : parseJson(bytes.toString('utf8')).value;
  const { json } = await act(method, path, body);
  send(response, 200, json);
}

async function read(
  source: ApiParts['source'],
  path: string,
  query: URLSearchParams,
): Promise<object | null> {
  switch (path) {
    case 'state':
      return source.state();
    case 'wire':
      return source.wire(numberOf(query.get('since') ?? '0'));
    case 'round':
      return known(await source.timeline(query.get('id') ?? ''));
    case 'books':
      return source.books();
    case 'findings':
      return source.findings();
    case 'faults':
      return faultsOf(await source.state());
    default:
      return null;
  }
}

function faultsOf({ faults }: StateView): FaultsView {
  return { faults };
}

/** @throws ActionRefusedError for a round that nothing is kept of. */
function known(timeline: TimelineView): TimelineView {
  if (timeline.round !== null || timeline.steps.length > 0) return timeline;
  throw new ActionRefusedError('there is no such round', 404);
}

function numberOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new ActionRefusedError('since must be a whole number');
  return Number(text);
}

function statusOf(error: unknown): number {
  if (error instanceof ActionRefusedError || error instanceof BodyRefusedError) return error.status;
  return error instanceof JsonSyntaxError ? 400 : 500;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function refuse(response: ServerResponse, status: number, error: string): void {
  send(response, status, { error });
}

function send(response: ServerResponse, status: number, value: object): void {
  sendJson(response, { status, text: JSON.stringify(value) });
}
