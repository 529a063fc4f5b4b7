import { addPurses, emptyPurse, isEmptyPurse, type Purse } from '../../../protocol/money/purse';
import { paidByRepairs } from './standing';
import type { Movement } from '../change';
import { needsAttention, type RoundView } from '../round';
import type { Ruling } from '../verdict';
import { decideVoid, type VoidContext } from '../void';
import type { RepairContent, RepairOrder, RepairRefusal } from './order';

/**
 * Content of a void by a person: the same as the void that the RGS owes (D5.2, D5.3). If the RGS sends it
 * later, it is answered as a repeat (D5.1).
 */
export function contentOfVoid(
  { hash: wanted }: RepairOrder,
  view: RoundView,
  context: VoidContext,
): RepairContent | RepairRefusal {
  const { head, entries } = view;
  if (!needsAttention(head.state)) return 'notStuck';
  const hash = wanted ?? firstDebit(view, context.gameRound);
  const entry = hash === undefined ? undefined : entries.get(hash);
  if (hash === undefined || entry?.transaction === undefined) return 'noSuchHash';
  if (entry.transaction.type !== 'debit' || entry.void !== undefined) return 'notVoidable';
  const moved = movedBy(rulingOf(hash, view, context));
  const own = moved.filter(({ currency }) => currency === head.currency);
  // A limit in one currency says nothing about another: then another person must approve (D11.2).
  const currency = own.length === moved.length ? head.currency : null;
  const purse = own.map((one) => one.purse).reduce(addPurses, emptyPurse);
  return { hash, currency, amount: amountOf(view), purse, reference: null };
}

/** The ruling on the void of a debit. */
export function rulingOf(hash: string, { head, entries }: RoundView, context: VoidContext): Ruling {
  const order = { type: 'void', hash, amount: null, currency: null } as const;
  return decideVoid(order, head, (known) => entries.get(known), context);
}

/** The accepted first debit; otherwise the debit marked as first, or the one whose hash is the gameRound. */
function firstDebit({ head, entries }: RoundView, gameRound: string): string | undefined {
  const debits = [...entries].flatMap(([hash, { transaction }]) =>
    transaction?.type === 'debit' ? [{ hash, transaction }] : [],
  );
  const found = debits.find(({ hash, transaction: { first, outcome } }) =>
    head.started ? first && isMoved(outcome) : first || hash === gameRound,
  );
  return found?.hash;
}

function isMoved(outcome: string): boolean {
  return outcome === 'accepted' || outcome === 'unanswered';
}

type Reversal = Extract<Movement, { readonly kind: 'reverse' }>;

/** What it gives back and takes back, including repairs. */
function movedBy({ movement, alsoMoved = [] }: Ruling): readonly Reversal[] {
  const all = movement === undefined ? alsoMoved : [movement, ...alsoMoved];
  return all.filter((one): one is Reversal => one.kind === 'reverse');
}

/** What debits of the round took, or what credits and repairs gave: the greater of both. */
function amountOf({ head, entries }: RoundView): bigint {
  const paid = head.currency === null ? emptyPurse : paidByRepairs(head.repairs, head.currency);
  const taken = totalOf(head.debits) + inDoubt(entries);
  const given = totalOf(head.credits) + totalOf(paid);
  return taken > given ? taken : given;
}

/** Debits that were given up at a ledger: what they took is not known, and a void gives it back. */
function inDoubt(entries: RoundView['entries']): bigint {
  let units = 0n;
  for (const { transaction: one, void: voided } of entries.values()) {
    if (one?.type !== 'debit' || one.outcome !== 'unanswered' || voided !== undefined) continue;
    if (isEmptyPurse(one.purse)) units += one.amount - one.discount;
  }
  return units;
}

function totalOf({ real, bonus }: Purse): bigint {
  return real + bonus;
}
