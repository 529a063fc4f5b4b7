import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Fault, gameProviderId, ScriptedRgs, secret } from './scripted-rgs';
import { stopServer } from '../network/listening';

/** The scripted RGS on a port of this machine; a lost request or reply is a connection that is cut. */
export class ListeningRgs {
  readonly rgs = new ScriptedRgs();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(
        async (answer) => {
          response.writeHead(answer.status, Object.fromEntries(answer.headers));
          response.end(await answer.text());
        },
        () => response.destroy(),
      );
    });
  }

  static async start(): Promise<ListeningRgs> {
    const rgs = new ListeningRgs();
    rgs.#server.listen(0, '127.0.0.1');
    await once(rgs.#server, 'listening');
    return rgs;
  }

  /** Address of the engine calls. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/gameapi/v2`;
  }

  /** What happens to the requests to come, in order. */
  failNext(...faults: Fault[]): void {
    this.rgs.faults = faults;
  }

  /** What a provider's program gets by its environment. */
  get environment(): Readonly<Record<string, string>> {
    return { RGS_URL: this.url, PROVIDER_ID: gameProviderId, PROVIDER_SECRET: secret };
  }

  async close(): Promise<void> {
    await stopServer(this.#server);
  }

  async #answer(request: IncomingMessage): Promise<Response> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { rawHeaders } = request;
    const headers = Object.fromEntries(
      rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [])),
    );
    const body = Buffer.concat(chunks).toString('utf8');
    const init = {
      method: request.method as 'GET' | 'POST',
      headers: withNames(headers),
      redirect: 'manual',
      signal: new AbortController().signal,
      ...(body === '' ? {} : { body }),
    } as const;
    const reply = await this.rgs.fetch(`http://rgs.example${request.url ?? ''}`, init);
    return reply as Response;
  }
}

/** A client may write its headers in any letter case. */
function withNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const isOurs = /^x-h-/i.test(name);
      return [isOurs ? name.toUpperCase() : name, value];
    }),
  );
}
