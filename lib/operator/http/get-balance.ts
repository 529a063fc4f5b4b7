import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonAnswer } from '../../platform/http';
import { callHook, within } from '../../platform/within';
import { errorCatalogue, RequestRefusedError } from '../../protocol/operator-api/catalogue';
import { readQuery } from '../../protocol/operator-api/read-call';
import { isCurrency, isIdentifier } from '../../protocol/identifiers';
import { type Writable, writeJson } from '../../protocol/json/write';
import { readSignedParameters } from '../../protocol/signature';
import { type Account, StoreUnavailableError, unknownIfLate } from '../wallet';
import { balanceMembers } from './call-reply';
import type { BalanceRequest, FreePlays } from './hooks';
import {
  CallShedError,
  type EndpointParts,
  invalid,
  OperatorCall,
  OperatorEndpoint,
} from './endpoint';
import { noteBalance } from './trace-attributes';

class BalanceCall extends OperatorCall<BalanceRequest> {
  parameters: ReadonlyMap<string, string> = new Map();
  answer: { readonly [key: string]: Writable } = {};
}

/** GET /getBalance (operator-api 4.2, D9), in the order of D1.7. */
export class GetBalanceEndpoint extends OperatorEndpoint<BalanceCall, BalanceRequest> {
  constructor(parts: EndpointParts) {
    super(parts, 'getBalance');
  }

  begin(request: IncomingMessage, response: ServerResponse): BalanceCall {
    const startedAt = this.parts.settings.clock.monotonicMs();
    return new BalanceCall(request, response, startedAt);
  }

  verify(call: BalanceCall): void {
    const { callers } = this.parts;
    const claim = callers.claimOf(call.request);
    const parameters = readQuery(call.request.url ?? '');
    if (parameters === null) {
      throw invalid('The query is not valid, repeats a parameter or has too many.');
    }
    callers.verifyParts(claim, readSignedParameters('getBalance', parameters));
    call.parameters = parameters;
    call.callerId = claim.authId;
  }

  read(call: BalanceCall): BalanceRequest {
    call.playerId = call.parameters.get('playerId') ?? null;
    return readRequest(call.callerId, call.parameters);
  }

  async work(call: BalanceCall, request: BalanceRequest): Promise<void> {
    const { overload, settings } = this.parts;
    const place = overload.enter(request.operatorId, 'balance');
    if (place === null) throw new CallShedError('Too many calls in flight.');
    try {
      await this.checkSession(request);
      const account = await this.account(request);
      const extras = await this.freePlays(request);
      const { policy, decimals } = settings;
      const balance = balanceMembers(account, decimals, policy.useBonusFirst);
      call.answer = { ...extras, ...balance };
    } finally {
      place.leave();
    }
  }

  reply({ answer }: BalanceCall): JsonAnswer {
    return { status: 200, text: writeJson(answer) };
  }

  reportAnswered({ callerId: operatorId, playerId, span, startedAt }: BalanceCall): void {
    const { clock, events } = this.parts.settings;
    if (span !== null) noteBalance(span, operatorId);
    if (!events.wants('balanceAnswered', 'info')) return;
    const durationMs = clock.monotonicMs() - startedAt;
    events.emit({ kind: 'balanceAnswered', operatorId, playerId, status: 200, durationMs });
  }

  private async account({ operatorId, playerId, currency }: BalanceRequest): Promise<Account> {
    const { rounds, clock, deadlineMs } = this.parts.settings;
    const player = { operatorId, playerId };
    const result = await within(clock, deadlineMs, rounds.accounts(player), unknownIfLate);
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
