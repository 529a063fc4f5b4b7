import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';

/** A network path to a port of this machine, on which a reply can be lost. */
export class LossyLink {
  private readonly server: Server;
  private losesNextReply = false;

  private constructor(target: number) {
    this.server = createServer((client) => {
      const wallet = connect(target, '127.0.0.1');
      client.pipe(wallet);
      wallet.on('data', (bytes) => {
        if (!this.losesNextReply) return void client.write(bytes);
        this.losesNextReply = false;
        client.resetAndDestroy();
        wallet.destroy();
      });
      wallet.on('end', () => client.end());
      wallet.on('error', () => client.destroy());
      client.on('error', () => wallet.destroy());
    });
  }

  /** Opens a link on its own port. */
  static async to(target: number): Promise<LossyLink> {
    const link = new LossyLink(target);
    link.server.listen(0, '127.0.0.1');
    await once(link.server, 'listening');
    return link;
  }

  /** The port to call. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Drops the wallet's next reply when it arrives, and breaks the caller's connection. */
  loseNextReply(): void {
    this.losesNextReply = true;
  }

  /** Accepts no more connections. */
  close(): void {
    this.server.close();
  }
}
