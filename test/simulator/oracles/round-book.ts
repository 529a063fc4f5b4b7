import type { RoundState } from '../../../lib/operator/gameround';
import type { ListedHash } from '../../../lib/rgs/settlement/answer';
import type { Item } from '../plan/types';
import type { World } from '../world/scheduler';
import type { Purse } from './purse';
import { type Purses, type Side, sidesOf } from './purses';
import { isEligible } from '../plan/discounts';
import type { Keeping } from './keeping';
import { type MadeRepair, RepairBook } from './repair-book';
import { type BookedItem, isGivenUp, newlyBooked, stakeOf } from './booked-item';
import { declines, ids } from './error-ids';

/** A round as the service was answered, and what of it must be in the player's purse. */
export class RoundBook {
  /** What a credit that was refused for good made of the round (D4.7). */
  stuck: 'stranded' | 'crashed' | null = null;
  /** What people did to it. */
  readonly repairs = new RepairBook();
  /** Every purse of the player: a repair may pay a win in another currency than the round's. */
  readonly sides: readonly Side[];
  /** In the currency of the round. */
  readonly purse: Purse;
  private readonly items = new Map<string, BookedItem>();

  constructor(
    private readonly world: World,
    readonly id: string,
    purses: Purses,
    readonly currency: string,
    readonly keeping: Keeping,
  ) {
    const purse = purses.in(currency);
    if (purse === null) throw new Error('a round in a currency that its player has not');
    this.purse = purse;
    this.sides = sidesOf(purses, this.netIn.bind(this));
  }

  /** The transactions of a call, entered where they are new. */
  enter(items: readonly Item[]): BookedItem[] {
    let before: BookedItem | null = null;
    return items.map((item) => {
      const booked = this.items.get(item.hash) ?? this.add(item, before, item === items[0]);
      if (item.type === 'debit') before = booked;
      return booked;
    });
  }

  /** What the round adds in a currency (O1): a voided first debit leaves nothing of it (O4). */
  netIn(currency: string): number {
    if (this.isVoided) return 0;
    let net = 0;
    for (const item of currency === this.currency ? this.items.values() : []) {
      const { type, amount, counts, voided, behind } = item;
      if (!counts || voided || behind?.voided) continue;
      net += type === 'debit' ? -stakeOf(item) : amount;
    }
    // What people paid goes back with the debit that the win stands behind (D11.4).
    for (const [hash, amount] of this.repairs.paid) {
      const isIn = this.currencyOf(hash) === currency;
      if (isIn && !this.items.get(hash)?.behind?.voided) net += amount;
    }
    return net;
  }

  /** The currency of a transaction. */
  currencyOf(hash: string): string {
    return this.items.get(hash)?.currency ?? this.currency;
  }

  /** The transactions that stand, of which {@link netIn} is the sum. */
  get standing(): BookedItem[] {
    return [...this.items.values()].filter((item) => item.counts && !this.isGone(item));
  }

  /** The credits that people paid, and that stand, with their amounts. */
  get standingRepairs(): (readonly [hash: string, amount: number])[] {
    if (this.isVoided) return [];
    return [...this.repairs.paid].filter(([hash]) => !this.items.get(hash)?.behind?.voided);
  }

  /** All debits that were sent or voided. */
  get debits(): BookedItem[] {
    return [...this.items.values()].filter(({ type }) => type === 'debit');
  }

  /** The initial debit: it was sent, or voided. */
  get first(): BookedItem | null {
    return this.find(({ first }) => first === true);
  }

  /** The state that the letter demands once all is settled; null where it leaves several. */
  get state(): RoundState | null {
    if (this.isVoided) return 'voided';
    const { first } = this;
    if (typeof first?.outcome === 'number') {
      const isClosed = declines.includes(first.outcome) || first.outcome === ids.failedBefore;
      return isClosed ? 'closed' : null;
    }
    if (first?.counts !== true) return null;
    if (this.repairs.ids.size > 0) return this.repairs.hasClosed ? 'closed' : null;
    if (this.stuck === null) return this.hasEnded ? 'closed' : 'open';
    return this.some(({ voidSent }) => voidSent) ? null : this.stuck;
  }

  /** Whether an end counts. */
  get hasEnded(): boolean {
    return this.some(({ type, counts, behind }) => type === 'end' && counts && !behind?.voided);
  }

  /** Whether a transaction was taken back, as the service was answered. */
  isGone({ voided, behind }: BookedItem): boolean {
    return this.isVoided || voided || behind?.voided === true;
  }

  /** Whether the void of the first debit was acknowledged. */
  get isVoided(): boolean {
    return this.some(({ first, voided }) => first === true && voided);
  }

  /** Whether a credit counts so far. */
  get hasPaidCredit(): boolean {
    return this.some(({ type, counts }) => type === 'credit' && counts);
  }

  /** Whether a debit was declined so far. */
  get hasDeclinedDebit(): boolean {
    return this.some(({ type, outcome }) => type === 'debit' && typeof outcome === 'number');
  }

  /** People made a repair; false if it was made twice. */
  makeRepair(id: string, repair: MadeRepair, begun: number, isReplay: boolean): boolean {
    const item = this.items.get(repair.hash ?? '');
    if (repair.kind === 'pay' && item?.amount !== repair.amount) {
      this.world.fail('D11.1', `${this.id}: ${repair.amount} was paid of ${repair.hash}`);
    }
    const before = this.sides.map(({ net }) => net);
    const isOnce = this.repairs.make(id, repair, begun, isReplay);
    if (repair.kind === 'void' && item !== undefined) {
      item.voidSent = true;
      item.voided = true;
    }
    for (const [at, side] of this.sides.entries()) {
      side.purse.amend(side, side.net - (before[at] ?? 0));
    }
    return isOnce;
  }

  /** The sending of debits begins: from here on the balance is watched. */
  sending(items: readonly BookedItem[]): void {
    if (items.some(({ outcome }) => outcome === null)) this.repairs.move();
    for (const item of items) {
      item.sentAt ??= this.keeping.now;
      item.goneWhenSent = item.voided;
      item.overWhenSent = this.hasEnded;
      if (item.type === 'debit' && item.outcome === null) item.sighting ??= this.purse.watch();
    }
  }

  /** What a reply tells of each transaction (O3, O5, O8). */
  receive(items: readonly BookedItem[], listed: readonly ListedHash[]): void {
    // In the call: whether a debit failed; so far: what its debits took, or would have (D4.6).
    const hasFailed = items.some(({ type }, at) => type === 'debit' && isRefused(listed[at]));
    let hasNewDebit = false;
    let spent = 0;
    for (const [at, { hash, error }] of listed.entries()) {
      const item = items[at];
      if (item === undefined || item.hash !== hash) continue;
      const outcome = error === null ? 'processed' : (error.id ?? 0);
      if (item.outcome === null) this.repairs.move();
      if (outcome === 'processed') this.keeping.knows(item.sentAt);
      hasNewDebit ||= item.outcome === null && item.type === 'debit';
      if (hasFailed && hasNewDebit && item.outcome === null && outcome === 'processed') {
        this.world.fail('D4.6', `${this.id}: ${hash} is processed, and a debit of its call is not`);
      }
      if (item.outcome === null) this.judge(item, outcome, hasFailed, spent);
      else this.compare(item, item.outcome, outcome);
      if (
        item.outcome === null &&
        outcome === 'processed' &&
        item.leads &&
        item.sighting !== null
      ) {
        item.taken = this.purse.stretch(item.sighting);
      }
      item.outcome ??= outcome;
      const isTried = outcome === 'processed' || outcome === ids.failedBefore;
      if (item.type === 'debit' && isTried) spent += stakeOf(item);
      item.sighting = null;
    }
  }

  private add(item: Item, behind: BookedItem | null, leads: boolean): BookedItem {
    const booked = newlyBooked(item, behind, leads);
    this.items.set(item.hash, booked);
    return booked;
  }

  /** O8: the same verdict again, unless a void came. */
  private compare(
    item: BookedItem,
    before: BookedItem['outcome'],
    now: BookedItem['outcome'],
  ): void {
    if (before === now || (typeof now === 'number' && this.byVoid(item).includes(now))) return;
    this.world.fail('O8', `${this.id}: ${item.hash} was answered ${before}, and now ${now}`);
  }

  /** A first verdict: whatever is refused has a reason that the service can see. */
  private judge(
    item: BookedItem,
    outcome: 'processed' | number,
    hasFailed: boolean,
    spent: number,
  ): void {
    if (outcome === 'processed') {
      // A person may have voided it while the reply was on its way.
      const isLate = item.type === 'debit' && item.goneWhenSent;
      if (isLate) this.world.fail('D5.5', `${this.id}: ${item.hash} is processed after its void`);
      if (item.type === 'debit' && item.overWhenSent && this.hasEnded && !this.repairs.isTouched) {
        this.world.fail('D4.1', `${this.id}: ${item.hash} is processed after the end`);
      }
      if (item.type === 'credit' && this.isDeclined) {
        this.world.fail('D4.5', `${this.id}: ${item.hash} is processed behind a declined debit`);
      }
      if (this.isStranger(item))
        this.world.fail('D4.7', `${this.id}: ${item.hash} is in another currency`);
      if (!isEligible(item.discount ?? 0)) {
        this.world.fail('D8', `${this.id}: ${item.hash} has a discount that is not eligible`);
      }
      return;
    }
    if (this.byVoid(item).includes(outcome)) return;
    if (hasFailed && outcome === ids.failedBefore) return;
    const isFair =
      item.type === 'debit' ? this.isFairDebit(item, outcome, spent) : this.isFair(item, outcome);
    if (!isFair) {
      this.world.fail(
        'no refusal without a reason',
        `${this.id}: ${item.hash} was answered ${outcome}`,
      );
    }
  }

  private isFairDebit(item: BookedItem, outcome: number, spent: number): boolean {
    const { sighting, discount = 0 } = item;
    if (outcome === ids.otherCurrency) return this.isStranger(item);
    if (outcome === ids.discount) return !isEligible(discount);
    if (outcome === ids.refused) return this.purse.wasBlocked;
    if (outcome === ids.roundNotActive) return this.hasEnded || this.mayBeOver; // D4.1, D4.7
    const low = sighting === null ? this.purse.sum : this.purse.lowest(sighting);
    return outcome === ids.tooLow && low - spent < stakeOf(item);
  }

  /** Of a credit or an end: a debit was declined before (D4.5), or a credit, or the round has ended (D4.7). */
  private isFair(item: BookedItem, outcome: number): boolean {
    if (item.type === 'end') return false;
    if (outcome === ids.otherCurrency) return this.isStranger(item);
    if (outcome === ids.failedBefore)
      return this.hasDeclinedDebit && !isGivenUp(this.debits.at(-1));
    return outcome === ids.roundNotActive && (this.hasEnded || this.mayBeOver);
  }

  private isStranger({ currency = this.currency }: BookedItem): boolean {
    return currency !== this.currency;
  }

  /** Whether the last debit was declined (D4.5) and is not voided, and none that was never answered may have come since. */
  private get isDeclined(): boolean {
    const last = this.debits.at(-1);
    const isLast = typeof last?.outcome === 'number' && declines.includes(last.outcome);
    const mayBeLate = this.debits.some(({ outcome }) => outcome === null);
    return isLast && !last.first && !mayBeLate && !this.mayBeVoided(last);
  }

  private get mayBeOver(): boolean {
    const hasRefused = this.some((one) => one.type === 'credit' && typeof one.outcome === 'number');
    return hasRefused || this.repairs.mayHaveClosed;
  }

  /** The verdicts that a void may have brought: its own, its debit's, the round's. */
  byVoid(item: BookedItem): readonly number[] {
    const isRound = this.some((one) => one.first === true && this.mayBeVoided(one));
    if (isRound || this.mayBeVoided(item)) return [ids.voided, ids.failedBefore];
    return item.behind !== null && this.mayBeVoided(item.behind) ? [ids.failedBefore] : [];
  }

  private mayBeVoided({ hash, voidSent }: BookedItem): boolean {
    return voidSent || this.repairs.isVoiding(hash);
  }

  private some(is: (item: BookedItem) => boolean): boolean {
    return this.find(is) !== null;
  }

  private find(is: (item: BookedItem) => boolean): BookedItem | null {
    for (const item of this.items.values()) if (is(item)) return item;
    return null;
  }
}

function isRefused(listed: ListedHash | undefined): boolean {
  return listed !== undefined && listed.error !== null;
}
