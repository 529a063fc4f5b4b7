import type { Balance } from '../../../lib/protocol/engine-api/replies';
import type { Due } from '../../../lib/rgs/rounds/round';
import type { BalanceAnswer, WalletAnswer, WalletCall, WalletLine } from '../../../lib/rgs/ports';
import { type Answer, cut, type ListedHash, timeOut } from '../../../lib/rgs/settlement/answer';

/**
 * What the wallet does with a call. `lost`: it never came. `lostReply`: it was done, the reply was lost. `slow`:
 * done, and answered after the time limit of five seconds. `decline`: the debit is refused. `pending`: a 400 that
 * lists nothing. `refuse`: the credit is refused for good. `refuseVoid`: a 400 for a void.
 */
export type Fault = 'lost' | 'lostReply' | 'slow' | 'decline' | 'pending' | 'refuse' | 'refuseVoid';

interface Movement {
  readonly gameRound: string;
  readonly moved: bigint;
}

/** A wallet of one player, that keeps to operator-api 3, with faults when a test wants them. */
export class Purse implements WalletLine {
  balance = 1_000n;
  /** Each call that was sent, such as `debit 100 first, credit 20, end`. */
  readonly sent: string[] = [];
  /** Hashes as they were sent, in the order of `sent`. */
  readonly hashes: string[][] = [];
  /** How often a hash moved money. */
  readonly effects = new Map<string, number>();
  /** What the balance holds beside money. */
  offers: Partial<Pick<Balance, 'discountInfo' | 'tickets' | 'ticketInfo'>> = {};
  /** The id of the error that it declines by. */
  declinesBy = 9001;
  balanceAnswer: 'known' | 'refused' | 'silent' = 'known';
  /** Faults of the next calls, one each; then `always`. */
  faults: (Fault | null)[] = [];
  always: (call: WalletCall) => Fault | null = () => null;
  readonly #done = new Map<string, Movement>();
  readonly #voided = new Set<string>();

  constructor(readonly pause: (ms: number) => Promise<void>) {}

  async getBalance(): Promise<BalanceAnswer> {
    this.sent.push('getBalance');
    if (this.balanceAnswer === 'silent') return { kind: 'silent' };
    if (this.balanceAnswer === 'known')
      return { kind: 'known', balance: { ...this.#shown(), ...this.offers } };
    return { kind: 'refused', error: { id: 9020, clientmsg: 'Your account is locked.' } };
  }

  async doTransactions(call: WalletCall): Promise<WalletAnswer> {
    this.sent.push(call.transactions.map(noteOf).join(', '));
    this.hashes.push(call.transactions.map(({ hash }) => hash));
    const fault = this.faults.length > 0 ? (this.faults.shift() ?? null) : this.always(call);
    await this.pause(1);
    const answer = this.#answer(call, fault);
    if (fault === 'slow') {
      await this.pause(5_000);
      return { answer: timeOut, balance: null };
    }
    return { answer, balance: answer.kind === 'reply' ? this.#shown() : null };
  }

  #answer({ gameRound, transactions }: WalletCall, fault: Fault | null): Answer {
    if (fault === 'lost') return cut;
    const error = { id: this.declinesBy, msg: '', clientmsg: 'Too little money.' };
    if (fault === 'pending') return reply(400, []);
    if (fault === 'refuseVoid') return reply(400, []);
    if (fault === 'decline' || fault === 'refuse') {
      const type = fault === 'decline' ? 'debit' : 'credit';
      const listed: ListedHash[] = [];
      for (const due of transactions) {
        // A hash that was processed keeps its verdict (O 3).
        if (due.type === type && !this.#done.has(due.hash))
          return reply(400, [...listed, { hash: due.hash, error }]);
        this.#move(due, gameRound);
        listed.push({ hash: due.hash, error: null });
      }
      return reply(200, listed);
    }
    for (const due of transactions) this.#move(due, gameRound);
    if (fault === 'lostReply') return cut;
    return reply(
      200,
      transactions.map(({ hash }) => ({ hash, error: null })),
    );
  }

  #move(due: Due, gameRound: string): void {
    if (due.type === 'end') return;
    if (due.type === 'void') return this.#void(due.hash, gameRound);
    if (this.#done.has(due.hash) || this.#voided.has(due.hash) || this.#voided.has(gameRound))
      return;
    const discount = due.type === 'debit' ? (due.discount?.amount ?? 0n) : 0n;
    const moved = due.type === 'credit' ? due.amount : discount - due.amount;
    this.#done.set(due.hash, { gameRound, moved });
    this.effects.set(due.hash, (this.effects.get(due.hash) ?? 0) + 1);
    this.balance += moved;
  }

  /** The void of a debit; with that of the first one the whole round is taken back. */
  #void(voided: string, gameRound: string): void {
    this.#voided.add(voided);
    for (const [hash, done] of this.#done) {
      const isMeant = hash === voided || (voided === gameRound && done.gameRound === gameRound);
      if (!isMeant) continue;
      this.balance -= done.moved;
      this.#done.delete(hash);
    }
  }

  #shown(): Balance {
    return {
      totalBalance: this.balance,
      mode: 'REAL',
      currency: 'EUR',
      balances: [{ type: 'real', currency: 'EUR', amount: this.balance }],
      discountInfo: null,
      tickets: null,
      ticketInfo: null,
    };
  }
}

function reply(status: number, hashesProcessed: readonly ListedHash[]): Answer {
  const error = hashesProcessed.find((listed) => listed.error !== null)?.error ?? null;
  return { kind: 'reply', status, body: { hashesProcessed, error } };
}

function noteOf(due: Due): string {
  switch (due.type) {
    case 'debit':
      return `debit ${due.amount}${due.isFirstDebit ? ' first' : ''}`;
    case 'end':
      return 'end';
    case 'credit':
    case 'void':
      return `${due.type} ${due.amount}`;
  }
}
