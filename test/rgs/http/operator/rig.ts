import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';

import {
  createRgsClient,
  type RgsClient,
  type RgsClientOptions,
} from '../../../../lib/operator/client';
import type { CallEvent, HttpFinding } from '../../../../lib/rgs/http/call-event';
import {
  createServiceHandler,
  type ServiceHandlerOptions,
  type OperatorService,
} from '../../../../lib/rgs/http/operator';
import type { Mounted } from '../../../../lib/platform/http';
import { exchange, type RawReply } from '../../../network/raw-http';
import { listen, stopServer } from '../../../network/listening';

export const operatorId = 'acme';
export const secret = 'acme-secret-0123456789';

/** A call as the service got it, or `afterReply`. */
export type Worked = readonly [name: string, ...rest: unknown[]];

/** What a request is made of. */
export interface Request {
  readonly method?: string;
  readonly path: string;
  readonly body?: string | Uint8Array;
  /** The fields after secret, id and timestamp. */
  readonly signed?: readonly string[];
  /** Undefined leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** A handler on a port, over a service that notes what reaches it. */
export interface Rig {
  readonly port: number;
  readonly handler: Mounted;
  readonly worked: Worked[];
  readonly events: CallEvent[];
  readonly findings: HttpFinding[];
  /** The kit's own client of an operator. */
  client(options?: Partial<RgsClientOptions>): RgsClient;
  bytes(request: Request): Buffer;
  raw(bytes: Uint8Array): Promise<RawReply>;
  send(request: Request): Promise<RawReply>;
  close(): Promise<void>;
}

export async function createRig(
  options: Partial<ServiceHandlerOptions> = {},
  answers: Partial<OperatorService> = {},
): Promise<Rig> {
  const worked: Worked[] = [];
  const events: CallEvent[] = [];
  const findings: HttpFinding[] = [];
  const service = noting(worked, answers);
  const handler = createServiceHandler({
    service,
    operators: [{ operatorId, secrets: [secret, 'acme-rotated-0123456789'] }],
    onCall: (event) => events.push(event),
    onFinding: (finding) => findings.push(finding),
    // Of 100,000, its own number, the memory is what takes most of a rig's time.
    rememberedSignatures: 1000,
    ...options,
  });
  const server = createServer((request, response) => handler.handle(request, response));
  const port = await listen(server);
  const now = risingNow();
  const bytes = (request: Request): Buffer => bytesOf(request, new Date(now()).toISOString());
  const raw = async (sent: Uint8Array): Promise<RawReply> => {
    const [reply] = (await exchange(port, sent)).replies;
    if (reply === undefined) throw new Error('no answer');
    return reply;
  };
  const baseUrl = `http://127.0.0.1:${port}${options.basePath ?? ''}`;
  return {
    port,
    handler,
    worked,
    events,
    findings,
    client: (more = {}) => createRgsClient({ baseUrl, operatorId, secret, attempts: 1, ...more }),
    bytes,
    raw,
    send: (request) => raw(bytes(request)),
    close: async () => {
      await stopServer(server);
      await handler.close();
    },
  };
}

/** X-H-AUTH-SIG, by nothing but node:crypto (operator-api 5). */
export function signatureOf(timestamp: string, fields: readonly string[], key = secret): string {
  const signed = [key, operatorId, timestamp, ...fields].join('#');
  return createHmac('sha256', key).update(signed).digest('base64');
}

function bytesOf(request: Request, now: string): Buffer {
  const { method = 'POST', path, body = '', signed = [] } = request;
  const timestamp = request.headers?.['X-H-TIMESTAMP'] ?? now;
  const content = Buffer.from(body as string);
  const headers: Record<string, string | undefined> = {
    Host: 'rgs',
    'X-H-AUTH-ID': operatorId,
    'X-H-TIMESTAMP': timestamp,
    'X-H-AUTH-SIG': signatureOf(timestamp, signed),
    'Content-Type': method === 'POST' ? 'application/json' : undefined,
    'Content-Length': method === 'POST' ? String(content.byteLength) : undefined,
    ...request.headers,
  };
  const lines = Object.entries(headers)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), content]);
}

/** No two requests of one moment sign the same. */
function risingNow(): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Date.now());
    return last;
  };
}

/** A reply of a provider, with a number that a float would spell otherwise. */
export const configuration =
  '{"gameCode":"game-bells","config":{"stakes":[10,20,50],"currency":"EUR","currencyMultiplier":1,"expectedRtp":96.190,"maxPayoutOdds":36}}';

function noting(worked: Worked[], answers: Partial<OperatorService>): OperatorService {
  return {
    getGameURL: async (id, request) => {
      worked.push(['getGameURL', id, request]);
      const afterReply = (): void => void worked.push(['afterReply']);
      return { url: 'https://game.example/?token=t&login=l', afterReply };
    },
    assignPlayerFreerounds: async (id, request) => {
      worked.push(['assignPlayerFreerounds', id, request]);
      const { serial, count, expires } = request;
      return { serial, internalid: 'p1', count, used: 0, expires };
    },
    getStats: async (id, query) => {
      worked.push(['getStats', id, query]);
      return [
        {
          DAY: '2026-03-01',
          currency: 'EUR',
          game: 'game-bells',
          playerId: null,
          bet: 9007199254740991n,
          win: 250n,
          betInEuro: 1n,
          winInEuro: null,
          games: 3,
          player: 2,
          RTP: '96.10',
        },
      ];
    },
    getGameConfiguration: async (id, query) => {
      worked.push(['getGameConfiguration', id, query]);
      return configuration;
    },
    getGameList: async (id) => {
      worked.push(['getGameList', id]);
      return [{ gameCode: 'game-bells', name: 'Bells', studio: 'studio-1' }];
    },
    registerPlayer: async (id, notice) => void worked.push(['registerPlayer', id, notice]),
    sendRealityCheckResponse: async (id, notice) =>
      void worked.push(['sendRealityCheckResponse', id, notice]),
    ...answers,
  };
}
