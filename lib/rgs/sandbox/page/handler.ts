import type { IncomingMessage, ServerResponse } from 'node:http';
import { html } from '../../../platform/html';
import {
  BodyRefusedError,
  originForm,
  pathOf,
  readBytes,
  type RequestListener,
} from '../../../platform/http';
import { callPage, wirePage } from './calls';
import { booksPage } from './comparison';
import { faultsPage } from './faults';
import { readForm } from './form';
import { type Frame, type PagePath, sendFramed } from './layout';
import { overview } from './overview';
import { roundPage } from './round';
import type { StateView } from '../view/state';
import type { PageSource } from './source';

const maxFormBytes = 16_384;

/**
 * The pages of a sandbox, without a script: every view is a GET, every button a form. Let only loopback and its
 * own origin through: the pages show players and move money of the sandbox.
 */
export function createPageHandler(source: PageSource): RequestListener {
  return (request, response) => {
    response.on('error', () => {});
    void answer(source, request, response).catch((error: unknown) => {
      if (response.headersSent) return void response.destroy();
      const frame = { response, here: null, notice: null, isLive: false };
      if (error instanceof BodyRefusedError) {
        return sendFramed(frame, 'Error', html`<p>The form is too large.</p>`, error.status);
      }
      sendFramed(
        frame,
        'Error',
        html`<p>The page could not be made. The log has the reason.</p>`,
        500,
      );
    });
  };
}

async function answer(
  source: PageSource,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = originForm(request.url ?? '/');
  const path = pathOf(target) || '/';
  if (request.method === 'POST' && path.startsWith('/do/')) {
    return act(source, path.slice('/do/'.length), request, response);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return missing(response, 405);
  const query = new URLSearchParams(target.split('?')[1] ?? '');
  await show(source, { path, query, response });
}

interface PageRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly response: ServerResponse;
}

async function show(source: PageSource, { path, query, response }: PageRequest): Promise<void> {
  const said = query.get('said');
  const isError = query.get('failed') === '1';
  const notice = said === null ? null : { text: said, isError, isLink: false };
  const isLive = query.get('live') === '1';
  const frame = (here: PagePath | null): Frame => ({ response, here, notice, isLive });
  switch (path) {
    case '/':
      return sendOverview(frame('/'), await source.state());
    case '/wire': {
      const { latest } = await source.wire(Number.MAX_SAFE_INTEGER);
      const view = await source.wire(Math.max(0, latest - 500));
      const filter = {
        line: query.get('line') ?? '',
        round: query.get('round') ?? '',
        status: query.get('status') ?? '',
      };
      return sendFramed(frame('/wire'), 'Wire', wirePage(view, filter));
    }
    case '/faults':
      return sendFramed(frame('/faults'), 'Faults and clock', faultsPage(await source.state()));
    case '/books': {
      const [books, { findings }] = await Promise.all([source.books(), source.findings()]);
      return sendFramed(frame('/books'), 'Books and findings', booksPage(books, findings));
    }
    case '/round': {
      const id = query.get('id') ?? '';
      const page = roundPage(await source.timeline(id));
      return sendFramed(frame(null), `Round ${id}`, page);
    }
    case '/call': {
      const n = Number(query.get('n') ?? '0');
      const view = await source.wire(n - 1);
      const call = view.calls.find((one) => one.n === n);
      if (call === undefined) return missing(response, 404);
      return sendFramed(frame(null), `Call ${n}: ${call.call}`, callPage(call));
    }
    default:
      return missing(response, 404);
  }
}

/** A launch URL is a link; an address of anything but a game would be anybody's who made the link to this page. */
function sendOverview(frame: Frame, state: StateView): void {
  const { notice } = frame;
  const isLink = notice !== null && state.games.some((game) => isLaunch(game, notice.text));
  const shown = notice === null ? null : { ...notice, isLink };
  sendFramed({ ...frame, notice: shown }, 'Overview', overview(state));
}

function isLaunch({ launchUrl }: StateView['games'][number], text: string): boolean {
  if (!URL.canParse(text)) return false;
  const [game, url] = [new URL(launchUrl), new URL(text)];
  return url.origin === game.origin && url.pathname === game.pathname;
}

/** Does what a form asks for, and leads back to the page that shows it. */
async function act(
  source: PageSource,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const bytes = await readBytes(request, maxFormBytes);
  const form = readForm(name, new URLSearchParams(Buffer.from(bytes).toString('utf8')));
  if (form === null) return missing(response, 404);
  let said: string | null;
  let isError = false;
  try {
    said = await source.act(form.action);
  } catch (error) {
    said = error instanceof Error ? error.message : String(error);
    isError = true;
  }
  const query = new URLSearchParams({ said: said ?? 'Done.', ...(isError ? { failed: '1' } : {}) });
  response.writeHead(303, {
    location: `${form.shownOn}?${query.toString()}`,
    'content-length': 0,
  });
  response.end();
}

function missing(response: ServerResponse, status: 404 | 405): void {
  const frame = { response, here: null, notice: null, isLive: false };
  sendFramed(
    frame,
    'Nothing here',
    html`<p>There is no such page. It may have left the ring of kept calls.</p>`,
    status,
  );
}
