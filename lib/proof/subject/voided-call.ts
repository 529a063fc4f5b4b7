import assert from 'node:assert/strict';
import type { MoneyPolicy, RoundState } from '../../operator/gameround';
import type { Purse } from '../../protocol/money/purse';
import type { Call, Debit, Transaction } from '../../protocol/operator-api/transaction';
import {
  type Account,
  aroundRounds,
  type CallOutcome,
  type DiscountCheck,
  doTransactions,
  type RoundKey,
} from '../../operator/wallet';
import { systemClock } from '../../platform';
import { cut } from '../../rgs/settlement/answer';
import { settle } from '../../rgs/settlement/settle';
import { type ContractWallet, isAtomic, sorted } from './players';
import { freshDelivery } from './runner';

/** A call whose debits the RGS voids, all of them, with no other call of the round in between. */
export interface VoidedCall {
  /** The calls of the round before it; one without an outcome is voided, as the RGS does (D7). */
  readonly earlier: readonly (readonly Transaction[])[];
  /** Holds no void. */
  readonly call: readonly Transaction[];
}

/** When the voids of a call come, and how. */
export interface VoidOrder {
  readonly name: string;
  readonly isBefore: boolean;
  readonly isReversed: boolean;
  /** Whether each void is its own call. */
  readonly isApart: boolean;
}

/** The orders in which the voids of a call come; the others are compared with the first. */
export const voidOrders: readonly VoidOrder[] = [
  { name: 'before it', isBefore: true, isReversed: false, isApart: false },
  { name: 'after it', isBefore: false, isReversed: false, isApart: false },
  { name: 'after it, one by one', isBefore: false, isReversed: false, isApart: true },
  { name: 'after it, the last one first', isBefore: false, isReversed: true, isApart: true },
];

/** The result of a call and its voids. */
interface VoidedState {
  readonly state: RoundState;
  /** What effective debits took and effective credits gave, in units. */
  readonly debits: Purse;
  readonly credits: Purse;
  /** The player's accounts, in the order of their currencies. */
  readonly accounts: readonly Account[];
}

/** Longer than any store takes. */
const deadlineMs = 15_000;
const discountCheck: DiscountCheck = ({ debit }) => isEligible(debit);

/** Whether a discount is eligible in the suites. */
export function isEligible({ discount }: Debit): boolean {
  return discount <= 5n;
}

/** Sends one call of a round through the rules, as the router does. */
export function sendCall(
  { store }: ContractWallet,
  round: RoundKey,
  transactions: readonly Transaction[],
  policy: MoneyPolicy,
): Promise<CallOutcome> {
  const call: Call = { ...round, gameCode: 'game', transactions };
  const ports = { rounds: store.rounds, clock: systemClock, policy, deadlineMs, discountCheck };
  return doTransactions(round, call, freshDelivery(), ports);
}

/** Plays a call and the voids of all its debits in this order, and reads the result (D5.3). */
export async function playVoidedCall(
  wallet: ContractWallet,
  round: RoundKey,
  { earlier, call }: VoidedCall,
  { isBefore, isReversed, isApart }: VoidOrder,
  policy: MoneyPolicy,
): Promise<VoidedState> {
  const voids = voidsOf(call);
  if (isReversed) voids.reverse();
  const calls = isApart ? voids.map((one) => [one]) : [voids];
  for (const transactions of earlier) {
    const { unknown } = await sendCall(wallet, round, transactions, policy);
    const due = unknown === null ? [] : voidsOf(transactions);
    if (due.length > 0) await sendVoids(wallet, round, due, policy);
  }
  if (!isBefore) await sendCall(wallet, round, call, policy);
  for (const transactions of calls) await sendVoids(wallet, round, transactions, policy);
  if (isBefore) await sendCall(wallet, round, call, policy);
  return readState(wallet, round);
}

/** The voids that follow a call without an answer, in its order. */
function voidsOf(transactions: readonly Transaction[]): Transaction[] {
  const { toVoid } = settle({ transactions, hasPaidCredit: false }, cut);
  return [...new Set(toVoid.map(({ hash }) => hash))].map(voidOf);
}

/** D5.1: a void is answered as success, in any state; except for the hash of a credit (D5.7). */
async function sendVoids(
  wallet: ContractWallet,
  round: RoundKey,
  transactions: readonly Transaction[],
  policy: MoneyPolicy,
): Promise<void> {
  const { verdicts, unknown } = await sendCall(wallet, round, transactions, policy);
  assert.equal(unknown?.cause.message ?? null, null, 'a void must be answered');
  for (const verdict of verdicts) {
    const answer = verdict.outcome === 'refused' ? verdict.code : verdict.outcome;
    assert.ok(
      ['processed', 'INVALIDPARAMETER'].includes(answer),
      `a void was answered ${answer} (D5.1)`,
    );
  }
}

async function readState(wallet: ContractWallet, round: RoundKey): Promise<VoidedState> {
  const { store } = wallet;
  if (!isAtomic(wallet)) {
    // If a ledger has something to take back, the next load does it.
    await store.rounds.load(round, []);
    // A credit before the first debit of a call that ended unknown stays (D4.6): a sweeper posts it.
    if (canSettle(store)) await store.settle(round, { graceMs: 0, giveUpAfterMs: 0 });
  }
  const [report, result] = [
    await store.rounds.readRound(round),
    await store.rounds.accounts(round),
  ];
  assert.ok(report !== null, 'a round with a void must be kept');
  assert.ok(result.kind === 'known', 'the accounts must be read');
  assert.equal(report.head.pending, null, 'nothing may be left pending (O9)');
  const { state, debits, credits } = report.head;
  return { state, debits, credits, accounts: sorted(result.accounts ?? []) };
}

/** What a sweeper calls of a ledger store. */
interface Settling {
  settle(
    round: RoundKey,
    ages: { readonly graceMs: number; readonly giveUpAfterMs: number },
  ): Promise<unknown>;
}

function canSettle<S extends object>(store: S): store is S & Settling {
  return 'settle' in store;
}

/** The void of a debit; without its amount, which is only for the log (D5.6). */
export function voidOf(hash: string): Transaction {
  return { type: 'void', hash, amount: null, currency: null };
}

/** The same wallet, with other work after the first written commit. */
export function withWorkBetween(
  { store, players }: ContractWallet,
  work: () => Promise<unknown>,
): ContractWallet {
  let isDone = false;
  const interrupted = aroundRounds(store.rounds, async (_, asked) => {
    const result = await asked();
    if (result.kind === 'committed' && !isDone) {
      isDone = true;
      await work();
    }
    return result;
  });
  const rounds = { ...interrupted, follow: undefined }; // every call is decided on the round itself
  const { decimals, unit, lists } = store;
  const [ready, close] = [() => store.ready(), () => store.close()];
  return { store: { decimals, unit, rounds, lists, ready, close }, players };
}
