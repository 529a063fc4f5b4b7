import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Turn {
  isTaken: boolean;
  readonly waiting: (() => void)[];
}

/**
 * The requests of one connection are worked on one after the other, in the order they came (HTTP
 * pipelining): one connection has no more in work than the process can drop. While one waits, the
 * connection is not read, so that what waits is at most what came in one piece.
 */
export class RequestTurns {
  private readonly turns = new WeakMap<Socket, Turn>();

  /** Takes care of a connection; to be called before its first request. */
  watch(socket: Socket): void {
    const turn: Turn = { isTaken: false, waiting: [] };
    this.turns.set(socket, turn);
    // Node reads on by itself when a request is complete, or an answer was written.
    socket.on('resume', () => {
      if (turn.waiting.length > 0) socket.pause();
    });
    socket.once('close', () => turn.waiting.splice(0));
  }

  /** Begins the work on a request when it is its turn; the turn ends with its response. */
  take(socket: Socket, response: ServerResponse, work: () => void): void {
    const turn = this.turns.get(socket);
    if (turn === undefined) return work();
    response.once('close', () => this.passOn(socket, turn));
    if (!turn.isTaken) {
      turn.isTaken = true;
      return work();
    }
    turn.waiting.push(work);
    socket.pause();
  }

  /** After a turn of the event loop: what came in one piece would keep all others waiting in one go. */
  private passOn(socket: Socket, turn: Turn): void {
    if (turn.waiting.length === 0) turn.isTaken = false;
    else setImmediate(() => this.beginNext(socket, turn));
  }

  private beginNext(socket: Socket, turn: Turn): void {
    // After the last answer of a connection nothing of it is begun: no answer could be sent.
    const next = socket.writable ? turn.waiting.shift() : undefined;
    if (next === undefined) {
      turn.isTaken = false;
      return;
    }
    if (turn.waiting.length === 0) socket.resume();
    next();
  }
}
