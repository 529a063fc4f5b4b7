import type { ErrorCode } from '../errors';
import { emptyPurse } from '../money';
import type { Debit } from '../protocol';
import type { DebitRecord, HashEntry, RecordedOutcome, RoundHead } from './round';
import {
  type DecideContext,
  enter,
  refusalByState,
  refusalCodes,
  refuse,
  type Ruling,
  replay,
} from './verdict';

/**
 * Decides a debit. In order of precedence:
 * known hash (D3.1, D3.2; one that was told as unknown is refused once voided, one that is pending
 * is decided again); voided before it came (D5.5); round not open (D4.1); second initial debit or
 * follow-up of a round never started (D4.3); declined by the wallet (D4.2, D4.4); accepted.
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
    if (!isSameDebit(debit, known)) return refuse(hash, 'TRANSACTIONALREADYEXISTS', head);
    const isVoided = entry?.void !== undefined || head.state === 'voided';
    if (known.outcome === 'unanswered' && isVoided) return refuse(hash, 'GAMEROUNDVOIDED', head);
    if (known.outcome !== 'pending') return replay(hash, known, head);
  }
  // What is pending stays what it was written down as: others were answered by that (D3.2).
  const first = known?.type === 'debit' ? known.first : (debit.isFirstDebit ?? !head.started);
  const record = (outcome: RecordedOutcome) => recordOf(debit, first, outcome, context.now);
  if (entry?.void !== undefined) {
    const isRoundsFirst = !head.started && (first || hash === context.gameRound);
    const after = isRoundsFirst ? enter(head, 'voided', context.now) : head;
    return refuse(hash, 'GAMEROUNDVOIDED', after, record('GAMEROUNDVOIDED'));
  }
  const code = refusalByState(head) ?? refusalByStart(head, first);
  if (code !== null) return refuse(hash, code, head, record(code));
  const decline = declineCode(debit, head, context);
  if (decline !== null) {
    return refuse(hash, decline, declinedHead(head, decline, context.now), record(decline));
  }
  return {
    verdict: { hash, outcome: 'processed', replay: false },
    head: {
      ...enter(head, 'open', context.now),
      started: true,
      declined: false,
      currency: head.currency ?? debit.currency,
    },
    record: record('accepted'),
    movement: {
      kind: 'take',
      hash,
      currency: debit.currency,
      amount: debit.amount - debit.discount,
      bonusFirst: context.policy.useBonusFirst,
    },
  };
}

/** Whether a known hash has the content of this debit; an absent isFirstDebit fits both (D2.3, D3.2). */
function isSameDebit(debit: Debit, known: NonNullable<HashEntry['transaction']>): boolean {
  return (
    known.type === 'debit' &&
    known.amount === debit.amount &&
    known.discount === debit.discount &&
    known.currency === debit.currency &&
    known.serial === debit.serial &&
    (debit.isFirstDebit ?? known.first) === known.first
  );
}

/** D4.3. */
function refusalByStart(head: RoundHead, first: boolean): ErrorCode | null {
  if (head.started) return first ? 'GAMEROUNDALREADYSTARTED' : null;
  return first ? null : 'GAMEROUNDNOTSTARTED';
}

/** Why the wallet declines the debit; null where nothing is known against it. */
function declineCode(debit: Debit, head: RoundHead, context: DecideContext): ErrorCode | null {
  if (debit.discount > 0n && !context.eligibleDiscounts.has(debit.hash)) {
    return 'DISCOUNTNOTELIGIBLE';
  }
  if (head.currency !== null && head.currency !== debit.currency) return 'CURRENCYNOTSUPPORTED';
  const refusal = context.refusals.get(debit.hash);
  return refusal === undefined ? null : refusalCodes[refusal].debit;
}

/** D4.2, D4.4; a discount that is not eligible starts no round (public facts). */
function declinedHead(head: RoundHead, code: ErrorCode, now: number): RoundHead {
  if (head.started) return { ...head, declined: true };
  return code === 'DISCOUNTNOTELIGIBLE' ? head : enter(head, 'closed', now);
}

/** A debit as it is recorded; what it takes is added by the store. */
export function recordOf(
  debit: Debit,
  first: boolean,
  outcome: RecordedOutcome,
  at: number,
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
    purse: emptyPurse,
    at,
  };
}
