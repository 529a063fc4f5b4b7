import type { IncomingMessage, ServerResponse } from 'node:http';
import { callHook } from '../../platform/http';
import { errorCatalogue, RequestRefusedError, readQuery } from '../../protocol/operator-api';
import { StoreUnavailableError, type Account, unknownIfLate } from '../wallet';
import { isCurrency, isIdentifier } from '../../protocol/identifiers';
import type { Writable } from '../../protocol/json';
import { readSignedParameters } from '../../protocol/signature';
import { type Span, traceparentHeader } from '../../platform/tracing';
import { within } from '../../platform/within';
import type { EndpointParts } from './do-transactions';
import { type KnownCaller, KnownCallerError, nameIn } from './authentication/known-caller';
import type { BalanceRequest, FreePlays } from './configuration/options';
import { balanceMembers, sendReply } from './messages/reply';
import { CallShedError, type FailedRequest, replyToError } from './messages/reply-to-error';
import { noteBalance, noteRefused } from './trace-attributes';

/** GET /getBalance (operator-api 4.2, D9). */
export class GetBalanceEndpoint {
  constructor(private readonly parts: EndpointParts) {}

  /** Answers a request; never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { settings } = this.parts;
    const startedAt = settings.clock.monotonicMs();
    const failed: FailedRequest = { settings, operation: 'getBalance', startedAt };
    let verified: Verified;
    try {
      verified = this.admit(request);
    } catch (error) {
      replyToError(request, response, error, failed);
      return undefined;
    }
    const { spans } = settings;
    if (spans === null) return this.serve(request, response, verified, failed, null);
    return spans.serve('rgs.getBalance', request.headers[traceparentHeader], (span) =>
      this.serve(request, response, verified, failed, span),
    );
  }

  /** Answers a request of a verified caller; never rejects. */
  private async serve(
    request: IncomingMessage,
    response: ServerResponse,
    { operatorId, parameters }: Verified,
    failed: FailedRequest,
    span: Span | null,
  ): Promise<void> {
    const { clock, events } = this.parts.settings;
    try {
      const caller = { operatorId, playerId: nameIn(parameters.get('playerId')) };
      const body = await this.answerTo(caller, parameters);
      sendReply(response, { status: 200, body });
      if (span !== null) noteBalance(span, operatorId);
      const durationMs = clock.monotonicMs() - (failed.startedAt ?? 0);
      if (events.wants('balanceAnswered', 'info')) {
        events.emit({ kind: 'balanceAnswered', ...caller, status: 200, durationMs });
      }
    } catch (error) {
      const answer = replyToError(request, response, error, failed);
      if (span !== null) noteRefused(span, operatorId, answer);
    }
  }

  /** Errors from here on are logged with the caller's names. */
  private async answerTo(
    caller: KnownCaller,
    parameters: ReadonlyMap<string, string>,
  ): Promise<{ readonly [key: string]: Writable }> {
    try {
      return await this.answer(readRequest(caller.operatorId, parameters));
    } catch (error) {
      throw new KnownCallerError(caller, error);
    }
  }

  /** Authenticates the caller, in the order of D1.7. */
  private admit(request: IncomingMessage): Verified {
    const { authenticator } = this.parts;
    const claim = authenticator.claimOf(request);
    const parameters = readQuery(request.url ?? '');
    if (parameters === null) {
      throw invalid('The query is not valid, repeats a parameter or has too many.');
    }
    const signed = readSignedParameters('getBalance', parameters);
    const { operatorId } = authenticator.authenticate(claim, signed);
    return { operatorId, parameters };
  }

  private async answer(request: BalanceRequest): Promise<{ readonly [key: string]: Writable }> {
    const { overload, settings } = this.parts;
    const place = overload.enter(request.operatorId, 'balance');
    if (place === null) throw new CallShedError('Too many calls in flight.');
    try {
      await this.checkSession(request);
      const account = await this.account(request);
      const extras = await this.freePlays(request);
      const { policy, store } = settings;
      return { ...extras, ...balanceMembers(account, store.decimals, policy.useBonusFirst) };
    } finally {
      place.leave();
    }
  }

  private async account({ operatorId, playerId, currency }: BalanceRequest): Promise<Account> {
    const { store, clock, deadlineMs } = this.parts.settings;
    const player = { operatorId, playerId };
    const result = await within(clock, deadlineMs, store.accounts(player), unknownIfLate);
    if (result.kind === 'unknown') {
      throw new StoreUnavailableError('The store did not answer.', { cause: result.cause });
    }
    if (result.accounts === null) throw new RequestRefusedError('PLAYERNOTFOUND');
    const account = result.accounts.find((candidate) => candidate.currency === currency);
    if (account === undefined) {
      throw new RequestRefusedError(
        'CURRENCYNOTSUPPORTED',
        'The player has no account in this currency.',
      );
    }
    return account;
  }

  private async checkSession(request: BalanceRequest): Promise<void> {
    const { hooks, clock, deadlineMs } = this.parts.settings;
    const { session } = hooks;
    if (session === undefined) return;
    const hook = async () => session(request);
    const code = await callHook(hook, { clock, deadlineMs }).catch((error: unknown) => {
      throw new StoreUnavailableError('The session hook failed.', { cause: error });
    });
    if (code === undefined) return;
    if (!isErrorCode(code)) {
      const cause = new TypeError(
        'The session hook must return undefined or the code of an error.',
      );
      throw new StoreUnavailableError('The session hook failed.', { cause });
    }
    throw new RequestRefusedError(code);
  }

  /** If the hook fails, the reply has no free plays, but still the balance. */
  private async freePlays(request: BalanceRequest): Promise<{ readonly [key: string]: Writable }> {
    const { hooks, clock, deadlineMs, events } = this.parts.settings;
    const { freePlays } = hooks;
    const { gameCode } = request;
    if (freePlays === undefined || gameCode === null) return {};
    try {
      const hook = async () => freePlays({ ...request, gameCode });
      return plainMembers(await callHook(hook, { clock, deadlineMs }));
    } catch (error) {
      const { playerId } = request;
      events.emit({ kind: 'hookFailed', hook: 'freePlays', error, names: { playerId } });
      return {};
    }
  }
}

function isErrorCode(value: unknown): boolean {
  return typeof value === 'string' && Object.hasOwn(errorCatalogue, value);
}

/**
 * The answer of a hook as plain JSON: a function or a date in it must not spoil the reply.
 * @throws TypeError if it is not an object, or cannot be written.
 */
function plainMembers(answer: FreePlays | null | undefined): { readonly [key: string]: Writable } {
  const plain: unknown = JSON.parse(JSON.stringify(answer ?? {}));
  if (typeof plain === 'object' && plain !== null && !Array.isArray(plain)) {
    return plain as { readonly [key: string]: Writable };
  }
  throw new TypeError('The freePlays hook must return an object or null.');
}

/** A request of a verified caller. */
interface Verified {
  readonly operatorId: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The request, checked. @throws RequestRefusedError 400 that names the wrong parameter (D9). */
function readRequest(operatorId: string, parameters: ReadonlyMap<string, string>): BalanceRequest {
  const playerId = parameters.get('playerId');
  const currency = parameters.get('currency');
  const gameCode = parameters.get('gameCode') ?? null;
  const externalSessionId = parameters.get('externalSessionId') ?? null;
  if (!isIdentifier(playerId)) throw invalid('playerId must be 1 to 128 characters.');
  if (!isCurrency(currency)) throw invalid('currency must be three upper-case letters.');
  if (gameCode !== null && !isIdentifier(gameCode)) {
    throw invalid('gameCode must be 1 to 128 characters.');
  }
  if (externalSessionId !== null && externalSessionId.length > 1024) {
    throw invalid('externalSessionId must be at most 1024 characters.');
  }
  return { operatorId, playerId, currency, gameCode, externalSessionId };
}

function invalid(detail: string): RequestRefusedError {
  return new RequestRefusedError('INVALIDPARAMETER', detail);
}
