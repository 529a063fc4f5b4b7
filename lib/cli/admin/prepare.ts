import type { OperatorOptions } from '../../operator/http/options';
import { createCallWatch } from '../../operator/minutes/call-watch';
import { type RunningMinutes, startMinutes } from '../../operator/minutes/keep';
import { createMetrics, type Metrics } from '../../operator/telemetry';
import type { WalletStore } from '../../operator/wallet';
import { type RequestListener, sendJson } from '../../platform/http';
import { documentRoute } from '../../platform/http/documents';
import { systemClock, systemRandom } from '../../platform';
import type { ServiceLog } from '../terminal/log';
import { type AdminFlags, type AdminSettings, readAdminFlags } from './flags';
import type { HttpService } from '../terminal/http-service';
import { noteRights } from './rights';
import { createAdminService } from './service';

/** The operations page of a service, from its flags; without --admin-port it does nothing. */
export interface PreparedAdmin {
  /** What the handler, the ledger store and the sweeper count in. */
  readonly metrics: Pick<OperatorOptions, 'metrics'>;
  /** What the handler counts its calls in. */
  readonly calls: Pick<OperatorOptions, 'calls'>;
  /** @throws CommandFailure if it cannot listen. */
  listen(parts: AdminParts): Promise<void>;
  /** Logs where it listens: after the line of the service itself, which is the first. */
  announce(log: ServiceLog): void;
  close(): Promise<void>;
}

/** What the page shows. */
export interface AdminParts {
  readonly store: WalletStore;
  readonly operators: readonly string[];
  readonly creditTo: 'real' | 'stakeShares';
  readonly log: ServiceLog;
}

/** @throws CommandFailure for flags that would show the page to everybody. */
export function prepareAdmin(flags: AdminFlags): PreparedAdmin {
  const settings = readAdminFlags(flags, { clock: systemClock, random: systemRandom });
  return settings === null ? noPage : page(settings);
}

const noPage: PreparedAdmin = {
  metrics: {},
  calls: {},
  listen: async () => {},
  announce: () => {},
  close: async () => {},
};

function page(settings: AdminSettings): PreparedAdmin {
  const metrics = createMetrics();
  const calls = createCallWatch();
  const routes = new Map([
    ['/metrics', metricsRoute(metrics)],
    ['/openapi.json', documentRoute('operations')],
  ]);
  let service: HttpService | null = null;
  let minutes: RunningMinutes | null = null;
  let adminPort = 0;
  const closed = new AbortController();
  return {
    metrics: { metrics },
    calls: { calls },
    async listen(parts) {
      const { users } = settings;
      const noting = { ...parts, clock: systemClock };
      if (users !== null) await noteRights(users, noting, closed.signal);
      service = createAdminService({ ...parts, settings, calls, routes });
      adminPort = await service.listen(settings.port, settings.host, '--admin-port');
      const { store, log: logger } = parts;
      if (store.minutes !== undefined) minutes = startMinutes({ store, calls, logger });
    },
    announce(log) {
      const { host: adminHost } = settings;
      const adminUrl = `http://${adminHost.includes(':') ? `[${adminHost}]` : adminHost}:${adminPort}/`;
      log.info({ adminPort, adminHost, adminUrl }, 'operations page listening');
    },
    async close() {
      closed.abort();
      // Cuts all connections: no money depends on them.
      await service?.close(Promise.resolve());
      await minutes?.stop();
      metrics.close();
    },
  };
}

/** GET /metrics: the text exposition of Prometheus. */
function metricsRoute(metrics: Metrics): RequestListener {
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return sendJson(response, { status: 405, text: '{"error":"The method must be GET."}' });
    }
    void metrics.text().then((text) => {
      if (response.destroyed) return;
      response.writeHead(200, {
        'content-type': metrics.contentType,
        'content-length': Buffer.byteLength(text),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      response.end(text);
    });
  };
}
