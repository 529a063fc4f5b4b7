/** What an event of the archive, or a round of a store, says that was recorded: only what can be read of it. */
export function recordsOf(source: unknown): string[] {
  const { transactions, repairs } = Object(source) as Record<string, unknown>;
  const records: string[] = [];
  for (const { type, hash, outcome } of listOf(transactions)) {
    if (typeof type !== 'string' || typeof hash !== 'string') continue;
    records.push(`${outcome === 'accepted' ? final : ''}${type} ${hash}`);
  }
  for (const { id, status } of listOf(repairs)) {
    if (typeof id !== 'string') continue;
    records.push(`${status === 'done' || status === 'takenBack' ? final : ''}repair ${id}`);
  }
  return records;
}

/** The first of these that a round of a store does not have; null if it has all. */
export function lacking(records: readonly string[], round: object): string | null {
  const known = new Set(recordsOf(round));
  // What was unanswered or proposed in the archive may have been accepted since.
  const isThere = (one: string): boolean => known.has(one) || known.has(final + one);
  return records.find((one) => !isThere(one)) ?? null;
}

/** What was accepted, or done by a repair, stays so. */
const final = 'accepted ';

function listOf(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.map((one) => Object(one) as Record<string, unknown>) : [];
}
