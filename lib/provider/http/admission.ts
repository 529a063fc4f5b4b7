import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { originForm, readBody } from '../../platform/http';
import { findCaller, readClaim, ReplayGuard } from '../../protocol/authentication';
import { type JsonDocument, JsonSyntaxError, parseJson } from '../../protocol/json';
import { readQuery } from '../../protocol/operator-api';
import { engineSignedFields, readNamedParts } from '../../protocol/signature';
import type { ProviderOperation } from './handlers';
import type { GameProviderSettings } from './options';
import { invalid, notAuthentic } from './refused';

/** A call of the RGS, verified and read. */
export interface Admitted {
  /** Null for a call that need not be signed. */
  readonly gameProviderId: string | null;
  /** The members of the query or the body. */
  readonly message: JsonDocument;
}

/** The methods of the calls (C3). */
export const methodOf: Readonly<Record<ProviderOperation, 'GET' | 'POST'>> = {
  getGameConfiguration: 'GET',
  getGameResult: 'POST',
  doAutoClose: 'POST',
  health: 'GET',
  certifiedfiles: 'GET',
};

/** More than C3 has, and still few. */
const jsonLimits = { maxValues: 200, maxMembers: 100 };

/** Reads and verifies the calls of the RGS, in the order of D1.7: body, headers, JSON, signature, replay. */
export class Admission {
  private readonly replayGuard: ReplayGuard;

  constructor(private readonly settings: GameProviderSettings) {
    this.replayGuard = new ReplayGuard(settings.rememberedSignatures);
  }

  /** @throws CallRefusedError; BodyRefusedError; BodyConsumedError. */
  async admit(operation: ProviderOperation, request: IncomingMessage): Promise<Admitted> {
    const { maxBodyBytes, verifyHealth } = this.settings;
    if (methodOf[operation] === 'POST') {
      const bytes = await readBody(request, maxBodyBytes);
      return this.verify(operation, request, bytes, () => readJson(bytes));
    }
    const target = originForm(request.url ?? '');
    const query = target.slice(target.indexOf('?') + 1 || target.length);
    if (operation === 'health' && !verifyHealth) {
      return { gameProviderId: null, message: readParameters(target) };
    }
    return this.verify(operation, request, Buffer.from(query), () => readParameters(target));
  }

  /**
   * The signature covers few fields (E2.8), the same for two calls: so it is bound to the call and to all of
   * its query or body once it was seen.
   */
  private verify(
    operation: ProviderOperation,
    request: IncomingMessage,
    bytes: Uint8Array,
    read: () => JsonDocument,
  ): Admitted {
    const { clock, clockToleranceMs: toleranceMs, secrets } = this.settings;
    const claim = readClaim(request, { nowMs: clock.now(), toleranceMs });
    if (claim === null) throw notAuthentic;
    const message = read();
    const signed = readNamedParts(this.fieldsOf(operation), message);
    if (signed.parts === null) throw invalid(`${signed.field} is missing or not valid.`);
    if (findCaller(secrets, claim, signed.parts) === null) throw notAuthentic;
    const digest = createHash('sha256').update(`${operation}\n`).update(bytes).digest();
    if (this.replayGuard.see(claim.signature, digest) === 'other') throw notAuthentic;
    return { gameProviderId: claim.authId, message };
  }

  private fieldsOf(operation: ProviderOperation): readonly string[] {
    const { signedFields } = this.settings;
    if (operation === 'getGameConfiguration') {
      return engineSignedFields.getGameConfiguration.map(({ name }) => name);
    }
    return operation === 'certifiedfiles' ? signedFields.health : signedFields[operation];
  }
}

function readParameters(target: string): JsonDocument {
  const parameters = readQuery(target);
  if (parameters === null) throw invalid('The query is not valid, or repeats a parameter.');
  return { value: Object.fromEntries(parameters), lexeme: () => undefined };
}

function readJson(bytes: Uint8Array): JsonDocument {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return parseJson(text, jsonLimits);
  } catch (error) {
    throw invalid(error instanceof JsonSyntaxError ? error.message : 'The body is not UTF-8.');
  }
}
