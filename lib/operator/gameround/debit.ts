import type { ErrorCode } from '../../protocol/operator-api/catalogue';
import type { Debit } from '../../protocol/operator-api/transaction';
import { emptyPurse } from '../../protocol/money/purse';
import { parseTimestamp } from '../../protocol/signature';
import { voidedHead, withRepairsBack } from './repair';
import {
  type DebitRecord,
  type HashEntry,
  noTexts,
  type RecordedOutcome,
  type RoundHead,
  type TransactionRecord,
} from './round';
import {
  type DecideContext,
  enter,
  refusalCodes,
  refuse,
  replay,
  replayVoided,
  type Ruling,
} from './verdict';

/**
 * Decides a debit. The first match decides (D4.10): other content (D3.2); known (D3.1; a pending one is
 * decided again); voided before it arrived (D5.5); the round's refusal ({@link refusalByRound}); declined
 * by the wallet (D4.2, D4.4); accepted. A first debit that is older than what the wallet remembers comes before the
 * wallet (D10.2): it has no record.
 */
export function decideDebit(
  debit: Debit,
  head: RoundHead,
  entry: HashEntry | undefined,
  context: DecideContext,
): Ruling {
  const { hash } = debit;
  const known = entry?.transaction;
  if (known !== undefined) {
    if (!isSameDebit(debit, known, head)) return refuse(hash, 'TRANSACTIONALREADYEXISTS', head);
    if (known.outcome !== 'pending') {
      return isTakenBack(known, entry, head) ? replayVoided(hash, head) : replay(hash, known, head);
    }
  }
  const pending = known?.type === 'debit' ? known : null;
  // Pending content is final: other calls were compared with it (D3.2). See mayBeFirst for the exception.
  const first = pending?.first === true || (debit.isFirstDebit ?? !head.started);
  const record = (outcome: RecordedOutcome): DebitRecord => {
    const fresh = recordOf(debit, first, outcome, context);
    if (pending === null) return fresh;
    // It belongs to the delivery that decides it: the one that wrote the intent must not mark what this one answers (D7).
    return { ...fresh, fingerprints: pending.fingerprints };
  };
  if (entry?.void !== undefined) {
    const isRoundsFirst = !head.started && (first || hash === context.gameRound);
    const code = 'GAMEROUNDVOIDED';
    if (!isRoundsFirst) return refuse(hash, code, head, record(code));
    const back = voidedHead(head, context.now);
    return withRepairsBack(refuse(hash, code, back.head, record(code)), back);
  }
  const code = refusalByRound(head, first, context);
  if (code !== null) return refuse(hash, code, head, record(code));
  if (head.state === 'none' && pending === null && mayBeForgotten(debit, context.forgottenBefore)) {
    return refuse(hash, 'DEBITEXPIRED', head);
  }
  const decline = declineCode(debit, head, context, pending !== null);
  if (decline !== null) {
    return refuse(hash, decline, declinedHead(hash, head, decline, context.now), record(decline));
  }
  return accept(debit, head, record('accepted'), context);
}

function accept(
  debit: Debit,
  head: RoundHead,
  record: DebitRecord,
  context: DecideContext,
): Ruling {
  const { hash, currency } = debit;
  return {
    verdict: { hash, outcome: 'processed', replay: false },
    head: {
      ...enter(head, 'open', context.now),
      started: true,
      declined: null,
      currency: head.currency ?? currency,
    },
    record,
    movement: {
      kind: 'take',
      hash,
      currency,
      amount: debit.amount - debit.discount,
      bonusFirst: context.policy.useBonusFirst,
    },
  };
}

/**
 * Whether the round of a first debit, had it been there, may have been forgotten (D10.2). Nobody signs the timestamp
 * (D10.3): a record decides before it.
 */
export function mayBeForgotten({ timestamp }: Debit, forgottenBefore?: number): boolean {
  if (forgottenBefore === undefined || timestamp === undefined) return false;
  const at = parseTimestamp(timestamp);
  return at !== null && at <= forgottenBefore;
}

/** Whether a known hash has the content of this debit; an absent isFirstDebit matches both (D2.3, D3.2). */
export function isSameDebit(
  debit: Debit,
  known: TransactionRecord,
  head: RoundHead,
): known is DebitRecord {
  return (
    known.type === 'debit' &&
    known.amount === debit.amount &&
    known.discount === debit.discount &&
    known.currency === debit.currency &&
    known.serial === debit.serial &&
    ((debit.isFirstDebit ?? known.first) === known.first || mayBeFirst(known, head))
  );
}

/**
 * Whether a pending debit may still become the first: it was recorded as a follow-up of a first debit that is
 * pending too. If the ledger refuses that one, the round has no accepted first debit (D2.3).
 */
function mayBeFirst({ outcome, first }: DebitRecord, { started }: RoundHead): boolean {
  return outcome === 'pending' && !first && !started;
}

/** D3.1: a debit that was accepted or answered 5xx, and then voided; or any debit of a voided round. */
function isTakenBack(
  { outcome }: NonNullable<HashEntry['transaction']>,
  entry: HashEntry | undefined,
  head: RoundHead,
): boolean {
  if (head.state === 'voided') return true;
  return entry?.void !== undefined && (outcome === 'accepted' || outcome === 'unanswered');
}

/** Why the round refuses a new debit (D4.1, D4.3); null if it does not. In the order of D4.10. */
function refusalByRound(
  { state, started }: RoundHead,
  first: boolean,
  { failedDebit }: DecideContext,
): ErrorCode | null {
  if (state === 'voided') return 'GAMEROUNDVOIDED';
  if (first && started) return 'GAMEROUNDALREADYSTARTED';
  if (failedDebit) return 'DEBITFAILEDBEFORE';
  if (state === 'none') return first ? null : 'GAMEROUNDNOTSTARTED';
  return state === 'open' ? null : 'GAMEROUNDNOTACTIVE';
}

/** Why the wallet declines the debit; null if no reason is known. The check was asked for new ones alone (D12.4). */
function declineCode(
  debit: Debit,
  head: RoundHead,
  context: DecideContext,
  isPending: boolean,
): ErrorCode | null {
  if (debit.discount > 0n && !context.eligibleDiscounts.has(debit.hash)) {
    return 'DISCOUNTNOTELIGIBLE';
  }
  if (head.currency !== null && head.currency !== debit.currency) return 'CURRENCYNOTSUPPORTED';
  if (context.disallowed !== undefined && !isPending) return context.disallowed;
  const refusal = context.refusals.get(debit.hash);
  return refusal === undefined ? null : refusalCodes[refusal].debit;
}

/** D4.2, D4.4, D4.5; an ineligible discount starts no round (public facts). */
function declinedHead(hash: string, head: RoundHead, code: ErrorCode, now: number): RoundHead {
  if (head.started) return { ...head, declined: hash };
  return code === 'DISCOUNTNOTELIGIBLE' ? head : enter(head, 'closed', now);
}

/** The record of a debit; the store adds what it takes. */
export function recordOf(
  debit: Debit,
  first: boolean,
  outcome: RecordedOutcome,
  { now: at, delivery }: Pick<DecideContext, 'now' | 'delivery'>,
): DebitRecord {
  const { currency, amount, discount, serial } = debit;
  return {
    type: 'debit',
    outcome,
    currency,
    amount,
    discount,
    first,
    serial,
    delivery: delivery.id,
    behind: noTexts,
    purse: emptyPurse,
    at,
    fingerprints: noTexts,
  };
}
