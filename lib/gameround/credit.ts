import type { ErrorCode } from '../errors';
import { addPurses, emptyPurse, type Purse, splitByShares } from '../money';
import type { Credit } from '../protocol';
import type { CreditRecord, HashEntry, RecordedOutcome, RoundHead } from './round';
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
 * Decides a credit. In order of precedence:
 * known hash (D3.1, D3.2; one that is pending is decided again); a debit before it in the call failed (D4.5); round not open (D4.1) or
 * never started (D4.3); the latest debit was declined (D4.5); refused for good (D4.7); accepted.
 */
export function decideCredit(
  credit: Credit,
  head: RoundHead,
  entry: HashEntry | undefined,
  context: DecideContext,
): Ruling {
  const { hash } = credit;
  const known = entry?.transaction;
  if (known !== undefined) {
    if (!isSameCredit(credit, known)) return refuse(hash, 'TRANSACTIONALREADYEXISTS', head);
    if (known.outcome !== 'pending') return replay(hash, known, head);
  }
  const record = (outcome: RecordedOutcome, purse = emptyPurse) =>
    recordOf(credit, outcome, purse, context.now);
  const byRound = known === undefined ? refusalByRound(head) : refusalOfPending(head);
  const code = context.failedDebit ? 'DEBITFAILEDBEFORE' : byRound;
  if (code !== null) return refuse(hash, code, head, record(code));
  const final = finalRefusal(credit, head, context);
  if (final !== null) {
    const state = head.credited ? 'crashed' : 'stranded';
    return refuse(hash, final, enter(head, state, context.now), record(final));
  }
  const purse: Purse =
    context.policy.creditTo === 'stakeShares'
      ? splitByShares(credit.amount, head.debits)
      : { real: credit.amount, bonus: 0n };
  return {
    verdict: { hash, outcome: 'processed', replay: false },
    head: { ...head, credited: true, credits: addPurses(head.credits, purse) },
    record: record('accepted', purse),
    movement: { kind: 'give', hash, currency: credit.currency, purse },
  };
}

function isSameCredit(credit: Credit, known: NonNullable<HashEntry['transaction']>): boolean {
  return (
    known.type === 'credit' &&
    known.amount === credit.amount &&
    known.currency === credit.currency &&
    known.serial === credit.serial
  );
}

/** Refusals that leave the round as it is: the win they would pay was never played. */
function refusalByRound(head: RoundHead): ErrorCode | null {
  const code = refusalByState(head);
  if (code !== null) return code;
  if (!head.started) return 'GAMEROUNDNOTSTARTED';
  return head.declined ? 'DEBITFAILEDBEFORE' : null;
}

/**
 * One that is pending was decided while the round took it. Since then only a credit before it can
 * have been refused for good, which whoever decides it again finds too: so all decide the same.
 */
function refusalOfPending({ state }: RoundHead): ErrorCode | null {
  return state === 'stranded' || state === 'crashed' ? 'GAMEROUNDNOTACTIVE' : null;
}

/** D4.7: a credit of a running round that can never be paid. */
function finalRefusal(credit: Credit, head: RoundHead, context: DecideContext): ErrorCode | null {
  if (head.currency !== credit.currency) return 'CURRENCYNOTSUPPORTED';
  const refusal = context.refusals.get(credit.hash);
  return refusal === undefined ? null : refusalCodes[refusal].credit;
}

function recordOf(
  credit: Credit,
  outcome: RecordedOutcome,
  purse: Purse,
  at: number,
): CreditRecord {
  const { currency, amount, serial } = credit;
  return { type: 'credit', outcome, currency, amount, serial, purse, at };
}
