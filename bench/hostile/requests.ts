import { callShapes } from '../../test/protocol/json/hostile-json';
import { operatorId } from '../terms';

/** Bytes of the largest body that the wallet takes unless its options say otherwise (D2.1). */
export const largestBody = 256 * 1024;

/** A request that nobody has signed, as it goes over the wire. */
export interface HostileRequest {
  readonly name: string;
  readonly bytes: Buffer;
  /** The port of the money unless set. */
  readonly to?: keyof Ports;
}

/** Where the wallet listens. */
export interface Ports {
  readonly money: number;
  readonly admin: number;
}

type Headers = readonly (readonly [string, string])[];

/** All of them: bodies of every shape under headers that are as they should be, and what needs no body. */
export function hostileRequests(): HostileRequest[] {
  const bodies = Object.entries(callShapes).map(([name, shape]) => ({
    name,
    bytes: post(shape(largestBody), signed()),
  }));
  const worst = callShapes['beside what is signed: objects with a key of their own'];
  const body = worst?.(largestBody) ?? '';
  return [
    ...bodies,
    { name: 'no header, the largest body', bytes: post(body, []) },
    {
      name: 'a stale timestamp, the largest body',
      bytes: post(body, signed('2020-01-01T00:00:00Z')),
    },
    ...[1, 16, 256].map((piece) => ({
      name: `the largest body in pieces of ${piece} bytes`,
      bytes: inPieces(' '.repeat(largestBody), piece),
    })),
    {
      name: 'getBalance, a body in pieces of 1 byte',
      bytes: inPieces(' '.repeat(largestBody), 1, 'GET /getBalance HTTP/1.1'),
    },
    ...['/healthz', '/readyz', '/nowhere'].map((path) => ({
      name: `${path}, 3.6 MB in pieces of 1 byte`,
      bytes: inPieces(' '.repeat(600_000), 1, `GET ${path} HTTP/1.1`),
    })),
    ...['GET /', 'POST /block', 'GET /metrics', 'PUT /nowhere'].map((line) => ({
      name: `the admin port, ${line}, 3.6 MB in pieces of 1 byte`,
      bytes: inPieces(' '.repeat(600_000), 1, `${line} HTTP/1.1`),
      to: 'admin' as const,
    })),
    { name: 'getBalance, 15 KB of parameters', bytes: get(parameters((at) => `p${at}=1`)) },
    { name: 'getBalance, 15 KB of escapes', bytes: get('playerId=' + '%C3%A9'.repeat(2500)) },
    { name: 'getBalance, 15 KB of &', bytes: get('&'.repeat(15_000)) },
    {
      name: '15 KB of headers',
      bytes: post(
        '{}',
        many((at) => [`x-${at}`, 'y']),
      ),
    },
    {
      name: '15 KB of one header',
      bytes: post(
        '{}',
        many(() => ['X-H-AUTH-SIG', 'y']),
      ),
    },
  ];
}

function signed(timestamp = new Date().toISOString()): Headers {
  return [
    ['X-H-AUTH-ID', operatorId],
    ['X-H-TIMESTAMP', timestamp],
    ['X-H-AUTH-SIG', Buffer.alloc(32).toString('base64')],
  ];
}

function head(line: string, headers: Headers): Buffer {
  const lines = [['Host', 'wallet'], ...headers].map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${[line, ...lines].join('\r\n')}\r\n\r\n`);
}

function post(body: string, headers: Headers): Buffer {
  const bytes = Buffer.from(body);
  const about: Headers = [
    ['Content-Type', 'application/json'],
    ['Content-Length', String(bytes.length)],
  ];
  return Buffer.concat([head('POST /doTransactions HTTP/1.1', [...headers, ...about]), bytes]);
}

function inPieces(body: string, size: number, line = 'POST /doTransactions HTTP/1.1'): Buffer {
  const about: Headers = [
    ['Content-Type', 'application/json'],
    ['Transfer-Encoding', 'chunked'],
  ];
  const piece = `${size.toString(16)}\r\n${body.slice(0, size)}\r\n`;
  const pieces = Buffer.from(`${piece.repeat(Math.floor(body.length / size))}0\r\n\r\n`);
  return Buffer.concat([head(line, [...signed(), ...about]), pieces]);
}

function get(query: string): Buffer {
  return head(`GET /getBalance?${query} HTTP/1.1`, signed());
}

function parameters(parameter: (at: number) => string): string {
  return Array.from({ length: 1900 }, (_, at) => parameter(at)).join('&');
}

function many(header: (at: number) => readonly [string, string]): Headers {
  return [...signed(), ...Array.from({ length: 900 }, (_, at) => header(at))];
}
