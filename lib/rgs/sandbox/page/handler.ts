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
import { faultsPage, lineOf } from './faults';
import { readForm } from './form';
import { type Frame, type Notice, sendFramed, times } from './frame';
import { currenciesOf, overview } from './overview';
import { roundPage } from './round';
import { roundsPage } from './rounds';
import type { RoundView, StateView } from '../view/state';
import type { PageSource } from './source';

/** Calls that the overview shows, and that the list looks through. */
const [latestShown, mostLookedAt] = [10, 500] as const;
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
      const isTooLarge = error instanceof BodyRefusedError;
      const text = isTooLarge
        ? 'The form is too large.'
        : 'The page could not be made. The log has the reason.';
      const content = { title: 'Error', body: html`<p>${text}</p>` };
      sendFramed(bare(response), content, isTooLarge ? error.status : 500);
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

async function show(source: PageSource, request: PageRequest): Promise<void> {
  const { path, query, response } = request;
  const page = pages[path as keyof typeof pages] as ShowPage | undefined;
  if (page === undefined || !Object.hasOwn(pages, path)) return missing(response, 404);
  const state = await source.state();
  const said = query.get('said');
  const isError = query.get('failed') === '1';
  const notice = said === null ? null : noticeOf(said, isError, state);
  const isLive = query.get('live') === '1';
  await page({
    source,
    query,
    state,
    frame: { response, here: null, notice, isLive, state, json: null },
  });
}

/** What a page is made from; its frame knows neither its place nor its JSON yet. */
interface Shown {
  readonly source: PageSource;
  readonly query: URLSearchParams;
  readonly state: StateView;
  readonly frame: Frame;
}

type ShowPage = (shown: Shown) => Promise<void>;

const pages = {
  '/': async ({ source, state, frame }) => {
    const [books, { calls }] = await Promise.all([
      source.booksSoFar(),
      source.wire(Math.max(0, state.wire - latestShown)),
    ]);
    const content = {
      title: 'Overview',
      heading: 'Play something',
      about:
        'A remote game server between a game and a wallet, for development. Faults are on purpose.',
      body: overview({ state, books, calls: calls.slice(-latestShown) }),
    };
    sendFramed({ ...frame, here: '/', json: 'state' }, content);
  },
  '/wire': async ({ source, state, query, frame }) => {
    const { latest } = await source.wire(Number.MAX_SAFE_INTEGER);
    const before = numberOf(query.get('before'), latest + 1);
    const view = await source.wire(Math.max(0, before - 1 - mostLookedAt));
    const calls = view.calls.filter(({ n }) => n < before);
    const filter = {
      line: query.get('line') ?? '',
      round: query.get('round') ?? '',
      status: query.get('status') ?? '',
    };
    const body = wirePage({ ...view, calls }, filter, currenciesOf(state));
    sendFramed({ ...frame, here: '/wire', json: 'wire' }, { title: 'Wire', body });
  },
  '/rounds': async ({ state, query, frame }) => {
    const body = roundsPage(state, numberOf(query.get('from'), 0));
    const crumb = html`<a href="/">Overview</a> / rounds`;
    sendFramed({ ...frame, json: 'state' }, { title: 'Rounds', crumb, body });
  },
  '/faults': async ({ state, query, frame }) => {
    const body = faultsPage(state, lineOf(query.get('line')));
    sendFramed({ ...frame, here: '/faults', json: 'faults' }, { title: 'Faults and clock', body });
  },
  '/books': async ({ source, frame }) => {
    const [books, { findings }] = await Promise.all([source.books(), source.findings()]);
    // The questions to the wallets took time.
    const state = await source.state();
    const body = booksPage(books, findings, state);
    sendFramed(
      { ...frame, state, here: '/books', json: 'books' },
      { title: 'Books and findings', body },
    );
  },
  '/round': async ({ source, state, query, frame }) => {
    const gameRound = query.get('id') ?? '';
    const timeline = await source.timeline(gameRound);
    const { round, steps } = timeline;
    const attention = state.attention.find((one) => one.gameRound === gameRound) ?? null;
    const isWhole = query.get('all') === '1';
    const isKept = round !== null || steps.length > 0;
    const content = {
      title: `Round ${gameRound}`,
      heading: html`Round <bdi>${gameRound}</bdi>`,
      crumb: html`<a href="/">Overview</a> / round`,
      about: round === null ? null : aboutRound(round),
      body: roundPage({ ...timeline, gameRound, attention, isWhole }),
    };
    const json = isKept ? `round?id=${encodeURIComponent(gameRound)}` : null;
    sendFramed({ ...frame, json }, content, isKept ? 200 : 404);
  },
  '/call': async ({ source, state, query, frame }) => {
    const n = numberOf(query.get('n'), 0);
    const view = await source.wire(Math.max(0, n - 1));
    const call = view.calls.find((one) => one.n === n);
    if (call === undefined) return missing(frame.response, 404);
    const content = {
      title: `Call ${n}: ${call.call}`,
      heading: html`Call ${n}: <bdi>${call.call}</bdi>`,
      crumb: html`<a href="/wire">Wire</a> / call`,
      body: callPage(call, currenciesOf(state)),
    };
    sendFramed(frame, content);
  },
} as const satisfies Readonly<Record<string, ShowPage>>;

function aboutRound({
  playerId,
  operatorId,
  gameCode,
  gameProviderId,
  mode,
  startedAt,
  lastCallAt,
}: RoundView) {
  return html`<bdi>${playerId}</bdi> (<bdi>${operatorId}</bdi>) · <bdi>${gameCode}</bdi> of <bdi>${gameProviderId}</bdi>, ${mode} · started ${times.time(startedAt)}, latest call ${times.time(lastCallAt)}`;
}

/** A whole number of a query; another one for anything else. */
function numberOf(text: string | null, otherwise: number): number {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : otherwise;
}

/** A launch URL is a link; an address of anything but a game would be anybody's who made the link to this page. */
function noticeOf(text: string, isError: boolean, { games }: StateView): Notice {
  return { text, isError, isLink: games.some((game) => isLaunch(game, text)) };
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
  const joint = form.shownOn.includes('?') ? '&' : '?';
  response.writeHead(303, {
    location: `${form.shownOn}${joint}${query.toString()}`,
    'content-length': 0,
  });
  response.end();
}

function missing(response: ServerResponse, status: 404 | 405): void {
  const body = html`<p>There is no such page. It may have left the ring of kept calls. <a href="/">Overview</a></p>`;
  sendFramed(bare(response), { title: 'Nothing here', body }, status);
}

function bare(response: ServerResponse): Frame {
  return { response, here: null, notice: null, isLive: false, state: null, json: null };
}
