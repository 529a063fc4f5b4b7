import { isAscii } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestRefusedError } from '../errors';
import { type Call, type JsonDocument, JsonSyntaxError, parseJson, readCall } from '../protocol';
import { readSignedParts, ReplayGuard } from '../signature';
import { findFault } from '../validation';
import { cancelRound, doTransactions, type DoTransactionsPorts, type RoundKey } from '../wallet';
import { type Authenticator, refusal } from './authenticate';
import type { Background } from './background';
import { callHook } from './call-hook';
import { callReply, holds } from './call-reply';
import type { OperatorSettings } from './options';
import type { Overload } from './overload';
import { readBody } from './read-body';
import { replyToError } from './reply-to-error';
import { type Reply, sendReply } from './reply';
import { type ProcessedOutcome, reportCall } from './report-call';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What the endpoints of one router share. */
export interface EndpointParts {
  readonly settings: OperatorSettings;
  readonly authenticator: Authenticator;
  readonly overload: Overload;
  readonly background: Background;
}

/** POST /doTransactions (operator-api 4.1). */
export class DoTransactionsEndpoint {
  private readonly replayGuard: ReplayGuard;
  private readonly ports: DoTransactionsPorts;

  constructor(private readonly parts: EndpointParts) {
    this.replayGuard = new ReplayGuard(parts.settings.rememberedSignatures);
    this.ports = portsOf(parts.settings);
  }

  /** Answers a request; never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { settings } = this.parts;
    const startedAt = settings.clock.now();
    try {
      const bytes = await readBody(request, settings.maxBodyBytes);
      const { round, call, signature } = this.admit(request, bytes);
      const { outcome, reply } = this.answer(call, round, await this.process(round, call));
      if (outcome.isUnknown && holds(call, 'debit')) this.replayGuard.awaitVoid(signature);
      sendReply(response, reply);
      const durationMs = settings.clock.now() - startedAt;
      reportCall({ round, call, outcome, status: reply.status, durationMs }, this.parts);
    } catch (error) {
      replyToError(request, response, error, settings, 'doTransactions', startedAt);
    }
  }

  /** Reads and checks a request, in the order of D1.7. */
  private admit(
    request: IncomingMessage,
    bytes: Uint8Array,
  ): { round: RoundKey; call: Call; signature: string } {
    const { authenticator } = this.parts;
    const document = parseBody(bytes);
    const signed = readSignedParts('doTransactions', document);
    const { operatorId, signature } = authenticator.authenticate(request, signed);
    if (!this.replayGuard.admits(signature, bytes, () => holdsVoidsAlone(document))) throw refusal;
    const call = this.readChecked(document);
    const { playerId, gameRound } = call;
    return { round: { operatorId, playerId, gameRound }, call, signature };
  }

  private readChecked(document: JsonDocument): Call {
    const fault = findFault('do-transactions', document.value);
    if (fault !== null) throw new RequestRefusedError('INVALIDPARAMETER', `${fault}.`);
    const { maxTransactions, store } = this.parts.settings;
    const { transactions } = document.value as { transactions: unknown[] };
    if (transactions.length > maxTransactions) {
      throw new RequestRefusedError('INVALIDPARAMETER', `At most ${maxTransactions} transactions.`);
    }
    return readCall(document, store.decimals);
  }

  /** Processes a call; an error on the way leaves it unknown how far it came: no refusal (D7). */
  private async process(round: RoundKey, call: Call): Promise<ProcessedOutcome> {
    const { overload } = this.parts;
    const hasDebit = holds(call, 'debit');
    if (!overload.enter(hasDebit)) return shedOutcome;
    try {
      const outcome = await doTransactions(round, call, this.ports);
      if (outcome.unknown !== null && hasDebit) this.cancel(round, call);
      const { verdicts, accounts, currency, state, notes, unknown } = outcome;
      return { verdicts, accounts, currency, state, notes, unknown, isUnknown: unknown !== null };
    } catch (error) {
      return this.failed(round, call, error);
    } finally {
      overload.leave();
    }
  }

  /** The reply to an outcome. Money may have moved by now, so an error while it is made leaves the call unknown (D7). */
  private answer(
    call: Call,
    round: RoundKey,
    outcome: ProcessedOutcome,
  ): { outcome: ProcessedOutcome; reply: Reply } {
    const { settings } = this.parts;
    const { decimals } = settings.store;
    try {
      return { outcome, reply: callReply(call, outcome, settings, decimals) };
    } catch (error) {
      const unknown = this.failed(round, call, error);
      return { outcome: unknown, reply: callReply(call, unknown, settings, decimals) };
    }
  }

  /** What an error on the way makes of a call: it is not known how far it came (D7). */
  private failed(round: RoundKey, call: Call, error: unknown): ProcessedOutcome {
    if (holds(call, 'debit')) this.cancel(round, call);
    return { ...shedOutcome, unknown: { cause: toError(error) } };
  }

  /** Marks the round in the background: it was answered 5xx, and waits for its void. */
  private cancel(round: RoundKey, call: Call): void {
    const { background, settings } = this.parts;
    const { store, clock, logger } = settings;
    const fields = {
      operatorId: round.operatorId,
      playerId: round.playerId,
      gameRound: round.gameRound,
    };
    const marking = cancelRound(round, call, { store, clock, signal: background.signal });
    const failed = (error?: unknown) =>
      logger.warn({ ...fields, err: error }, 'the round could not be marked as cancelled');
    background.add(
      marking.then((isMarked) => (isMarked ? undefined : failed())),
      failed,
    );
  }
}

/** A call that was shed before anything of it was done: told as unknown, so that it is repeated or voided (D7). */
const shedOutcome: ProcessedOutcome = Object.freeze({
  verdicts: [],
  accounts: null,
  currency: null,
  state: null,
  notes: [],
  isUnknown: true,
  unknown: { cause: new Error('The call was shed: too many are in work.') },
});

function portsOf({
  store,
  clock,
  policy,
  deadlineMs,
  hooks,
}: OperatorSettings): DoTransactionsPorts {
  const { discountCheck } = hooks;
  return {
    store,
    clock,
    policy,
    deadlineMs,
    discountCheck:
      discountCheck && ((asked) => callHook(() => discountCheck(asked), { clock, deadlineMs })),
  };
}

function parseBody(bytes: Uint8Array): JsonDocument {
  try {
    return parseJson(isAscii(bytes) ? asciiText(bytes) : utf8.decode(bytes));
  } catch (error) {
    const detail = error instanceof JsonSyntaxError ? error.message : 'The body is not UTF-8.';
    throw new RequestRefusedError('INVALIDPARAMETER', detail);
  }
}

function asciiText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

/** Asked before the schema is: what is not as it should be holds no void. */
function holdsVoidsAlone({ value }: JsonDocument): boolean {
  const { transactions } = value as { transactions: { type?: unknown }[] };
  return transactions.every(({ type }) => typeof type === 'string' && /^void$/i.test(type));
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('Something was thrown that is no error.');
}
