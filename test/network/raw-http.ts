import { connect, type Socket } from 'node:net';

/** An answer as it came over the wire. */
export interface RawReply {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** What came back on a connection. */
export interface RawExchange {
  readonly replies: readonly RawReply[];
  /** Whether the server ended the connection. */
  readonly closed: boolean;
}

/** How long a server may take before the exchange is given up, in milliseconds. */
const patienceMs = 10_000;

/** A connection on which any bytes can be sent. */
export class RawConnection {
  private received = Buffer.alloc(0);
  private closed = false;
  private wake: () => void = () => {};

  private constructor(private readonly socket: Socket) {
    socket.on('data', (bytes) => {
      this.received = Buffer.concat([this.received, bytes]);
      this.wake();
    });
    // A server that refuses may reset the connection; what it said before counts.
    socket.on('error', () => {});
    socket.on('close', () => {
      this.closed = true;
      this.wake();
    });
  }

  /** Connects to a port of 127.0.0.1. */
  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new RawConnection(socket);
  }

  /** Sends text as UTF-8, or bytes as they are. */
  send(bytes: string | Uint8Array): void {
    if (!this.socket.destroyed) this.socket.write(bytes);
  }

  /** Resolves to what was answered: so many replies, or what came until the server closed. */
  async replies(count = 1): Promise<RawExchange> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const replies = parseReplies(this.received);
      if (replies.length >= count || this.closed) return { replies, closed: this.closed };
      if (Date.now() > deadline) {
        throw new Error(`${replies.length} of ${count} replies came: ${this.received.toString()}`);
      }
      await this.news(deadline - Date.now());
    }
  }

  /** Ends the connection at once, in the middle of whatever it was. */
  abort(): void {
    this.socket.resetAndDestroy();
  }

  private news(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Sends bytes on a connection of their own and resolves to what was answered. */
export async function exchange(
  port: number,
  bytes: string | Uint8Array,
  count = 1,
): Promise<RawExchange> {
  const connection = await RawConnection.open(port);
  connection.send(bytes);
  try {
    return await connection.replies(count);
  } finally {
    connection.abort();
  }
}

/** The replies that are complete, each with a Content-Length or chunked. */
function parseReplies(bytes: Buffer): RawReply[] {
  const replies: RawReply[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return replies;
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
      }),
    );
    const length = Number(headers.get('content-length') ?? 0);
    const body = rest.subarray(end + 4, end + 4 + length);
    if (body.length < length) return replies;
    const status = Number(first.split(' ')[1]);
    rest = rest.subarray(end + 4 + length);
    if (status >= 200) replies.push({ status, headers, body: body.toString() });
  }
}
