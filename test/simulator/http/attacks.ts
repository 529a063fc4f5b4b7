import { readQuery } from '../../../lib/protocol/operator-api/read-call';
import { parseJson } from '../../../lib/protocol/json/parse';
import {
  readSignedParameters,
  readSignedParts,
  Secret,
  signRequest,
} from '../../../lib/protocol/signature';
import type { AttackKind } from '../plan/attack-kinds';
import { operatorId, rivalId } from '../plan/names';
import { clockToleranceMs, maxBodyBytes, rivalSecret } from './front';
import type { HttpRequest } from './message';

/** A request of the service that an attacker on its line has captured. */
export interface Captured {
  readonly request: HttpRequest;
  /** The time of its signature. */
  readonly signedAt: number;
  /** Whether it was answered as processed. */
  isProcessed: boolean;
}

/** What the attacker sends. */
export interface Attack {
  readonly request: HttpRequest;
  /** Whether it is a forgery: then it must be refused. A replay of whole bytes is a repeat, and may be answered. */
  readonly isForged: boolean;
  /** The only statuses it may be answered with; null for any refusal. */
  readonly statuses: readonly number[] | null;
}

/** What an attacker knows. */
export interface Knowledge {
  readonly now: number;
  /** A number that decides what is left open. */
  readonly pick: number;
  /** A secret that no process accepts any more; null before a rotation. */
  readonly dropped: string | null;
}

const unauthentic = [401];
/** Unauthentic, or not a message at all; never processed. */
const unreadable = [400, 401, 413, 415];

/** The attack of this kind on a request; null where it does not fit. */
export function attackOn(
  kind: AttackKind,
  captured: Captured,
  knowledge: Knowledge,
): Attack | null {
  const { request } = captured;
  const { now, pick, dropped } = knowledge;
  switch (kind) {
    case 'forged signature':
      return forged(withHeader(request, 'x-h-auth-sig', fakeSignature(pick)));
    case 'no signature':
      return forged(withHeader(request, 'x-h-auth-sig', ''));
    case 'altered amount':
      return changed(request, /"amount":(\d+)/, (_, amount) =>
        amount === '0' ? '"amount":1' : `"amount":${amount}7`,
      );
    case 'altered round':
      return changed(request, /"gameRound":"/, () => '"gameRound":"x');
    case 'other player':
      return changed(request, /"playerId":"/, () => '"playerId":"p');
    case 'wrong operator':
      return forged(withHeader(request, 'x-h-auth-id', pick % 2 === 0 ? rivalId : 'nobody'));
    case 'other tenant':
      return stakeOfRival(request, now);
    case 'guessed secret':
      return forged(signed(request, operatorId, 'a secret that is guessed', now));
    case 'dropped secret':
      return dropped === null ? null : forged(signed(request, operatorId, dropped, now));
    case 'stale':
      return now - captured.signedAt < 2 * clockToleranceMs ? null : forged(request);
    case 'from the future':
      return forged(withHeader(request, 'x-h-timestamp', timeText(now + 3 * clockToleranceMs)));
    case 'other body, same signature':
      return captured.isProcessed ? otherBody(request) : null;
    case 'huge body':
      return request.body.byteLength === 0 ? null : huge(request);
    case 'odd bytes':
      return request.body.byteLength === 0 ? null : odd(request, pick);
    case 'replayed':
      return { request, isForged: false, statuses: null };
  }
}

function forged(request: HttpRequest): Attack {
  return { request, isForged: true, statuses: unauthentic };
}

function withHeader(request: HttpRequest, name: string, value: string): HttpRequest {
  return { ...request, headers: { ...request.headers, [name]: value } };
}

function withBody(request: HttpRequest, text: string): HttpRequest {
  return { ...request, body: Buffer.from(text) };
}

/** A part of the body that is signed, changed. */
function changed(
  request: HttpRequest,
  part: RegExp,
  other: (whole: string, group: string) => string,
): Attack | null {
  const text = request.body.toString();
  return part.test(text) ? forged(withBody(request, text.replace(part, other))) : null;
}

/** What is not signed, changed: the type of the first transaction (D1.8). A void could be one in flight. */
function otherBody(request: HttpRequest): Attack | null {
  const text = request.body.toString();
  const [, type] = /"type":"(debit|credit)"/.exec(text) ?? [];
  if (type === undefined) return null;
  const other = type === 'debit' ? 'credit' : 'debit';
  const body = text.replace(`"type":"${type}"`, `"type":"${other}"`);
  return { request: withBody(request, body), isForged: true, statuses: null };
}

/** A stake of the same player, honestly signed by another operator: it has no such player. */
function stakeOfRival(request: HttpRequest, now: number): Attack | null {
  const text = request.body.toString();
  const isStake = /"type":"debit"/.test(text) && !/"type":"void"/i.test(text);
  if (!isStake) return null;
  return { request: signed(request, rivalId, rivalSecret, now), isForged: true, statuses: null };
}

function huge(request: HttpRequest): Attack {
  const body = `${' '.repeat(maxBodyBytes)}${request.body.toString()}`;
  return { request: withBody(request, body), isForged: true, statuses: unreadable };
}

function odd(request: HttpRequest, pick: number): Attack {
  const text = request.body.toString();
  const bodies = [
    () => Buffer.concat([request.body.subarray(0, 9), Buffer.from([0xff, 0xfe, 0x00])]),
    () => Buffer.from('['.repeat(4000)),
    () => Buffer.from(text.replace('{', '{"__proto__":{"playerId":"p0"},')),
    () => Buffer.from(text.replace('"gameRound"', '"gameRound":"x","gameRound"')),
    () => Buffer.from(text.replace(/"amount":\d+/, '"amount":1e999')),
    () => Buffer.from(text.replace(/"amount":\d+/, '"amount":-5')),
    () => request.body.subarray(0, request.body.byteLength - 1),
    () => Buffer.alloc(0),
  ];
  const body = bodies[pick % bodies.length]?.() ?? Buffer.alloc(0);
  if (body.equals(request.body)) return huge(request);
  return { request: { ...request, body }, isForged: true, statuses: unreadable };
}

/** The same message, signed now with another secret. */
function signed(request: HttpRequest, authId: string, secret: string, now: number): HttpRequest {
  const read =
    request.method === 'GET'
      ? readSignedParameters('getBalance', readQuery(request.target) ?? new Map<string, string>())
      : readSignedParts('doTransactions', parseJson(request.body.toString()));
  const headers = signRequest(new Secret(secret), authId, now, read.parts ?? []);
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...request, headers: { ...request.headers, ...Object.fromEntries(lower) } };
}

function fakeSignature(pick: number): string {
  const bytes = Buffer.alloc(32);
  for (let at = 0; at < 32; at++) bytes[at] = (pick * (at + 7)) & 0xff;
  return bytes.toString('base64');
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
