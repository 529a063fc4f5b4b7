import { errorCatalogue, type ErrorCode } from '../../../lib/protocol/operator-api/catalogue';
import type { Verdict } from '../../../lib/proof/oracle/answers';
import type { ListedHash } from '../../../lib/rgs/settlement/answer';

const codes = new Map<number | null, string>(
  Object.entries(errorCatalogue).map(([code, { id }]) => [id, code]),
);

/** Refusals of a first debit by the wallet (D4.2). */
export const declines: readonly (string | null)[] = [
  'BALANCETOOLOW',
  'DEBITREFUSED',
  'LIMITREACHED',
] satisfies ErrorCode[];

/** What a reply says of a transaction; `replay`: whether the service was told before. */
export function verdictOf({ hash, error }: ListedHash, replay = false): Verdict {
  const answer = error === null ? 'processed' : (codes.get(error.id) ?? `the error ${error.id}`);
  return { hash, answer, replay };
}
