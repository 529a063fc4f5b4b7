import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { OperatorHandler } from '../../operator/http/handler';
import { cutUnreadBody, originForm, pathOf, RequestTurns } from '../../platform/http';
import { type Clock, type Logger, silentLogger, systemClock } from '../../platform';
import type { WalletStore } from '../../operator/wallet';
import { CommandFailure, messageOf } from '../terminal/failure';
import { within } from '../../platform/within';

/** The parts of the service. */
export interface HttpServiceParts {
  readonly handler: OperatorHandler;
  readonly store: Pick<WalletStore, 'ready'>;
  /** Prefix of /doTransactions and /getBalance: `` or `/wallet`. */
  readonly basePath?: string;
  /** Most open connections; a further one is closed at once. No limit unless set. */
  readonly maxConnections?: number | null;
  readonly log?: Logger;
  readonly clock?: Clock;
}

/**
 * Time limits, in milliseconds. An idle connection is kept longer than usual load balancers keep it, so
 * that it is not closed under a call in flight, which would cause a void.
 */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
} as const;

/** Above this share of `maxConnections`, every answer closes its connection. */
const keepAliveShare = 0.75;

/** Refused connections are logged at most this often, in milliseconds. */
const refusalsEveryMs = 10_000;

/** A wallet over node:http, with /healthz and /readyz. */
export class HttpService {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly inWork = new Set<ServerResponse>();
  private readonly turns = new RequestTurns();
  private readonly readiness: Readiness;
  private readonly refused = { count: 0, loggedAt: Number.NEGATIVE_INFINITY };
  private isStopping = false;

  constructor(private readonly parts: HttpServiceParts) {
    const { store, clock = systemClock, maxConnections } = parts;
    this.readiness = new Readiness(() => store.ready(), clock);
    this.server = createServer(limits, (request, response) => {
      this.turns.take(request.socket, response, () => this.answer(request, response));
    });
    if (typeof maxConnections === 'number') this.server.maxConnections = maxConnections;
    this.server.on('drop', () => this.logRefusal());
    this.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      this.turns.watch(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    this.server.on('clientError', (_error, socket) => this.refuse(socket as Socket));
  }

  /**
   * Resolves to the port; for port 0, to the one that was chosen.
   * @throws CommandFailure if it cannot listen on the address.
   */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const onError = (error: Error): void => {
        reject(new CommandFailure(`Cannot listen on ${host}:${port}: ${reasonOf(error)}`));
      };
      this.server.once('error', onError);
      this.server.listen(port, host, () => {
        this.server.off('error', onError);
        resolve((this.server.address() as AddressInfo).port);
      });
    });
  }

  /**
   * Accepts no new connection, answers the calls in flight, and resolves once all connections are closed:
   * to true, or to false if `patience` ended first and connections were cut.
   */
  async close(patience: Promise<unknown>): Promise<boolean> {
    this.isStopping = true;
    const closed = new Promise<boolean>((resolve) => this.server.close(() => resolve(true)));
    for (const response of this.inWork) announceEnd(response);
    this.endIdle();
    const isDone = await Promise.race([closed, patience.then(() => false)]);
    if (!isDone) this.server.closeAllConnections();
    return isDone;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    this.inWork.add(response);
    response.on('close', () => {
      this.inWork.delete(response);
      if (this.isStopping) this.endIdle();
    });
    if (this.isStopping || this.isCrowded()) announceEnd(response);
    const { basePath = '' } = this.parts;
    const path = pathOf(request.url ?? '');
    if (path === '/healthz') return sendStatus(request, response, 200, 'alive');
    if (path === '/readyz') {
      void this.readiness
        .isReady()
        .then((isReady) =>
          isReady && !this.isStopping
            ? sendStatus(request, response, 200, 'ready')
            : sendStatus(request, response, 503, 'not ready'),
        );
      return;
    }
    if (!path.startsWith(`${basePath}/`)) request.url = '/';
    else if (basePath !== '') request.url = originForm(request.url ?? '').slice(basePath.length);
    this.parts.handler.handle(request, response);
  }

  /** Few connections are left: keeping idle ones alive would keep others out. */
  private isCrowded(): boolean {
    const { maxConnections } = this.parts;
    if (typeof maxConnections !== 'number') return false;
    return this.sockets.size > maxConnections * keepAliveShare;
  }

  private logRefusal(): void {
    const { log = silentLogger, clock = systemClock, maxConnections } = this.parts;
    const now = clock.monotonicMs();
    this.refused.count += 1;
    if (now - this.refused.loggedAt < refusalsEveryMs) return;
    const fields = { maxConnections, refused: this.refused.count };
    log.warn(fields, 'connections refused: --max-connections reached');
    this.refused.loggedAt = now;
    this.refused.count = 0;
  }

  /** Closes connections without a call in flight. Node counts one that never sent anything as busy. */
  private endIdle(): void {
    this.server.closeIdleConnections();
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  /**
   * Bytes that are not HTTP get a plain 400. If a call of the same connection is in flight, the connection
   * is closed instead: the client would read the 400 as the answer to that call.
   */
  private refuse(socket: Socket): void {
    const isInWork = [...this.inWork].some((response) => response.socket === socket);
    if (isInWork || !socket.writable) socket.destroy();
    else socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  }
}

/** The connection ends with this answer. */
function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

function sendStatus(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
): void {
  if (response.destroyed) return;
  cutUnreadBody(request, response);
  const body = JSON.stringify({ status: text });
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE') return 'the port is taken';
  if (error.code === 'EADDRNOTAVAIL') return 'this machine does not have the address';
  return error.code === 'EACCES' ? 'permission denied' : messageOf(error);
}

/** How long a result is reused, and the time limit of a check, in milliseconds. */
const keptMs = 1_000;
const timeoutMs = 2_000;

/**
 * Whether a store is ready, for probes that anyone may send. One check of the store runs at a time, and
 * its result is reused for a second.
 */
class Readiness {
  #found: { readonly isReady: boolean; readonly at: number } | null = null;
  /** The answer of the running check; false once it is late. */
  #answer: Promise<boolean> | null = null;

  constructor(
    private readonly look: () => Promise<void>,
    private readonly clock: Pick<Clock, 'monotonicMs' | 'after'>,
  ) {}

  /** Never rejects. */
  isReady(): Promise<boolean> {
    const found = this.#found;
    if (found !== null && this.clock.monotonicMs() - found.at < keptMs) {
      return Promise.resolve(found.isReady);
    }
    this.#answer ??= this.begin();
    return this.#answer;
  }

  private begin(): Promise<boolean> {
    const looked = this.look().then(
      () => true,
      () => false,
    );
    const found = looked.then((isReady) => {
      this.#found = { isReady, at: this.clock.monotonicMs() };
      this.#answer = null;
      return isReady;
    });
    return within(this.clock, timeoutMs, found, notInTime);
  }
}

const notInTime = { late: () => false };
