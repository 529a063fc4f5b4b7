import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperatorHandler } from '../../operator/http/handler';
import type { WalletStore } from '../../operator/wallet';
import { type Clock, systemClock } from '../../platform';
import { cutUnreadBody, originForm, pathOf, sendJson } from '../../platform/http';
import { within } from '../../platform/within';
import { HttpService, type HttpServiceParts } from '../terminal/http-service';

/** The parts of a wallet's service. */
export interface WalletServiceParts
  extends Pick<HttpServiceParts, 'maxConnections' | 'log' | 'clock'> {
  readonly handler: OperatorHandler;
  readonly store: Pick<WalletStore, 'ready'>;
  /** Prefix of /doTransactions and /getBalance: `` or `/wallet`. */
  readonly basePath?: string;
}

/** A wallet over node:http, with /healthz and /readyz. */
export function createWalletService(parts: WalletServiceParts): HttpService {
  const { handler, store, basePath = '', ...more } = parts;
  const readiness = new Readiness(() => store.ready(), more.clock ?? systemClock);
  return new HttpService({
    ...more,
    answer: (request, response, service) => {
      const path = pathOf(request.url ?? '');
      if (path === '/healthz') return sendStatus(request, response, 200, 'alive');
      if (path === '/readyz') {
        void readiness.isReady().then((isReady) => {
          const serves = isReady && !service.isStopping;
          sendStatus(request, response, serves ? 200 : 503, serves ? 'ready' : 'not ready');
        });
        return;
      }
      if (!path.startsWith(`${basePath}/`)) request.url = '/';
      else if (basePath !== '') request.url = originForm(request.url ?? '').slice(basePath.length);
      handler.handle(request, response);
    },
  });
}

function sendStatus(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
): void {
  if (response.destroyed) return;
  cutUnreadBody(request, response);
  sendJson(response, { status, text: JSON.stringify({ status: text }) });
}

/** How long a result is reused, and the time limit of a check, in milliseconds. */
const keptMs = 1_000;
const timeoutMs = 2_000;

/**
 * Whether a store is ready, for probes that anyone may send. One check of the store runs at a time, and
 * its result is reused for a second.
 */
class Readiness {
  #found: { readonly isReady: boolean; readonly at: number } | null = null;
  /** The answer of the running check; false once it is late. */
  #answer: Promise<boolean> | null = null;

  constructor(
    private readonly look: () => Promise<void>,
    private readonly clock: Pick<Clock, 'monotonicMs' | 'after'>,
  ) {}

  /** Never rejects. */
  isReady(): Promise<boolean> {
    const found = this.#found;
    if (found !== null && this.clock.monotonicMs() - found.at < keptMs) {
      return Promise.resolve(found.isReady);
    }
    this.#answer ??= this.begin();
    return this.#answer;
  }

  private begin(): Promise<boolean> {
    const looked = this.look().then(
      () => true,
      () => false,
    );
    const found = looked.then((isReady) => {
      this.#found = { isReady, at: this.clock.monotonicMs() };
      this.#answer = null;
      return isReady;
    });
    return within(this.clock, timeoutMs, found, notInTime);
  }
}

const notInTime = { late: () => false };
