import type { IncomingMessage } from 'node:http';

/** What a body parser in front of the router leaves on the request. */
interface MaybeParsed {
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

const contentType = /^application\/json[\t ]*(?:;[\t ]*charset[\t ]*=[\t ]*"?utf-8"?[\t ]*)?$/i;
/** What decoders write for bytes that are not UTF-8; it can also have been sent. */
const replacementCharacter = '\uFFFD';
const cure =
  'Mount the router before the body parser, or give the parser a verify function that keeps req.rawBody.';

/** A parser has consumed or changed the body, so its signature cannot be checked. */
export class BodyConsumedError extends Error {
  override readonly name = 'BodyConsumedError';
  readonly code = 'BODYCONSUMED';

  constructor(problem = 'The body was read before it reached the router.') {
    super(`${problem} ${cure}`);
  }
}

/** A body that is not accepted, or did not arrive whole; nothing of it was processed. */
export class BodyRefusedError extends Error {
  override readonly name = 'BodyRefusedError';

  constructor(
    /** What is wrong, for the engineer. It never repeats the request. */
    readonly detail: string,
    /** HTTP status of the answer. */
    readonly status: number = 400,
  ) {
    super(detail);
  }
}

/**
 * The bytes of a JSON body (D2.1). Uses what a parser kept unchanged: `req.rawBody`, or else `req.body`,
 * as bytes or as text.
 * @throws BodyRefusedError 415, 413, or 400 if the request ends early; BodyConsumedError.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Uint8Array | Promise<Uint8Array> {
  checkHeaders(request);
  return readBytes(request, maxBytes);
}

/**
 * The bytes of a body of whatever type, for a request that needs none: a GET.
 * @throws BodyRefusedError 413, or 400 if the request ends early; BodyConsumedError.
 */
export function readBytes(
  request: IncomingMessage,
  maxBytes: number,
): Uint8Array | Promise<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const kept = keptBytes(request);
  // A body parser that calls `next()` early has no body yet.
  const isKept = kept !== null && (kept.byteLength > 0 || !hasUnreadBody(request));
  if (isKept) {
    if (kept.byteLength > maxBytes) throw tooLarge(maxBytes);
    return kept;
  }
  if (request.readableEnded || request.readableDidRead) throw new BodyConsumedError();
  // A middleware before waited, and the caller has gone: a destroyed request emits nothing any more.
  if (request.destroyed) throw brokenOff();
  if (isDecoded(request)) {
    throw new BodyConsumedError('The body is decoded by setEncoding before it reaches the router.');
  }
  return collect(request, maxBytes);
}

function checkHeaders({ headers }: IncomingMessage): void {
  if (!contentType.test(headers['content-type'] ?? '')) {
    throw new BodyRefusedError('The content type must be application/json.', 415);
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new BodyRefusedError('Content-Encoding is not supported.', 415);
  }
}

function keptBytes({ rawBody, body }: IncomingMessage & MaybeParsed): Uint8Array | null {
  return bytesOf(rawBody) ?? bytesOf(body);
}

/** @throws BodyConsumedError for a text that may differ from what was sent. */
function bytesOf(kept: unknown): Uint8Array | null {
  if (kept instanceof Uint8Array) return kept;
  if (typeof kept !== 'string') return null;
  if (kept.includes(replacementCharacter)) {
    throw new BodyConsumedError('A body parser may have replaced bytes of the body by U+FFFD.');
  }
  return Buffer.from(kept, 'utf8');
}

/** Requests that are not Node's own may have no such property. */
function isDecoded({ readableEncoding = null }: Partial<IncomingMessage>): boolean {
  return readableEncoding !== null;
}

function collect(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const maxPieces = piecesFor(maxBytes);
    const chunks: Buffer[] = [];
    let size = 0;
    let isWhole = false;
    let isRefused = false;
    const onData = (chunk: Buffer) => {
      // The rest is discarded; without a reader node would keep it.
      if (isRefused) return;
      size += chunk.byteLength;
      if (size <= maxBytes && chunks.length < maxPieces) return void chunks.push(chunk);
      isRefused = true;
      reject(size > maxBytes ? tooLarge(maxBytes) : tooManyPieces(maxPieces));
    };
    const onEnd = () => {
      isWhole = true;
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    };
    const onBreak = () => {
      if (!isWhole) reject(brokenOff());
    };
    // The listeners go with the request: removing them costs more than keeping them.
    request.on('data', onData).on('end', onEnd).on('error', onBreak).on('close', onBreak);
    // A middleware may have paused it.
    if (request.readableFlowing === false) request.resume();
  });
}

/** Whether a part of the body was not read. A GET is answered before node reports it complete. */
export function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  const length = headers['content-length'] ?? '0';
  return !complete && (headers['transfer-encoding'] !== undefined || Number(length) !== 0);
}

/** The caller is gone; for the log only. */
function brokenOff(): BodyRefusedError {
  return new BodyRefusedError('The request ended early.');
}

/**
 * A piece of one byte costs as much as a thousand bytes in one piece; a large body may have pieces of 256
 * bytes on average.
 */
function piecesFor(maxBytes: number): number {
  return Math.max(1024, Math.ceil(maxBytes / 256));
}

function tooManyPieces(maxPieces: number): BodyRefusedError {
  const detail = `The body arrived in more than ${maxPieces} pieces.`;
  return new BodyRefusedError(detail, 413);
}

function tooLarge(maxBytes: number): BodyRefusedError {
  return new BodyRefusedError(`The body is larger than ${maxBytes} bytes.`, 413);
}
