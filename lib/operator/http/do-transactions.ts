import { hash } from 'node:crypto';
import { type Background, readBody } from '../../platform/http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Call,
  messageSchemas,
  readCall,
  RequestRefusedError,
} from '../../protocol/operator-api';
import type { Delivery } from '../gameround';
import type { JsonDocument } from '../../protocol/json';
import { readSignedParts } from '../../protocol/signature';
import { ReplayGuard } from '../../protocol/authentication';
import { type Span, traceparentHeader } from '../../platform/tracing';
import { type CallAnswered, levelOf } from '../events';
import {
  type CallOutcome,
  cancelRound,
  doTransactions,
  type DoTransactionsPorts,
  type RoundKey,
} from '../wallet';
import { type Authenticator, refusal } from './authentication/authenticate';
import { callReply, holds } from './messages/call-reply';
import { DeliveryIds } from './delivery-ids';
import { callerOf, KnownCallerError } from './authentication/known-caller';
import type { OperatorSettings } from './configuration/options';
import type { Overload } from './overload';
import { parseBody } from './messages/parse-body';
import { type FailedRequest, replyToError } from './messages/reply-to-error';
import { type Reply, sendOrCut, sendReply } from './messages/reply';
import { noteAnswered, noteRefused } from './trace-attributes';

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
  private readonly deliveryIds: DeliveryIds;
  /** SHA-256 of the body of the current request. */
  private readonly digest = Buffer.alloc(32);
  private readonly ports: DoTransactionsPorts;

  constructor(private readonly parts: EndpointParts) {
    this.replayGuard = new ReplayGuard(parts.settings.rememberedSignatures);
    this.deliveryIds = new DeliveryIds(parts.settings.random);
    this.ports = portsOf(parts.settings);
    messageSchemas.prepare('do-transactions');
  }

  /** Answers a request; never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { settings } = this.parts;
    const startedAt = settings.clock.monotonicMs();
    const failed: FailedRequest = { settings, operation: 'doTransactions', startedAt };
    let verified: Verified;
    try {
      verified = this.verify(request, await readBody(request, settings.maxBodyBytes));
    } catch (error) {
      replyToError(request, response, error, failed);
      return undefined;
    }
    const { spans } = settings;
    if (spans === null) return this.serve(request, response, verified, failed, null);
    return spans.serve('rgs.doTransactions', request.headers[traceparentHeader], (span) =>
      this.serve(request, response, verified, failed, span),
    );
  }

  /** Answers a request of a verified caller; never rejects. */
  private async serve(
    request: IncomingMessage,
    response: ServerResponse,
    verified: Verified,
    failed: FailedRequest,
    span: Span | null,
  ): Promise<void> {
    const refuse = (error: unknown): void => {
      const answer = replyToError(request, response, error, failed);
      if (span !== null) noteRefused(span, verified.operatorId, answer);
    };
    let arrival: Arrival;
    try {
      arrival = this.admit(verified);
    } catch (error) {
      return refuse(error);
    }
    const processed = await this.process(arrival);
    if (processed.admission === 'otherBody') {
      return refuse(new KnownCallerError(arrival.round, refusal));
    }
    const answer = this.send(response, arrival, this.answer(arrival, processed));
    this.report(arrival, answer, failed.startedAt ?? 0, span);
  }

  /** Verifies a request, in the order of D1.7. */
  private verify(request: IncomingMessage, bytes: Uint8Array): Verified {
    const { authenticator, settings } = this.parts;
    const claim = authenticator.claimOf(request);
    const document = parseBody(bytes, settings.maxTransactions);
    const signed = readSignedParts('doTransactions', document);
    const { operatorId, signature, secret } = authenticator.authenticate(claim, signed);
    const { digest } = this;
    digest.write(hash('sha256', bytes, 'binary'), 'binary');
    const isOtherBody = this.replayGuard.see(signature, digest) === 'other';
    if (isOtherBody && !holdsVoidsAlone(document)) throw refusal;
    const fingerprint = secret.fingerprint(signature, digest);
    return { operatorId, document, signature, fingerprint, isOtherBody };
  }

  /** Reads and checks the call of a verified request. */
  private admit({ operatorId, document, signature, ...signed }: Verified): Arrival {
    const call = this.readFrom(operatorId, document);
    const { playerId, gameRound } = call;
    const delivery = { id: this.deliveryIds.next(), ...signed };
    return { round: { operatorId, playerId, gameRound }, call, delivery, signature };
  }

  /** A fault in a call with a verified caller is logged with the caller's names. */
  private readFrom(operatorId: string, document: JsonDocument): Call {
    try {
      return this.readChecked(document);
    } catch (error) {
      throw new KnownCallerError(callerOf(operatorId, document.value), error);
    }
  }

  private readChecked(document: JsonDocument): Call {
    const fault = messageSchemas.findFault('do-transactions', document.value);
    if (fault !== null) throw new RequestRefusedError('INVALIDPARAMETER', `${fault}.`);
    const { maxTransactions, store } = this.parts.settings;
    const { transactions } = document.value as { transactions: unknown[] };
    if (transactions.length > maxTransactions) {
      throw new RequestRefusedError('INVALIDPARAMETER', `At most ${maxTransactions} transactions.`);
    }
    return readCall(document, store.decimals);
  }

  /** Processes a call; after an error its outcome is unknown, not a refusal (D7). */
  private async process(arrival: Arrival): Promise<CallOutcome> {
    const { overload } = this.parts;
    const { round, call, delivery } = arrival;
    const hasDebit = holds(call, 'debit');
    const place = overload.enter(round.operatorId, hasDebit ? 'debit' : 'settlement');
    if (place === null) return shedOutcome;
    try {
      const outcome = await doTransactions(round, call, delivery, this.ports);
      if (outcome.admission !== 'admitted') this.turnAway(arrival);
      else if (outcome.unknown !== null && hasDebit) this.cancel(arrival);
      return outcome;
    } catch (error) {
      return this.failed(arrival, error);
    } finally {
      place.leave();
    }
  }

  /** Another process has seen the signature with another body, and that one may still arrive here (D1.8). */
  private turnAway({ delivery, signature }: Arrival): void {
    if (!delivery.isOtherBody) this.replayGuard.forget(signature);
  }

  /**
   * The reply to an outcome. Money may have moved by now, so an error while building the reply leaves the
   * call unknown (D7).
   */
  private answer(arrival: Arrival, outcome: CallOutcome): Answer {
    try {
      return this.replyTo(arrival, outcome);
    } catch (error) {
      return this.replyTo(arrival, this.failed(arrival, error));
    }
  }

  private replyTo({ call }: Arrival, outcome: CallOutcome): Answer {
    const { settings } = this.parts;
    return { outcome, reply: callReply(call, outcome, settings, settings.store.decimals) };
  }

  /** Sends the reply; if that fails before anything was sent, the call is unknown to the RGS (D7). */
  private send(response: ServerResponse, arrival: Arrival, answer: Answer): Answer {
    try {
      sendReply(response, answer.reply);
      return answer;
    } catch (error) {
      if (response.headersSent) {
        // The RGS may have the reply, or will void: so the round is not marked.
        response.destroy();
        return this.replyTo(arrival, unknownOutcome(error));
      }
      const failed = this.replyTo(arrival, this.failed(arrival, error));
      sendOrCut(response, failed.reply);
      return failed;
    }
  }

  /** Reports the answer; without a listener nothing is built. */
  private report(
    { round, call }: Arrival,
    { outcome, reply }: Answer,
    startedAt: number,
    span: Span | null,
  ): void {
    const { events, clock } = this.parts.settings;
    const isWanted = events.wants('callAnswered', levelOf({ outcome }));
    if (!isWanted && span === null) return;
    const durationMs = clock.monotonicMs() - startedAt;
    const { status } = reply;
    const isShed = outcome === shedOutcome;
    const kind = 'callAnswered';
    const event: CallAnswered = { kind, round, call, outcome, status, durationMs, isShed };
    if (span !== null) noteAnswered(span, event);
    if (isWanted) events.emit(event);
  }

  /** The outcome of a call after an error: it is unknown how far the call came (D7). */
  private failed(arrival: Arrival, error: unknown): CallOutcome {
    if (holds(arrival.call, 'debit')) this.cancel(arrival);
    return unknownOutcome(error);
  }

  /** Marks the round in the background: its call was answered 5xx, and it waits for the void. */
  private cancel({ round, call, delivery }: Arrival): void {
    const { background, settings } = this.parts;
    const { store, clock, events } = settings;
    const marking = cancelRound(round, call, delivery, { store, clock, signal: background.signal });
    background.add(
      marking.then((isMarked) => events.emit({ kind: 'roundMarked', round, isMarked })),
      (error) => events.emit({ kind: 'roundMarked', round, isMarked: false, error }),
    );
  }
}

/** A request of a verified caller; nothing else of its body is checked. */
interface Verified {
  readonly operatorId: string;
  readonly document: JsonDocument;
  /** X-H-AUTH-SIG, verified. */
  readonly signature: string;
  readonly fingerprint: string;
  /** Whether the signature was used for another body before; then this one holds voids alone (D1.8). */
  readonly isOtherBody: boolean;
}

/** One delivery of an authentic and well-formed call. */
interface Arrival {
  readonly round: RoundKey;
  readonly call: Call;
  readonly delivery: Delivery;
  /** X-H-AUTH-SIG, verified. */
  readonly signature: string;
}

/** The outcome of a call, and its reply. */
interface Answer {
  readonly outcome: CallOutcome;
  readonly reply: Reply;
}

function unknownOutcome(error: unknown): CallOutcome {
  return { ...shedOutcome, unknown: { cause: toError(error) } };
}

/**
 * A call that was shed before it did anything: answered as unknown, so that the RGS voids it (D7).
 */
const shedOutcome: CallOutcome = Object.freeze({
  verdicts: [],
  accounts: null,
  currency: null,
  state: null,
  notes: [],
  admission: 'admitted',
  unknown: { cause: new Error('The call was shed: too many calls in flight.') },
});

function portsOf(settings: OperatorSettings): DoTransactionsPorts {
  const { store, clock, policy, deadlineMs, hooks, recorder } = settings;
  const onCommitRepeat = recorder?.commitRepeated;
  return { store, clock, policy, deadlineMs, discountCheck: hooks.discountCheck, onCommitRepeat };
}

/** Called before the schema check: an invalid body holds no void. */
function holdsVoidsAlone({ value }: JsonDocument): boolean {
  const { transactions } = value as { transactions: { type?: unknown }[] };
  return transactions.every(({ type }) => typeof type === 'string' && /^void$/i.test(type));
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('A value that is not an Error was thrown.');
}
