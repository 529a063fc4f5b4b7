import type { Due } from '../../../../lib/rgs/rounds/round';
import { type Answer, cut, type ListedHash } from '../../../../lib/rgs/settlement/answer';

/** A mistake of a wallet. */
export type Mistake =
  | 'none'
  /** A repeated hash counts again. */
  | 'noDedup'
  /** A void is acknowledged, and takes nothing back. */
  | 'voidForgotten'
  /** A credit is answered 500 and an error, and paid all the same. */
  | 'paidUnder5xx'
  /** A debit that the balance does not cover is answered 200, and not booked. */
  | 'acceptedAndNotBooked';

/** What happens to the next call on the line. */
export type Luck = 'answered' | 'replyLost' | 'requestLost';

/** A wallet that makes its mistake from some moment on. */
export class WrongPurse {
  balance = 1000;
  mistake: Mistake = 'none';
  luck: Luck = 'answered';
  readonly #moved = new Map<string, Map<string, number>>();
  readonly #voided = new Set<string>();

  /** The answer, and the balance that came with it; null without one. */
  take(call: readonly Due[], gameRound: string): { answer: Answer; balance: bigint | null } {
    if (this.luck === 'requestLost') return { answer: cut, balance: null };
    const listed = call.map((due): ListedHash => this.#work(due, gameRound));
    if (this.luck === 'replyLost') return { answer: cut, balance: null };
    const failed = listed.find(({ error }) => error !== null);
    const is5xx = this.mistake === 'paidUnder5xx' && failed !== undefined;
    const status = failed === undefined ? 200 : is5xx ? 500 : 400;
    const body = { hashesProcessed: listed, error: failed?.error ?? null };
    return {
      answer: { kind: 'reply', status, body },
      balance: is5xx ? null : BigInt(this.balance),
    };
  }

  #work(due: Due, gameRound: string): ListedHash {
    const { type, hash } = due;
    const refused = (id: number): ListedHash => ({ hash, error: { id, msg: 'no' } });
    const done = this.#moved.get(gameRound) ?? new Map<string, number>();
    this.#moved.set(gameRound, done);
    if (type === 'end') return { hash, error: null };
    if (type === 'void') {
      this.#takeBack(hash, gameRound, done);
      return { hash, error: null };
    }
    const isAgain = done.has(hash) && this.mistake !== 'noDedup';
    if (isAgain || this.#voided.has(hash)) return { hash, error: null };
    const moved = type === 'credit' ? Number(due.amount) : -Number(due.amount);
    if (this.balance + moved < 0) {
      return this.mistake === 'acceptedAndNotBooked' ? { hash, error: null } : refused(9001);
    }
    done.set(hash, moved);
    this.balance += moved;
    return type === 'credit' && this.mistake === 'paidUnder5xx'
      ? refused(9000)
      : { hash, error: null };
  }

  #takeBack(hash: string, gameRound: string, done: Map<string, number>): void {
    this.#voided.add(hash);
    if (this.mistake === 'voidForgotten') return;
    for (const [one, moved] of done) {
      if (one !== hash && hash !== gameRound) continue;
      this.balance -= moved;
      done.delete(one);
    }
  }
}
