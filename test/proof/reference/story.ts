import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { readTransactions, writeTransactions } from './notation';
import type { Answer, Delivery, State } from './reference-log';

/** A call, and how it went. */
export interface CallStep {
  readonly kind: 'call';
  readonly delivery: Delivery;
  /**
   * `lost`: written, answered 5xx and marked. `unmarked`: written, answered 5xx, and the process
   * died before the mark. `unwritten`: nothing was written, answered 5xx and marked. A delivery
   * that was lost before anything was processed and marked never arrived.
   */
  readonly fate: 'answered' | 'lost' | 'unmarked' | 'unwritten';
}

/** What can happen to a round and its player. */
export type Step =
  | CallStep
  /** The mark of an unmarked delivery comes now. */
  | { readonly kind: 'mark'; readonly delivery: Delivery }
  | { readonly kind: 'block'; readonly isBlocked: boolean }
  | { readonly kind: 'deposit'; readonly amount: bigint };

/** The gameround, the player and their wallet: the reference, or the real one. */
export interface Wallet {
  play(step: Step): Promise<readonly Answer[]>;
  state(): Promise<State>;
  /** Units. */
  balance(currency: string): Promise<bigint>;
}

/** The round of every story. */
export const GAME_ROUND = 'r';

/** What every player starts with, in units. */
export const START: Readonly<Record<string, bigint>> = { EUR: 10n, USD: 10n };

/** A step as text, for tables and for what is printed of a history. */
export function writeStep(step: Step): string {
  if (step.kind === 'block') return step.isBlocked ? 'block' : 'unblock';
  if (step.kind === 'deposit') return `deposit ${step.amount}`;
  if (step.kind === 'mark') return `mark ${step.delivery.id}`;
  const fate = step.fate === 'answered' ? '' : `${step.fate}: `;
  return `${fate}${writeTransactions(step.delivery.transactions)}`;
}

/** The n-th step of a story from its text; `earlier` are the deliveries before it, by id. */
export function readStep(text: string, n: number, earlier: ReadonlyMap<string, Delivery>): Step {
  if (text === 'block' || text === 'unblock') return { kind: 'block', isBlocked: text === 'block' };
  const [word = '', operand = ''] = text.split(' ');
  if (word === 'deposit') return { kind: 'deposit', amount: BigInt(operand) };
  if (word === 'mark') {
    const delivery = earlier.get(operand);
    if (delivery === undefined) throw new Error(`no call ${operand} before`);
    return { kind: 'mark', delivery };
  }
  const [, fate = 'answered', calls = ''] =
    /^(?:(lost|unmarked|unwritten): )?(.*)$/.exec(text) ?? [];
  return callStep(String(n), readTransactions(calls), fate as CallStep['fate']);
}

/** A step that is a call. */
export function callStep(
  id: string,
  transactions: readonly Transaction[],
  fate: CallStep['fate'] = 'answered',
): CallStep {
  return { kind: 'call', delivery: { id, transactions }, fate };
}
