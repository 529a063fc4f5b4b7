import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterThisTurn } from '../turn';

interface Turn {
  isTaken: boolean;
  readonly waiting: (() => void)[];
}

/**
 * Processes the requests of one connection one after the other, in order (HTTP pipelining), so that one
 * connection has at most one call in flight. The connection is not read while a request waits, so at most
 * the requests that arrived in one piece wait.
 */
export class RequestTurns {
  private readonly turns = new WeakMap<Socket, Turn>();

  /** Watches a connection; call it before its first request. */
  watch(socket: Socket): void {
    const turn: Turn = { isTaken: false, waiting: [] };
    this.turns.set(socket, turn);
    // Node resumes reading by itself when a request is complete or an answer was written.
    socket.on('resume', () => {
      if (turn.waiting.length > 0) socket.pause();
    });
    socket.once('close', () => turn.waiting.splice(0));
  }

  /** Starts the work on a request when it is its turn; the turn ends with its response. */
  take(socket: Socket, response: ServerResponse, work: () => void): void {
    // Its last answer, such as a 400, was sent while this request waited in the kernel: the caller takes it for the answer to this one.
    if (!socket.writable) return void socket.destroy();
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

  /**
   * Waits for a turn of the event loop: requests that arrived in one piece would otherwise keep all others
   * waiting.
   */
  private passOn(socket: Socket, turn: Turn): void {
    if (turn.waiting.length === 0) turn.isTaken = false;
    else afterThisTurn(() => this.beginNext(socket, turn));
  }

  private beginNext(socket: Socket, turn: Turn): void {
    // After the last answer of a connection, no further request of it is started: no answer could be sent.
    const next = socket.writable ? turn.waiting.shift() : undefined;
    if (next === undefined) {
      turn.isTaken = false;
      return;
    }
    if (turn.waiting.length === 0) socket.resume();
    next();
  }
}
