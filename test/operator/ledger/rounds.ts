import {
  type MoneyPolicy,
  type RoundHead,
  unsignedDelivery,
} from '../../../lib/operator/gameround';
import type {
  Credit,
  Debit,
  Transaction,
  Void,
} from '../../../lib/protocol/operator-api/transaction';
import {
  type CallOutcome,
  doTransactions,
  type RoundJournal,
  type RoundKey,
  type WalletStore,
} from '../../../lib/operator/wallet';
import type { Clock } from '../../../lib/platform';
import { credit, debit, type MoodyLedger, round } from './ledger-rig';

/** A follow-up debit of 10 units. */
export function followUp(hash: string): Debit {
  return { ...(debit as Debit), hash, isFirstDebit: false };
}

/** A credit of so many units. */
export function creditOf(hash: string, amount = 7n): Credit {
  return { ...(credit as Credit), hash, amount };
}

/** The void of a debit. */
export function voidOf(hash: string): Void {
  return { type: 'void', hash, amount: null, currency: null };
}

/** Sends a call of a round to a store, under a policy for money, by this clock. */
export function send(
  clock: Clock,
  store: WalletStore,
  transactions: readonly Transaction[],
  policy: MoneyPolicy = { useBonusFirst: true, creditTo: 'real' },
  key: RoundKey = round,
): Promise<CallOutcome> {
  const { playerId, gameRound } = key;
  const call = { playerId, gameRound, gameCode: 'bells', transactions };
  return doTransactions(key, call, unsignedDelivery('d'), {
    rounds: store.rounds,
    clock,
    deadlineMs: 5000,
    policy,
  });
}

/** The head of the round as the journal has it. */
export async function headIn(journal: RoundJournal): Promise<RoundHead> {
  const report = await journal.rounds.readRound(round);
  if (report === null) throw new Error('nothing is known of the round');
  return report.head;
}

/** What became of each transaction: `d1 accepted`. */
export async function outcomesIn(journal: RoundJournal): Promise<string[]> {
  const report = await journal.rounds.readRound(round);
  const entries = [...(report?.entries ?? [])];
  return entries
    .map(([hash, entry]) => `${hash} ${entry.transaction?.outcome ?? 'void'}`)
    .toSorted();
}

/** From now on a method of the ledger does its work, and its answer is lost; call what it hands back to end that. */
export function loseAnswers(ledger: MoodyLedger, method: 'debit' | 'credit'): () => void {
  const kept = { debit: ledger.debit.bind(ledger), credit: ledger.credit.bind(ledger) };
  if (method === 'debit')
    ledger.debit = (posting, signal) => kept.debit(posting, signal).then(loseIt);
  else ledger.credit = (posting, signal) => kept.credit(posting, signal).then(loseIt);
  return () => Object.assign(ledger, kept);
}

function loseIt(): never {
  throw new Error('The answer is lost.');
}
