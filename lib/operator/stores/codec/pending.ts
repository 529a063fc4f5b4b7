import {
  noTexts,
  type PendingPost,
  type PendingWork,
  type TransactionRecord,
} from '../../gameround';
import {
  fieldsOf,
  flagOf,
  readCredit,
  readDebit,
  readEnd,
  textOf,
  textsOf,
  timeOf,
  unreadable,
} from './record';

/** Pending work as text, for stores that keep text. */
export function encodePending({ since, posts, reversals }: PendingWork): string {
  return JSON.stringify([since, posts.map(rowOf), reversals]);
}

/**
 * Decodes it.
 * @throws Error for any other text.
 */
export function decodePending(text: string): PendingWork {
  const [since, rows, reversals] = fieldsOf(JSON.parse(text), 3);
  if (!Array.isArray(rows)) throw unreadable('list of pending postings', rows);
  return {
    since: timeOf(since),
    posts: rows.map(postOf),
    reversals: textsOf(reversals, 'list of reversals'),
  };
}

/**
 * Type, hash, time, the debit that it is behind, fingerprints; then the members of the type. Amounts are
 * decimal texts.
 */
function rowOf({ hash, record, bonusFirst, behind }: PendingPost): readonly unknown[] {
  const { type, at, fingerprints } = record;
  const shared = [letters[type], hash, at, behind, fingerprints];
  if (type === 'end') return shared;
  const money = [record.currency, String(record.amount), record.serial];
  if (type === 'credit') {
    const { real, bonus } = record.purse;
    return [...shared, ...money, String(real), String(bonus)];
  }
  const { discount, first, delivery } = record;
  return [...shared, ...money, String(discount), first, bonusFirst, delivery];
}

const letters = { debit: 'd', credit: 'c', end: 'e' } as const;

function postOf(row: unknown): PendingPost {
  const [letter, hash, , behind] = Array.isArray(row) ? (row as unknown[]) : [];
  return {
    hash: textOf(hash, 'hash'),
    record: recordOf(letter, row),
    bonusFirst: letter === 'd' && flagOf((row as unknown[])[10]),
    behind: behind === null ? null : textOf(behind, 'hash'),
  };
}

const outcome = 'pending';

function recordOf(letter: unknown, row: unknown): TransactionRecord {
  switch (letter) {
    case 'e': {
      const [, , at, , fingerprints] = fieldsOf(row, 5);
      return readEnd({ outcome, at, fingerprints });
    }
    case 'c': {
      const fields = fieldsOf(row, 10);
      const [, , at, , fingerprints, currency, amount, serial, real, bonus] = fields;
      return readCredit({ outcome, at, fingerprints, currency, amount, serial, real, bonus });
    }
    case 'd': {
      const fields = fieldsOf(row, 12);
      const [, , at, , fingerprints, currency, amount, serial, discount, first] = fields;
      const money = { currency, amount, serial, discount, real: '0', bonus: '0' };
      const own = { first, delivery: fields[11], behind: noTexts };
      return readDebit({ outcome, at, fingerprints, ...money, ...own });
    }
    default:
      throw unreadable('type of a record', letter);
  }
}
