import type { ListedHash, Meaning } from './answer';

/**
 * What happens to one transaction of a call.
 * - `processed`: the wallet did it; it counts.
 * - `declined`: the wallet refused it for good; it never counts.
 * - `dropped`: the RGS gives it up, because the debit before it failed.
 * - `withdrawn`: a debit in doubt; its void is due.
 * - `due`: to be resent.
 * - `held`: not sent any more; a person decides.
 */
export type Fate = 'processed' | 'declined' | 'dropped' | 'withdrawn' | 'due' | 'held';

/** The code of something a wallet did that is almost surely a mistake. */
export type FindingCode = keyof typeof findingRules;

/** The rule that each finding rests on. */
export const findingRules = Object.freeze({
  errorUnderSuccess: 'operator-api 4.1, rule 2',
  refusedNothing: 'operator-api 4.1, rule 2',
  creditNotListed: 'operator-api 4.1, rule 5 (W3)',
  creditAnswered5xx: 'operator-api 4.1, rule 6',
  processedBehindDeclined: 'operator-api 3, rule 1',
  refusedAfterDeclinedDebit: 'operator-api 3, rule 1 (W12)',
  listedNotSent: 'operator-api 2.3',
  endRefused: 'W4',
  voidRefused: 'operator-api 3, rule 3 (W4)',
});

/** The transactions before a transaction in its call. */
export interface Before {
  /** The result of a failed debit before it, if there is one. */
  readonly failed: 'withdrawn' | 'declined' | null;
  /** Whether a credit before it is still due. */
  readonly isCreditDue: boolean;
}

/** A fate, and any mistake in the answer that caused it. */
export interface Ruling {
  readonly fate: Fate;
  readonly finding: FindingCode | null;
}

/**
 * W2. In order of precedence: silence puts it in doubt, no matter what is listed; then its own item of
 * hashesProcessed; then the status. A debit is never resent (operator-api 4.1). An error without an id
 * under a 2xx contradicts itself, so the debit is in doubt: the void costs nothing if it was declined.
 */
export function fateOfDebit(meaning: Meaning, listed: ListedHash | null): Ruling {
  if (meaning === 'silent') return ruling('withdrawn');
  if (listed !== null && listed.error !== null) {
    if (meaning === 'refusal') return ruling('declined');
    return ruling(listed.error.id === null ? 'withdrawn' : 'declined', 'errorUnderSuccess');
  }
  return ruling(listed !== null || meaning === 'success' ? 'processed' : 'declined');
}

/**
 * W3. A credit after a withdrawn debit is dropped with it (W7). Otherwise hashesProcessed alone
 * decides, at any status; one that is not listed is due, but after a declined debit the
 * wallet declines it anyway (operator-api 3, rule 1).
 */
export function fateOfCredit(meaning: Meaning, listed: ListedHash | null, before: Before): Ruling {
  if (before.failed === 'withdrawn') return ruling('dropped');
  if (listed !== null && listed.error === null) {
    return ruling('processed', before.failed === null ? null : 'processedBehindDeclined');
  }
  if (before.failed === 'declined') return ruling('dropped');
  const isSuccess = meaning === 'success';
  if (listed !== null) return ruling('declined', isSuccess ? 'errorUnderSuccess' : null);
  return ruling('due', isSuccess ? 'creditNotListed' : null);
}

/**
 * W4. An end after a failed debit is dropped (W7, W8). Otherwise silence makes it due again; then
 * its own item decides; then a 2xx, unless a credit before it is due: an end never passes it (W5).
 */
export function fateOfEnd(meaning: Meaning, listed: ListedHash | null, before: Before): Ruling {
  const isListed = listed !== null && listed.error === null;
  if (before.failed === 'declined' && isListed) {
    return ruling('processed', 'processedBehindDeclined');
  }
  if (before.failed !== null) return ruling('dropped');
  if (meaning === 'silent') return ruling('due');
  if (listed !== null && !isListed) return ruling('declined', 'endRefused');
  if (isListed || (meaning === 'success' && !before.isCreditDue)) return ruling('processed');
  return ruling('due');
}

/** W4. A void is due until it is acknowledged, no matter what precedes it in its call. */
export function fateOfVoid(meaning: Meaning, listed: ListedHash | null): Ruling {
  if (meaning === 'silent') return ruling('due');
  if (listed !== null && listed.error !== null) return ruling('due', 'voidRefused');
  if (listed !== null || meaning === 'success') return ruling('processed');
  return ruling('due', 'voidRefused');
}

function ruling(fate: Fate, finding: FindingCode | null = null): Ruling {
  return { fate, finding };
}
