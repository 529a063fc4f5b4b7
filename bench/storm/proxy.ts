import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { type Answer, Connection } from '../load/connection';

/** Every so many-th POST is sent to both. */
const repeatEvery = 20;

/**
 * A proxy in front of two processes that repeats a POST now and then, as one does after a time-out: it sends a copy to the other
 * process before the first one has answered, and passes on what the other one answers. All other requests take turns.
 */
export class RepeatingProxy {
  /** Requests that were sent to both. */
  repeated = 0;
  private requests = 0;
  private readonly server: Server;

  constructor(private readonly ports: readonly [number, number]) {
    this.server = createServer((socket) => this.serve(socket));
  }

  /** Resolves to its port. */
  listen(): Promise<number> {
    return new Promise((resolve) => {
      this.server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
        resolve((this.server.address() as AddressInfo).port);
      });
    });
  }

  close(): void {
    this.server.close();
  }

  private serve(client: Socket): void {
    const lines = this.ports.map((port) => new Line(port));
    let received: Buffer = Buffer.alloc(0);
    let isBusy = false;
    client.setNoDelay(true);
    client.on('error', () => client.destroy());
    client.on('close', () => {
      for (const line of lines) line.close();
    });
    client.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const length = lengthOfRequest(received);
      if (length === null || isBusy) return;
      const request = Buffer.from(received.subarray(0, length));
      received = received.subarray(length);
      isBusy = true;
      this.pass(request, lines)
        .then((answer) => client.write(textOf(answer)))
        .catch(() => client.destroy()) // as a proxy that has no answer
        .finally(() => (isBusy = false));
    });
  }

  private pass(request: Buffer, lines: readonly Line[]): Promise<Answer> {
    this.requests += 1;
    const first = this.requests % 2;
    const [one, other] = [lines[first] as Line, lines[1 - first] as Line];
    const isPost = request.toString('latin1', 0, 5) === 'POST ';
    if (!isPost || this.requests % repeatEvery !== 0) return one.call(request);
    this.repeated += 1;
    one.call(request).catch(() => undefined); // its answer reaches nobody
    return other.call(request);
  }
}

/** The way of one client's connection to a process: a request waits for the one before, whose answer may reach nobody. */
class Line {
  private connection: Connection | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  constructor(private readonly port: number) {}

  call(request: Buffer): Promise<Answer> {
    const answer = this.last.then(() => this.send(request));
    this.last = answer.catch(() => undefined);
    return answer;
  }

  close(): void {
    this.isClosed = true;
    this.connection?.close();
  }

  private async send(request: Buffer): Promise<Answer> {
    if (this.connection?.isFree !== true) this.connection = await Connection.open(this.port);
    if (this.isClosed) this.connection.close();
    return this.connection.call(request);
  }
}

/** Bytes of the first request, head included; null if it is not whole. */
function lengthOfRequest(bytes: Buffer): number | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1] ?? '0';
  const whole = end + 4 + Number(length);
  return bytes.length < whole ? null : whole;
}

function textOf({ status, body }: Answer): string {
  const head = `HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Error'}`;
  return `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
