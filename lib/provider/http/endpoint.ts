import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  BodyConsumedError,
  BodyRefusedError,
  Endpoint,
  type JsonAnswer,
  originForm,
  readBody,
} from '../../platform/http';
import { randomUuid } from '../../platform/random';
import type { Callers } from '../../protocol/authentication/callers';
import { claimedAuthId } from '../../protocol/authentication/claim';
import { shownName } from '../../protocol/authentication/credentials';
import { engineErrors } from '../../protocol/engine-api/errors';
import { escapeControls } from '../../protocol/identifiers';
import { documentOf } from '../../protocol/json/documents';
import { isJsonObject, type JsonDocument } from '../../protocol/json/parse';
import { writeJson } from '../../protocol/json/write';
import { readQuery } from '../../protocol/operator-api/read-call';
import { engineSignedFields, readNamedParts } from '../../protocol/signature';
import { CallRefusedError, invalid, ProviderCall, type Refused } from './call';
import type { ProviderCallEvent, ProviderOperation } from './handlers';
import type { Operation } from './operations';
import type { GameProviderSettings } from './options';

/** The methods of the calls (C3). */
const methodOf: Readonly<Record<ProviderOperation, 'GET' | 'POST'>> = {
  getGameConfiguration: 'GET',
  getGameResult: 'POST',
  doAutoClose: 'POST',
  health: 'GET',
  certifiedfiles: 'GET',
};

/** More than C3 has, and still few. */
const jsonLimits = { maxValues: 200, maxMembers: 100 };

/** Serves a call of the RGS, in the order of D1.7: body, headers, JSON, signature, replay. */
export class ProviderEndpoint<Q> extends Endpoint<ProviderCall<Q>, Q> {
  readonly method: 'GET' | 'POST';
  private readonly signedFields: readonly string[];

  constructor(
    private readonly name: ProviderOperation,
    private readonly operation: Operation<Q>,
    private readonly callers: Callers,
    private readonly settings: GameProviderSettings,
  ) {
    super();
    this.method = methodOf[name];
    const { signedFields } = settings;
    if (name === 'getGameConfiguration') {
      this.signedFields = engineSignedFields[name].map((field) => field.name);
    } else this.signedFields = signedFields[name === 'certifiedfiles' ? 'health' : name];
  }

  protected begin(request: IncomingMessage, response: ServerResponse): ProviderCall<Q> {
    return new ProviderCall(request, response, this.settings.clock.monotonicMs());
  }

  /** The body; of a GET its query. */
  protected override receive({ request }: ProviderCall<Q>): Uint8Array | Promise<Uint8Array> {
    if (this.method === 'POST') return readBody(request, this.settings.maxBodyBytes);
    const target = originForm(request.url ?? '');
    return Buffer.from(target.slice(target.indexOf('?') + 1 || target.length));
  }

  /**
   * The signature covers few fields (E2.8), the same for two calls: so it is bound to the call and to all of
   * its query or body once it was seen.
   */
  protected verify(call: ProviderCall<Q>): void {
    const { name, callers, settings } = this;
    if (name === 'health' && !settings.verifyHealth) {
      call.document = this.parse(call);
      return;
    }
    const claim = callers.claimOf(call.request);
    const document = this.parse(call);
    callers.verifyParts(claim, readNamedParts(this.signedFields, document));
    const digest = createHash('sha256').update(`${name}\n`).update(call.body).digest();
    if (callers.replays.see(claim.signature, digest) === 'other') callers.refuse();
    call.callerId = claim.authId;
    call.document = document;
  }

  private parse({ request, body }: ProviderCall<Q>): JsonDocument {
    if (this.method === 'POST') return this.callers.parse(body, jsonLimits);
    const parameters = readQuery(originForm(request.url ?? ''));
    if (parameters === null) throw invalid('The query is not valid, or repeats a parameter.');
    return documentOf(parameters);
  }

  protected read(call: ProviderCall<Q>): Q {
    return this.operation.read(call);
  }

  protected async work(call: ProviderCall<Q>, question: Q): Promise<void> {
    call.answer = await this.operation.answer(question);
  }

  protected reply({ answer }: ProviderCall<Q>): JsonAnswer {
    return { status: 200, text: answer };
  }

  /** Answers with an error and a reference, which the log has too (E3.1). */
  protected fail(call: ProviderCall<Q>, error: unknown): JsonAnswer {
    const { response } = call;
    const reference = randomUuid(this.settings.random);
    const refused = refusedBy(error, reference);
    call.refused = refused;
    if (!response.headersSent) response.setHeader('x-h-error-id', reference);
    const { status, code, detail } = refused;
    const { id, msg, clientmsg } = { ...engineErrors[code], ...this.settings.errors[code] };
    const text = writeJson({ errorCode: { id, msg: detail ?? msg, clientmsg } });
    return { status, text };
  }

  protected report(call: ProviderCall<Q>): void {
    const { settings, name: operation } = this;
    const { refused, status, startedAt } = call;
    if (refused !== null) this.log(call, refused);
    if (settings.onCall === null) return;
    const event: ProviderCallEvent = Object.freeze({
      operation,
      ...namesOf(call),
      status,
      errorReference: refused?.reference ?? null,
      durationMs: settings.clock.monotonicMs() - startedAt,
    });
    const { onCall, logger } = settings;
    const notified = (async () => onCall(event))();
    notified.catch((err: unknown) => logger.error({ operation, err }, 'hook onCall failed'));
  }

  private log(call: ProviderCall<Q>, refused: Refused): void {
    const { reference, code, detail, error, isOurs } = refused;
    const { logger, unverified } = this.settings;
    const isKnown = call.document !== null;
    if (!isKnown && !unverified.take()) return;
    const names = isKnown ? namesOf(call) : this.claimed(call);
    const fields = {
      operation: this.name,
      status: call.status,
      errorReference: reference,
      ...names,
    };
    if (isOurs) logger.error({ ...fields, err: error }, 'game provider call failed');
    else logger.warn({ ...fields, code, detail }, 'game provider call refused');
  }

  private claimed({ request }: ProviderCall<Q>): { readonly claimedGameProviderId?: string } {
    const id = claimedAuthId(request);
    return id === null ? {} : { claimedGameProviderId: shownName(id, this.settings.secrets.all) };
  }
}

/** The answer to an error; what a handler throws stays in the log. */
function refusedBy(error: unknown, reference: string): Refused {
  if (error instanceof CallRefusedError) {
    const { status, code, detail } = error;
    return { status, code, detail, reference, error, isOurs: false };
  }
  if (error instanceof BodyRefusedError) {
    const { status, detail } = error;
    return { status, code: 'INVALIDPARAMETER', detail, reference, error, isOurs: false };
  }
  const detail = error instanceof BodyConsumedError ? error.message : null;
  return { status: 500, code: 'INTERNALERROR', detail, reference, error, isOurs: true };
}

/** Names for the log, in at most 128 characters; null for a caller that is not known. */
function namesOf({ callerId, document }: ProviderCall<unknown>): {
  readonly gameProviderId: string | null;
  readonly gameRound: string | null;
  readonly gameCode: string | null;
} {
  const value = document?.value;
  const { gameRound, gameCode } = isJsonObject(value) ? value : {};
  const gameProviderId = callerId === '' ? null : callerId;
  return { gameProviderId, gameRound: nameIn(gameRound), gameCode: nameIn(gameCode) };
}

function nameIn(value: unknown): string | null {
  return typeof value === 'string' ? escapeControls(value).slice(0, 128) : null;
}
