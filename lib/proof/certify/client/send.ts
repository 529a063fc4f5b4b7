import { type ClientRequest, type IncomingMessage, request as http } from 'node:http';
import { request as https } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../../../platform';
import { Connections } from './connections';
import { type Exchange, maxReplyBytes, type WalletReply, type WalletRequest } from './exchange';
import type { Gate } from './gate';

/** Sends requests to one wallet. */
export interface Sender {
  /**
   * Sends a request once: what a wallet does with a repeat is for the caller to try. Only one that is lost on a kept
   * connection before any byte of a reply is sent again, the same bytes on a new connection: the wallet was allowed to
   * close the kept one, and both calls of the Operator API may be repeated (4.1, rule 1). A POST takes a kept connection
   * only once a reply has come on one.
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
      const nowMs = (): number => clock.monotonicMs();
      const fromMs = (): number => (gate === undefined ? startedMs : (gate.openedMs ?? nowMs()));
      const attempt = (isKept: boolean) =>
        exchange({
          clock,
          timeoutMs: Math.max(1, timeoutMs - (nowMs() - fromMs())),
          open: () => opened(url, request, isKept ? connections : null),
          gate,
          body: request.body,
          onReply: (outgoing) => connections.replied(outgoing),
        });
      const first = await attempt(true);
      const again = first.isLostOnKept ? await attempt(false) : null;
      const isSentAgain = again?.isConnected === true;
      // Where no new connection can be made, the wallet may have ended by a POST.
      const isFirst = again === null || (!isSentAgain && request.method === 'POST');
      const { reply, isConnected } = isFirst ? first : again;
      const ms = nowMs() - (gate?.openedMs ?? startedMs);
      return {
        url,
        request,
        reply: { ...reply, ms },
        ...(isConnected ? {} : { isUnconnected: true as const }),
        ...(isSentAgain ? { isSentAgain } : {}),
      };
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
  /** Whether there was a connection. */
  readonly isConnected: boolean;
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
      return resolve({ reply, isLostOnKept: false, isConnected: true });
    }
    const place = new GatePlace(gate);
    let cancel: (() => void) | null = null;
    let connected: { readonly socket: Socket; readonly bytesBefore: number } | null = null;
    let isOver = false;
    const end = (reply: Untimed<WalletReply>, isLostOnKept = false): void => {
      if (isOver) return;
      isOver = true;
      cancel?.();
      place.end(isLostOnKept);
      resolve({ reply, isLostOnKept, isConnected: connected !== null });
      if (reply.kind === 'reply') onReply(outgoing);
      else outgoing.destroy();
    };
    const go = (): void => {
      if (isOver) return;
      cancel = clock.after(timeoutMs, () => end({ kind: 'timeOut' }));
      outgoing.end(body ?? undefined);
    };
    outgoing.on('error', (error) => {
      const isSilent = connected?.socket.bytesRead === connected?.bytesBefore;
      end({ kind: 'cut', why: reasonOf(error) }, outgoing.reusedSocket && isSilent);
    });
    outgoing.on('response', (incoming) => {
      outgoing.removeAllListeners('error').on('error', (error) => {
        end({ kind: 'cut', why: reasonOf(error) });
      });
      read(incoming, end);
    });
    whenConnected(outgoing, (socket) => {
      connected = { socket, bytesBefore: socket.bytesRead };
      place.ready(go);
    });
    if (gate === undefined) go();
    // The body waits for the gate, the headers do not.
    else outgoing.flushHeaders();
  });
}

/** The place of one attempt at a gate, if there is one: left once at most. */
class GatePlace {
  #isReady = false;

  constructor(private readonly gate: Gate | undefined) {}

  ready(go: () => void): void {
    if (this.gate === undefined) return;
    this.#isReady = true;
    this.gate.ready(go);
  }

  /** @param isAgain Another attempt takes the place. */
  end(isAgain: boolean): void {
    if (this.#isReady && isAgain) this.gate?.waitAgain();
    if (!this.#isReady && !isAgain) this.gate?.leave();
  }
}

function whenConnected(outgoing: ClientRequest, then: (socket: Socket) => void): void {
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) return then(socket);
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => then(socket));
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
