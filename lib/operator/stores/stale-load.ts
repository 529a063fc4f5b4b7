import type { RoundChange } from '../gameround';

/**
 * Whether a stale answer to this change brings along what a load of these hashes would answer: where they are those of its
 * records, which the server has in any case. So it is for a call that is taken to open its round.
 */
export function bringsLoad({ records }: RoundChange, hashes: readonly string[] = []): boolean {
  if (hashes.length === 0) return false;
  // As a rule each hash has one record, in this order.
  const areAlike = hashes.length === records.length;
  if (areAlike && records.every(({ hash }, at) => hash === hashes[at])) return true;
  const recorded = new Set(records.map(({ hash }) => hash));
  const requested = new Set(hashes);
  return requested.size === recorded.size && hashes.every((hash) => recorded.has(hash));
}
