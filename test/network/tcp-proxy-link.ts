import type { Socket } from 'node:net';

/** How a proxy treats bytes at this moment. */
export interface LinkRules {
  /** Requests are swallowed, and the connection stays. */
  readonly loseRequests: boolean;
  /** Replies are swallowed, and the connection stays. */
  readonly loseReplies: boolean;
  /** Asked once for each reply, with the request bytes it answers: swallow it and close the connection? */
  readonly dropsReply: (request: Buffer) => boolean;
}

/** Counters a connection adds to. */
export interface LinkCounters {
  bytesUp: number;
  bytesDown: number;
  bytesLost: number;
  repliesDropped: number;
}

/** What a connection shares with its proxy. */
export interface LinkContext {
  readonly rules: () => LinkRules;
  readonly requests: Gate;
  readonly replies: Gate;
  readonly counters: LinkCounters;
}

/** One client's connection through the proxy. */
export interface Link {
  /** True if bytes were swallowed while the connection stayed open, so that its two ends disagree. */
  hasLostBytes(): boolean;
  destroy(): void;
}

/** A latch that bytes pass in order: while it is shut they queue, and when it opens they go. */
export class Gate {
  #queue: (() => void)[] | undefined;
  #onFirst: (() => void) | undefined;

  /** Runs `deliver` now, or when the gate opens. */
  through(deliver: () => void): void {
    if (!this.#queue) {
      deliver();
      return;
    }
    this.#queue.push(deliver);
    this.#onFirst?.();
  }

  /** Shuts the gate; calls `onFirst` when something has to wait. */
  shut(onFirst: () => void): void {
    this.#queue ??= [];
    this.#onFirst = onFirst;
  }

  /** Opens the gate and delivers what waited. */
  open(): void {
    const queue = this.#queue ?? [];
    this.#queue = undefined;
    for (const deliver of queue) deliver();
  }
}

/** Joins a client's socket to the target's under the proxy's rules; `onClosed` is called when both are closed. */
export function openLink(
  client: Socket,
  upstream: Socket,
  { rules, requests, replies, counters }: LinkContext,
  onClosed: () => void,
): Link {
  let request: Buffer[] = [];
  let lost = false;
  let ended = false;
  const destroy = (): void => {
    client.destroy();
    upstream.destroy();
  };
  const lose = (bytes: Buffer): void => {
    lost = true;
    counters.bytesLost += bytes.length;
  };
  const endUpstream = (): void => {
    requests.through(() => upstream.end());
  };
  const closedOne = (): void => {
    if (ended || !client.destroyed || !upstream.destroyed) return;
    ended = true;
    onClosed();
  };

  client.on('data', (bytes: Buffer) => {
    if (rules().loseRequests) {
      lose(bytes);
      return;
    }
    requests.through(() => {
      if (upstream.destroyed) return;
      request.push(bytes);
      counters.bytesUp += bytes.length;
      upstream.write(bytes);
    });
  });
  upstream.on('data', (bytes: Buffer) => {
    if (rules().loseReplies) {
      lose(bytes);
      return;
    }
    if (request.length > 0) {
      const answered = Buffer.concat(request);
      request = [];
      if (rules().dropsReply(answered)) {
        counters.repliesDropped += 1;
        destroy();
        return;
      }
    }
    replies.through(() => {
      if (client.destroyed) return;
      counters.bytesDown += bytes.length;
      client.write(bytes);
    });
  });

  client.on('end', endUpstream);
  client.on('error', () => undefined); // 'close' follows
  client.on('close', endUpstream); // not destroy: what the client sent before it gave up must still arrive
  client.on('close', closedOne);
  upstream.on('end', () => replies.through(() => client.end()));
  upstream.on('error', destroy);
  upstream.on('close', closedOne);
  return { hasLostBytes: () => lost, destroy };
}
