import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { type JsonDocument, JsonSyntaxError, parseJson } from '../../../lib/protocol/json/parse';
import { readQuery } from '../../../lib/protocol/operator-api/read-call';
import {
  isTimely,
  readSignedParts,
  Secret,
  signatureHeaders,
  type SignedPart,
  verifySignature,
} from '../../../lib/protocol/signature';
import { FreePlayBook } from '../../operator/http/free-play-book';
import { cut, type RawAnswer, type RgsFault, sendRaw } from './faults';

/** The calls of the operator that the service knows, by their paths. */
const operations = {
  'POST /assignPlayerFreerounds': 'assignPlayerFreerounds',
  'POST /backoffice/getStats': 'getStats',
  'GET /backoffice/getGameConfiguration': 'getGameConfiguration',
  'GET /backoffice/getGameList': 'getGameList',
} as const;

/** One of the calls that the specification lists for the operator. */
export type RgsOperation = (typeof operations)[keyof typeof operations];

/** A further call: what it signs, and the text of its reply. */
export interface FurtherCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly signedFields: readonly string[];
  readonly reply: string;
}

/** A request as the service got it. */
export interface NotedRequest {
  readonly method: string;
  /** Path with the query. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Counts connections from 1. */
  readonly connection: number;
  /** Whether the caller signed it as it should. */
  readonly isAuthentic: boolean;
}

/** Options of the service. */
export interface RgsServiceOptions {
  readonly operatorId: string;
  readonly secret: string;
  /** The time it holds timestamps against; the machine's clock unless set. */
  readonly now?: () => number;
  readonly furtherCalls?: readonly FurtherCall[];
}

/** The texts of the replies; a test may put in its own. */
export interface RgsReplies {
  getStats: string;
  getGameConfiguration: string;
  getGameList: string;
}

const toleranceMs = 300_000;

/**
 * The RGS as the operator calls it (operator-api 4.3 to 4.5), on a port of 127.0.0.1: keeps packages of
 * free plays by their serial, verifies every signature, and fails on request.
 */
export class RgsService {
  readonly packages = new FreePlayBook();
  readonly requests: NotedRequest[] = [];
  readonly replies: RgsReplies = {
    getStats: '{"records":[]}',
    getGameConfiguration: sampleConfiguration,
    getGameList: '{"gameList":{"bells":"Bells"}}',
  };
  readonly #faults: { readonly path: string | null; readonly fault: RgsFault }[] = [];
  readonly #connections = new Map<Socket, number>();
  readonly #secret: Secret;
  #connectionCount = 0;

  private constructor(
    private readonly options: RgsServiceOptions,
    private readonly server: Server,
  ) {
    this.#secret = new Secret(options.secret);
    server.on('connection', (socket: Socket) => {
      this.#connectionCount += 1;
      this.#connections.set(socket, this.#connectionCount);
      socket.on('error', () => {}); // a caller that gives up may reset the connection
      socket.once('close', () => this.#connections.delete(socket));
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.answer(request, response);
    });
  }

  /** Starts it, and resolves once it listens. */
  static async start(options: RgsServiceOptions): Promise<RgsService> {
    const server = createServer({ keepAliveTimeout: 60_000 });
    const service = new RgsService(options, server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return service;
  }

  /** The address, without a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Connections that were ever opened. */
  get connectionCount(): number {
    return this.#connectionCount;
  }

  /** Whether a connection is open, by the number that its requests bear. */
  isOpen(connection: number): boolean {
    return [...this.#connections.values()].includes(connection);
  }

  /** What becomes of the next requests, one fault for each; those of one path alone where it is given. */
  failNext(faults: RgsFault | readonly RgsFault[], path: string | null = null): void {
    for (const fault of [faults].flat()) this.#faults.push({ path, fault });
  }

  /** Cuts all connections and stops listening; nothing where it has. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return; // the caller gave up while it sent
    }
    const body = Buffer.concat(chunks).toString('utf8');
    const { method = '', url: target = '', headers } = request;
    const [path = ''] = target.split('?', 1);
    const message = readMessage(method, target, body);
    const isAuthentic = message !== null && this.isSigned(request, `${method} ${path}`, message);
    const connection = this.#connections.get(request.socket) ?? 0;
    this.requests.push({ method, target, headers, body, connection, isAuthentic });

    const fault = this.takeFault(path);
    if (fault?.kind === 'say') return sendRaw(response, fault.answer);
    if (fault?.kind === 'closeBefore') return cut(response.socket);
    if (message === null) return sendRaw(response, error(400, 19, 'INVALIDPARAMETER'));
    if (!isAuthentic) return sendRaw(response, error(401, 1001, 'SIGNATUREWRONG'));
    const answer = this.perform(`${method} ${path}`, message);
    if (fault?.kind === 'loseReply') return cut(response.socket);
    if (fault?.kind === 'replyAfter') await fault.until;
    if (response.destroyed) return;
    sendRaw(response, fault?.kind === 'doAndSay' ? fault.answer : answer);
  }

  private takeFault(path: string): RgsFault | null {
    const at = this.#faults.findIndex((told) => told.path === null || told.path === path);
    return at < 0 ? null : (this.#faults.splice(at, 1)[0]?.fault ?? null);
  }

  private perform(call: string, message: JsonDocument): RawAnswer {
    const further = this.findFurther(call);
    if (further !== undefined) return { status: 200, body: further.reply };
    if (!isKnown(call)) return { status: 404, body: '' };
    const operation = operations[call];
    if (operation !== 'assignPlayerFreerounds') {
      return { status: 200, body: this.replies[operation] };
    }
    const body = this.packages.assign(message);
    return body === null ? error(400, 19, 'INVALIDPARAMETER') : { status: 200, body };
  }

  /** Each header there exactly once, the timestamp near, the signature right (operator-api 5). */
  private isSigned(request: IncomingMessage, call: string, message: JsonDocument): boolean {
    const { authId, timestamp, signature } = signatureHeaders;
    const [id, time, mac] = [authId, timestamp, signature].map((name) => {
      const values = request.headersDistinct[name.toLowerCase()] ?? [];
      return values.length === 1 ? Buffer.from(values[0] ?? '', 'latin1').toString('utf8') : null;
    });
    const parts = this.partsOf(call, message);
    if (!id || !time || !mac || parts === null) return false;
    const { operatorId, now = Date.now } = this.options;
    const claim = { authId: id, timestamp: time, signature: mac, parts };
    return (
      id === operatorId &&
      isTimely(time, now(), toleranceMs) &&
      verifySignature([this.#secret], claim)
    );
  }

  private partsOf(call: string, message: JsonDocument): readonly SignedPart[] | null {
    if (isKnown(call)) return readSignedParts(operations[call], message).parts;
    const fields = this.findFurther(call)?.signedFields ?? [];
    const { value } = message;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return fields.flatMap((name) => {
      const text = message.lexeme(value, name) ?? value[name];
      return typeof text === 'string' ? [{ name, text, isAmount: false }] : [];
    });
  }

  private findFurther(call: string): FurtherCall | undefined {
    const { furtherCalls = [] } = this.options;
    return furtherCalls.find(({ method, path }) => `${method} ${path}` === call);
  }
}

/** A body's JSON or the query's parameters; null where it is neither. */
function readMessage(method: string, target: string, body: string): JsonDocument | null {
  if (method === 'GET') {
    const query = readQuery(target);
    if (query === null) return null;
    return { value: Object.fromEntries(query), lexeme: () => undefined };
  }
  try {
    return parseJson(body);
  } catch (fault) {
    if (fault instanceof JsonSyntaxError) return null;
    throw fault;
  }
}

function isKnown(call: string): call is keyof typeof operations {
  return Object.hasOwn(operations, call);
}

function error(status: number, id: number, msg: string): RawAnswer {
  return { status, body: JSON.stringify({ errorCode: { id, msg, clientmsg: 'Not possible.' } }) };
}

/** The sample of the public documentation, its numbers spelled so that a float would not keep them. */
const sampleConfiguration = `{"gameCode":"game-bells","config":{
  "stakes":[10,20,50.00,100,200,500,1000,2000,5000,10000],"currency":"EUR","currencyMultiplier":1,
  "expectedRtp":96.190,"oneHundredXOdds":5522,"maxWinOdds":103680,"maxPayout":1000,
  "maxPayoutOdds":2488327800.0000000001,"maxExposure":10000000,"calculatedMaxExposure":10000000,
  "operator":"internal_testoperator","winlineCount":5}}`;
