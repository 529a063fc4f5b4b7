/** The keys of doTransactions (operator-api 4.1), each by its length and first letter. */
const usualKeys: (string | undefined)[] = [];
for (const key of [
  'playerId',
  'gameCode',
  'gameRound',
  'transactions',
  'transactionCount',
  'type',
  'hash',
  'amount',
  'currency',
  'timestamp',
  'isFirstDebit',
  'serial',
  'freePlayUsed',
  'discountAmount',
]) {
  usualKeys[slotOf(key.length, key.charCodeAt(0))] = key;
}

/** The key of doTransactions that stands from `start` to before `end`; undefined where it is none. */
export function usualKey(text: string, start: number, end: number): string | undefined {
  const key = usualKeys[slotOf(end - start, text.charCodeAt(start))];
  return key !== undefined && text.startsWith(key, start) ? key : undefined;
}

/** All of them have slots of their own. */
function slotOf(length: number, firstCode: number): number {
  return length < 32 ? (length << 5) | (firstCode & 31) : 0;
}
