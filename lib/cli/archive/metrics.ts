import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Anchoring } from '../../operator/archive/anchors/anchoring';
import { Gauge, textContentType, writeText } from '../../operator/telemetry/registry';
import { pathOf } from '../../platform/http';
import { CommandFailure } from '../terminal/failure';
import { HttpService } from '../terminal/http-service';

/** A host and a port to listen on. */
export interface ListenPlace {
  readonly host: string;
  readonly port: number;
}

/** Reads `host:port`. @throws CommandFailure that names the flag. */
export function listenPlace(flag: string, text: string): ListenPlace {
  const [, host, port] = /^(.{1,255}):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw new CommandFailure(`--${flag} must be host:port.`);
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** The gauge of an archive that runs. */
export function unanchoredGauge(
  operator: string,
  anchoring: Pick<Anchoring, 'unanchoredSeconds'>,
): Gauge {
  return new Gauge(
    'rgs_wallet_archive_unanchored_seconds',
    'For how long an anchor has lacked a checkpoint of the archive; 0 if every anchor has the newest.',
    () => [{ labels: { operator }, value: anchoring.unanchoredSeconds }],
  );
}

/** Serves GET /metrics until it is closed. Answers the port, and how to close it. @throws CommandFailure */
export async function serveMetrics(
  gauge: Gauge,
  { host, port }: ListenPlace,
): Promise<{ readonly port: number; close(): Promise<unknown> }> {
  const service = new HttpService({
    answer: (request, response) => void answer(gauge, request, response),
    maxConnections: 20,
    whenFull: 'closeIdle',
  });
  const bound = await service.listen(port, host, '--metrics');
  return { port: bound, close: () => service.close(Promise.resolve()) };
}

async function answer(
  gauge: Gauge,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (pathOf(request.url ?? '') !== '/metrics') return send(response, 404, 'not found\n');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return send(response, 405, 'GET only\n');
  }
  send(response, 200, writeText([await gauge.read()]), textContentType);
}

/** Answers with a text. */
export function send(
  response: ServerResponse,
  status: number,
  body: string,
  type = 'text/plain',
): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}
