import { noTexts, type PendingPost, type PendingWork, type TransactionRecord } from '../gameround';

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

/** What all rows begin with: type, hash, time, the debit that it is behind, fingerprints. */
type Common<Type> = readonly [Type, string, number, string | null, readonly string[]];
/** Amounts are decimal texts: a JSON number would not hold them exactly. */
type Money = readonly [currency: string, amount: string, serial: string | null];

type Row =
  | Common<'e'>
  | readonly [...Common<'c'>, ...Money, real: string, bonus: string]
  | readonly [
      ...Common<'d'>,
      ...Money,
      discount: string,
      first: boolean,
      bonusFirst: boolean,
      delivery: string,
    ];

function toRow({ hash, record, bonusFirst, behind }: PendingPost): Row {
  const { at, fingerprints } = record;
  if (record.type === 'end') return ['e', hash, at, behind, fingerprints];
  const money = [record.currency, String(record.amount), record.serial] as const;
  if (record.type === 'credit') {
    const { real, bonus } = record.purse;
    return ['c', hash, at, behind, fingerprints, ...money, String(real), String(bonus)];
  }
  const { discount, first, delivery } = record;
  const own = [String(discount), first, bonusFirst, delivery] as const;
  return ['d', hash, at, behind, fingerprints, ...money, ...own];
}

function toPost(row: Row): PendingPost {
  const bonusFirst = row[0] === 'd' && row[10];
  return { hash: row[1], record: toRecord(row), bonusFirst, behind: row[3] };
}

function toRecord(row: Row): TransactionRecord {
  const [, , at, , fingerprints] = row;
  const common = { outcome: 'pending', at, fingerprints } as const;
  if (row[0] === 'e') return { type: 'end', ...common };
  const [currency, amount, serial] = [row[5], row[6], row[7]];
  const money = { ...common, currency, amount: BigInt(amount), serial };
  if (row[0] === 'c') {
    return { type: 'credit', ...money, purse: { real: BigInt(row[8]), bonus: BigInt(row[9]) } };
  }
  const purse = { real: 0n, bonus: 0n };
  const own = { discount: BigInt(row[8]), first: row[9], delivery: row[11], behind: noTexts };
  return { type: 'debit', ...money, ...own, purse };
}
