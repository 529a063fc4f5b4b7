import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { WalletEvent } from '../../operator/wallet';
import type { Clock, Logger, Random } from '../../platform';
import { type BackOff, backOffMs } from '../../platform/back-off';
import { fetchWhole } from '../../platform/http/fetch-whole';
import { withDeadline } from '../../platform/within';
import { CommandFailure, messageOf, orFail } from '../terminal/failure';

/** Where events go. */
export interface WebhookTarget {
  readonly url: string;
  /** The bytes of the secret. */
  readonly secret: Buffer;
  /** Pauses after failures; after the longest one fails too, delivery stops. */
  readonly pauses: BackOff;
  readonly signal: AbortSignal;
}

/** How long the receiver may take, in milliseconds. */
const answerMs = 20_000;

/** Bytes of a secret, at least. */
const minSecret = 24;

/**
 * Posts events until the receiver accepts them. False if it is to stop: the signal aborted, the receiver
 * answered 410, or the attempt after the longest pause failed too. Nothing is skipped.
 */
export async function deliverEvents(
  events: readonly WalletEvent[],
  { url, secret, pauses, signal }: WebhookTarget,
  { clock, random, log }: { readonly clock: Clock; readonly random: Random; readonly log: Logger },
): Promise<boolean> {
  const id = webhookId(events);
  const body = webhookBody(events);
  for (let failures = 0; !signal.aborted; ) {
    const headers = webhookHeaders(secret, id, Math.floor(clock.now() / 1000), body);
    const fault = await post(url, headers, body, clock, signal);
    if (fault === null) return true;
    if (isAborted(signal)) break;
    failures++;
    const hadLongest = failures > 1 && pauses.firstMs * 2 ** (failures - 2) >= pauses.longestMs;
    const isLast = hadLongest || fault === 'HTTP 410';
    if (isLast) {
      const first = events[0]?.id;
      log.error({ webhookId: id, first, failures, fault }, 'delivery stopped: events are kept');
      return false;
    }
    const pauseMs = backOffMs(pauses, failures, random);
    log.warn({ webhookId: id, failures, fault, pauseMs }, 'events not accepted: sent again');
    await clock.pause(pauseMs, signal);
  }
  return false;
}

/** The headers of Standard Webhooks; `at` in seconds since 1970. */
export function webhookHeaders(secret: Buffer, id: string, at: number, body: string): string[] {
  const mac = createHmac('sha256', secret).update(`${id}.${at}.${body}`).digest('base64');
  const signed = ['webhook-id', id, 'webhook-timestamp', String(at), 'webhook-signature'];
  return ['content-type', 'application/json', ...signed, `v1,${mac}`];
}

/**
 * The bytes of a secret in a file: `whsec_` and base64.
 * @throws CommandFailure; never with anything of the file.
 */
export function readWebhookSecret(file: string): Buffer {
  const text = orFail('--secret-file', () => readFileSync(file, 'utf8').trim());
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const secret = Buffer.from(encoded, 'base64');
  if (secret.length >= minSecret) return secret;
  throw new CommandFailure(
    `--secret-file must hold whsec_ and at least ${minSecret} bytes in base64: echo "whsec_$(openssl rand -base64 32)"`,
  );
}

/** The same events have the same id, also after a crash. */
function webhookId(events: readonly WalletEvent[]): string {
  const ids = events.map(({ id }) => id).join('\n');
  return `msg_${createHash('sha256').update(ids).digest('base64url')}`;
}

function webhookBody(events: readonly WalletEvent[]): string {
  const timestamp = events.at(-1)?.at;
  return JSON.stringify({ type: 'rgs_wallet.events', timestamp, data: { events } });
}

/** Null if the receiver accepted it; otherwise why not. */
async function post(
  url: string,
  rawHeaders: readonly string[],
  body: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const target = new URL(url).pathname;
    const request = { method: 'POST', target, rawHeaders, body: Buffer.from(body) };
    const { status } = await withDeadline(
      clock,
      answerMs,
      (until) => fetchWhole(url, request, until),
      signal,
    );
    return status >= 200 && status < 300 ? null : `HTTP ${status}`;
  } catch (error) {
    return messageOf(error);
  }
}

function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
