import { decimalsOfCalls } from '../../protocol/money/amount';
import type { Clock, Random } from '../../platform';
import { inCurrency } from '../../platform/html';
import { randomUuid } from '../../platform/random';
import type { Purse } from '../../protocol/money/purse';
import { type AccountStore, aroundRounds, type RoundKey } from '../../operator/wallet';
import type { DemoBooks } from './books';
import { nextAttempt, settle, type Settlement, voidOf } from '../../rgs/settlement/settle';
import type { WalletError } from '../../rgs/settlement/answer';
import { amountWords } from '../../rgs/sandbox/wire/amounts';
import { type DemoClient, type DemoReply, type DemoTransaction, moneyText } from './client';
import type { LossyLink } from './link';

/** A store that can fall silent. */
interface SilentStore {
  readonly store: AccountStore;
  /** From now on its rounds do their work, but the answers do not arrive. */
  fallSilent(): void;
  /** Its answers arrive again. */
  speak(): void;
}

/** Wraps a store like a network that fails after the request has arrived. */
export function createSilentStore(store: AccountStore): SilentStore {
  let isSilent = false;
  const rounds = aroundRounds(store.rounds, async (_, work) => {
    const result = await work();
    return isSilent ? { kind: 'unknown', cause: new Error('The store is silent.') } : result;
  });
  return {
    store: { ...store, rounds },
    fallSilent: () => {
      isSilent = true;
    },
    speak: () => {
      isSilent = false;
    },
  };
}

/** The parts that the scenes use. */
interface DemoSessionParts {
  readonly operatorId: string;
  readonly playerId: string;
  readonly currency: string;
  readonly client: DemoClient;
  readonly link: LossyLink;
  readonly silent: SilentStore;
  readonly store: AccountStore;
  readonly books: DemoBooks;
  readonly clock: Clock;
  readonly random: Random;
  readonly print: (line: string) => void;
}

/** Prints each call and its answer on a line each, and keeps the books. */
export class DemoSession {
  private scene = 0;
  private gameRound = '';
  /** The settlement of the last call. */
  private settlement: Settlement<DemoTransaction> | null = null;

  constructor(readonly parts: DemoSessionParts) {}

  /** Begins a scene with its own round, whose first debit has the round's id as its hash. */
  begin(title: string): string {
    this.scene++;
    this.gameRound = randomUuid(this.parts.random);
    this.parts.print(`\n${this.scene}. ${title}`);
    return this.gameRound;
  }

  /** Sends a call and prints the answer with `remark`. */
  async call(transactions: readonly DemoTransaction[], remark = ''): Promise<void> {
    const { client, books, playerId, print } = this.parts;
    print(`   -> ${transactions.map(describe).join(', ')}${remark === '' ? '' : `   (${remark})`}`);
    const reply = await client.doTransactions(playerId, this.gameRound, transactions);
    const hasPaidCredit = books.hasPaidCredit(this.gameRound);
    this.settlement = settle({ transactions, hasPaidCredit }, reply.answer);
    books.note(this.scene, this.gameRound, this.settlement);
    print(`   <- ${this.describeReply(transactions, reply)}`);
  }

  /** Does what the answer to the last call requires of the RGS: voids what is in doubt, resends what is due. */
  async follow(remark = ''): Promise<void> {
    const { toVoid = [], toResend = [] } = this.settlement ?? {};
    await this.deliver(toVoid.map(reversalOf), 0, remark);
    await this.deliver(toResend, 1, remark);
  }

  /** Sends a call until nothing of it is due or its immediate retries are used up. */
  private async deliver(
    due: readonly DemoTransaction[],
    attempts: number,
    remark: string,
  ): Promise<void> {
    if (due.length === 0) return;
    await this.call(due, remark);
    const { repeat = null, toResend = [] } = this.settlement ?? {};
    if (repeat === null || nextAttempt(repeat, attempts + 1, false) !== 'atOnce') return;
    await this.deliver(toResend, attempts + 1, remark);
  }

  /** Prints the round as stored. */
  async printRound(): Promise<void> {
    const { store, print } = this.parts;
    const report = await store.rounds.readRound(this.round());
    if (report === null) return print('   == the round is not known');
    const { state, debits, credits } = report.head;
    const show = ({ real, bonus }: Purse) => this.money(real + bonus);
    print(`   == the round is ${state}: debits ${show(debits)}, credits ${show(credits)}`);
  }

  /** The round of this scene. */
  round(): RoundKey {
    const { operatorId, playerId } = this.parts;
    return { operatorId, playerId, gameRound: this.gameRound };
  }

  private describeReply(
    transactions: readonly DemoTransaction[],
    { answer, balance }: DemoReply,
  ): string {
    if (answer.kind !== 'reply') return 'no reply: the connection broke';
    const { status, body } = answer;
    if (body === null) return `${status} and no JSON object`;
    const outcomes = new Map(body.hashesProcessed.map(({ hash, error }) => [hash, error]));
    const verdicts = transactions.map(({ type, hash }) => {
      const outcome = outcomes.get(hash);
      if (outcome === undefined) return `${type} not answered`;
      return outcome === null ? `${type} processed` : `${type} refused, ${textOf(outcome)}`;
    });
    if (outcomes.size === 0 && body.error !== null) verdicts.push(textOf(body.error));
    const text = `${status} ${verdicts.join('; ')}`;
    if (balance === null) return text;
    return `${text}; balance ${this.money(balance)}`;
  }

  private money(units: bigint): string {
    const { store, currency } = this.parts;
    return inCurrency(moneyText(units, decimalsOfCalls(store)), currency);
  }
}

function reversalOf({ hash, amount = 0, currency = '' }: DemoTransaction): DemoTransaction {
  return voidOf({ hash, amount, currency });
}

function textOf({ id, msg }: WalletError): string {
  return `${id ?? 'no id'}: ${msg.replace(/\.$/, '')}`;
}

function describe({ type, amount, currency, isFirstDebit, serial }: DemoTransaction): string {
  if (type === 'end') return type;
  const kind = serial !== undefined ? 'free play, ' : isFirstDebit === false ? 'follow-up ' : '';
  return `${kind}${type} ${amountWords(String(amount ?? 0), currency ?? null)}`;
}
