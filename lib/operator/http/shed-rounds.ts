import type { IncomingMessage } from 'node:http';
import type { LoopTime } from '../../platform';
import { BodyRefusedError, type JsonAnswer, type ServedCall } from '../../platform/http';
import { type Claim, claimedAuthId } from '../../protocol/authentication/claim';
import type { ReplayGuard } from '../../protocol/authentication/replay-guard';
import { writeJson } from '../../protocol/json/write';
import type { OperatorSettings } from './options';
import { AnswerTimes, type Shed, TurnBudget } from './turn-budget';
import { TurnSlices } from './turn-slices';

/** The log has a line at most this often, in milliseconds. */
const lineEveryMs = 10_000;

/** Signatures of shed calls that are remembered at least; twice as many at most. */
const mostSignatures = 50_000;

/** Of 32 bytes in base64: no other signature can be right, and none may fill the memory. */
const signatureLength = 44;

/** Thrown for a call that is shed. Made once: an error records its stack. */
export const roundShed = Object.freeze(new Error('The round was shed: the process is overloaded.'));

/** Thrown for a call that opens a round, and whose caller went while it waited to begin. */
const callerGone = Object.freeze(new BodyRefusedError('The caller went before the call began.'));

/** The part of the settings that shedding needs. */
type Settings = Pick<OperatorSettings, 'clock' | 'events' | 'recorder' | 'renderError' | 'secrets'>;

/**
 * Sheds calls that open a round while the process is overloaded, before their body is parsed and their signature is
 * verified (P12). A round that runs is finished: nothing else is shed here.
 */
export class RoundShedding {
  /** To every call that is shed. */
  readonly answer: JsonAnswer;
  private readonly turns: TurnBudget;
  private readonly slices: TurnSlices;
  private readonly answers: AnswerTimes;
  private readonly signatures = new RecentTexts(mostSignatures);
  /** Since the last line of the log. */
  private count = 0;
  private isLogged = false;

  constructor(
    private readonly settings: Settings,
    private readonly shed: Shed,
    loop: LoopTime,
    private readonly replays: Pick<ReplayGuard, 'knows'>,
  ) {
    const { clock, secrets, recorder, renderError } = settings;
    const operatorIds = [...secrets.byId.keys()];
    this.slices = new TurnSlices(operatorIds, clock, (id) => this.turns.renewShare(id));
    this.turns = new TurnBudget(
      this.slices.whole(loop),
      shed.limits,
      operatorIds,
      recorder?.turnEnded,
    );
    this.answers = new AnswerTimes(shed.limits, operatorIds);
    const errorCode = { ...renderError('TEMPORARILYUNAVAILABLE') };
    const text = writeJson({ hashesProcessed: [], errorCode });
    this.answer = { status: shed.as === 'refuse' ? 400 : 503, text };
  }

  /**
   * The body of a call, once the call may begin. A round whose caller goes before that is not opened: it would only be voided. All else
   * is processed still.
   * @throws callerGone
   */
  async inTurn(
    { request, response }: Pick<ServedCall<unknown>, 'request' | 'response'>,
    arriving: Uint8Array | Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    const body = await arriving;
    const waiting = this.slices.wait(claimedAuthId(request) ?? '');
    if (waiting === null) return body;
    const leave = (): void => {
      if (opensRound(body)) waiting.leave(callerGone);
    };
    response.once('close', leave);
    await waiting.begins;
    // It would keep the body.
    response.off('close', leave);
    return body;
  }

  /** A call begins. Returns whether the turn is used up. */
  begin(): boolean {
    return this.turns.begin();
  }

  /**
   * The synchronous part of the call that began last is over. One that is not verified takes the time of the line in which it waited,
   * and nobody's share.
   * @param callerId Empty unless verified.
   */
  charge(callerId: string, request: IncomingMessage): void {
    const ms = this.turns.charge(callerId);
    if (callerId !== '') this.slices.took(callerId, ms);
    else this.slices.tookUnverified(claimedAuthId(request) ?? '', ms);
  }

  /** A verified call goes to the store. Returns what to call once the store has answered, or is not waited for any more. */
  enterStore(operatorId: string): (isAnswered: boolean) => void {
    const { answers } = this;
    const { clock } = this.settings;
    const leave = this.slices.enter(operatorId);
    const enteredAt = clock.monotonicMs();
    answers.begin(operatorId, enteredAt);
    return (isAnswered) => {
      const now = clock.monotonicMs();
      answers.end(operatorId, now - enteredAt, now);
      leave(isAnswered);
    };
  }

  /**
   * Whether a call is shed.
   * @param isUsedUp What {@link begin} returned for it.
   */
  sheds(isUsedUp: boolean, { authId, signature }: Claim, body: Uint8Array): boolean {
    // A proxy may deliver one call twice: both copies get the same answer, or one would keep the stake of a round that is refused.
    if (this.signatures.has(signature)) return opensRound(body);
    const isOwnTurn = isUsedUp && this.turns.isUsedUpFor(authId);
    const now = this.settings.clock.monotonicMs();
    if (!isOwnTurn && !this.answers.areLate(authId, now)) return false;
    if (signature.length !== signatureLength || this.replays.knows(signature)) return false;
    if (!opensRound(body)) return false;
    this.signatures.add(signature);
    return true;
  }

  /** A call was shed and answered. */
  report(durationMs: number): void {
    this.settings.recorder?.roundShed(durationMs);
    this.count += 1;
    if (!this.isLogged) this.log();
  }

  /** At once for the first call; from then on every ten seconds while calls are shed. */
  private log(): void {
    const { clock, events } = this.settings;
    const { count } = this;
    this.isLogged = count > 0;
    if (!this.isLogged) return;
    this.count = 0;
    events.emit({ kind: 'roundsShed', shed: this.shed.as, count });
    clock.after(lineEveryMs, () => this.log(), 'background');
  }
}

/**
 * Whether a call opens a round: it has a first debit, and no void, whose answer the RGS waits for. What the search misses, such as a
 * name written with escapes, is not shed. What it finds is parsed by V8, since a void may quote the debit it takes back.
 */
export function opensRound(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!bytes.includes('"isFirstDebit"')) return false;
  try {
    const { transactions } = Object(JSON.parse(bytes.toString())) as { transactions?: unknown };
    if (!Array.isArray(transactions)) return false;
    return transactions.some(isFirstDebit) && !transactions.some((each) => isOfType(each, 'void'));
  } catch {
    return false;
  }
}

/** In the spellings of D2.3. */
function isFirstDebit(transaction: unknown): boolean {
  const { isFirstDebit: isFirst } = Object(transaction) as { isFirstDebit?: unknown };
  return (isFirst === true || isFirst === 'true') && isOfType(transaction, 'debit');
}

function isOfType(transaction: unknown, wanted: string): boolean {
  const { type } = Object(transaction) as { type?: unknown };
  return typeof type === 'string' && type.toLowerCase() === wanted;
}

/** The texts that were added last. Strangers choose them, so they are kept in sets, whose hash nobody can foresee. */
class RecentTexts {
  private young = new Set<string>();
  private old = new Set<string>();

  /** @param atLeast How many are remembered; twice as many at most. */
  constructor(private readonly atLeast: number) {}

  has(text: string): boolean {
    return this.young.has(text) || this.old.has(text);
  }

  add(text: string): void {
    if (this.young.size === this.atLeast) {
      this.old = this.young;
      this.young = new Set();
    }
    this.young.add(text);
  }
}
