import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../platform';
import { type JsonDocument, type JsonLimits, JsonSyntaxError } from '../json/parse';
import { parseBytes } from '../json/parse-bytes';
import {
  findBodySigner,
  findSigner,
  type Secret,
  type SignedPart,
  type SignedParts,
} from '../signature';
import { type Claim, readClaim } from './claim';
import type { CallerSecrets } from './credentials';
import { ReplayGuard } from './replay-guard';

/** Who may call an API, and since when and how long. */
export interface CallerSettings {
  readonly secrets: CallerSecrets;
  /** Real time. */
  readonly clock: Clock;
  readonly clockToleranceMs: number;
  readonly rememberedSignatures: number;
}

/** What an API answers to a request that it does not verify. */
export interface Refusals {
  /**
   * Every failure of authentication has this one answer (D1.1, E2.1). Created once: a forged request should cost as
   * little as possible, and every new error records its stack.
   */
  readonly stranger: Error;
  /** A body that cannot be parsed (D2.1, E2.4). */
  unreadable(detail: string): Error;
  /** A field that the signature needs and that is missing or not valid (D1.6, D1.7). */
  unsigned(field: string): Error;
}

/** Verifies the callers of one API. Every method throws one of its refusals. */
export class Callers {
  readonly replays: ReplayGuard;

  constructor(
    private readonly settings: CallerSettings,
    private readonly refusals: Refusals,
  ) {
    this.replays = new ReplayGuard(settings.rememberedSignatures);
  }

  /**
   * What a request claims about its sender; nothing of it is verified yet. Read before the body is parsed: without the
   * headers, or with a stale timestamp, nothing of the body is read (D1.7).
   */
  claimOf(request: IncomingMessage): Claim {
    const { clock, clockToleranceMs: toleranceMs } = this.settings;
    const claim = readClaim(request, { nowMs: clock.now(), toleranceMs });
    if (claim === null) throw this.refusals.stranger;
    return claim;
  }

  parse(body: Uint8Array, limits?: JsonLimits): JsonDocument {
    try {
      return parseBytes(body, limits);
    } catch (error) {
      if (error instanceof JsonSyntaxError) throw this.refusals.unreadable(error.message);
      throw error;
    }
  }

  /** The secret that signed these fields. */
  verifyParts(claim: Claim, signed: SignedParts): Secret {
    if (signed.parts === null) throw this.refusals.unsigned(signed.field);
    const secret = findCaller(this.settings.secrets, claim, signed.parts);
    if (secret === null) throw this.refusals.stranger;
    return secret;
  }

  /** Whether these bytes are what is signed. */
  hasSigned(claim: Claim, body: Uint8Array): boolean {
    return findBodyCaller(this.settings.secrets, claim, body) !== null;
  }

  refuse(): never {
    throw this.refusals.stranger;
  }
}

/**
 * The caller's secret that signed these fields; null if the id is unknown or the signature wrong, after
 * the same work (D1.1).
 */
function findCaller(
  { byId, decoys }: CallerSecrets,
  { authId, timestamp, signature }: Claim,
  parts: readonly SignedPart[],
): Secret | null {
  const own = byId.get(authId);
  // Listed one by one: V8 copies an object slowly if the copy gains a member.
  const secret = findSigner(own ?? decoys, { authId, timestamp, signature, parts });
  return own === undefined ? null : secret;
}

/**
 * The caller's secret that signed these bytes of a body; null if the id is unknown or the signature wrong,
 * after the same work (E2.1, E2.2).
 */
export function findBodyCaller(
  { byId, decoys }: CallerSecrets,
  { authId, timestamp, signature }: Claim,
  body: Uint8Array,
): Secret | null {
  const own = byId.get(authId);
  const secret = findBodySigner(own ?? decoys, { timestamp, signature, body });
  return own === undefined ? null : secret;
}
