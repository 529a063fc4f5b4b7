import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { RequestTurns } from '../../platform/http';
import { type Clock, type Logger, silentLogger, systemClock } from '../../platform';
import { CommandFailure, messageOf } from './failure';

/** What a service answers, and how many it serves. */
export interface HttpServiceParts {
  /** Answers a request; `service` says whether it is stopping. */
  readonly answer: (
    request: IncomingMessage,
    response: ServerResponse,
    service: Pick<HttpService, 'isStopping'>,
  ) => void;
  /** Most open connections. No limit unless set. */
  readonly maxConnections?: number | null;
  /**
   * Which connection is closed at the limit: the new one, or the oldest without a request, so that silent ones keep
   * nobody out. The new one unless set.
   */
  readonly whenFull?: 'closeNew' | 'closeIdle';
  /** How long an idle connection is kept, in milliseconds; 75 seconds unless set. */
  readonly keepAliveMs?: number;
  readonly log?: Logger;
  readonly clock?: Clock;
}

/** Time limits, in milliseconds. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
} as const;

/**
 * An idle connection is kept longer than usual load balancers keep it, so that it is not closed under a call in
 * flight, which would cause a void.
 */
const usualKeepAliveMs = 75_000;

/** Above this share of `maxConnections`, every answer closes its connection. */
const keepAliveShare = 0.75;

/** Refused connections are logged at most this often, in milliseconds. */
const refusalsEveryMs = 10_000;

/** A service of the command line over node:http. */
export class HttpService {
  private readonly server: Server;
  /** The open connections, the oldest first, with the number of their requests in flight. */
  private readonly connections = new Map<Socket, number>();
  private readonly inFlight = new Set<ServerResponse>();
  private readonly turns = new RequestTurns();
  private readonly refused = { count: 0, loggedAt: Number.NEGATIVE_INFINITY };
  private hasStopped = false;

  constructor(private readonly parts: HttpServiceParts) {
    const { keepAliveMs = usualKeepAliveMs, maxConnections, whenFull = 'closeNew' } = parts;
    this.server = createServer(
      { ...limits, keepAliveTimeout: keepAliveMs },
      (request, response) => {
        response.on('error', () => {});
        this.turns.take(request.socket, response, () => this.begin(request, response));
      },
    );
    if (typeof maxConnections === 'number' && whenFull === 'closeNew') {
      this.server.maxConnections = maxConnections;
    }
    this.server.on('drop', () => this.logRefusal());
    this.server.on('connection', (socket: Socket) => this.admit(socket));
    this.server.on('clientError', (_error, socket) => this.refuse(socket as Socket));
  }

  /** Whether {@link close} was called. */
  get isStopping(): boolean {
    return this.hasStopped;
  }

  /**
   * Resolves to the port; for port 0, to the one that was chosen.
   * @throws CommandFailure if it cannot listen on the address; `flag` names the one to change.
   */
  listen(port: number, host: string, flag = '--port'): Promise<number> {
    return listenOn(this.server, port, host, flag);
  }

  /**
   * Accepts no new connection, answers the calls in flight, and resolves once all connections are closed:
   * to true, or to false if `patience` ended first and connections were cut.
   */
  async close(patience: Promise<unknown>): Promise<boolean> {
    this.hasStopped = true;
    const closed = new Promise<boolean>((resolve) => this.server.close(() => resolve(true)));
    for (const response of this.inFlight) announceEnd(response);
    this.endIdle();
    const isDone = await Promise.race([closed, patience.then(() => false)]);
    if (!isDone) this.server.closeAllConnections();
    return isDone;
  }

  /** With `closeIdle`, a connection too many takes the place of the oldest without a request. */
  private admit(socket: Socket): void {
    const { connections, parts } = this;
    const { maxConnections, whenFull } = parts;
    if (whenFull === 'closeIdle' && connections.size >= (maxConnections ?? Infinity)) {
      const idle = [...connections].find(([, inFlight]) => inFlight === 0)?.[0] ?? socket;
      connections.delete(idle);
      idle.destroy();
      if (idle === socket) return;
    }
    connections.set(socket, 0);
    this.turns.watch(socket);
    socket.once('close', () => connections.delete(socket));
  }

  private begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    this.inFlight.add(response);
    this.count(socket, 1);
    response.once('close', () => {
      this.inFlight.delete(response);
      this.count(socket, -1);
      if (this.hasStopped) this.endIdle();
    });
    if (this.hasStopped || this.isCrowded()) announceEnd(response);
    this.parts.answer(request, response, this);
  }

  private count(socket: Socket, change: 1 | -1): void {
    const inFlight = this.connections.get(socket);
    if (inFlight !== undefined) this.connections.set(socket, inFlight + change);
  }

  /** Few connections are left: keeping idle ones alive would keep others out. */
  private isCrowded(): boolean {
    const { maxConnections, whenFull } = this.parts;
    if (typeof maxConnections !== 'number' || whenFull === 'closeIdle') return false;
    return this.connections.size > maxConnections * keepAliveShare;
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
    for (const socket of this.connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  /**
   * Bytes that are not HTTP get a plain 400. If a call of the same connection is in flight, the connection
   * is closed instead: the client would read the 400 as the answer to that call.
   */
  private refuse(socket: Socket): void {
    const isBusy = (this.connections.get(socket) ?? 0) > 0;
    if (isBusy || !socket.writable) socket.destroy();
    else socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  }
}

/**
 * Resolves to the port; for port 0, to the one that was chosen.
 * @throws CommandFailure if the address cannot be used; `flag` names the one to change.
 */
export function listenOn(
  server: Server,
  port: number,
  host: string,
  flag = '--port',
): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => {
      reject(new CommandFailure(`Cannot listen on ${host}:${port}: ${reasonOf(error, flag)}`));
    };
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** The connection ends with this answer. */
function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

function reasonOf(error: NodeJS.ErrnoException, flag: string): string {
  if (error.code === 'EADDRINUSE') return `the port is taken, choose another with ${flag}`;
  if (error.code === 'EADDRNOTAVAIL') return 'this machine does not have the address';
  return error.code === 'EACCES' ? 'permission denied' : messageOf(error);
}
