import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as http,
} from 'node:http';
import { Agent as HttpsAgent, request as https } from 'node:https';
import type { Clock } from '../../../platform';
import { type Exchange, maxReplyBytes, type WalletReply, type WalletRequest } from './exchange';

/** Sends requests to one wallet. */
export interface Sender {
  /**
   * Sends a request once, whatever comes of it: what a wallet does with a repeat is for the caller to try.
   * Waits `timeoutMs` at most. Follows no redirect. Never rejects.
   */
  send(url: string, request: WalletRequest, timeoutMs: number): Promise<Exchange>;
  /** Closes the idle connections. */
  close(): void;
}

/** An idle connection is closed after this time, in milliseconds: sooner than any usual server closes it. */
const idleMs = 1000;

/** A sender. */
export function createSender(clock: Clock): Sender {
  const options = { keepAlive: true, timeout: idleMs };
  const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) };
  return {
    async send(url, request, timeoutMs) {
      const target = new URL(url.replace(/\/$/, '') + request.path);
      const isPlain = target.protocol === 'http:';
      const agent = agents[isPlain ? 'http:' : 'https:'];
      const startedMs = clock.monotonicMs();
      const reply = await exchange(
        clock,
        timeoutMs,
        () => {
          const headers = request.headers.flat();
          const { method, body } = request;
          const length = body === null ? [] : ['Content-Length', String(body.byteLength)];
          const all = ['Host', target.host, ...headers, ...length];
          return (isPlain ? http : https)(target, { method, agent, headers: all });
        },
        request.body,
      );
      return { url, request, reply: { ...reply, ms: clock.monotonicMs() - startedMs } };
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

type Untimed<T> = T extends { readonly ms: number } ? Omit<T, 'ms'> : never;

function exchange(
  clock: Clock,
  timeoutMs: number,
  open: () => ClientRequest,
  body: Uint8Array | null,
): Promise<Untimed<WalletReply>> {
  return new Promise((resolve) => {
    let outgoing: ClientRequest;
    try {
      outgoing = open();
    } catch (error) {
      // A header that Node does not send.
      return resolve({ kind: 'cut', why: reasonOf(error) });
    }
    const end = (reply: Untimed<WalletReply>): void => {
      cancel();
      resolve(reply);
      if (reply.kind !== 'reply') outgoing.destroy();
    };
    const cancel = clock.after(timeoutMs, () => end({ kind: 'timeOut' }));
    outgoing.on('error', (error) => end({ kind: 'cut', why: reasonOf(error) }));
    outgoing.on('response', (incoming) => read(incoming, end));
    outgoing.end(body ?? undefined);
  });
}

function read(incoming: IncomingMessage, end: (reply: Untimed<WalletReply>) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  incoming.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length > maxReplyBytes)
      end({ kind: 'cut', why: `the reply is over ${maxReplyBytes} bytes` });
  });
  incoming.on('error', (error) => end({ kind: 'cut', why: reasonOf(error) }));
  incoming.on('end', () => {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(incoming.headers)) {
      headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
    }
    const status = incoming.statusCode ?? 0;
    end({ kind: 'reply', status, headers, body: Buffer.concat(chunks) });
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error.message === '' ? (code ?? error.name) : error.message;
}
