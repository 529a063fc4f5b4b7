import type { TransactionType } from '../../../protocol/operator-api/transaction';
import { type Answer as SettledAnswer, cut, timeOut } from '../../../rgs/settlement/answer';
import { settle, type Settlement } from '../../../rgs/settlement/settle';
import {
  type Answer,
  type CaseContext,
  type Round,
  type Transaction,
  voidOf,
  CaseFailure,
  decimals,
  described,
  NotTried,
} from '../talk';
import { formatAmount } from '../../../protocol/money/amount';

/** A transaction of the service, and what it is worth. */
interface ServiceTransaction {
  readonly type: TransactionType;
  readonly hash: string;
  readonly isFirstDebit: boolean;
  /** In units; 0 of an end. */
  readonly units: bigint;
  readonly sent: Transaction;
}

/** A call that was answered as processed, each transaction of it. */
export interface AcknowledgedCall {
  readonly transactions: readonly ServiceTransaction[];
  readonly answer: Answer;
}

/** Most attempts to have a void or a credit decided. */
const maxRepeats = 40;
/** Pause between two of them, in milliseconds. */
const repeatAfterMs = 250;
/**
 * A round that is played as the service plays it (W1 to W8): a debit in doubt is voided, a credit or an end
 * that is not decided is sent again, and it knows what the player must have got.
 */
export class ServiceRound {
  readonly playerId: string;
  readonly gameRound: string;
  readonly acknowledged: AcknowledgedCall[] = [];
  /** Debits that were in doubt, and whose voids were acknowledged. */
  readonly withdrawn: ServiceTransaction[] = [];
  /** Calls that were answered by nothing that decides them. */
  callsInDoubt = 0;
  /** Whether the wallet refused a debit or a credit for good: nothing more is sent. */
  isOver = false;
  isVoided = false;
  /** Whether the wallet processed an end. */
  hasEnded = false;
  private readonly round: Round;
  private readonly effects = new Map<string, bigint>();
  private readonly debits = new Map<string, ServiceTransaction>();
  private toVoid: readonly ServiceTransaction[] = [];
  private toResend: readonly ServiceTransaction[] = [];
  private hasPaidCredit = false;

  constructor(
    private readonly context: CaseContext,
    playerId: string,
  ) {
    this.round = context.round({ playerId });
    this.playerId = playerId;
    this.gameRound = this.round.gameRound;
  }

  /** What the round has paid the player so far, in units; below zero if it took more. */
  get net(): bigint {
    if (this.isVoided) return 0n;
    return [...this.effects.values()].reduce((sum, units) => sum + units, 0n);
  }

  /** Whether a void, a credit or an end is due. */
  get isInDoubt(): boolean {
    return this.toVoid.length > 0 || this.toResend.length > 0;
  }

  /** The initial debit, or a follow-up one. */
  debit(units: bigint, isFirstDebit: boolean): ServiceTransaction {
    const sent = isFirstDebit ? this.round.firstDebit(units) : this.round.followUp(units);
    return { type: 'debit', hash: sent.hash, isFirstDebit, units, sent };
  }

  credit(units: bigint): ServiceTransaction {
    const sent = this.round.credit(units);
    return { type: 'credit', hash: sent.hash, isFirstDebit: false, units, sent };
  }

  end(): ServiceTransaction {
    const sent = this.round.end();
    return { type: 'end', hash: sent.hash, isFirstDebit: false, units: 0n, sent };
  }

  /** Sends a call, and takes over what its answer decides. */
  async send(...transactions: readonly ServiceTransaction[]): Promise<Answer> {
    for (const one of transactions) if (one.type === 'debit') this.debits.set(one.hash, one);
    const answer = await this.sendAgain(transactions);
    const { hasPaidCredit } = this;
    this.apply(settle({ transactions, hasPaidCredit }, settledAnswerOf(answer)));
    if (answer.meaning === 'silent') this.callsInDoubt += 1;
    const isDone = transactions.every(({ hash }) => isProcessed(answer, hash));
    const isOfVoids = transactions.every(({ type }) => type === 'void');
    if (answer.meaning === 'success' && isDone && !isOfVoids) {
      this.acknowledged.push({ transactions, answer });
    }
    return answer;
  }

  /** Voids every debit, as the service does with a call that came to nothing. */
  withdraw(): Promise<Answer | null> {
    this.toVoid = [...this.debits.values()];
    return this.repair();
  }

  /** Pays back what the round took, and ends it. */
  async finish(): Promise<void> {
    if (this.isVoided || this.isOver || this.hasEnded) return;
    const owed = -this.net;
    await this.send(...(owed > 0n ? [this.credit(owed)] : []), this.end());
  }

  /** Sends a call as it was, whatever comes of it. */
  sendAgain(transactions: readonly ServiceTransaction[]): Promise<Answer> {
    return this.round.send(...transactions.map(({ sent }) => sent));
  }

  /**
   * Voids what is in doubt, and then sends again what is due (W5), until the wallet has decided it all.
   * Returns the latest answer if it did not, and null if it did.
   */
  async repair(): Promise<Answer | null> {
    let answer: Answer | null = null;
    for (let repeats = 0; this.isInDoubt; repeats += 1) {
      if (repeats === maxRepeats) return answer;
      if (repeats > 0) await this.context.clock.pause(repeatAfterMs);
      const isVoid = this.toVoid.length > 0;
      const due = isVoid ? this.toVoid.map(voidTransactionOf) : this.toResend;
      if (isVoid) this.toVoid = [];
      else this.toResend = [];
      answer = await this.send(...due);
    }
    return null;
  }

  private apply({ transactions, toVoid, toResend, round }: Settlement<ServiceTransaction>): void {
    for (const { transaction, fate } of transactions) {
      const { type, hash, units, isFirstDebit } = transaction;
      if (fate !== 'processed') continue;
      if (type === 'debit') this.effects.set(hash, -units);
      if (type === 'credit') this.effects.set(hash, units);
      if (type === 'credit') this.hasPaidCredit = true;
      if (type === 'end') this.hasEnded = true;
      if (type !== 'void') continue;
      this.withdrawn.push(this.debits.get(hash) ?? transaction);
      this.effects.delete(hash);
      this.isVoided ||= isFirstDebit;
    }
    const resent = toResend.filter(({ type }) => type !== 'void');
    const voids = toResend.filter(({ type }) => type === 'void');
    this.toVoid = [...this.toVoid, ...voids, ...toVoid];
    this.toResend = [...this.toResend, ...resent];
    this.isOver ||= round !== null;
    // The void of the first debit takes everything with it (W7).
    if (this.isVoided || toVoid.some(({ isFirstDebit }) => isFirstDebit)) this.toResend = [];
  }
}

/** The void of a debit; of a void that is due again, itself. */
function voidTransactionOf(one: ServiceTransaction): ServiceTransaction {
  return one.type === 'void' ? one : { ...one, type: 'void', sent: voidOf(one.sent) };
}

/** Whether an answer lists a hash without an error, or leaves it out of a success. */
function isProcessed({ processed }: Answer, hash: string): boolean {
  return processed.every((item) => item.hash !== hash || item.error === null);
}

function settledAnswerOf({ exchange, status, body, error, processed }: Answer): SettledAnswer {
  const { kind } = exchange.reply;
  if (kind === 'timeOut') return timeOut;
  if (kind === 'cut') return cut;
  return { kind, status, body: body === null ? null : { hashesProcessed: processed, error } };
}

/** The players of a case that plays several rounds at one time: the second one too, if there is one. */
function playersOf(context: CaseContext): readonly string[] {
  try {
    return [context.playerId, context.otherPlayerId()];
  } catch (error) {
    if (error instanceof NotTried) return [context.playerId];
    throw error;
  }
}

/** The service's books: what each player had at the start, and every round since. */
export class Books {
  readonly rounds: ServiceRound[] = [];
  private readonly start = new Map<string, bigint>();

  private constructor(private readonly context: CaseContext) {}

  /** Opens the books. @throws Undecided if a balance cannot be read. */
  static async open(context: CaseContext): Promise<Books> {
    const books = new Books(context);
    for (const playerId of playersOf(context)) {
      books.start.set(playerId, await context.balance(playerId));
    }
    return books;
  }

  get playerIds(): readonly string[] {
    return [...this.start.keys()];
  }

  /** A new round, which counts from now on. */
  begin(playerId: string): ServiceRound {
    const round = new ServiceRound(this.context, playerId);
    this.rounds.push(round);
    return round;
  }

  /** Has everything decided that is in doubt. @throws CaseFailure if the wallet does not decide it. */
  async repair(): Promise<void> {
    for (const round of this.rounds) {
      const answer = await round.repair();
      if (answer === null) continue;
      const message = `what was in doubt must be decided in the end, but got ${described(answer)}`;
      throw new CaseFailure(message, { exchange: answer.exchange });
    }
  }

  /** @throws CaseFailure unless the wallet has the same money: start - effective debits + effective credits. */
  async compare(when: string): Promise<void> {
    for (const [playerId, start] of this.start) {
      const rounds = this.rounds.filter((round) => round.playerId === playerId);
      const mustBe = rounds.reduce((sum, { net }) => sum + net, start);
      const balance = await this.context.balance(playerId);
      if (balance === mustBe) continue;
      const [wanted, came] = [mustBe, balance].map((units) => formatAmount(units, decimals));
      const message = `the balance of ${playerId} must be ${wanted} ${when}, but it is ${came}`;
      throw new CaseFailure(message, { details: doubtsOf(rounds) });
    }
  }
}

/** Rounds that had a call in doubt, as lines. */
function doubtsOf(rounds: readonly ServiceRound[]): string[] {
  return rounds
    .filter(({ callsInDoubt }) => callsInDoubt > 0)
    .map(({ gameRound, withdrawn, net }) => {
      const voided = withdrawn.map(({ hash }) => hash).join(', ');
      const what = voided === '' ? 'a credit or an end was sent again' : `voided: ${voided}`;
      return `round ${gameRound}: a call was in doubt; ${what}; its net is ${formatAmount(net, decimals)}`;
    });
}
