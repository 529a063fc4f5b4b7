import type { IncomingMessage } from 'node:http';
import { readBody, readBytes } from '../../platform/http';
import { type Claim, findBodyCaller } from '../../protocol/authentication';
import {
  type EngineCall,
  EngineRefusedError,
  type EngineRequests,
  memberMeant,
  type PostedCall,
  readRequest,
  readSettingsQuery,
  writeReply,
} from '../../protocol/engine-api';
import type { JsonDocument } from '../../protocol/json';
import { readQuery } from '../../protocol/operator-api';
import {
  claimOf,
  type Endpoint,
  parseBody,
  type Replays,
  type Success,
  reportFinding,
  type Trace,
  visibleHeader,
} from '../http';
import type { EngineHandlerSettings } from './options';
import { mayRepeat } from './repeats';

/** What the endpoints of one handler share. */
export interface EndpointParts {
  readonly settings: EngineHandlerSettings;
  readonly replays: Replays;
}

const nothing = Buffer.alloc(0);
/** What some stacks sign of a request without a body (E2.3). */
const emptyObject = Buffer.from('{}');

/** A call whose body is its request (game-engine-api 4.2 to 4.12, 4.14, 4.15, 4.17). */
export function postEndpoint(name: PostedCall, parts: EndpointParts): Endpoint {
  return {
    call: name,
    method: 'POST',
    path: `/${name}`,
    isForBrowsers: false,
    async answer(request, trace) {
      const { settings } = parts;
      const body = await readBody(request, settings.maxBodyBytes);
      const claim = claimOf(request, settings);
      if (findBodyCaller(settings.secrets, claim, body) === null) throw settings.refusal;
      const caller = { ...claim, signed: 'body', body } as const;
      const isRepeat = admit(name, request, caller, parts, trace);
      const document = parseBody(body, true, 'E2.4');
      const message = readRequest(name, document);
      if (settings.onFinding !== null) findMisspelt(name, document, message, parts, trace);
      return work(name, message, isRepeat, claim.authId, parts, trace);
    },
  };
}

/** A member that is ignored, and that is almost one of the call: with `colect` a round stays open (E1.5). */
function findMisspelt(
  name: PostedCall,
  document: JsonDocument,
  message: object,
  { settings: { onFinding } }: EndpointParts,
  { cause }: Trace,
): void {
  const meant = memberMeant(name, document);
  if (meant !== null) {
    reportFinding(onFinding, 'misspeltMember', name, roundOf(message), cause, meant);
  }
}

/** GET getOperatorSettings: nothing but the timestamp is signed (game-engine-api 4.13, E2.3). */
export function settingsEndpoint(parts: EndpointParts): Endpoint {
  const name = 'getOperatorSettings';
  return {
    call: name,
    method: 'GET',
    path: `/${name}`,
    isForBrowsers: false,
    async answer(request, trace) {
      const { settings } = parts;
      const body = await readBytes(request, settings.maxBodyBytes);
      const claim = claimOf(request, settings);
      const signed = signedWithoutBody(settings, claim);
      const caller = { ...claim, signed, body };
      const isRepeat = admit(name, request, caller, parts, trace);
      if (body.byteLength > 0 && !emptyObject.equals(body)) {
        throw new EngineRefusedError('INVALIDPARAMETER', 'E2.3', 400, 'a GET has no body');
      }
      const message = readSettingsQuery(readQuery(request.url ?? ''));
      return work(name, message, isRepeat, claim.authId, parts, trace);
    },
  };
}

/** Which of the two is signed. Both are tried, whichever matches. @throws EngineRefusedError 401. */
function signedWithoutBody(
  { secrets, refusal }: EngineHandlerSettings,
  claim: Claim,
): 'emptyBody' | 'emptyObject' {
  const ofNothing = findBodyCaller(secrets, claim, nothing);
  const ofObject = findBodyCaller(secrets, claim, emptyObject);
  if (ofNothing !== null) return 'emptyBody';
  if (ofObject !== null) return 'emptyObject';
  throw refusal;
}

/** A request whose signature is verified. */
interface VerifiedRequest {
  readonly authId: string;
  readonly signature: string;
  readonly signed: NonNullable<Trace['signed']>;
  readonly body: Uint8Array;
}

/**
 * Lets a verified request in, unless its signature came with another one; whether it is an exact repeat.
 * @throws EngineRefusedError 401 (E2.6), or 19 without X-Request-Id (E2.5).
 */
function admit(
  name: EngineCall,
  request: IncomingMessage,
  { authId, signature, signed, body }: VerifiedRequest,
  { settings, replays }: EndpointParts,
  trace: Trace,
): boolean {
  const seen = replays.see(signature, request, body);
  if (seen === 'other') throw settings.refusal;
  trace.verdict = 'verified';
  trace.signed = signed;
  trace.callerId = authId;
  trace.isRepeat = seen === 'same';
  const requestId = visibleHeader(request, 'x-request-id');
  if (requestId === null && settings.requireRequestId) {
    const detail = 'X-Request-Id must be 1 to 128 visible ASCII characters';
    throw new EngineRefusedError('INVALIDPARAMETER', 'E2.5', 400, detail);
  }
  if (seen === 'same') return true;
  if (requestId !== null && replays.hasRequestId(authId, requestId)) {
    reportFinding(settings.onFinding, 'requestIdRepeated', name, null, trace.cause);
  }
  return false;
}

/** Has the service work the call, and writes its reply. */
async function work<Name extends EngineCall>(
  name: Name,
  message: EngineRequests[Name],
  isRepeat: boolean,
  gameProviderId: string,
  { settings }: EndpointParts,
  trace: Trace,
): Promise<Success> {
  trace.gameRound = roundOf(message);
  if (isRepeat) {
    reportFinding(settings.onFinding, 'exactRepeat', name, trace.gameRound, trace.cause);
    if (!mayRepeat(name, message)) {
      trace.verdict = 'refused';
      throw settings.refusal;
    }
  }
  const reply = await settings.service.call(gameProviderId, name, message, trace.cause);
  return { text: writeReply(name, reply) };
}

/** The round that a request names, for the trace. */
function roundOf(message: object): string | null {
  const named = message as { gameRound?: unknown; externalGameProviderRoundId?: unknown };
  const id = named.gameRound ?? named.externalGameProviderRoundId;
  return typeof id === 'string' ? id : null;
}
