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

/** An Express app, of Express 4 or 5; typed by what distinguishes it from a router, so that either fits. */
export interface ExpressApp {
  (request: IncomingMessage, response: ServerResponse): unknown;
  readonly mountpath: string | string[];
  enabled(setting: string): boolean;
}

/** Options of Node's http.createServer, except for the classes, which are the app's own. */
export interface ServerOptions extends Omit<HttpOptions, 'IncomingMessage' | 'ServerResponse'> {
  /** Creates an https.Server with this key and cert, and anything else that Node accepts for TLS. */
  readonly tls?: SecureContextOptions & TlsOptions;
}

/** Parts of an app that Express' types leave out: request and response are prototypes. */
interface AppParts {
  readonly handle: unknown;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Every option of http.createServer up to Node 24, including those that the types here lack; Node checks
 * what is in `tls`.
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

/** Options that https.createServer uses and http.createServer silently ignores. */
const namesOfTls = ['key', 'cert', 'pfx', 'SNICallback'] as const;

/**
 * Creates the server of an Express app, not yet listening: `createServer(app).listen(8080)` answers as
 * `app.listen(8080)` does, with less than half of the CPU time if a route does little.
 *
 * Express gives every request and response another prototype (app.request and app.response), and objects
 * with a changed prototype are slow in V8. Here they have these prototypes from the start, so Express
 * changes nothing. What you add to app.request, app.response or express.request, before or after, works
 * as before.
 *
 * A call that still gets other prototypes is correct, but not faster: one through another app, mounted by
 * `app.use('/x', otherApp)` (a Router is not another app), and every call once app.request or app.response
 * themselves are replaced.
 *
 * @param app The result of `express()`. It is the listener of 'request'; 'upgrade' and all other events
 *   are yours, as on any server of Node.
 * @param options Node's own, with times in milliseconds; with `tls`, creates an https.Server.
 * @throws TypeError if `app` is not an Express app; for the options IncomingMessage and ServerResponse,
 *   whose methods Express would replace (extend app.request and app.response instead); and for key, cert,
 *   pfx and SNICallback outside `tls`.
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
    IncomingMessage: withPrototype(IncomingMessage, request) as typeof IncomingMessage,
    ServerResponse: withPrototype(ServerResponse, response) as typeof ServerResponse,
  };
  if (tls === undefined) return createHttpServer({ ...plain, ...classes }, app);
  const https = require('node:https') as typeof import('node:https'); // loaded only when used
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
  if (tls !== undefined && (typeof tls !== 'object' || tls === null || Array.isArray(tls))) {
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

/** A constructor of Node's, such as http.IncomingMessage. */
type Maker<T> = new (...args: never[]) => T;

/**
 * A constructor that does what `base` does, and whose objects have `prototype` as their prototype from the
 * start. It calls the base as a function, as Node's own http classes do: only then does V8 keep one hidden
 * class for all objects. (Reflect.construct makes one for each, which is slower than the change of
 * prototype that this avoids.) `prototype` is also the constructor's own prototype: V8 counts what the
 * constructors up that chain assign and reserves room for it in the object; without that room a response
 * becomes a dictionary.
 *
 * An ES class cannot be called, so such a base is returned unchanged.
 */
export function withPrototype<T extends object>(base: Maker<T>, prototype: T): Maker<T> {
  if (/^class\b/.test(Function.prototype.toString.call(base))) return base;
  function Born(this: T, ...args: unknown[]): void {
    Reflect.apply(base, this, args);
  }
  Object.setPrototypeOf(Born, base);
  Born.prototype = prototype;
  return Born as unknown as Maker<T>;
}
