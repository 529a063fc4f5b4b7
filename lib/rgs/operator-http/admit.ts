import type { IncomingMessage } from 'node:http';
import { readBody } from '../../platform/http';
import { type Claim, findCaller } from '../../protocol/authentication';
import { EngineRefusedError } from '../../protocol/engine-api';
import type { JsonDocument } from '../../protocol/json';
import { readQuery } from '../../protocol/operator-api';
import type { SignedParts } from '../../protocol/signature';
import { claimOf, parseBody, type Replays, reportFinding, type Trace } from '../http';
import type { ServiceHandlerSettings } from './options';

/** What the endpoints of one handler share. */
export interface EndpointParts {
  readonly settings: ServiceHandlerSettings;
  readonly replays: Replays;
}

/**
 * What a signature that came before is worth. It does not cover the whole request (D1.8).
 * - `read`: the call changes nothing, and signs little: two that differ may have one signature.
 * - `once`: each call counts, so a signature serves one.
 * - `keyed`: a repeat finds its own effect; another request is refused.
 */
export type Repeating = 'read' | 'once' | 'keyed';

/** A request with a body, of a verified operator. */
export interface PostedRequest {
  readonly operatorId: string;
  readonly document: JsonDocument;
}

/** A request with a query, of a verified operator. */
export interface QueriedRequest {
  readonly operatorId: string;
  /** Null if it is not valid: an escape that is not UTF-8, or a name twice. */
  readonly query: ReadonlyMap<string, string> | null;
}

/**
 * Reads and verifies a request with a body, in the order of D1.7.
 * @throws EngineRefusedError, BodyRefusedError
 */
export async function admitPosted(
  call: { readonly name: string; readonly repeating: Repeating },
  request: IncomingMessage,
  trace: Trace,
  { settings, replays }: EndpointParts,
  readParts: (document: JsonDocument) => SignedParts,
): Promise<PostedRequest> {
  const body = await readBody(request, settings.maxBodyBytes);
  const claim = claimOf(request, settings);
  const document = parseBody(body, false, 'D2.1');
  const operatorId = verify(claim, readParts(document), settings, trace);
  const seen = replays.see(claim.signature, request, body);
  trace.isRepeat = seen === 'same';
  if (seen === 'same')
    reportFinding(settings.onFinding, 'exactRepeat', call.name, null, trace.cause);
  const isRefused =
    (call.repeating === 'once' && seen !== 'none') ||
    (call.repeating === 'keyed' && seen === 'other');
  if (isRefused) {
    trace.verdict = 'refused';
    throw settings.refusal;
  }
  return { operatorId, document };
}

/**
 * Verifies a request with a query, which is always a read.
 * @throws EngineRefusedError
 */
export function admitQueried(
  request: IncomingMessage,
  trace: Trace,
  { settings }: EndpointParts,
  readParts: (query: ReadonlyMap<string, string>) => SignedParts,
): QueriedRequest {
  const claim = claimOf(request, settings);
  const query = readQuery(request.url ?? '');
  const signed = query === null ? ({ parts: null, field: 'the query' } as const) : readParts(query);
  return { operatorId: verify(claim, signed, settings, trace), query };
}

/** The verified operator. @throws EngineRefusedError 401, or 19 for a field that cannot be signed (D1.6). */
function verify(
  claim: Claim,
  signed: SignedParts,
  { secrets, refusal }: ServiceHandlerSettings,
  trace: Trace,
): string {
  if (signed.parts === null) {
    const detail = `${signed.field} is missing or not valid`;
    throw new EngineRefusedError('INVALIDPARAMETER', 'D1.7', 400, detail);
  }
  if (findCaller(secrets, claim, signed.parts) === null) throw refusal;
  trace.verdict = 'verified';
  trace.signed = 'fields';
  trace.callerId = claim.authId;
  return claim.authId;
}
