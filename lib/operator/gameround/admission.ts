import { signatureCharacters } from '../../protocol/signature';
import type { Transaction } from '../../protocol/operator-api/transaction';
import { knownOf } from './pending';
import { type HashEntry, noTexts, type RoundView } from './round';
import type { Delivery } from './verdict';

/** Whether a call may have any effect (D1.8); a `voidNotDue` call should be resent with a new signature. */
export type Admission = 'admitted' | 'otherBody' | 'voidNotDue';

/**
 * Decides, by the record of the call's first hash, whether its signature was used for another body before.
 * A call with only voids is admitted nevertheless if each of their debits was answered 5xx (D1.8).
 */
export function admit(
  transactions: readonly Transaction[],
  view: RoundView,
  { fingerprint, isOtherBody }: Delivery,
): Admission {
  const [first] = transactions;
  const known = first === undefined ? undefined : knownOf(view, first.hash);
  if (!isOtherBody && !isUnderOtherBody(known, fingerprint)) return 'admitted';
  if (transactions.some(({ type }) => type !== 'void')) return 'otherBody';
  const areDue = transactions.every(({ hash }) => isUnanswered(knownOf(view, hash)));
  return areDue ? 'admitted' : 'voidNotDue';
}

function isUnderOtherBody(entry: HashEntry | undefined, fingerprint: string | null): boolean {
  if (entry === undefined || fingerprint === null) return false;
  const signature = fingerprint.slice(0, signatureCharacters);
  const known = fingerprintsOf(entry).filter((text) => text.startsWith(signature));
  return known.length > 0 && !known.includes(fingerprint);
}

/** Of the calls that began with this hash, as far as they are kept (D1.8). */
export function fingerprintsOf(entry: HashEntry): readonly string[] {
  return [
    ...(entry.transaction?.fingerprints ?? noTexts),
    ...(entry.void?.fingerprints ?? noTexts),
  ];
}

function isUnanswered(entry: HashEntry | undefined): boolean {
  const known = entry?.transaction;
  return known?.type === 'debit' && known.outcome === 'unanswered';
}

/**
 * Most fingerprints that a record keeps, the latest: an RGS sends a call six times at once, and again at
 * each launch.
 */
const maxFingerprints = 32;

/** A record's fingerprints plus those of one more call; the same array if they are known. */
export function withFingerprint(
  fingerprints: readonly string[],
  fingerprint: string,
): readonly string[] {
  if (fingerprints.length === 0) return [fingerprint];
  if (fingerprints.includes(fingerprint)) return fingerprints;
  return [...fingerprints, fingerprint].slice(-maxFingerprints);
}
