import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type CallWatch, createOperationsHandler, type Person } from '../../operator/operations';
import type { WalletStore } from '../../operator/wallet';
import { cutUnreadBody, pathOf, type RequestListener, RequestTurns } from '../../platform/http';
import type { Logger } from '../../platform';
import { CommandFailure, messageOf } from '../terminal/failure';
import type { AdminSettings } from './flags';

/** The parts of the operations page of a service. */
export interface AdminServiceParts {
  readonly settings: AdminSettings;
  readonly store: WalletStore;
  readonly operators: readonly string[];
  readonly calls: CallWatch;
  /** Where a paid credit goes: as the calls of the RGS have it. */
  readonly creditTo: 'real' | 'stakeShares';
  readonly log: Logger;
  /** Further paths besides the pages, such as `/metrics`, for people who may look. */
  readonly routes: ReadonlyMap<string, RequestListener>;
}

/** Time limits, in milliseconds. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
} as const;

/** Few people look at once; the calls of the RGS need the file descriptors. */
const maxConnections = 64;

/**
 * The operations page on a server of its own: an overloaded port of the RGS does not carry it, and a public
 * one does not show it. Every request is signed in before anything else.
 */
export class AdminService {
  private readonly server: Server;
  private readonly people = new WeakMap<IncomingMessage, Person>();
  private readonly pages: RequestListener;
  private readonly turns = new RequestTurns();
  /** The open connections, the oldest first, with the number of their requests in flight. */
  private readonly connections = new Map<Socket, number>();

  constructor(private readonly parts: AdminServiceParts) {
    const { store, operators, calls, creditTo, log, settings } = parts;
    this.pages = createOperationsHandler({
      store,
      operators,
      calls,
      creditTo,
      logger: log,
      authorize: (request) => this.people.get(request) ?? null,
      ...(settings.publicOrigin === null ? {} : { publicOrigin: settings.publicOrigin }),
      ...(settings.openHours === null ? {} : { openHours: settings.openHours }),
    }).handle;
    this.server = createServer(limits, (request, response) => {
      response.on('error', () => {});
      this.turns.take(request.socket, response, () => this.begin(request, response));
    });
    this.server.on('connection', (socket: Socket) => this.admit(socket));
  }

  /**
   * Resolves to the port.
   * @throws CommandFailure if it cannot listen on the address.
   */
  listen(): Promise<number> {
    const { port, host } = this.parts.settings;
    return new Promise((resolve, reject) => {
      const onError = (error: Error): void => {
        reject(
          new CommandFailure(`Cannot listen on --admin-port ${host}:${port}: ${messageOf(error)}`),
        );
      };
      this.server.once('error', onError);
      this.server.listen(port, host, () => {
        this.server.off('error', onError);
        resolve((this.server.address() as AddressInfo).port);
      });
    });
  }

  /** Cuts all connections: no money depends on them. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  /** A connection too many takes the place of the oldest without a request: silent ones keep nobody out. */
  private admit(socket: Socket): void {
    const { connections } = this;
    if (connections.size >= maxConnections) {
      const idle = [...connections].find(([, inWork]) => inWork === 0)?.[0] ?? socket;
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
    this.count(socket, 1);
    response.once('close', () => this.count(socket, -1));
    void this.answer(request, response);
  }

  private count(socket: Socket, change: 1 | -1): void {
    const inWork = this.connections.get(socket);
    if (inWork !== undefined) this.connections.set(socket, inWork + change);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const found = await this.parts.settings.signIn(request);
    if (response.destroyed) return;
    if (found.kind === 'refused') return refuse(request, response, found);
    const { person } = found;
    const listener = this.parts.routes.get(pathOf(request.url ?? '/'));
    if (listener === undefined) {
      this.people.set(request, person);
      return this.pages(request, response);
    }
    if (!person.may.includes('look')) {
      const text = 'You may not see this page.';
      return refuse(request, response, { status: 403, headers: {}, text });
    }
    cutUnreadBody(request, response);
    listener(request, response);
  }
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  {
    status,
    headers,
    text,
  }: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
  },
): void {
  cutUnreadBody(request, response);
  response.writeHead(status, {
    ...headers,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(`${text}\n`);
}
