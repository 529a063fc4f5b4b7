import type { Clock } from '../../platform';
import { pathOf, type RequestListener } from '../../platform/http';
import { afterThisTurn } from '../../platform/turn';
import { Secret } from '../../protocol/signature';
import type { CallEvent, HttpFinding } from '../http/call-event';
import { createEngineHandler } from '../http/engine';
import type { EngineService } from '../http/engine-call';
import { createServiceHandler, type OperatorService } from '../http/operator';
import { explain } from './lines/explain';
import { createInbound } from './lines/inbound';
import type { Pass } from './lines/pass';
import type { SandboxSettings } from './process/options';
import type { Running } from './process/running';
import type { LineName } from './view/state';
import { describe } from './wire/request';

/** The listeners of the calls that come in. */
interface Handlers {
  readonly engine: RequestListener;
  readonly operator: RequestListener;
  /** Cuts the callers that wait for a reply: the process that would answer them died. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
}

/** Where the calls of providers and browsers are, and those of operators (E1.4). */
const basePaths = Object.freeze({ engine: '/gameapi/v2', operator: '/operator' });

/** An explanation takes up to half a second: not more often than this. */
const explainEveryMs = 2000;

/** Listeners for the Game Engine API and the operator's calls, with every call on the wire. */
export function createHandlers(running: Running, settings: SandboxSettings): Handlers {
  const { clock, random } = settings;
  const { engineHttp, operatorHttp } = services(running, settings);
  const pass = explaining(running, settings);
  const shared = { pass, clock, random };
  const calls = createInbound({
    ...shared,
    line: 'provider-rgs',
    listener: engineHttp.handle,
    basePath: basePaths.engine,
  });
  const orders = createInbound({
    ...shared,
    line: 'operator-rgs',
    listener: operatorHttp.handle,
    basePath: basePaths.operator,
  });
  const cut = (): void => {
    calls.cut();
    orders.cut();
  };
  return {
    engine: calls.listener,
    operator: orders.listener,
    cut,
    async close() {
      await Promise.all([engineHttp.close(), operatorHttp.close()]);
      cut();
    },
  };
}

/** The service's own HTTP, without the lines of the sandbox. */
function services({ lines, wire, findings, whileAlive }: Running, settings: SandboxSettings) {
  const { clock, random, requireRequestId, gameUrlSignedFields } = settings;
  const ports = {
    clock,
    random,
    numberOf: lines.cause,
    onFinding: (finding: HttpFinding) => findings.add(finding, finding.cause),
    onCall: ({ verdict, cause }: CallEvent) => {
      if (cause !== null) wire.checked(cause, { verdict, explanation: null });
    },
  };
  const service = byTheLiving(whileAlive);
  const engineHttp = createEngineHandler({
    ...ports,
    service,
    providers: settings.providers,
    ...(requireRequestId === undefined ? {} : { requireRequestId }),
  });
  const operatorHttp = createServiceHandler({
    ...ports,
    service,
    operators: settings.operators,
    ...(gameUrlSignedFields === undefined ? {} : { gameUrlSignedFields }),
  });
  return { engineHttp, operatorHttp };
}

/** One listener for everything, by the path. */
export function byPath(handlers: Handlers, page: RequestListener): RequestListener {
  return (request, response) => {
    const path = pathOf(request.url ?? '/');
    if (path.startsWith(`${basePaths.engine}/`)) return handlers.engine(request, response);
    if (path.startsWith(`${basePaths.operator}/`)) return handlers.operator(request, response);
    page(request, response);
  };
}

/** The calls of the service, worked by the process that is alive; another one after a kill. */
function byTheLiving(by: Running['whileAlive']): EngineService & OperatorService {
  return {
    call: (id, name, request, cause) => by((service) => service.call(id, name, request, cause)),
    connect: (token, cause) => by((service) => service.connect(token, cause)),
    reconnect: (token) => by((service) => service.reconnect(token)),
    disconnect: (token) => by((service) => service.disconnect(token)),
    getGameURL: (id, request, cause) => by((service) => service.getGameURL(id, request, cause)),
    assignPlayerFreerounds: (id, request, cause) =>
      by((service) => service.assignPlayerFreerounds(id, request, cause)),
    getStats: (id, query, cause) => by((service) => service.getStats(id, query, cause)),
    getGameConfiguration: (id, query, cause) =>
      by((service) => service.getGameConfiguration(id, query, cause)),
    getGameList: (id) => by((service) => service.getGameList(id)),
    registerPlayer: (id, notice) => by((service) => service.registerPlayer(id, notice)),
    sendRealityCheckResponse: (id, notice) =>
      by((service) => service.sendRealityCheckResponse(id, notice)),
  };
}

/** The lines, with an explanation for a signature that was refused. */
function explaining(running: Running, settings: SandboxSettings): Pass {
  const secrets: Readonly<Record<'provider-rgs' | 'operator-rgs', readonly Secret[]>> = {
    'provider-rgs': secretsOf(settings.providers),
    'operator-rgs': secretsOf(settings.operators),
  };
  const mayExplain = limitedBy(settings.clock);
  return (line: LineName, request, work) =>
    running.lines.pass(line, request, async (one, isDetached) => {
      const n = running.lines.cause();
      const reply = await work(one, isDetached);
      const isIn = line === 'provider-rgs' || line === 'operator-rgs';
      if (reply.status !== 401 || n === null || !isIn || !mayExplain()) return reply;
      afterThisTurn(() => {
        const explanation = explain(line, describe(line, one), one, secrets[line]);
        running.wire.checked(n, { verdict: null, explanation });
      });
      return reply;
    });
}

function secretsOf(parties: readonly { readonly secrets: readonly string[] }[]): Secret[] {
  return parties.flatMap(({ secrets }) => secrets.map((secret) => new Secret(secret)));
}

/** True at most once in {@link explainEveryMs}. */
function limitedBy(clock: Clock): () => boolean {
  let next = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.monotonicMs();
    if (now < next) return false;
    next = now + explainEveryMs;
    return true;
  };
}
