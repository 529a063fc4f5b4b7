import { addPurses, emptyPurse, type Purse, splitDebit } from '../../../lib/protocol/money/purse';
import {
  callStart,
  type Delivery,
  decideCancel,
  decideStep,
  type HashEntry,
  type MoneyPolicy,
  type Movement,
  type MovementRefusal,
  type RoundChange,
  type RoundHead,
  type StepContext,
  unseenRound,
  unsignedDelivery,
  type Verdict,
} from '../../../lib/operator/gameround';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { gameCode, gameRound, now } from './rounds';

/** What a call came to: the answers, and every change that was made of the round. */
export interface Played {
  readonly verdicts: readonly Verdict[];
  readonly changes: readonly RoundChange[];
}

/**
 * One round and one player's EUR, without store, clock or network: the rules alone, with what
 * little a store adds to them.
 */
export class PureWallet {
  head: RoundHead = unseenRound;
  readonly entries = new Map<string, HashEntry>();
  balance: Purse;

  constructor(
    start: Purse,
    private readonly policy: MoneyPolicy = { useBonusFirst: true, creditTo: 'real' },
  ) {
    this.balance = start;
  }

  /** Decides and commits a call, step by step, as the use case does. */
  call(transactions: readonly Transaction[], by: Delivery = unsignedDelivery('own')): Played {
    const verdicts: Verdict[] = [];
    const changes: RoundChange[] = [];
    let progress = callStart;
    while (progress.at < transactions.length) {
      const refusals = new Map<string, MovementRefusal>();
      for (;;) {
        const step = decideStep(transactions, progress, this.view(), this.context(refusals, by));
        const refused = step.change === null ? null : this.commit(step.change);
        if (refused !== null) {
          refusals.set(refused.hash, refused.reason);
          continue;
        }
        if (step.change !== null) changes.push(step.change);
        verdicts.push(...step.verdicts);
        progress = step.next;
        break;
      }
      if (verdicts.at(-1)?.outcome === 'unknown') break;
    }
    return { verdicts, changes };
  }

  /** Marks the round of a call that was answered 5xx. */
  cancel(transactions: readonly Transaction[], delivery = 'own'): Played {
    const change = decideCancel(transactions, this.view(), {
      gameCode,
      now,
      delivery: unsignedDelivery(delivery),
    });
    if (change !== null) this.commit(change);
    return { verdicts: [], changes: change === null ? [] : [change] };
  }

  private view() {
    return { head: this.head, entries: new Map(this.entries) };
  }

  private context(refusals: StepContext['refusals'], delivery: Delivery): StepContext {
    const { policy } = this;
    const eligibleDiscounts = new Set<string>();
    return { gameRound, gameCode, now, delivery, refusals, eligibleDiscounts, policy };
  }

  private commit(change: RoundChange): { hash: string; reason: MovementRefusal } | null {
    let balance = this.balance;
    const taken = new Map<string, Purse>();
    for (const movement of change.movements) {
      const { hash } = movement;
      if (movement.currency !== 'EUR') return { hash, reason: 'noCurrency' };
      const moved = moveOf(movement, balance);
      if (moved === null) return { hash, reason: 'tooLow' };
      balance = addPurses(balance, moved);
      if (movement.kind === 'take') taken.set(hash, { real: -moved.real, bonus: -moved.bonus });
    }
    this.balance = balance;
    for (const { hash, record } of change.records) {
      const written =
        record.type === 'debit' ? { ...record, purse: taken.get(hash) ?? record.purse } : record;
      const added = written.type === 'void' ? { void: written } : { transaction: written };
      this.entries.set(hash, { ...this.entries.get(hash), ...added });
    }
    const debits = [...taken.values()].reduce(addPurses, change.after.debits);
    this.head = { ...change.after, debits };
    return null;
  }
}

function moveOf(movement: Movement, balance: Purse): Purse | null {
  if (movement.kind !== 'take') return movement.purse;
  const paid = splitDebit(movement.amount, balance, movement.bonusFirst);
  return paid === null ? null : { real: -paid.real, bonus: -paid.bonus };
}

/** What the effective records of one kind moved: neither voided, nor of a voided round. */
export function sumOf(wallet: PureWallet, type: 'debit' | 'credit'): Purse {
  if (wallet.head.state === 'voided') return emptyPurse;
  return [...wallet.entries.values()]
    .flatMap(({ transaction, void: voided }) => {
      if (transaction?.type !== type) return [];
      return type === 'debit' && voided !== undefined ? [] : [transaction.purse];
    })
    .reduce(addPurses, emptyPurse);
}
