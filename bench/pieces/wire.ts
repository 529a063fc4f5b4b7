import { Socket } from 'node:net';

/** As a socket is given it: text comes with its encoding. */
interface Written {
  readonly chunk: Buffer | string;
  readonly encoding: BufferEncoding;
}

/** A socket without a network: what is written goes to a function, and what is pushed is read. */
export class Wire extends Socket {
  constructor(private readonly onWritten: (chunks: readonly Buffer[]) => void) {
    super();
  }

  override _read(): void {}

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    this.tell([{ chunk, encoding }], done);
  }

  override _writev(written: readonly Written[], done: () => void): void {
    this.tell(written, done);
  }

  private tell(written: readonly Written[], done: () => void): void {
    const chunks = written.map(({ chunk, encoding }) =>
      typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk,
    );
    this.onWritten(chunks);
    done();
  }
}
