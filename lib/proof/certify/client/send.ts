import { type ClientRequest, type IncomingMessage, request as http } from 'node:http';
import { request as https } from 'node:https';
import type { Clock } from '../../../platform';
import { Connections } from './connections';
import { type Exchange, maxReplyBytes, type WalletReply, type WalletRequest } from './exchange';

/** Sends requests to one wallet. */
export interface Sender {
  /**
   * Sends a request once, whatever comes of it: what a wallet does with a repeat is for the caller to try. Only a GET
   * that is lost on a kept connection, which the wallet was allowed to close, is sent again, on a new one; a POST takes a
   * kept connection only once a reply has come on one.
   * Waits `timeoutMs` at most. Follows no redirect. Never rejects.
   */
  send(url: string, request: WalletRequest, timeoutMs: number): Promise<Exchange>;
  /** Closes the idle connections. */
  close(): void;
}

/** A sender. */
export function createSender(clock: Clock): Sender {
  const connections = new Connections(clock);
  return {
    async send(url, request, timeoutMs) {
      const startedMs = clock.monotonicMs();
      const attempt = (isKept: boolean) =>
        exchange({
          clock,
          timeoutMs: Math.max(1, timeoutMs - (clock.monotonicMs() - startedMs)),
          open: () => opened(url, request, isKept ? connections : null),
          body: request.body,
          onReply: (outgoing) => connections.replied(outgoing),
        });
      const first = await attempt(true);
      const isAgain = first.isLostOnKept && request.method === 'GET';
      const { reply } = isAgain ? await attempt(false) : first;
      return { url, request, reply: { ...reply, ms: clock.monotonicMs() - startedMs } };
    },
    close: () => connections.close(),
  };
}

/** A request that is about to be sent; on a new connection, not kept, without `connections`. */
function opened(
  url: string,
  { method, path, headers, body }: WalletRequest,
  connections: Connections | null,
): ClientRequest {
  const target = new URL(url.replace(/\/$/, '') + path);
  const protocol = target.protocol === 'http:' ? 'http:' : 'https:';
  const length = body === null ? [] : ['Content-Length', String(body.byteLength)];
  const all = ['Host', target.host, ...headers.flat(), ...length];
  const agent = connections?.agentFor(protocol, method) ?? false;
  return (protocol === 'http:' ? http : https)(target, { method, agent, headers: all });
}

type Untimed<T> = T extends { readonly ms: number } ? Omit<T, 'ms'> : never;

/** What is sent, and how long it may take. */
interface Attempt {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly open: () => ClientRequest;
  readonly body: Uint8Array | null;
  readonly onReply: (outgoing: ClientRequest) => void;
}

interface Attempted {
  readonly reply: Untimed<WalletReply>;
  /** Whether a connection that had been used before ended before any byte of a reply came. */
  readonly isLostOnKept: boolean;
}

function exchange({ clock, timeoutMs, open, body, onReply }: Attempt): Promise<Attempted> {
  return new Promise((resolve) => {
    let outgoing: ClientRequest;
    try {
      outgoing = open();
    } catch (error) {
      // A header that Node does not send.
      const reply = { kind: 'cut', why: reasonOf(error) } as const;
      return resolve({ reply, isLostOnKept: false });
    }
    const end = (reply: Untimed<WalletReply>, isLostOnKept = false): void => {
      cancel();
      resolve({ reply, isLostOnKept });
      if (reply.kind === 'reply') onReply(outgoing);
      else outgoing.destroy();
    };
    const cancel = clock.after(timeoutMs, () => end({ kind: 'timeOut' }));
    outgoing.on('error', (error) => {
      end({ kind: 'cut', why: reasonOf(error) }, outgoing.reusedSocket);
    });
    outgoing.on('response', (incoming) => {
      outgoing.removeAllListeners('error').on('error', (error) => {
        end({ kind: 'cut', why: reasonOf(error) });
      });
      read(incoming, end);
    });
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
