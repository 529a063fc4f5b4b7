import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Random } from '../../platform';
import { type JsonAnswer, noBody, readBody } from '../../platform/http';
import type { JsonDocument, JsonLimits } from '../../protocol/json/parse';
import { noDocument } from '../../protocol/json/documents';
import { JsonText, writeJson } from '../../protocol/json/write';
import type { Call } from '../../protocol/operator-api/transaction';
import { messageSchemas } from '../../protocol/operator-api/schemas';
import { readCall } from '../../protocol/operator-api/read-call';
import { readSignedParts } from '../../protocol/signature';
import { type CallAnswered, levelOf } from '../events';
import type { Delivery } from '../gameround';
import {
  type CallOutcome,
  cancelRound,
  type DebitCheck,
  type DebitChecked,
  DebitChecks,
  doTransactions,
  type DoTransactionsPorts,
  type RoundKey,
  toError,
} from '../wallet';
import { callReply, holds } from './call-reply';
import type { OperatorSettings } from './options';
import { type EndpointParts, invalid, OperatorCall, OperatorEndpoint, refusals } from './endpoint';
import { roundShed } from './shed-rounds';
import { noteAnswered } from './trace-attributes';

/** JSON values for each transaction, and those around them: twice what the protocol needs, and more. Anyone can send a body (D2.1). */
const valuesPerTransaction = 30;
const furtherValues = 200;

/** Members of one object: a transaction has about ten. */
const maxMembers = 1000;

/** One delivery of a call that is authentic and well formed. */
interface Arrival {
  readonly round: RoundKey;
  readonly call: Call;
  readonly delivery: Delivery;
}

class TransactionsCall extends OperatorCall<Arrival> {
  /** Of a verified caller; nothing else of it is checked until it is read. */
  document = noDocument;
  /** X-H-AUTH-SIG, verified. */
  signature = '';
  fingerprint = '';
  /** Whether the signature was used for another body before; then this one holds voids alone (D1.8). */
  isOtherBody = false;
  outcome = nothingDone;
}

/** POST /doTransactions (operator-api 4.1), in the order of D1.7. */
export class DoTransactionsEndpoint extends OperatorEndpoint<TransactionsCall, Arrival> {
  private readonly deliveryIds: DeliveryIds;
  private readonly limits: JsonLimits;
  /** SHA-256 of the body of the current request. */
  private readonly digest = Buffer.alloc(32);
  private readonly ports: DoTransactionsPorts;

  constructor(parts: EndpointParts) {
    super(parts, 'doTransactions');
    const { random, maxTransactions } = parts.settings;
    this.deliveryIds = new DeliveryIds(random);
    const maxValues = valuesPerTransaction * maxTransactions + furtherValues;
    this.limits = { maxValues, maxMembers };
    this.ports = portsOf(parts.settings);
    messageSchemas.prepare('do-transactions');
  }

  begin(request: IncomingMessage, response: ServerResponse): TransactionsCall {
    const startedAt = this.parts.settings.clock.monotonicMs();
    return new TransactionsCall(request, response, startedAt);
  }

  override receive(call: TransactionsCall): Uint8Array | Promise<Uint8Array> {
    const { settings, shedding } = this.parts;
    const body = readBody(call.request, settings.maxBodyBytes);
    return shedding === null ? body : shedding.inTurn(call, body);
  }

  verify(call: TransactionsCall): void {
    const { callers, shedding } = this.parts;
    const { request, body } = call;
    const isUsedUp = shedding !== null && shedding.begin();
    const claim = callers.claimOf(request);
    if (shedding?.sheds(isUsedUp, claim, body) === true) throw roundShed;
    const document = callers.parse(body, this.limits);
    const signed = readSignedParts('doTransactions', document);
    const secret = callers.verifyParts(claim, signed);
    const { authId, signature } = claim;
    const { digest } = this;
    digest.write(hash('sha256', body, 'binary'), 'binary');
    const isOtherBody = callers.replays.see(signature, digest) === 'other';
    if (isOtherBody && !holdsVoidsAlone(document)) throw refusals.stranger;
    call.document = document;
    call.signature = signature;
    call.fingerprint = secret.fingerprint(signature, digest);
    call.isOtherBody = isOtherBody;
    call.callerId = authId;
  }

  read(call: TransactionsCall): Arrival {
    const { callerId: operatorId, document, fingerprint, isOtherBody } = call;
    const names = Object(document.value) as { playerId?: unknown; gameRound?: unknown };
    if (typeof names.playerId === 'string') call.playerId = names.playerId;
    if (typeof names.gameRound === 'string') call.gameRound = names.gameRound;
    const read = this.readChecked(document);
    const { playerId, gameRound } = read;
    // The work may take long, and a document be large.
    call.document = noDocument;
    const delivery = { id: this.deliveryIds.next(), fingerprint, isOtherBody };
    return { round: { operatorId, playerId, gameRound }, call: read, delivery };
  }

  private readChecked(document: JsonDocument): Call {
    const fault = messageSchemas.findFault('do-transactions', document.value);
    if (fault !== null) throw invalid(`${fault}.`);
    const { maxTransactions, decimals } = this.parts.settings;
    const { transactions } = document.value as { transactions: unknown[] };
    if (transactions.length > maxTransactions) {
      throw invalid(`At most ${maxTransactions} transactions.`);
    }
    return readCall(document, decimals);
  }

  async work(call: TransactionsCall, arrival: Arrival): Promise<void> {
    const { overload, callers, shedding } = this.parts;
    const { round, call: asked, delivery } = arrival;
    const place = overload.enter(round.operatorId, holds(asked, 'debit') ? 'debit' : 'settlement');
    if (place === null) {
      shedding?.charge(round.operatorId, call.request);
      call.outcome = shedOutcome;
      return;
    }
    const leaveStore = shedding?.enterStore(round.operatorId);
    let isAnswered = false;
    try {
      const processing = doTransactions(round, asked, delivery, this.ports);
      shedding?.charge(round.operatorId, call.request);
      call.outcome = await processing;
      isAnswered = call.outcome.unknown === null;
    } finally {
      place.leave();
      leaveStore?.(isAnswered);
    }
    const { admission } = call.outcome;
    if (admission === 'admitted') return;
    // Another process has seen the signature with another body, and that one may still arrive here (D1.8).
    if (!delivery.isOtherBody) callers.replays.forget(call.signature);
    if (admission === 'otherBody') throw refusals.stranger;
  }

  reply({ outcome }: TransactionsCall, { call: asked }: Arrival): JsonAnswer {
    const { settings } = this.parts;
    const { status, body } = callReply(asked, outcome, settings, settings.decimals);
    // It holds texts and ids alone, and is the longest part.
    const hashesProcessed = new JsonText(JSON.stringify(body['hashesProcessed']));
    return { status, text: writeJson({ ...body, hashesProcessed }) };
  }

  /** Once the call is read money may have moved: its outcome is unknown, which is not a refusal (D7). */
  override fail(call: TransactionsCall, error: unknown): JsonAnswer {
    const { message: arrival, body } = call;
    const { shedding } = this.parts;
    // Only what came with a body was begun.
    if (arrival === null && body !== noBody) shedding?.charge(call.callerId, call.request);
    if (error === roundShed && shedding !== null) return shedding.answer;
    if (arrival === null || error === refusals.stranger) return super.fail(call, error);
    if (call.outcome.unknown === null) call.outcome = unknownFor(error);
    return this.reply(call, arrival);
  }

  reportAnswered(call: TransactionsCall): void {
    const { settings, shedding } = this.parts;
    const { events, clock } = settings;
    const { message, outcome, status, span, startedAt } = call;
    // Neither refused nor read: it was shed.
    if (message === null) return shedding?.report(clock.monotonicMs() - startedAt);
    if (outcome.unknown !== null) this.markUnanswered(call, message);
    // Without a listener nothing is built.
    const isWanted = events.wants('callAnswered', levelOf(call));
    if (!isWanted && span === null) return;
    const event: CallAnswered = {
      kind: 'callAnswered',
      round: message.round,
      call: message.call,
      outcome,
      status,
      durationMs: clock.monotonicMs() - startedAt,
      isShed: outcome === shedOutcome,
    };
    if (span !== null) noteAnswered(span, event);
    if (isWanted) events.emit(event);
  }

  /**
   * Marks the round of a debit whose outcome is unknown, in the background: it waits for the void (D7). Not if nothing was done, and
   * not if the caller may have heard of a success, which it does not void.
   */
  private markUnanswered({ outcome, response }: TransactionsCall, arrival: Arrival): void {
    const mayHaveHeard = response.headersSent && response.statusCode < 300;
    const isDone = outcome !== shedOutcome && outcome.admission === 'admitted';
    if (!isDone || mayHaveHeard || !holds(arrival.call, 'debit')) return;
    const { round, call, delivery } = arrival;
    const { background, settings } = this.parts;
    const { rounds, clock, events } = settings;
    const marking = cancelRound(round, call, delivery, {
      rounds,
      clock,
      signal: background.signal,
    });
    background.add(
      marking.then((isMarked) => events.emit({ kind: 'roundMarked', round, isMarked })),
      (error) => events.emit({ kind: 'roundMarked', round, isMarked: false, error }),
    );
  }
}

const nothingDone: CallOutcome = Object.freeze({
  verdicts: [],
  accounts: null,
  currency: null,
  state: null,
  notes: [],
  admission: 'admitted',
  unknown: null,
});

function unknownFor(cause: unknown): CallOutcome {
  return { ...nothingDone, unknown: { cause: toError(cause) } };
}

/** A call that was shed before it did anything: answered as unknown, so that the RGS voids it (D7). */
const shedOutcome = unknownFor(new Error('The call was shed: too many calls in flight.'));

function portsOf(settings: OperatorSettings): DoTransactionsPorts {
  const { rounds, clock, policy, deadlineMs, hooks, recorder } = settings;
  const { discountCheck } = hooks;
  const debitChecks = debitChecksOf(settings);
  const debitCheck = debitChecks === undefined ? null : () => debitChecks.breaker;
  settings.calls?.serve({ operators: [...settings.secrets.byId.keys()], debitCheck });
  const onCommitRepeat = recorder?.commitRepeated;
  const forgottenBefore = memoryOf(settings);
  const checks = { discountCheck, debitChecks };
  return { rounds, clock, policy, deadlineMs, forgottenBefore, ...checks, onCommitRepeat };
}

function debitChecksOf({ debitCheck, events, spans }: OperatorSettings): DebitChecks | undefined {
  if (debitCheck === null) return undefined;
  const { check } = debitCheck;
  const traced: DebitCheck = (request) =>
    spans === null ? check(request) : spans.below('rgs.debitCheck', async () => check(request));
  const onChecked = (checked: DebitChecked): void =>
    events.emit({ kind: 'debitChecked', ...checked });
  return new DebitChecks({ ...debitCheck, check: traced, onChecked });
}

/** Clocks differ by at most the tolerance (D10.2, P11). */
function memoryOf({
  store,
  clock,
  clockToleranceMs,
  refusesExpired,
}: OperatorSettings): DoTransactionsPorts['forgottenBefore'] {
  const retentionMs = store.retentionMs?.bind(store);
  if (retentionMs === undefined || !refusesExpired) return undefined;
  return () => clock.now() - Math.max(retentionMs() - clockToleranceMs, clockToleranceMs);
}

/** Called before the schema check: an invalid body holds no void. */
function holdsVoidsAlone({ value }: JsonDocument): boolean {
  const { transactions } = value as { transactions: { type?: unknown }[] };
  return transactions.every(({ type }) => typeof type === 'string' && /^void$/i.test(type));
}

/** Characters of base64url in an id: three bytes. */
const idLength = 4;
const idsAtOnce = 1024;

/** Creates ids of deliveries (D7): 4 random characters of base64url, generated many at a time. */
export class DeliveryIds {
  #drawn = '';
  #at = 0;

  constructor(private readonly random: Random) {}

  next(): string {
    if (this.#at === this.#drawn.length) {
      this.#drawn = this.random.bytes((idsAtOnce * idLength * 3) / 4).toString('base64url');
      this.#at = 0;
    }
    this.#at += idLength;
    return this.#drawn.slice(this.#at - idLength, this.#at);
  }
}
