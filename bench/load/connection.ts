import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An answer of a contestant. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/**
 * One keep-alive connection, one call at a time. It reads no more of HTTP than the contestants write, so that the load
 * costs little: a status, a content-length, a body. Whatever else comes fails the call.
 */
export class Connection {
  private received: Buffer = Buffer.alloc(0);
  private waiting: { resolve(answer: Answer): void; reject(error: Error): void } | null = null;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('the contestant closed the connection')));
  }

  /** Connects to a port of this machine. */
  static async open(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /** Whether it can send a request. */
  get isFree(): boolean {
    return this.waiting === null && !this.socket.destroyed;
  }

  /** Sends a whole request, and resolves to its answer. */
  call(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.waiting !== null || this.socket.destroyed) throw new Error('the connection is busy');
      this.waiting = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const end = this.received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.received.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) return this.fail(new Error('an answer has no content-length'));
    const bodyEnd = end + 4 + Number(length);
    if (this.received.length < bodyEnd) return;
    if (this.received.length > bodyEnd) return this.fail(new Error('an answer is too long'));
    const body = this.received.toString('utf8', end + 4);
    this.received = Buffer.alloc(0);
    const { waiting } = this;
    this.waiting = null;
    if (head.includes('onnection: close')) this.socket.destroy(); // another call would be lost
    waiting?.resolve({ status: Number(head.slice(9, 12)), body });
  }

  private fail(error: Error): void {
    this.waiting?.reject(error);
    this.waiting = null;
    this.socket.destroy();
  }
}
