import type { RoundState } from '../../../lib/operator/gameround';
import {
  RoundAnswers,
  takenBackCode,
  type Verdict,
  voidedCode,
} from '../../../lib/proof/oracle/answers';
import type { ListedHash } from '../../../lib/rgs/settlement/answer';
import { toTransaction } from '../plan/transaction';
import type { Item } from '../plan/types';
import type { World } from '../world/scheduler';
import { BookedItem } from './booked-item';
import type { Keeping } from './keeping';
import type { Purse } from './purse';
import { type Purses, type Side, sidesOf } from './purses';
import { type MadeRepair, RepairBook } from './repair-book';
import { declines, verdictOf } from './verdicts';

/** A round as the service was answered, and what of it must be in the player's purse. */
export class RoundBook extends RoundAnswers<BookedItem> {
  /** What a credit that was refused for good made of the round (D4.7). */
  stuck: 'stranded' | 'crashed' | null = null;
  /** What people did to it. */
  readonly repairs = new RepairBook();
  /** Every purse of the player: a repair may pay a win in another currency than the round's. */
  readonly sides: readonly Side[];
  /** In the currency of the round. */
  readonly purse: Purse;

  constructor(
    private readonly world: World,
    readonly id: string,
    purses: Purses,
    readonly currency: string,
    readonly keeping: Keeping,
  ) {
    super(id);
    const purse = purses.in(currency);
    if (purse === null) throw new Error('a round in a currency that its player has not');
    this.purse = purse;
    this.sides = sidesOf(purses, this.netIn.bind(this));
  }

  /** The transactions of a call, entered where they are new. */
  enter(items: readonly Item[]): BookedItem[] {
    let before: BookedItem | null = null;
    const transactions = items.map((item) => toTransaction(item, this.currency));
    const entered = this.enterCall(transactions);
    for (const [at, item] of entered.entries()) {
      const transaction = transactions[at];
      if (item.transactions.length === 0 && transaction !== undefined) {
        item.transactions.push(transaction);
        item.leads = at === 0;
        item.behind = item.type === 'debit' ? null : before;
      }
      if (item.type === 'debit') before = item;
    }
    return entered;
  }

  /** What the round adds in a currency (O1): a voided first debit leaves nothing of it (O4). */
  netIn(currency: string): number {
    let net = currency === this.currency ? Number(this.net) : 0;
    // What people paid goes back with the debit that the win stands behind (D11.4).
    for (const [hash, amount] of this.standingRepairs) {
      if (this.currencyOf(hash) === currency) net += amount;
    }
    return net;
  }

  /** The currency of a transaction. */
  currencyOf(hash: string): string {
    return this.known.get(hash)?.currency ?? this.currency;
  }

  /** The credits that people paid, and that stand, with their amounts. */
  get standingRepairs(): (readonly [hash: string, amount: number])[] {
    if (this.isVoided) return [];
    const paid = [...this.repairs.paid];
    return paid.filter(([hash]) => (this.known.get(hash)?.behind?.voidedIn ?? null) === null);
  }

  /** All debits that were sent or voided. */
  get debits(): BookedItem[] {
    return [...this.known.values()].filter(({ type }) => type === 'debit');
  }

  /** The initial debit: it was sent, or voided. */
  get first(): BookedItem | null {
    for (const item of this.known.values()) if (item.isFirstDebit) return item;
    return null;
  }

  /** The state that the letter demands once all is settled; null where it leaves several. */
  get state(): RoundState | null {
    if (this.isVoided) return 'voided';
    const { first } = this;
    if (first?.isRefused) {
      const isClosed = declines.includes(first.answer) || first.answer === takenBackCode;
      return isClosed ? 'closed' : null;
    }
    if (first?.counts !== true) return null;
    if (this.repairs.ids.size > 0) return this.repairs.hasClosed ? 'closed' : null;
    if (this.stuck === null) return this.hasEnded ? 'closed' : 'open';
    return this.some(({ isVoidSent }) => isVoidSent) ? null : this.stuck;
  }

  /** Whether an end counts. */
  get hasEnded(): boolean {
    return this.some((item) => {
      return item.type === 'end' && item.counts && this.takenBackIn(item) === null;
    });
  }

  /** Whether the void of the first debit was acknowledged. */
  get isVoided(): boolean {
    return this.roundVoidedIn !== null;
  }

  /** Whether a credit counts so far. */
  get hasPaidCredit(): boolean {
    return this.some(({ type, counts }) => type === 'credit' && counts);
  }

  /** Whether a debit was declined so far. */
  get hasDeclinedDebit(): boolean {
    return this.some(({ type, isRefused }) => type === 'debit' && isRefused);
  }

  /** People made a repair; false if it was made twice. */
  makeRepair(id: string, repair: MadeRepair, begun: number, isReplay: boolean): boolean {
    const item = this.known.get(repair.hash ?? '');
    if (repair.kind === 'pay' && Number(item?.units) !== repair.amount) {
      this.world.fail('D11.1', `${this.id}: ${repair.amount} was paid of ${repair.hash}`);
    }
    const before = this.sides.map(({ net }) => net);
    const isOnce = this.repairs.make(id, repair, begun, isReplay);
    if (repair.kind === 'void' && item !== undefined) this.acceptVoid(item);
    for (const [at, side] of this.sides.entries()) {
      side.purse.amend(side, side.net - (before[at] ?? 0));
    }
    return isOnce;
  }

  /** The sending of a call begins: from here on the balance is watched. */
  sending(items: readonly BookedItem[]): void {
    this.beginWork();
    if (items.some(({ answer }) => answer === null)) this.repairs.move();
    for (const item of items) {
      item.sentAt ??= this.keeping.now;
      item.overWhenSent = this.hasEnded;
      if (item.type === 'debit' && item.answer === null) item.sighting ??= this.purse.watch();
    }
  }

  /** What a reply tells of each transaction (O3, O5, O8). */
  receive(items: readonly BookedItem[], listed: readonly ListedHash[]): void {
    const verdicts = listed.map((one, at) => verdictOf(one, items[at]?.answer !== null));
    this.checkTogether(items, verdicts);
    const hasFailed = verdicts.some(({ answer }, at) => {
      return answer !== 'processed' && items[at]?.type === 'debit';
    });
    // What the call's debits took so far, or would have (D4.6).
    let spent = 0n;
    for (const [at, verdict] of verdicts.entries()) {
      const item = items[at];
      if (item === undefined || item.hash !== verdict.hash) continue;
      const { answer, replay } = verdict;
      if (!replay) this.repairs.move();
      if (answer === 'processed') this.keeping.knows(item.sentAt);
      if (!replay) this.judge(item, answer, hasFailed, spent);
      this.hear(item, verdict, item.behind);
      if (!replay && answer === 'processed' && item.leads && item.sighting !== null) {
        item.taken = this.purse.stretch(item.sighting);
      }
      const isTried = answer === 'processed' || answer === takenBackCode;
      if (item.type === 'debit' && isTried) spent += item.units;
      item.sighting = null;
    }
  }

  /** What a reply tells of the same hashes with other content (D3.2). */
  receiveOther(items: readonly BookedItem[], listed: readonly ListedHash[]): void {
    for (const { hash, answer } of listed.map((one) => verdictOf(one))) {
      const isKnown = items.some((item) => item.hash === hash);
      if (!isKnown || answer === 'TRANSACTIONALREADYEXISTS') continue;
      this.world.fail('D3.2', `${this.id}: ${hash} with another amount was answered ${answer}`);
    }
  }

  /** A first verdict: whatever is refused has a reason that the service can see. */
  private judge(item: BookedItem, answer: string, hasFailed: boolean, spent: bigint): void {
    if (answer === 'processed') return this.judgeProcessed(item);
    if (this.byVoid(item).includes(answer)) return;
    if (hasFailed && answer === takenBackCode) return;
    const isFair =
      item.type === 'debit' ? this.isFairDebit(item, answer, spent) : this.isFair(item, answer);
    if (isFair) return;
    this.world.fail('no refusal without a reason', `${this.id}: ${item.hash} got ${answer}`);
  }

  private judgeProcessed(item: BookedItem): void {
    const fail = (rule: string, text: string): void =>
      this.world.fail(rule, `${this.id}: ${item.hash} ${text}`);
    // A person may have voided it while the reply was on its way.
    const isLate = item.type === 'debit' && this.isEarlier(item.voidedIn);
    if (isLate) fail('D5.5', 'is processed after its void');
    if (item.type === 'debit' && item.overWhenSent && this.hasEnded && !this.repairs.isTouched) {
      fail('D4.1', 'is processed after the end');
    }
    if (item.type === 'credit' && this.isDeclined) {
      fail('D4.5', 'is processed behind a declined debit');
    }
    if (this.isStranger(item)) fail('D4.7', 'is in another currency');
    if (!item.isEligible) fail('D8', 'has a discount that is not eligible');
  }

  private isFairDebit(item: BookedItem, answer: string, spent: bigint): boolean {
    const { sighting } = item;
    if (answer === 'CURRENCYNOTSUPPORTED') return this.isStranger(item);
    if (answer === 'DISCOUNTNOTELIGIBLE') return !item.isEligible;
    if (answer === 'DEBITREFUSED') {
      return sighting === null || this.purse.mayHaveBeenBlocked(sighting);
    }
    if (answer === 'GAMEROUNDNOTACTIVE') return this.mayHaveBeenOver(item); // D4.1, D4.7
    if (answer === 'LIMITREACHED') {
      this.world.count('limits: a debit refused');
      return sighting !== null && this.purse.leastRoom(sighting) < Number(spent + item.units);
    }
    const low = sighting === null ? this.purse.sum : this.purse.lowest(sighting);
    return answer === 'BALANCETOOLOW' && low < Number(spent + item.units);
  }

  /** Of a credit or an end: a debit was declined before (D4.5), or a credit, or the round has ended (D4.7). */
  private isFair(item: BookedItem, answer: string): boolean {
    if (item.type === 'end') return false;
    if (answer === 'CURRENCYNOTSUPPORTED') return this.isStranger(item);
    if (answer === takenBackCode) return this.hasDeclinedDebit && !isGivenUp(this.debits.at(-1));
    return answer === 'GAMEROUNDNOTACTIVE' && this.mayHaveBeenOver(item);
  }

  private isStranger({ currency }: BookedItem): boolean {
    return currency !== null && currency !== this.currency;
  }

  /** Whether the last debit was declined (D4.5) and is not voided, and none that was never answered may have come since. */
  private get isDeclined(): boolean {
    const last = this.debits.at(-1);
    const mayBeLate = this.debits.some(({ answer }) => answer === null);
    if (last === undefined || last.isFirstDebit || mayBeLate) return false;
    return declines.includes(last.answer) && !this.mayBeVoided(last);
  }

  /** Whether the round may have been over as the wallet decided: a person may have voided it since the call was sent. */
  private mayHaveBeenOver({ overWhenSent }: BookedItem): boolean {
    const isStuck = (): boolean => this.some((one) => one.type === 'credit' && one.isRefused);
    return this.hasEnded || overWhenSent || this.repairs.mayHaveClosed || isStuck();
  }

  /** The verdicts that a void may have brought: its own, its debit's, the round's. */
  byVoid(item: BookedItem): readonly Verdict['answer'][] {
    if (this.mayRoundBeVoided || this.mayBeVoided(item)) return [voidedCode, takenBackCode];
    return item.behind !== null && this.mayBeVoided(item.behind) ? [takenBackCode] : [];
  }

  protected create(hash: string): BookedItem {
    return new BookedItem(hash);
  }

  protected get roundVoidedIn(): number | null {
    return this.first?.voidedIn ?? null;
  }

  override mayBeVoided({ isVoidSent, hash }: Pick<BookedItem, 'isVoidSent' | 'hash'>): boolean {
    return isVoidSent || this.repairs.isVoiding(hash);
  }

  protected override get mayRoundBeVoided(): boolean {
    const { first } = this;
    return first !== null && this.mayBeVoided(first);
  }

  protected override counts({ counts }: BookedItem): boolean {
    return counts;
  }

  private some(is: (item: BookedItem) => boolean): boolean {
    for (const item of this.known.values()) if (is(item)) return true;
    return false;
  }
}

/** Whether a debit was voided that was never answered: that ends a decline (D4.5). */
function isGivenUp(debit: BookedItem | undefined): boolean {
  return debit?.answer === null && debit.isVoided;
}
