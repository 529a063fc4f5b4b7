import type { Transaction } from '../../../protocol/operator-api/transaction';
import type { MovementRefusal, RoundChange } from '../change';
import { callStart, decideStep } from '../decide-step';
import { repairHash } from '../repair';
import { paidChange, refusedChange } from '../repairs/decision';
import type { PendingPost, RoundHead, RoundView } from '../round';
import { unsignedDelivery } from '../verdict';

/** What deciding pending work again needs besides the round. */
interface ResendContext {
  readonly gameRound: string;
  /** Milliseconds since 1970, for the records. */
  readonly now: number;
  /** What the ledger has refused, by hash: final for its key. */
  readonly refusals: ReadonlyMap<string, MovementRefusal>;
}

/** The hashes that the view of {@link resend} must have: of the pending work, and of the debits that it follows. */
export function hashesToResend({ pending }: RoundHead): readonly string[] {
  const hashes = pending?.posts.flatMap((post) => [post.hash, post.behind ?? post.hash]);
  return [...new Set(hashes)];
}

/**
 * Decides a round's pending work again, as a resend of the RGS would: by the same rules and under the same keys. Never a
 * debit. Null if there is nothing to write.
 */
export function resend(view: RoundView, context: ResendContext): RoundChange | null {
  const { head } = view;
  const repair = head.repairs?.list.find(({ status }) => status === 'paying');
  if (repair !== undefined) {
    const { now, refusals } = context;
    const reason = refusals.get(repairHash(repair.id));
    if (reason === undefined) return paidChange(head, repair, now);
    return refusedChange(head, repair.id, repair.decidedBy ?? repair.proposedBy, reason, now);
  }
  const transactions = head.pending?.posts.flatMap(transactionOf) ?? [];
  if (transactions.length === 0) return null;
  return decideStep(transactions, callStart, view, {
    ...context,
    gameCode: head.gameCode ?? '',
    // It holds no debit, so the delivery need not be recognised later (D7).
    delivery: unsignedDelivery('settle'),
    eligibleDiscounts: new Set(),
    policy: { useBonusFirst: true, creditTo: 'real' },
  }).change;
}

function transactionOf({ hash, record }: PendingPost): Transaction[] {
  if (record.type === 'debit') return [];
  if (record.type === 'end') return [{ type: 'end', hash }];
  const { currency, amount, serial } = record;
  return [{ type: 'credit', hash, currency, amount, serial }];
}
