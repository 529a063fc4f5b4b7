import type { RepairKind } from '../../../../lib/operator/gameround';
import type { Transaction } from '../../../../lib/protocol/operator-api/transaction';
import {
  acceptedFirstDebit,
  type Answer,
  arrivalOf,
  type Delivery,
  recordOf,
  untilVoidOf,
} from '../reference-log';
import {
  isClosedByRepair,
  mayBePaid,
  payable,
  refusedCredits,
  strandedBy,
} from '../reference-repairs';
import { type Fate, ReferenceWallet } from '../reference-wallet';
import { GAME_ROUND, START } from '../story';
import type { Proposed, Word } from './real-people';
import type { PersonId } from './story';

/** So many repairs are made of a round at most (D11.1, D11.2). */
const maxRepairs = 20;

/** A proposal of the round, as the text has it (D11.1, D11.2). */
interface Proposal {
  readonly id: string;
  readonly kind: RepairKind;
  readonly hash: string | null;
  readonly by: PersonId;
  /** `over`: the account refused it. */
  status: 'open' | 'made' | 'rejected' | 'over';
  /** Whether the round was committed since; `maybe` after a repeated debit, whose record may change (P8). */
  moved: 'no' | 'maybe' | 'yes';
  isExpired: boolean;
}

/**
 * What docs/protocol.md says of repairs (D11). It does not foretell whether a person may propose or approve
 * where the text leaves that open: it is told what came, throws where the text says otherwise, and from then on
 * knows what the money and the state must be.
 */
export class RepairedReference extends ReferenceWallet {
  /** The deliveries of which the answer does not list something that has an outcome. */
  readonly unlisted = new Set<string>();
  private readonly proposals: Proposal[] = [];

  constructor() {
    super(GAME_ROUND, START);
  }

  override copy(): RepairedReference {
    const copied = new RepairedReference();
    copied.take(this);
    for (const id of this.unlisted) copied.unlisted.add(id);
    copied.proposals.push(...this.proposals.map((one) => ({ ...one })));
    return copied;
  }

  /** A repeat only notes a signature, which leaves a proposal valid (D11.2). */
  override deliver(delivery: Delivery, fate?: Fate): Answer[] {
    const before = [...this.log];
    const answers = super.deliver(delivery, fate);
    for (const entry of this.log.slice(before.length)) {
      if (!('transaction' in entry)) continue;
      const { transaction, isNew, answer } = entry;
      const { type, hash } = transaction;
      const isVoid = type === 'void' && answer === 'ok' && untilVoidOf(before, hash) === null;
      if (isNew || isVoid) this.move('yes');
      else if (type === 'debit') this.move('maybe');
    }
    return answers;
  }

  override mark(delivery: Delivery): void {
    const { length } = this.log;
    super.mark(delivery);
    if (this.log.length > length) this.move('yes');
  }

  passDay(): void {
    for (const one of this.proposals) one.isExpired = true;
  }

  proposed(kind: RepairKind, hash: string | null, by: PersonId, came: Proposed): void {
    const isProposed = came.word === 'proposed';
    if (isProposed) this.forbid(this.whyNotProposed(kind, hash, came.hash));
    else if (this.mustBeProposed(kind, hash)) this.forbid(`${kind} can be proposed: ${came.word}`);
    if (!isProposed) return;
    this.move('yes');
    const { id } = came;
    const { hash: about } = came;
    const fresh = { status: 'open', moved: 'no', isExpired: false } as const;
    this.proposals.push({ id, kind, hash: about, by, ...fresh });
  }

  /** Somebody approved a proposal, and was told this word of it. */
  approved(id: string, by: PersonId, word: Word): void {
    const one = this.find(id);
    if (one === undefined) return this.mustBeUnknown(word);
    const isMade = word === 'made';
    const isAgain = word === 'made again';
    if (isMade && by === one.by) this.forbid('a proposal is approved by its person');
    if (one.status === 'made') {
      if (isMade) this.forbid('a repair that was made is made');
      if (!isAgain) this.forbid(`a repair that was made is approved: ${word}`);
      return;
    }
    if (isAgain) this.forbid('made again, and never made');
    const isOwn = by === one.by;
    const isRefused = one.status !== 'open' || one.isExpired || one.moved === 'yes' || isOwn;
    if (isRefused || this.isRefusedByAccount(one)) {
      if (isMade) this.forbid('what cannot be approved is made');
      if (one.status !== 'open' || word !== 'refusedByAccount') return;
      one.status = 'over';
      this.move('yes');
      return;
    }
    if (!isMade && one.moved === 'no') this.forbid(`what can be approved is not made: ${word}`);
    if (isMade) this.make(one, by);
  }

  rejected(id: string, word: Word): void {
    const one = this.find(id);
    if (one === undefined) return this.mustBeUnknown(word);
    if (word !== 'rejected') return;
    if (one.status === 'made') this.forbid('a repair that was made is rejected');
    if (one.status !== 'open') return;
    this.move('yes');
    one.status = 'rejected';
  }

  private make(one: Proposal, by: PersonId): void {
    const { kind, hash } = one;
    if (kind === 'void' && hash !== null) {
      const transaction = { type: 'void', hash, amount: null, currency: null } as const;
      const delivery = { id: `${by} voids`, transactions: [transaction] };
      this.log.push(arrivalOf(delivery, 0, transaction));
    } else {
      this.log.push({ repaired: kind === 'pay' ? 'pay' : 'resolve', hash });
    }
    this.move('yes');
    one.status = 'made';
  }

  /** D11.1: why this must not be proposed; null if it may. */
  private whyNotProposed(
    kind: RepairKind,
    named: string | null,
    hash: string | null,
  ): string | null {
    const isLeftOver = kind === 'pay' && isClosedByRepair(this.log, GAME_ROUND);
    if (!this.isStuck() && !isLeftOver) return `proposed for a round that is ${this.state()}`;
    if (this.made().length >= maxRepairs) return 'a round takes no further repair';
    if (named !== null && named !== hash) return 'another hash is proposed than was named';
    if (this.proposals.some((one) => isOpen(one) && one.moved === 'no')) return 'two are open';
    if (kind === 'resolve') return hash === null ? null : 'a hash is resolved';
    if (hash === null) return 'no hash is proposed';
    const record = recordOf(this.log, hash);
    if (kind === 'pay') {
      const isAllowed =
        record !== undefined && mayBePaid(this.log, record) && canBePaid(record.transaction);
      return isAllowed ? null : `${hash} must not be paid`;
    }
    if (record !== undefined && record.transaction.type !== 'debit') return 'no debit is voided';
    if (untilVoidOf(this.log, hash) !== null) return 'a voided debit is voided';
    const first = acceptedFirstDebit(this.log)?.transaction.hash ?? hash;
    return named !== null || first === hash ? null : 'not the first debit is voided';
  }

  /** What the text leaves no choice in. */
  private mustBeProposed(kind: RepairKind, hash: string | null): boolean {
    if (!this.isStuck() || this.made().length >= maxRepairs) return false;
    if (this.proposals.some((one) => isOpen(one) && one.moved !== 'yes')) return false;
    if (kind === 'resolve') return true;
    if (kind === 'void') return hash === null && acceptedFirstDebit(this.log) !== undefined;
    if (this.state() === 'cancelled') return false;
    const stranding = strandedBy(this.log);
    const credits = payable(this.log)
      .filter(({ transaction }) => hasAccount(transaction))
      .filter((credit) => credit === stranding || credit.answer !== 9004);
    if (hash === null) return credits.length === 1 && refusedCredits(this.log).length === 1;
    return credits.some(({ transaction }) => transaction.hash === hash);
  }

  private made(): Proposal[] {
    return this.proposals.filter(({ status }) => status === 'made');
  }

  private isStuck(): boolean {
    return ['cancelled', 'stranded', 'crashed'].includes(this.state());
  }

  private isRefusedByAccount({ kind, hash }: Proposal): boolean {
    const record = kind === 'pay' && hash !== null ? recordOf(this.log, hash) : undefined;
    const transaction = record?.transaction;
    return transaction?.type === 'credit' && !canBePaid(transaction);
  }

  private find(id: string): Proposal | undefined {
    return this.proposals.find((one) => one.id === id);
  }

  private mustBeUnknown(word: Word): void {
    if (word !== 'noProposal') this.forbid(`a proposal that is not there: ${word}`);
  }

  private move(how: 'maybe' | 'yes'): void {
    for (const one of this.proposals) if (one.moved !== 'yes') one.moved = how;
  }

  private forbid(why: string | null): void {
    if (why !== null) throw new Error(why);
  }
}

/** A repair that can pay nobody is not proposed; for one that pays nothing no account is needed. */
function canBePaid(transaction: Transaction): boolean {
  return hasAccount(transaction) || ('amount' in transaction && transaction.amount === 0n);
}

/** Whether the player has an account in its currency. */
function hasAccount(transaction: Transaction): boolean {
  return 'currency' in transaction && (transaction.currency ?? '') in START;
}

function isOpen({ status, isExpired }: Proposal): boolean {
  return status === 'open' && !isExpired;
}
