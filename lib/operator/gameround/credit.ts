import type { ErrorCode } from '../../protocol/operator-api/catalogue';
import type { Credit } from '../../protocol/operator-api/transaction';
import { addPurses, emptyPurse, type Purse, splitByShares } from '../../protocol/money/purse';
import { afterLateCredit, stuckHead } from './repair';
import {
  type CreditRecord,
  type HashEntry,
  noTexts,
  type RecordedOutcome,
  type RoundHead,
} from './round';
import {
  type DecideContext,
  leaveOut,
  refusalCodes,
  refuse,
  replay,
  replayVoided,
  type Ruling,
} from './verdict';

/**
 * Decides a credit. The first match decides (D4.10): other content (D3.2); known (D3.1; a pending one is
 * decided again); the round's refusal ({@link refusalByRound}), which strands a closed round (D4.7); declined
 * with a debit of an earlier call (D4.5) or refused for good, which strands an open one (D4.7); accepted.
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
    if (head.state === 'voided') return replayVoided(hash, head);
    if (known.outcome !== 'pending') return replay(hash, known, head);
  }
  const isNew = known === undefined;
  if (isNew && head.state === 'cancelled' && !context.holdsDebit) return leaveOut(hash, head);
  const record = (outcome: RecordedOutcome, purse = emptyPurse): CreditRecord =>
    recordOf(credit, outcome, purse, context.now, known?.fingerprints ?? noTexts);
  const code = isNew ? refusalByRound(head, context) : refusalOfPending(head, context);
  if (code !== null) {
    const isLate = isNew && code === 'GAMEROUNDNOTACTIVE';
    const after = isLate ? afterLateCredit(hash, head, context.now) : head;
    return refuse(hash, code, after, record(code));
  }
  const final =
    isNew && head.declined !== null ? 'DEBITFAILEDBEFORE' : finalRefusal(credit, head, context);
  if (final !== null) {
    return refuse(hash, final, stuckHead(hash, head, context.now), record(final));
  }
  const purse: Purse =
    context.policy.creditTo === 'stakeShares'
      ? splitByShares(credit.amount, head.debits)
      : { real: credit.amount, bonus: 0n };
  return {
    verdict: { hash, outcome: 'processed', replay: false },
    head: creditedHead(head, addPurses(head.credits, purse)),
    record: record('accepted', purse),
    movement: { kind: 'give', hash, currency: credit.currency, purse },
  };
}

/** Members are listed one by one: V8 copies an object faster so than by a spread. */
function creditedHead(head: RoundHead, credits: Purse): RoundHead {
  const credited = head.credited + 1;
  if (head.repairs !== undefined || head.stuckBy !== undefined)
    return { ...head, credited, credits };
  const { version, state, resume, changedAt, currency, gameCode, started } = head;
  const { ended, declined, unanswered, debits, pending } = head;
  return {
    version,
    state,
    resume,
    changedAt,
    currency,
    gameCode,
    started,
    credited,
    ended,
    declined,
    unanswered,
    debits,
    credits,
    pending,
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

/** Refusals that do not change the round (D4.1, D4.3), in the order of D4.10. */
function refusalByRound({ state }: RoundHead, { failedDebit }: DecideContext): ErrorCode | null {
  if (state === 'voided') return 'GAMEROUNDVOIDED';
  if (failedDebit) return 'DEBITFAILEDBEFORE';
  if (state === 'none') return 'GAMEROUNDNOTSTARTED';
  return state === 'open' ? null : 'GAMEROUNDNOTACTIVE';
}

/**
 * A pending credit was decided while the round accepted it. Since then, only a debit or credit before it can
 * have been refused for good, and every later decision finds that too.
 */
function refusalOfPending({ state }: RoundHead, { failedDebit }: DecideContext): ErrorCode | null {
  if (failedDebit) return 'DEBITFAILEDBEFORE';
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
  fingerprints: readonly string[],
): CreditRecord {
  const { currency, amount, serial } = credit;
  return {
    type: 'credit',
    outcome,
    currency,
    amount,
    serial,
    purse,
    at,
    fingerprints,
  };
}
