import {
  createServer as createHttpServer,
  type ServerOptions as HttpOptions,
  type Server as HttpServer,
  IncomingMessage,
  ServerResponse,
} from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { SecureContextOptions, TlsOptions } from 'node:tls';
import { checkOptionNames, type OptionNames } from '../../platform/validation';
import { bornWith } from './born-with';

/** An Express app, of Express 4 or 5; typed by what tells it from a router, so that either fits. */
export interface ExpressApp {
  (request: IncomingMessage, response: ServerResponse): unknown;
  readonly mountpath: string | string[];
  enabled(setting: string): boolean;
}

/** Options of Node's http.createServer, except for the classes, which are the app's own. */
export interface ServerOptions extends Omit<HttpOptions, 'IncomingMessage' | 'ServerResponse'> {
  /** Makes it an https.Server with this key and cert, and all else that Node takes for TLS. */
  readonly tls?: SecureContextOptions & TlsOptions;
}

/** The parts of an app that not all of Express' types tell: request and response are prototypes. */
interface AppParts {
  readonly handle: unknown;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Every option of http.createServer up to Node 24, also those that the types here do not have yet;
 * what stands in `tls` is left to Node.
 */
const optionNames: OptionNames<ServerOptions> & Readonly<Record<string, true>> = {
  tls: true,
  requestTimeout: true,
  headersTimeout: true,
  keepAliveTimeout: true,
  keepAliveTimeoutBuffer: true,
  connectionsCheckingInterval: true,
  maxHeaderSize: true,
  insecureHTTPParser: true,
  requireHostHeader: true,
  joinDuplicateHeaders: true,
  uniqueHeaders: true,
  rejectNonStandardBodyWrites: true,
  shouldUpgradeCallback: true,
  optimizeEmptyRequests: true,
  highWaterMark: true,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: true,
  allowHalfOpen: true,
  pauseOnConnect: true,
  blockList: true,
};

/** What would be taken by https.createServer, and silently not by http.createServer. */
const namesOfTls = ['key', 'cert', 'pfx', 'SNICallback'] as const;

/**
 * Makes the server of an Express app, not yet listening: `createServer(app).listen(8080)` answers
 * as `app.listen(8080)` does, and takes less than half of the CPU time where a route does little.
 *
 * Express gives every request and response another prototype (app.request and app.response), and
 * objects whose prototype was changed are slow in V8. Here they are born with these prototypes, so
 * that Express changes nothing. What you add to app.request, app.response or express.request,
 * before or after, is there as ever.
 *
 * Right as ever, but not faster, is a call that is given other prototypes all the same: one that
 * goes through another app, mounted by `app.use('/x', otherApp)` (a Router is no other app), and
 * every call once app.request or app.response themselves are replaced.
 *
 * @param app What `express()` gave. It is the listener of 'request'; 'upgrade' and all other
 *   events are yours, as on any server of Node.
 * @param options Node's own, with times in milliseconds; with `tls`, an https.Server is made.
 * @throws TypeError where `app` is no Express app; for the options IncomingMessage and
 *   ServerResponse, of which Express would take the methods (extend app.request and app.response
 *   instead); and for key, cert, pfx and SNICallback that do not stand in `tls`.
 */
export function createServer(
  app: ExpressApp,
  options: ServerOptions & Required<Pick<ServerOptions, 'tls'>>,
): HttpsServer;
export function createServer(app: ExpressApp, options?: ServerOptions): HttpServer;
export function createServer(app: ExpressApp, options: ServerOptions = {}): HttpServer {
  const { request, response } = prototypesOf(app);
  const { tls, ...plain } = options;
  checkOptions(tls, plain);
  const classes = {
    IncomingMessage: bornWith(IncomingMessage, request) as typeof IncomingMessage,
    ServerResponse: bornWith(ServerResponse, response) as typeof ServerResponse,
  };
  if (tls === undefined) return createHttpServer({ ...plain, ...classes }, app);
  const https = require('node:https') as typeof import('node:https'); // loaded only where it is used
  return https.createServer({ ...tls, ...plain, ...classes }, app);
}

function prototypesOf(app: unknown): Pick<AppParts, 'request' | 'response'> {
  const { handle, request, response } = Object(app) as Partial<AppParts>;
  if (
    typeof app !== 'function' ||
    typeof handle !== 'function' ||
    !(request instanceof IncomingMessage) ||
    !(response instanceof ServerResponse)
  ) {
    throw new TypeError('createServer: app must be an Express app, as express() makes it');
  }
  return { request, response };
}

function checkOptions(tls: unknown, plain: object): void {
  if (tls !== undefined && (typeof tls !== 'object' || tls === null)) {
    throw new TypeError('createServer: tls must be an object, such as { key, cert }');
  }
  for (const name of ['IncomingMessage', 'ServerResponse']) {
    if (name in plain || (tls !== undefined && name in tls)) {
      throw new TypeError(
        `createServer: ${name} cannot be set; extend app.request and app.response instead`,
      );
    }
  }
  const misplaced = namesOfTls.find((name) => name in plain);
  if (misplaced !== undefined) throw new TypeError(`createServer: ${misplaced} belongs in tls`);
  checkOptionNames('createServer', plain, optionNames);
}
