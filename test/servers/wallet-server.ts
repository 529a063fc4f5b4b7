import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createOperatorHandler } from '../../lib/operator/http/handler';
import type { OperatorOptions } from '../../lib/operator/http/options';
import { createRequestSigner, type RequestSigner } from '../../lib/proof';
import type { WalletStore } from '../../lib/operator/wallet';

/** The one operator that the wallets of the tests serve. */
export const OPERATOR_ID = 'op';

const SECRET = 'a secret of the tests, long enough';

/** A wallet that answers on 127.0.0.1. */
export interface WalletServer {
  readonly origin: string;
  readonly operatorId: string;
  /** The operator's secret. */
  readonly secret: string;
  /** Signs as the service does; no two requests bear the same time. */
  readonly signer: RequestSigner;
  /** Ends all connections, and resolves when the work behind them is done. The store stays open. */
  close(): Promise<void>;
}

/** Serves doTransactions and getBalance over a store, on this port of 127.0.0.1; 0 is one of the system's choice. */
export async function startWalletServer(
  store: WalletStore,
  options: Partial<Omit<OperatorOptions, 'store' | 'operators'>> = {},
  wantedPort = 0,
): Promise<WalletServer> {
  const operatorId = OPERATOR_ID;
  const handler = createOperatorHandler({
    ...options,
    store,
    operators: [{ operatorId, secrets: [SECRET] }],
  });
  const server = createServer(handler.handle);
  server.listen(wantedPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    operatorId,
    secret: SECRET,
    signer: createRequestSigner({ operatorId, secret: SECRET, now: risingClock() }),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await handler.close();
    },
  };
}

/** A void signs what its debit signed: in one millisecond both would bear one signature (D1.8). */
function risingClock(): () => number {
  let latest = 0;
  return () => {
    latest = Math.max(latest + 1, Date.now());
    return latest;
  };
}
