import { setTimeout as delay } from 'node:timers/promises';

import { createRgsClient, type RgsClient, ServiceError } from '../../../../lib/operator/client';
import { gameCode } from './studio';

const signedFields = ['playerId', 'gameCode', 'currency', 'language', 'mode'];

/** The operator's side of the RGS: launches games, and grants free plays. */
export class Casino {
  readonly #rgs: RgsClient;

  constructor(
    rgsOrigin: string,
    credentials: { readonly operatorId: string; readonly secret: string },
    private readonly attemptTimeoutMs: number,
  ) {
    this.#rgs = createRgsClient({
      baseUrl: `${rgsOrigin}/operator`,
      ...credentials,
      attemptTimeoutMs,
    });
  }

  /** Launches the game and connects, as a browser does, until it succeeds: the session's token. */
  async session(playerId: string): Promise<string> {
    return untilDone(async () => {
      const body = { playerId, gameCode, currency: 'EUR', language: 'en', mode: 'REAL' };
      const launched = await this.#rgs.call({
        method: 'POST',
        path: '/getGameURL',
        body,
        signedFields,
        isRepeatable: true,
      });
      const { searchParams } = new URL((launched as { url: string }).url);
      const connectUrl = `${searchParams.get('login')}?token=${searchParams.get('token')}`;
      const signal = AbortSignal.timeout(this.attemptTimeoutMs);
      const reply = await fetch(connectUrl, { signal });
      const { token } = (await reply.json()) as { token?: string };
      if (token === undefined) throw new Error(`connect: ${reply.status}`);
      return token;
    });
  }

  /** Grants free plays until it is known that they are granted; a serial is granted once (E18.1). */
  async grant(playerId: string, serial: string, stake: bigint, count: number): Promise<void> {
    const order = { playerId, gameCode, serial, currency: 'EUR', stake, count };
    await untilDone(() => this.#rgs.assignPlayerFreerounds(order));
  }
}

/** Repeats what fails; an operator refuses to be refused for ever. */
async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      const isFinal = error instanceof ServiceError && error.status < 500 && error.status !== 429;
      if (failures === 1000 || (isFinal && failures > 5)) throw error;
      await delay(100);
    }
  }
}
