import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  BodyConsumedError,
  BodyRefusedError,
  hasUnreadBody,
  type JsonAnswer,
  sendJson,
} from '../../platform/http';
import { randomUuid } from '../../platform/random';
import { claimedAuthId } from '../../protocol/authentication';
import { engineErrors } from '../../protocol/engine-api';
import { escapeControls } from '../../protocol/identifiers';
import { isJsonObject, writeJson } from '../../protocol/json';
import type { Admission, Admitted } from './admission';
import type { ProviderCallEvent, ProviderOperation } from './handlers';
import type { Operate } from './operations';
import type { GameProviderSettings } from './options';
import { CallRefusedError } from './refused';

/** One path of the provider: admits a call, has it answered, and reports it. */
export class Endpoint {
  constructor(
    private readonly operation: ProviderOperation,
    private readonly operate: Operate,
    private readonly admission: Admission,
    private readonly settings: GameProviderSettings,
  ) {}

  /** Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = this.settings.clock.monotonicMs();
    let admitted: Admitted | null = null;
    try {
      admitted = await this.admission.admit(this.operation, request);
      const text = await this.operate(admitted);
      send(response, { status: 200, text });
      this.report(admitted, 200, null, startedAt);
    } catch (error) {
      this.refuse(request, response, error, admitted, startedAt);
    }
  }

  /** Answers a request with an error, and logs it with the reference that the reply names (E3.1). */
  refuse(
    request: IncomingMessage,
    response: ServerResponse,
    error: unknown,
    admitted: Admitted | null = null,
    startedAt: number = this.settings.clock.monotonicMs(),
  ): void {
    const { settings, operation } = this;
    const reference = randomUuid(settings.random);
    const answer = answerFor(error);
    if (!response.headersSent) response.setHeader('x-h-error-id', reference);
    const { status } = answer;
    const text = writeJson({ errorCode: errorObject(answer, settings) });
    send(response, { status, text, close: hasUnreadBody(request) });
    if (admitted === null && !settings.unverified.take()) {
      return this.report(admitted, status, reference, startedAt);
    }
    const names = admitted === null ? this.claimed(request) : namesOf(admitted);
    const fields = { operation, status, errorReference: reference, ...names };
    if (isOurs(error)) {
      settings.logger.error({ ...fields, err: error }, 'game provider call failed');
    } else {
      const detail = answer.detail;
      settings.logger.warn({ ...fields, code: answer.code, detail }, 'game provider call refused');
    }
    this.report(admitted, status, reference, startedAt);
  }

  private report(
    admitted: Admitted | null,
    status: number,
    errorReference: string | null,
    startedAt: number,
  ): void {
    const { settings, operation } = this;
    if (settings.onCall === null) return;
    const event: ProviderCallEvent = Object.freeze({
      operation,
      gameProviderId: null,
      gameRound: null,
      gameCode: null,
      ...(admitted === null ? {} : namesOf(admitted)),
      status,
      errorReference,
      durationMs: settings.clock.monotonicMs() - startedAt,
    });
    const failed = (err: unknown): void => {
      settings.logger.error({ operation, err }, 'hook onCall failed');
    };
    try {
      // A hook that is async must not end the process.
      Promise.resolve(settings.onCall(event)).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  /** From an unverified caller: it must not control a terminal, nor be a secret that came in by mistake. */
  private claimed(request: IncomingMessage): { readonly claimedGameProviderId?: string } {
    const id = claimedAuthId(request);
    if (id === null) return {};
    const { byId } = this.settings.secrets;
    const isSecret = [...byId.values()].flat().some((secret) => secret.isWithin(id));
    return { claimedGameProviderId: isSecret ? '[secret]' : escapeControls(id).slice(0, 128) };
  }
}

/** The answer to an error. */
interface ErrorAnswer {
  readonly status: number;
  readonly code: CallRefusedError['code'];
  readonly detail: string | null;
}

/** What a handler throws stays in the log. */
function answerFor(error: unknown): ErrorAnswer {
  if (error instanceof CallRefusedError) return error;
  if (error instanceof BodyRefusedError) {
    const { status, detail } = error;
    return { status, code: 'INVALIDPARAMETER', detail };
  }
  const detail = error instanceof BodyConsumedError ? error.message : null;
  return { status: 500, code: 'INTERNALERROR', detail };
}

function isOurs(error: unknown): boolean {
  return !(error instanceof CallRefusedError || error instanceof BodyRefusedError);
}

function errorObject(
  { code, detail }: ErrorAnswer,
  { errors }: GameProviderSettings,
): { readonly id: number; readonly msg: string; readonly clientmsg: string } {
  const { id, msg, clientmsg } = { ...engineErrors[code], ...errors[code] };
  return { id, msg: detail ?? msg, clientmsg };
}

/** Names for the log, in at most 128 characters. */
function namesOf({ gameProviderId, message }: Admitted): {
  readonly gameProviderId: string | null;
  readonly gameRound: string | null;
  readonly gameCode: string | null;
} {
  const { gameRound, gameCode } = isJsonObject(message.value) ? message.value : {};
  return { gameProviderId, gameRound: nameIn(gameRound), gameCode: nameIn(gameCode) };
}

function nameIn(value: unknown): string | null {
  return typeof value === 'string' ? escapeControls(value).slice(0, 128) : null;
}

/** No answer is better than a wrong one. */
function send(response: ServerResponse, answer: JsonAnswer): void {
  try {
    sendJson(response, answer);
  } catch {
    response.destroy();
  }
}
