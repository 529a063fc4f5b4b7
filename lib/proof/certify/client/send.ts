import { type ClientRequest, type IncomingMessage, request as http } from 'node:http';
import { request as https } from 'node:https';
import type { Clock } from '../../../platform';
import { Connections } from './connections';
import { type Exchange, maxReplyBytes, type WalletReply, type WalletRequest } from './exchange';
import type { Gate } from './gate';

/** Sends requests to one wallet. */
export interface Sender {
  /**
   * Sends a request once, whatever comes of it: what a wallet does with a repeat is for the caller to try. Only a GET
   * that is lost on a kept connection, which the wallet was allowed to close, is sent again, on a new one; a POST takes a
   * kept connection only once a reply has come on one.
   * Waits `timeoutMs` at most, from when `gate` lets it go. Follows no redirect. Never rejects.
   * @param gate For a call that goes at the same time as others.
   */
  send(url: string, request: WalletRequest, timeoutMs: number, gate?: Gate): Promise<Exchange>;
  /** Closes the idle connections. */
  close(): void;
}

/** A sender. */
export function createSender(clock: Clock): Sender {
  const connections = new Connections(clock);
  return {
    async send(url, request, timeoutMs, gate) {
      const startedMs = clock.monotonicMs();
      const attempt = (isKept: boolean) =>
        exchange({
          clock,
          timeoutMs: Math.max(1, timeoutMs - (clock.monotonicMs() - startedMs)),
          open: () => opened(url, request, isKept ? connections : null),
          gate,
          body: request.body,
          onReply: (outgoing) => connections.replied(outgoing),
        });
      const first = await attempt(true);
      const isAgain = first.isLostOnKept && request.method === 'GET';
      const { reply } = isAgain ? await attempt(false) : first;
      const ms = clock.monotonicMs() - (gate?.openedMs ?? startedMs);
      return { url, request, reply: { ...reply, ms } };
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
  readonly gate: Gate | undefined;
  readonly body: Uint8Array | null;
  readonly onReply: (outgoing: ClientRequest) => void;
}

interface Attempted {
  readonly reply: Untimed<WalletReply>;
  /** Whether a connection that had been used before ended before any byte of a reply came. */
  readonly isLostOnKept: boolean;
}

function exchange({ clock, timeoutMs, open, gate, body, onReply }: Attempt): Promise<Attempted> {
  return new Promise((resolve) => {
    let outgoing: ClientRequest;
    try {
      outgoing = open();
    } catch (error) {
      // A header that Node does not send.
      gate?.leave();
      const reply = { kind: 'cut', why: reasonOf(error) } as const;
      return resolve({ reply, isLostOnKept: false });
    }
    let cancel = (): void => gate?.leave();
    const end = (reply: Untimed<WalletReply>, isLostOnKept = false): void => {
      cancel();
      resolve({ reply, isLostOnKept });
      if (reply.kind === 'reply') onReply(outgoing);
      else outgoing.destroy();
    };
    const go = (): void => {
      cancel = clock.after(timeoutMs, () => end({ kind: 'timeOut' }));
      outgoing.end(body ?? undefined);
    };
    outgoing.on('error', (error) => {
      end({ kind: 'cut', why: reasonOf(error) }, outgoing.reusedSocket);
    });
    outgoing.on('response', (incoming) => {
      outgoing.removeAllListeners('error').on('error', (error) => {
        end({ kind: 'cut', why: reasonOf(error) });
      });
      read(incoming, end);
    });
    if (gate === undefined) go();
    else whenConnected(outgoing, () => gate.ready(go));
  });
}

/** Sends the headers, and waits for the connection. */
function whenConnected(outgoing: ClientRequest, then: () => void): void {
  outgoing.once('socket', (socket) => {
    if (socket.connecting) socket.once('encrypted' in socket ? 'secureConnect' : 'connect', then);
    else then();
  });
  outgoing.flushHeaders();
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
