import type { Due } from '../../../lib/rgs/rounds/round';
import { type Answer, cut, type ListedHash } from '../../../lib/rgs/settlement/answer';
import type { Luck } from './model';

/**
 * A wallet that keeps to operator-api 3: a hash counts once, and a void takes its debit back; with the
 * first debit the whole round is taken back.
 */
export class Purse {
  balance = 0;
  /** Each movement that came, in order. */
  readonly log: string[] = [];
  readonly #done = new Map<string, { moved: number; gameRound: string }>();
  readonly #voided = new Set<string>();
  /** What it does with the next debits, and whether it answers what has none. */
  luck: Luck = 'take';
  isDown = false;
  /** Whether it moves the money of what it does not answer. */
  isLateToAnswer = false;

  take(call: readonly Due[], gameRound: string): Answer | null {
    const hasDebit = call.some(({ type }) => type === 'debit');
    const isSilent = hasDebit ? this.luck === 'silent' : this.isDown;
    this.log.push(...call.map(({ type, hash }) => `${type} ${hash}`));
    if (hasDebit && this.luck === 'decline') return this.#decline(call);
    if (!isSilent || this.isLateToAnswer) for (const due of call) this.#move(due, gameRound);
    if (isSilent) return cut;
    return { kind: 'reply', status: 200, body: { hashesProcessed: list(call), error: null } };
  }

  #decline(call: readonly Due[]): Answer {
    const error = { id: 9001, msg: '' };
    const hashesProcessed = call.flatMap(({ type, hash }): ListedHash[] => {
      return type === 'debit' ? [{ hash, error }] : [];
    });
    return { kind: 'reply', status: 400, body: { hashesProcessed, error } };
  }

  #move(due: Due, gameRound: string): void {
    if (due.type === 'end') return;
    if (due.type === 'void') {
      this.#voided.add(due.hash);
      for (const [hash, done] of this.#done) {
        if (hash !== due.hash && (done.gameRound !== gameRound || due.hash !== gameRound)) continue;
        this.balance -= done.moved;
        this.#done.delete(hash);
      }
      return;
    }
    if (this.#done.has(due.hash) || this.#voided.has(due.hash)) return;
    const moved = due.type === 'credit' ? Number(due.amount) : -Number(due.amount);
    this.#done.set(due.hash, { moved, gameRound });
    this.balance += moved;
  }
}

function list(call: readonly Due[]): ListedHash[] {
  return call.map(({ hash }) => ({ hash, error: null }));
}
