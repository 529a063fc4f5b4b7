import {
  type Answer,
  type CaseContext,
  type Round,
  totalOf,
  type Transaction,
  voidOf,
  decimals,
  described,
  verdictOf,
} from '../../talk';
import type { Command, RoundNumber } from './command';
import { compare } from './compare';
import {
  balanceOf,
  beginning,
  callOf,
  givingBack,
  type PlannedCall,
  type ReferenceState,
  stateAfter,
  voidsAfter,
  letterOf,
  type PlannedMove,
} from './compose';
import type { Move } from './reference';
import { formatAmount } from '../../../../protocol/money/amount';

/** A history that was played. */
export interface Played {
  /** Its calls, the last one being the one that shows what is wrong. */
  readonly calls: readonly PlayedCall[];
  /** What is wrong; null if all was as it must be. */
  readonly wrong: string | null;
  /** The steps that made a call. */
  readonly steps: readonly Command[];
  /** Ids of the two rounds. */
  readonly gameRounds: readonly [string, string];
  /** The latest answer of doTransactions. */
  readonly last: Answer | null;
}

const numbers: readonly RoundNumber[] = [0, 1];

/**
 * Plays a history in two new rounds of the first player up to the first thing that is wrong, and gives back
 * what it staked.
 * @throws Undecided if the balance cannot be read, or the time is over.
 */
export async function playHistory(
  context: CaseContext,
  commands: readonly Command[],
): Promise<Played> {
  const history = new HistoryInPlay(context, beginning(await context.balance(), context.stake));
  for (const command of commands) {
    const call = callOf(history.state, command);
    if (call === null) continue;
    history.steps.push(command);
    await history.play(call);
    if (history.wrong !== null) break;
  }
  for (const round of numbers) await history.giveBack(round);
  return history;
}

class HistoryInPlay implements Played {
  readonly calls: PlayedCall[] = [];
  readonly steps: Command[] = [];
  readonly gameRounds: readonly [string, string];
  wrong: string | null = null;
  last: Answer | null = null;
  private readonly rounds: readonly [Round, Round];
  private readonly sent = new Map<string, Transaction>();
  private hasNativeDebit = false;

  constructor(
    private readonly context: CaseContext,
    public state: ReferenceState,
  ) {
    this.rounds = [context.round(), context.round()];
    this.gameRounds = [this.rounds[0].gameRound, this.rounds[1].gameRound];
  }

  /** Sends a call and compares what came of it. */
  async play(call: PlannedCall): Promise<void> {
    const transactions = call.moves.map(({ move }) => this.transactionOf(call.round, move));
    const answer = await this.rounds[call.round].send(...transactions);
    this.last = answer;
    const { wrong, processed, isInDoubt } = compare(call, answer, (name) => this.hashOf(name));
    const isNewDebit = call.moves.some(({ move, isKnown }) => move.type === 'debit' && !isKnown);
    this.state = stateAfter(this.state, call, processed);
    if (wrong === null && isInDoubt && isNewDebit) {
      this.note(call, answer, null);
      const voids = voidsAfter(this.state, call);
      if (voids !== null) await this.play(voids);
      return;
    }
    const balance = await this.context.balance();
    this.note(call, answer, balance);
    // A resent call may be answered with the balances of its first delivery.
    const isNew = call.moves.some(({ isKnown, move }) => !isKnown && move.type !== 'void');
    this.wrong = wrong ?? this.wrongWithMoney(balance, isNew ? answer : null);
  }

  /** Voids what a round still holds: every debit, without a comparison, if something was wrong before. */
  async giveBack(round: RoundNumber): Promise<void> {
    if (this.wrong !== null) {
      const moves = this.calls.flatMap(({ call }) => (call.round === round ? call.moves : []));
      const names = new Set(moves.map(({ move }) => move.name));
      const sent = [...names].flatMap((name) => this.sent.get(name) ?? []);
      const debits = sent.filter(({ type }) => type === 'debit');
      for (const debit of debits) await this.rounds[round].send(voidOf(debit));
      return;
    }
    const call = givingBack(this.state, round);
    if (call !== null) await this.play(call);
  }

  private note(call: PlannedCall, answer: Answer, balance: bigint | null): void {
    this.calls.push({ call, answer, balance, mustBe: balanceOf(this.state) });
  }

  private wrongWithMoney(balance: bigint, answer: Answer | null): string | null {
    const mustBe = balanceOf(this.state);
    if (balance !== mustBe) {
      return `the balance must be ${units(mustBe)}, but it is ${units(balance)}`;
    }
    const inReply = answer?.meaning === 'success' ? totalOf(answer, this.context.currency) : null;
    if (inReply === null || inReply === mustBe) return null;
    return `the balances of the reply must be ${units(mustBe)}, but they are ${units(inReply)} (4.1)`;
  }

  private hashOf(name: string): string {
    return this.sent.get(name)?.hash ?? '';
  }

  private transactionOf(number: RoundNumber, move: Move): Transaction {
    const known = this.sent.get(move.name) ?? this.newTransaction(number, move);
    this.sent.set(move.name, known);
    return move.type === 'void' ? voidOf(known) : known;
  }

  private newTransaction(number: RoundNumber, { type, isFirst, amount }: Move): Transaction {
    const round = this.rounds[number];
    if (type === 'credit') return round.credit(amount);
    if (type === 'end') return round.end();
    if (!isFirst) return round.followUp(amount);
    // Games on the native protocol use the gameRound as the hash of the first debit (operator-api 3, rule 6).
    const isNative = number === 1 && !this.hasNativeDebit;
    this.hasNativeDebit ||= number === 1;
    return round.firstDebit(amount, isNative ? { hash: round.gameRound } : {});
  }
}

/** A call of a history that was played. */
interface PlayedCall {
  readonly call: PlannedCall;
  readonly answer: Answer;
  /** The player's balance after it, in units; null if it was not asked for. */
  readonly balance: bigint | null;
  /** What the balance must be after it, in units. */
  readonly mustBe: bigint;
}

/** Units as the wire's number. */
function units(amount: bigint): string {
  return formatAmount(amount, decimals);
}

/** The calls of a history as numbered lines: what was sent, what had to come, what came. */
export function linesOf(calls: readonly PlayedCall[]): string[] {
  return calls.map(({ call, answer, balance, mustBe }, at) => {
    const sent = call.moves.map(sentText).join(', ');
    const wanted = `${call.moves.map(({ expected }) => wantedTexts[expected]).join(', ')}; balance ${units(mustBe)}`;
    const after = balance === null ? '' : `; balance ${units(balance)}`;
    const came = `${described(answer)}${listedText(answer, call)}${after}`;
    return `${at + 1}. round ${letterOf(call.round)}: ${sent} -> must be ${wanted} -> got ${came}`;
  });
}

const wantedTexts = {
  processed: 'processed',
  refused: 'refused',
  either: 'processed or refused',
  unmoved: 'without effect',
} as const;

function sentText({ move: { type, name, isFirst, amount } }: PlannedMove): string {
  if (type === 'end') return `end ${name}`;
  if (type === 'void') return `void of ${name}`;
  const kind = type === 'debit' ? `${isFirst ? 'first' : 'follow-up'} debit` : type;
  return `${kind} ${name} of ${units(amount)}`;
}

function listedText(answer: Answer, { moves }: PlannedCall): string {
  if (answer.processed.length === 0) return '';
  const hashes = answer.processed.map(({ hash }) => hash);
  const isOwn = hashes.length === moves.length;
  const said = [...new Set(hashes)].map((hash) => verdictOf(answer, hash)).join(', ');
  return isOwn ? ` (${said})` : ` (listed: ${said})`;
}
