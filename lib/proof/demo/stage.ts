import { randomUUID } from 'node:crypto';
import { formatAmount, type Purse } from '../../protocol/money';
import type { RoundKey, AccountStore } from '../../operator/wallet';
import type { DemoBooks } from './books';
import type { DemoAnswer, DemoClient, DemoError, DemoTransaction } from './client';
import type { LossyLink } from './link';
import type { SilentStore } from './silent-store';

/** What the scenes play with. */
export interface StageParts {
  readonly operatorId: string;
  readonly playerId: string;
  readonly currency: string;
  readonly client: DemoClient;
  readonly link: LossyLink;
  readonly silent: SilentStore;
  readonly store: AccountStore;
  readonly books: DemoBooks;
  readonly print: (line: string) => void;
}

/** Tells each call and its answer in a line each, and keeps the books. */
export class Stage {
  private scene = 0;
  private gameRound = '';

  constructor(readonly parts: StageParts) {}

  /** Begins a scene with a round of its own, whose first debit has the round's id as its hash. */
  begin(title: string): string {
    this.scene++;
    this.gameRound = randomUUID();
    this.parts.print(`\n${this.scene}. ${title}`);
    return this.gameRound;
  }

  /** Sends a call and tells the answer; `remark` is told with it. */
  async call(transactions: readonly DemoTransaction[], remark = ''): Promise<void> {
    const { client, books, playerId, print } = this.parts;
    print(`   -> ${transactions.map(describe).join(', ')}${remark === '' ? '' : `   (${remark})`}`);
    const answer = await client.doTransactions(playerId, this.gameRound, transactions);
    books.note(this.scene, this.gameRound, transactions, answer);
    print(`   <- ${this.describeAnswer(transactions, answer)}`);
  }

  /** Tells the round as the store keeps it. */
  async tellRound(): Promise<void> {
    const { store, print } = this.parts;
    const report = await store.readRound(this.round());
    if (report === null) return print('   == the round is not known');
    const { state, debits, credits } = report.head;
    const show = ({ real, bonus }: Purse) => formatAmount(real + bonus, store.decimals);
    print(`   == the round is ${state}: debits ${show(debits)}, credits ${show(credits)}`);
  }

  /** The round of this scene. */
  round(): RoundKey {
    const { operatorId, playerId } = this.parts;
    return { operatorId, playerId, gameRound: this.gameRound };
  }

  private describeAnswer(
    transactions: readonly DemoTransaction[],
    answer: DemoAnswer | null,
  ): string {
    if (answer === null) return 'no reply: the connection broke';
    const { status, balance, outcomes, error } = answer;
    const verdicts = transactions.map(({ type, hash }) => {
      const outcome = outcomes.get(hash);
      if (outcome === undefined) return `${type} not answered`;
      return outcome === null ? `${type} processed` : `${type} refused, ${textOf(outcome)}`;
    });
    if (outcomes.size === 0 && error !== null) verdicts.push(textOf(error));
    const text = `${status} ${verdicts.join('; ')}`;
    if (balance === null) return text;
    return `${text}; balance ${formatAmount(balance, this.parts.store.decimals)}`;
  }
}

function textOf({ id, msg }: DemoError): string {
  return `${id}: ${msg.replace(/\.$/, '')}`;
}

function describe({ type, amount, currency, isFirstDebit, serial }: DemoTransaction): string {
  if (type === 'end') return type;
  const kind = serial !== undefined ? 'free play, ' : isFirstDebit === false ? 'follow-up ' : '';
  return `${kind}${type} ${amount ?? 0} ${currency ?? ''}`.trimEnd();
}
