import { safeLogger } from '../../platform';
import type { RequestListener } from '../../platform/http';
import { createMemoryFetch, type MemoryFetch } from '../../platform/http/memory-server';
import type { MovableClock } from '../../platform/movable-clock';
import { type JsonValue, parseJson } from '../../protocol/json/parse';
import type { Round } from '../rounds/round';
import { createActions, launch, resolveRound } from './actions';
import { createApiHandler } from './api';
import { byPath, createHandlers } from './handlers';
import { booksSoFar, booksView } from './overview/books';
import { findRound, timelineView } from './overview/rounds';
import { stateView } from './overview/state';
import { createPageHandler } from './page/handler';
import type { PageSource } from './page/source';
import { readOptions, type SandboxOptions, type SandboxSettings } from './process/options';
import { Running } from './process/running';
import type { BooksView } from './view/books';
import type {
  FaultRequest,
  FaultView,
  LaunchPlayerRequest,
  ResolveRequest,
  StateView,
} from './view/state';
import type { FindingView, TimelineView, WireView } from './view/wire';

/** A remote game server on its own: its lines, its clock, its books, and faults on purpose. */
export interface Sandbox {
  /** The Game Engine API and the calls of browsers, at `/gameapi/v2` or mounted alone (E1.4). */
  readonly engineHandler: RequestListener;
  /** The operator's calls, at `/operator` or mounted alone (E1.4). */
  readonly operatorHandler: RequestListener;
  /** The page, and its API under /sandbox; for loopback alone. */
  readonly pageHandler: RequestListener;
  /** All three, by the path. */
  readonly handle: RequestListener;
  /** `fetch` that reaches `handle` without a port, whatever the host: for the clients of a test on a virtual clock. */
  readonly fetch: MemoryFetch;
  /** The service's clock: `advance` moves it on, and waits for what falls due in it (E1.3). */
  readonly clock: MovableClock;
  readonly faults: {
    /** @throws TypeError that names the wrong member. */
    set(fault: FaultRequest): FaultView;
    clear(): void;
    list(): readonly FaultView[];
  };
  /** The calls after this number, at most 500. */
  wire(since?: number): WireView;
  state(): StateView;
  timeline(gameRound: string): TimelineView;
  /** What is legal, and almost surely a mistake (E1.5). */
  findings(): readonly FindingView[];
  /** The three books, compared as they are now (B3). */
  books(): Promise<BooksView>;
  /** The rounds as the service keeps them, in the order of their starts. */
  rounds(): readonly Round[];
  /** What the janitor does by the hour, at once (E16.3). @throws Error if the service is killed meanwhile */
  runJanitor(): Promise<void>;
  /** A person's decision on a round (E16.2). @throws ActionRefusedError, EngineRefusedError */
  resolve(gameRound: string, how: ResolveRequest['how']): Promise<void>;
  /**
   * The result of a round, as its provider shows it (E23.3).
   * @throws Error if there is no such round, or the provider does not answer.
   */
  gameResult(gameRound: string, language?: string): Promise<JsonValue>;
  /** A launch URL for a player, as getGameURL gives it. @throws ActionRefusedError, EngineRefusedError */
  launch(request: LaunchPlayerRequest): Promise<string>;
  /** The service dies at once, and starts again from its journal (B4). */
  kill(): Promise<void>;
  /** Resolves once nothing is being sent and no work runs in the background. */
  idle(): Promise<void>;
  /** Answers the calls in flight, cuts those whose reply is lost, and closes the journal. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox: the RGS alone, between the wallets and providers that the options name. It listens
 * nowhere: give `handle` to a server.
 * @throws TypeError that names the wrong option; JournalError for the journal
 */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const settings = readOptions(options);
  const running = new Running(settings);
  const handlers = createHandlers(running, settings);
  await running.start(await settings.openJournal());
  const { faults, wire, findings, clock } = running;
  running.onKill(handlers.cut);
  const pageHandler = pageOf(running, settings);
  const handle = byPath(handlers, pageHandler);
  return {
    engineHandler: handlers.engine,
    operatorHandler: handlers.operator,
    pageHandler,
    handle,
    fetch: createMemoryFetch(handle),
    clock,
    faults: {
      set: (fault) => faults.set(fault),
      clear: () => faults.clear(),
      list: () => faults.list(),
    },
    wire: (since = 0) => wire.since(since),
    state: () => stateView(running, settings),
    timeline: (gameRound) => timelineView(running, settings, gameRound),
    findings: () => findings.list(),
    books: () => booksView(running, settings),
    rounds: () => [...running.service().view().rounds],
    runJanitor: () => running.whileAlive((service) => service.runJanitor()),
    resolve: (gameRound, how) => resolveRound(running, settings, { round: gameRound, how }),
    gameResult: (gameRound, language = 'EN') =>
      gameResult(running, findRound(running, settings, gameRound), language),
    launch: (request) => launch(running, settings, request),
    kill: () => running.kill(),
    idle: () => running.service().idle(),
    async close() {
      await handlers.close();
      await running.close();
    },
  };
}

/** The page and its API, over one source. */
function pageOf(running: Running, settings: SandboxSettings): RequestListener {
  const act = createActions(running, settings);
  const source: PageSource = {
    state: async () => stateView(running, settings),
    wire: async (since) => running.wire.since(since),
    books: () => booksView(running, settings),
    booksSoFar: () => booksSoFar(running, settings),
    findings: async () => ({ findings: running.findings.list() }),
    timeline: async (gameRound) => timelineView(running, settings, gameRound),
    act: async ({ method, path, body }) => (await act(method, path, body)).shown,
  };
  const { allowedHosts } = settings;
  const logger = safeLogger(settings.logger);
  return createApiHandler({ source, act, page: createPageHandler(source), allowedHosts, logger });
}

async function gameResult(
  { provider }: Running,
  round: Round | null,
  language: string,
): Promise<JsonValue> {
  if (round === null) throw new Error('gameResult: there is no such round');
  const { owner, gameRound } = round;
  const { gameProviderId, gameCode } = owner;
  const answer = await provider.getGameResult({ gameProviderId, gameCode, gameRound, language });
  if (answer.kind === 'answered') return parseJson(answer.value).value;
  throw new Error(`gameResult: the provider is ${answer.kind}`);
}
