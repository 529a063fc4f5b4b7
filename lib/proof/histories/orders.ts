import { unknownStatus } from '../../operator/http/call-reply';
import type { MoneyPolicy } from '../../operator/gameround';
import type { CallOutcome, Written } from '../../operator/wallet';
import type { Call, Transaction } from '../../protocol/operator-api/transaction';
import { type Answer, cut } from '../../rgs/settlement/answer';
import { settle } from '../../rgs/settlement/settle';
import type { HistoryAction } from './action';
import { voidOf } from '../subject/voided-call';
import type { PlayerBook } from './player';

/** A call of the RGS in a history. */
export interface CallOrder {
  readonly player: number;
  readonly round: number;
  readonly transactions: readonly Transaction[];
  /** Set if the answer is lost: whether the call arrives nevertheless. */
  readonly lost?: { readonly arrives: boolean };
}

/** The call of an action, if it is one. */
export function callOf(action: HistoryAction): CallOrder[] {
  if (action.kind === 'call') return [action];
  if (action.kind !== 'lostCall') return [];
  const { player, round, debits, arrives } = action;
  return [{ player, round, transactions: debits, lost: { arrives } }];
}

/** The call, or part of one, that an action resends. */
export function resendOf(action: HistoryAction, sent: readonly CallOrder[]): CallOrder[] {
  if (action.kind !== 'resend') return [];
  const order = sent[action.call % Math.max(1, sent.length)];
  if (order === undefined) return [];
  const from = action.from % order.transactions.length;
  return [{ ...order, transactions: order.transactions.slice(from, from + action.count) }];
}

/**
 * The call up to the first debit that could fail after an earlier one was committed: the rest would be left to voids
 * (D4.6, D7). Over a ledger each debit is committed alone; elsewhere a void or a credit by shares separates debits. The simulator plays such calls.
 */
export function withoutDoubt(
  order: CallOrder,
  movesApart: boolean,
  { creditTo }: MoneyPolicy,
): CallOrder {
  const { transactions, lost } = order;
  if (lost !== undefined) return order;
  let [hasDebit, isParted] = [false, false];
  for (const [at, { type }] of transactions.entries()) {
    const parts = type === 'void' || (type === 'credit' && creditTo === 'stakeShares');
    if (type === 'debit') {
      if (hasDebit && isParted) return { ...order, transactions: transactions.slice(0, at) };
      hasDebit = true;
      isParted ||= movesApart;
    } else if (hasDebit && parts) isParted = true;
  }
  return order;
}

/** The player affected by an action other than a call. */
export function playerOfOther(action: HistoryAction): number[] {
  const isCall = action.kind === 'call' || action.kind === 'lostCall';
  return isCall || action.kind === 'resend' ? [] : [action.player];
}

/** The hashes of the debits that the RGS withdraws after a call; all of them if the answer was lost. */
export function withdrawnBy(
  call: Call,
  { lost }: CallOrder,
  outcome: Pick<CallOutcome, 'verdicts' | 'unknown'> | null,
): readonly string[] {
  const answer = lost !== undefined || outcome === null ? cut : answerOf(call, outcome);
  // The effect on the round does not matter here.
  const { toVoid } = settle({ transactions: call.transactions, hasPaidCredit: false }, answer);
  return toVoid.map(({ hash }) => hash);
}

/** What the router answers (D6, D7), as the RGS reads it. */
function answerOf(
  call: Call,
  { verdicts, unknown }: Pick<CallOutcome, 'verdicts' | 'unknown'>,
): Answer {
  const hashesProcessed = verdicts.map((verdict) => {
    const isRefused = verdict.outcome === 'refused';
    return { hash: verdict.hash, error: isRefused ? { id: null, msg: verdict.code } : null };
  });
  const known = hashesProcessed.some(({ error }) => error !== null) ? 400 : 200;
  const status = unknown === null ? known : unknownStatus(call);
  return { kind: 'reply', status, body: { hashesProcessed, error: null } };
}

/** A void for each withdrawn debit that is not voided yet. */
export function voidsDue(books: readonly PlayerBook[]): CallOrder[] {
  return books.flatMap((book, player) =>
    book.numbers.flatMap((round) => {
      const transactions = book.round(round).toVoid.map(voidOf);
      return transactions.length > 0 ? [{ player, round, transactions }] : [];
    }),
  );
}

/** A call that was sent; `outcome` is null if it did not arrive. */
export interface DoneCall {
  readonly order: CallOrder;
  readonly call: Call;
  readonly outcome: CallOutcome | null;
  /** The changes of the round that it committed, in their order. */
  readonly commits: readonly Written[];
}

/** A transaction that concurrent calls were answered for, and the one call that counts as its own. */
export interface Claim {
  owner: DoneCall | null;
  readonly calls: Set<DoneCall>;
}

/** Which call did what was answered as processed: the one that was answered first, if that is known. */
export function claimsOf(calls: readonly DoneCall[]): ReadonlyMap<string, Claim> {
  const claims = new Map<string, Claim>();
  for (const call of calls) {
    const { player, round, transactions } = call.order;
    for (const [at, verdict] of (call.outcome?.verdicts ?? []).entries()) {
      const prefix = transactions[at]?.type === 'void' ? 'void ' : '';
      const name = `${player} ${round} ${prefix}${verdict.hash}`;
      const claim = claims.get(name) ?? { owner: null, calls: new Set() };
      claims.set(name, claim);
      claim.calls.add(call);
      if (verdict.outcome !== 'processed') continue;
      if (!verdict.replay || claim.owner === null) claim.owner = call;
    }
  }
  return claims;
}
