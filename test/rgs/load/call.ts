import { Agent, request } from 'node:http';

import type { SignedRequest } from '../../../lib/proof';
import { type Answer, cut, readReply } from '../../../lib/rgs/settlement/answer';

/** What came back of a call. `lost`: no reply, so its outcome is unknown. */
export type ServiceReply =
  | { readonly kind: 'answered'; readonly status: number; readonly body: ReplyBody }
  | { readonly kind: 'lost' };

/** The members of a reply that tests look at. */
export type ReplyBody = {
  balances?: { type: string; amount: number }[];
  hashesProcessed?: { hash: string; errorCode?: { id: number } }[];
  errorCode?: { id: number; msg: string };
};

/** The same for the table of what the RGS does. */
export function answerOf(reply: ServiceReply): Answer {
  return reply.kind === 'lost' ? cut : readReply(reply.status, reply.body);
}

/** Sends signed requests over connections that stay open, to each wallet in turn. */
export class ServiceConnections {
  readonly #agent: Agent;
  #sent = 0;

  constructor(
    private readonly origins: readonly string[],
    connections: number,
    private readonly replyTimeoutMs: number,
  ) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Sends a request; `dropsReply` hangs up as soon as it is sent. */
  send(signed: SignedRequest, { dropsReply = false } = {}): Promise<ServiceReply> {
    const { method, path, headers, body } = signed;
    const origin = this.origins[this.#sent++ % this.origins.length] ?? '';
    return new Promise((resolve) => {
      const lose = (): void => resolve({ kind: 'lost' });
      const call = request(origin + path, {
        method,
        agent: this.#agent,
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body ?? '') },
        timeout: this.replyTimeoutMs,
      });
      call.on('error', lose);
      call.on('close', lose);
      call.on('timeout', () => call.destroy());
      if (dropsReply) call.on('finish', () => setImmediate(() => call.destroy()));
      call.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', lose);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const status = response.statusCode ?? 0;
          resolve({ kind: 'answered', status, body: JSON.parse(text) as ReplyBody });
        });
      });
      call.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
