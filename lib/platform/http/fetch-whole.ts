import { Agent, type IncomingMessage, request as openHttp } from 'node:http';
import { Agent as TlsAgent, request as openHttps } from 'node:https';
import {
  type BrotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  type Gunzip,
  type Inflate,
} from 'node:zlib';
import { headersOf, type PlainReply, type PlainRequest } from './memory-server';

/** Bytes of a reply, unpacked, after which the rest is not read, unless the caller says otherwise. */
const usualMaxBytes = 1024 * 1024;

/**
 * Connections that wait for their next request, for less than the 5 seconds after which a Node server closes
 * them: it would otherwise close one as a request sets out on it.
 */
const options = { keepAlive: true, timeout: 3000 } as const;
const [plain, tls] = [new Agent(options), new TlsAgent(options)];

const nothing = Buffer.alloc(0);

/** What `fetch` sends of itself, but for the encodings: replies are small. */
const own: readonly string[] = ['Accept-Encoding', 'identity', 'User-Agent', 'node'];

/**
 * Sends a request once, and reads its whole reply. Follows no redirect. Node's own `fetch` takes several
 * times the processor time (docs/performance.md).
 * @param maxBytes Of a longer reply a little more than this is returned; 1 MiB unless set.
 * @returns Rejects with the reason of the signal, and if the connection breaks before the reply is whole. The
 * request may have arrived then: it is not sent again, whichever connection it went out on.
 */
export function fetchWhole(
  url: string,
  { method, rawHeaders, body }: PlainRequest,
  signal: AbortSignal,
  maxBytes: number = usualMaxBytes,
): Promise<PlainReply> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const { protocol, hostname, port, host, pathname, search } = new URL(url);
    const isTls = protocol === 'https:';
    const content = method === 'GET' || method === 'HEAD' ? nothing : body;
    const headers = headersOf(withoutHost(rawHeaders), content, method);
    const sent = (isTls ? openHttps : openHttp)({
      method,
      // An IPv6 address is in brackets in a URL alone.
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (isTls ? 443 : 80) : port,
      path: pathname + search,
      headers: ['Host', host, ...headers, ...own],
      agent: isTls ? tls : plain,
    });
    const failed = (error: unknown): void => {
      signal.removeEventListener('abort', abort);
      reject(error);
    };
    const abort = (): void => {
      failed(signal.reason);
      sent.destroy();
    };
    signal.addEventListener('abort', abort);
    sent.on('error', failed);
    sent.on('response', (response) => {
      const arrived = (all: Buffer): void => {
        signal.removeEventListener('abort', abort);
        resolve({ ...headOf(response), body: all });
      };
      readWhole(response, maxBytes, arrived, failed);
    });
    sent.end(content);
  });
}

/** All of a reply's body; of a longer one a little more than the limit. */
function readWhole(
  response: IncomingMessage,
  maxBytes: number,
  whole: (body: Buffer) => void,
  failed: (error: unknown) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const decoder = decoderFor(response.headers['content-encoding']);
  response.on('error', (error) => {
    failed(error);
    decoder?.destroy();
  });
  decoder?.on('error', (error) => {
    // A body that is empty is so however it says that it is packed.
    if (decoder.bytesWritten === 0) whole(nothing);
    else failed(error);
  });
  const source = decoder === null ? response : response.pipe(decoder);
  source.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length <= maxBytes) return;
    whole(Buffer.concat(chunks));
    response.destroy();
    decoder?.destroy();
  });
  source.on('end', () =>
    whole(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
  );
}

function headOf({ statusCode = 0, rawHeaders }: IncomingMessage): Omit<PlainReply, 'body'> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return { status: statusCode, headers };
}

/** For a server that compresses every reply; null for a body that is as it was sent. */
function decoderFor(encoding: string | undefined): Gunzip | Inflate | BrotliDecompress | null {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return null;
  }
}

function withoutHost(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => (rawHeaders[at - (at % 2)] ?? '').toLowerCase() !== 'host');
}
