import type { PendingPost, PendingWork, TransactionRecord } from '../gameround';

/** What is pending as text, for stores that keep text. */
export function encodePending({ since, posts, reversals }: PendingWork): string {
  return JSON.stringify([since, posts.map(toRow), reversals]);
}

/**
 * What was encoded.
 * @throws SyntaxError for what was not.
 */
export function decodePending(text: string): PendingWork {
  const [since, rows, reversals] = JSON.parse(text) as [number, Row[], string[]];
  return { since, posts: rows.map(toPost), reversals };
}

/** Amounts are decimal texts: a JSON number would not hold them exactly. */
type Row =
  | readonly ['e', string, number]
  | readonly ['c', string, number, string, string, string | null, string, string]
  | readonly ['d', string, number, string, string, string | null, string, boolean, boolean];

function toRow({ hash, record, bonusFirst }: PendingPost): Row {
  const { at } = record;
  if (record.type === 'end') return ['e', hash, at];
  const { currency, serial } = record;
  const amount = String(record.amount);
  if (record.type === 'credit') {
    const { real, bonus } = record.purse;
    return ['c', hash, at, currency, amount, serial, String(real), String(bonus)];
  }
  const { discount, first } = record;
  return ['d', hash, at, currency, amount, serial, String(discount), first, bonusFirst];
}

function toPost(row: Row): PendingPost {
  return { hash: row[1], record: toRecord(row), bonusFirst: row[0] === 'd' && row[8] };
}

function toRecord(row: Row): TransactionRecord {
  const outcome = 'pending';
  if (row[0] === 'e') return { type: 'end', outcome, at: row[2] };
  const [, , at, currency, amount, serial] = row;
  const common = { outcome, at, currency, amount: BigInt(amount), serial } as const;
  if (row[0] === 'c') {
    return { type: 'credit', ...common, purse: { real: BigInt(row[6]), bonus: BigInt(row[7]) } };
  }
  const purse = { real: 0n, bonus: 0n };
  return { type: 'debit', ...common, discount: BigInt(row[6]), first: row[7], purse };
}
