import { Agent as HttpAgent, type ClientRequest } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../../../platform';

/** An idle connection is closed after this time, in milliseconds: sooner than any usual server closes it. */
const idleMs = 1000;
/** A server that closes a connection this soon after a reply, in milliseconds, so often in a row, keeps none. */
const soonMs = 100;
const maxInARow = 3;

/**
 * The connections of a sender. They are kept for the next request, unless the server closes them after each reply: it may
 * do so at any time, and a call that is just being sent on such a connection would be lost. So only a GET, which can be
 * sent again, tries whether the server keeps them.
 */
export class Connections {
  readonly #agents = {
    'http:': new HttpAgent({ keepAlive: true, timeout: idleMs }),
    'https:': new HttpsAgent({ keepAlive: true, timeout: idleMs }),
  };
  readonly #repliedMs = new WeakMap<Socket, number>();
  #closedInARow = 0;
  #isKept = false;

  constructor(private readonly clock: Clock) {}

  /** What `request` of node:http takes: false for a new connection that is not kept. */
  agentFor(protocol: 'http:' | 'https:', method: string): HttpAgent | false {
    if (this.#closedInARow >= maxInARow || (method !== 'GET' && !this.#isKept)) return false;
    return this.#agents[protocol];
  }

  /** Notes a whole reply. */
  replied({ reusedSocket, socket }: ClientRequest): void {
    if (reusedSocket) {
      this.#closedInARow = 0;
      this.#isKept = true;
    }
    if (socket === null) return;
    if (!this.#repliedMs.has(socket)) socket.once('end', () => this.#ended(socket));
    this.#repliedMs.set(socket, this.clock.monotonicMs());
  }

  /** Closes the idle connections. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #ended(socket: Socket): void {
    const idleForMs = this.clock.monotonicMs() - (this.#repliedMs.get(socket) ?? 0);
    if (idleForMs <= soonMs && this.#closedInARow < maxInARow) this.#closedInARow += 1;
  }
}
