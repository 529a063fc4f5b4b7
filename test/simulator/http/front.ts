import { createOperatorHandler } from '../../../lib/operator/http/handler';
import type { MoneyPolicy } from '../../../lib/operator/gameround';
import type { DiscountCheck, WalletStore } from '../../../lib/operator/wallet';
import { createSeededRandom } from '../../../lib/platform';
import type { RequestListener } from '../../../lib/platform/http';
import { operatorId, rivalId } from '../plan/names';
import type { Lifetime } from '../world/lifetime';
import { type Arriving, type HttpReply, type HttpRequest, serve } from './message';

/** What a process of the wallet is started with. */
export interface FrontOptions {
  readonly store: WalletStore;
  readonly lifetime: Lifetime;
  readonly policy: MoneyPolicy;
  readonly discountCheck: DiscountCheck;
  readonly deadlineMs: number;
  /** Those of the operator that it accepts: two while they are rotated. */
  readonly secrets: readonly string[];
  readonly seed: number;
}

/** Farther than what is late on a line, and clocks that disagree. */
export const clockToleranceMs = 15_000;

/** The largest body that it takes. */
export const maxBodyBytes = 16_384;

/** The secret of the other operator. */
export const rivalSecret = 'the secret of the rival';

/** A wallet process behind HTTP: the real handler, with signatures, time window and replay guard. */
export class WalletFront {
  private readonly listener: RequestListener;

  constructor({ store, lifetime, policy, discountCheck, deadlineMs, secrets, seed }: FrontOptions) {
    // No line of a log holds a secret, and no request ends in an error that nobody expected.
    const check = (...line: readonly unknown[]): void => {
      const text = JSON.stringify(line, (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      if (secrets.some((secret) => text.includes(secret))) {
        lifetime.world.fail('no secret in a log', text.slice(0, 200));
      }
      // A store that throws is in doubt: only to getBalance that is an error of its own (D9).
      const isBroken = text.includes('INTERNALERROR') && !text.includes('"getBalance"');
      if (isBroken || text.includes('an endpoint failed')) {
        lifetime.world.fail('nothing is thrown', text.slice(0, 400));
      }
    };
    const { handle } = createOperatorHandler({
      store,
      operators: [
        { operatorId, secrets },
        { operatorId: rivalId, secrets: [rivalSecret] },
      ],
      ...policy,
      discountCheck,
      deadlineMs,
      clockToleranceMs,
      maxBodyBytes,
      rememberedSignatures: 1000,
      clock: lifetime.clock,
      random: createSeededRandom(seed),
      logger: { info: () => {}, warn: check, error: check },
    });
    this.listener = handle;
  }

  /** Takes a request; resolves to the reply. */
  take(request: HttpRequest, arriving: Arriving): Promise<HttpReply> {
    return new Promise((resolve) => serve(this.listener, request, arriving, resolve));
  }
}
