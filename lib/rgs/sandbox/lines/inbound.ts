import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Random } from '../../../platform';
import {
  BodyRefusedError,
  originForm,
  type PlainReply,
  type PlainRequest,
  readBytes,
  type RequestListener,
} from '../../../platform/http';
import { createLocalExchange } from '../../../platform/http/local-exchange';
import { randomUuid } from '../../../platform/random';
import type { LineName } from '../view/state';
import { tooLarge } from './answers';
import type { Outcome, Pass } from './pass';

/** Larger bodies are cut off here; the listener refuses far smaller ones itself. */
const maxBytes = 1024 * 1024;
/** A caller that waits for a lost reply is disconnected after this long. */
const longestSilenceMs = 120_000;

/** A listener that is called through a line of the sandbox. */
interface Inbound {
  readonly listener: RequestListener;
  /** Cuts the connections of all callers that wait for a reply, lost or not, and ignores the answers to them. */
  readonly cut: () => void;
}

/** What the requests to a listener pass. */
interface InboundParts {
  readonly line: LineName;
  readonly pass: Pass;
  readonly listener: RequestListener;
  /** Stands in front of the listener's paths on the wire, and may be there in requests: `/gameapi/v2`. */
  readonly basePath?: string;
  /** Real time. */
  readonly clock: Clock;
  /** For the ids of errors. */
  readonly random: Random;
}

/** Lets the requests to a listener pass a line. */
export function createInbound({
  line,
  pass,
  listener,
  basePath = '',
  clock,
  random,
}: InboundParts): Inbound {
  const exchange = createLocalExchange(listener);
  let died = new AbortController();
  setMaxListeners(0, died.signal);
  /** Callers without an answer yet. */
  const waiting = new Set<ServerResponse>();
  const release = (response: ServerResponse): void => {
    waiting.delete(response);
    response.destroy();
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let outcome: Outcome;
    waiting.add(response);
    response.once('close', () => waiting.delete(response));
    try {
      const plain = await plainOf(request, basePath);
      outcome = await pass(line, plain, (one) =>
        exchange({ ...one, target: one.target.slice(basePath.length) || '/' }, died.signal),
      );
    } catch (error) {
      const status = error instanceof BodyRefusedError ? error.status : 0;
      if (status !== 413 || response.destroyed) return release(response);
      response.setHeader('connection', 'close');
      return writeReply(response, tooLarge(randomUuid(random)));
    }
    if (response.destroyed) return;
    if (outcome.kind === 'reply') return writeReply(response, outcome.reply);
    if (outcome.kind === 'half') return writeHalf(response, outcome.reply);
    const cancel = clock.after(longestSilenceMs, () => release(response), 'background');
    response.once('close', cancel);
  };
  return {
    listener: (request, response) => void answer(request, response),
    cut: () => {
      died.abort(new Error('the process died'));
      died = new AbortController();
      setMaxListeners(0, died.signal);
      for (const response of waiting) release(response);
    },
  };
}

/** The request as a whole, its path below the base path; a router in front may have taken that off. */
async function plainOf(request: IncomingMessage, basePath: string): Promise<PlainRequest> {
  const { method = 'GET', url = '/', rawHeaders } = request;
  const path = originForm(url);
  const target = path.startsWith(`${basePath}/`) ? path : basePath + path;
  const body = await readBytes(request, maxBytes);
  return { method, target, rawHeaders, body };
}

function writeReply(response: ServerResponse, { status, headers, body }: PlainReply): void {
  for (const [name, value] of Object.entries(headers)) {
    if (name !== 'connection' && name !== 'transfer-encoding') response.setHeader(name, value);
  }
  response.statusCode = status;
  response.end(body);
}

/** The head with the whole length, half of the body, then the end of the connection. */
function writeHalf(response: ServerResponse, { status, headers, body }: PlainReply): void {
  response.statusCode = status;
  response.setHeader('content-type', headers['content-type'] ?? 'application/json');
  response.setHeader('content-length', body.byteLength);
  response.write(body.subarray(0, body.byteLength >> 1), () => response.destroy());
}
