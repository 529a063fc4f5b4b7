import { once } from 'node:events';
import { type Server, connect, createServer } from 'node:net';

import { freePort } from '../servers/ports';
import { Gate, type Link, type LinkRules, openLink } from './tcp-proxy-link';

const LET_PASS: LinkRules = {
  loseRequests: false,
  loseReplies: false,
  dropsReply: () => false,
};

/** Where the proxy leads to. */
export interface TcpTarget {
  readonly host: string;
  readonly port: number;
}

/** What has passed since the proxy started. */
export interface TcpProxyCounters {
  /** Connections accepted from clients. */
  connections: number;
  /** Connections open now. */
  open: number;
  /** Bytes delivered to the target. */
  bytesUp: number;
  /** Bytes delivered to clients. */
  bytesDown: number;
  /** Bytes a blackhole swallowed, both ways. */
  bytesLost: number;
  /** Replies that were swallowed, each with its connection. */
  repliesDropped: number;
}

/** Which reply to drop. */
export interface DropOptions {
  /** Only a reply to a request that fits, e.g. `(request) => request.includes('EVALSHA')`. */
  readonly to?: (request: Buffer) => boolean;
}

/** Traffic held back. */
export interface Hold {
  /** Resolves when the first bytes have been held back. */
  readonly held: Promise<void>;
  /** Delivers what was held, in order, and lets traffic pass again. */
  readonly release: () => void;
}

/**
 * A TCP proxy on 127.0.0.1 with faults to switch on. A "reply" is what the target sends after what a client sent, as far as
 * it arrives in one go; with a pipeline, all its answers are one reply.
 */
export interface TcpProxy {
  readonly host: string;
  readonly port: number;
  readonly counters: Readonly<TcpProxyCounters>;
  /** Lets everything pass. Connections that lost bytes to a blackhole are closed, and a refusing proxy listens again. */
  pass(): Promise<void>;
  /** Delivers the next request, swallows its reply and closes the connection; resolves once that has happened. */
  dropNextReply(options?: DropOptions): Promise<void>;
  /** Lets `count` replies pass, then drops every reply, each with its connection, until `pass`. */
  cutRepliesAfter(count: number): void;
  /** Nothing comes back while connections stay open. Requests are still delivered unless `deliver` is false. */
  blackhole(options?: { readonly deliver?: boolean }): void;
  /** Closes all connections and refuses new ones, as if nothing listened, until `pass`. */
  refuse(): Promise<void>;
  /** Holds requests back before they reach the target, or replies before they reach the client. */
  hold(what: 'requests' | 'replies'): Hold;
  /** Closes all connections once, as a network that broke and recovered. */
  disconnectAll(): void;
  close(): Promise<void>;
}

/** Starts a proxy that lets everything pass. */
export async function startTcpProxy(target: TcpTarget): Promise<TcpProxy> {
  const counters: TcpProxyCounters = {
    connections: 0,
    open: 0,
    bytesUp: 0,
    bytesDown: 0,
    bytesLost: 0,
    repliesDropped: 0,
  };
  const links = new Set<Link>();
  const gates = { requests: new Gate(), replies: new Gate() };
  let rules = LET_PASS;

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ ...target, allowHalfOpen: true });
    const link = openLink(client, upstream, { rules: () => rules, ...gates, counters }, () => {
      links.delete(link);
      counters.open -= 1;
    });
    links.add(link);
    counters.connections += 1;
    counters.open += 1;
  });
  const port = await listenSomewhere(server);

  const openGates = (): void => {
    gates.requests.open();
    gates.replies.open();
  };
  const disconnectAll = (): void => {
    for (const link of links) link.destroy();
  };
  const stopListening = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    disconnectAll();
    await closed;
  };
  return {
    host: '127.0.0.1',
    port,
    counters,
    async pass() {
      rules = LET_PASS;
      for (const link of links) if (link.hasLostBytes()) link.destroy();
      openGates();
      if (!server.listening) await listen(server, port);
    },
    dropNextReply({ to = () => true } = {}) {
      return new Promise((resolve) => {
        const dropsReply = (request: Buffer): boolean => {
          if (!to(request)) return false;
          rules = { ...rules, dropsReply: LET_PASS.dropsReply };
          resolve();
          return true;
        };
        rules = { ...rules, dropsReply };
      });
    },
    cutRepliesAfter(count) {
      let seen = 0;
      const dropsReply = (): boolean => {
        seen += 1;
        return seen > count;
      };
      rules = { ...rules, dropsReply };
    },
    blackhole({ deliver = true } = {}) {
      rules = { ...rules, loseRequests: !deliver, loseReplies: true };
    },
    refuse: stopListening,
    hold(what) {
      const gate = gates[what];
      return {
        held: new Promise((resolve) => gate.shut(resolve)),
        release: () => gate.open(),
      };
    },
    disconnectAll,
    async close() {
      await stopListening(); // first, so that opening the gates delivers nothing more
      openGates();
    },
  };
}

async function listenSomewhere(server: Server): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      await listen(server, port);
      return port;
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
