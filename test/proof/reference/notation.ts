import type { Transaction } from '../../../lib/protocol/operator-api/transaction';

const KINDS = ['first', 'debit', 'maybe', 'credit', 'end', 'void'] as const;
type Kind = (typeof KINDS)[number];
const FIRST = { first: true, debit: false, maybe: null } as const;

/**
 * Transactions from text: `first F 5, credit w 3 USD, end e, void F`. An initial debit is `first`,
 * a follow-up `debit`, and one that does not say which is `maybe`. Units; EUR unless set. A debit
 * may end with `discounted`, by one unit that no check finds eligible.
 * @throws Error where the text is not so.
 */
export function readTransactions(text: string): Transaction[] {
  return text.split(',').map((part) => readTransaction(part.trim()));
}

function readTransaction(text: string): Transaction {
  const [kind = '', hash = '', amount, ...rest] = text.split(' ');
  if (!isKind(kind) || hash === '') throw new Error(`no transaction: ${text}`);
  if (kind === 'end') return { type: 'end', hash };
  if (kind === 'void') return { type: 'void', hash, amount: null, currency: null };
  if (amount === undefined) throw new Error(`no amount: ${text}`);
  const currency = rest.find((word) => /^[A-Z]{3}$/.test(word)) ?? 'EUR';
  const movement = { hash, amount: BigInt(amount), currency, serial: null };
  if (kind === 'credit') return { type: 'credit', ...movement };
  const discount = rest.includes('discounted') ? 1n : 0n;
  return { type: 'debit', ...movement, discount, isFirstDebit: FIRST[kind] };
}

/** The text that {@link readTransactions} reads. */
export function writeTransactions(transactions: readonly Transaction[]): string {
  return transactions.map(writeTransaction).join(', ');
}

function writeTransaction(transaction: Transaction): string {
  const { type, hash } = transaction;
  if (type === 'end' || type === 'void') return `${type} ${hash}`;
  const currency = transaction.currency === 'EUR' ? '' : ` ${transaction.currency}`;
  const movement = `${hash} ${transaction.amount}${currency}`;
  if (type === 'credit') return `credit ${movement}`;
  const kind = KINDS.find(
    (candidate) =>
      candidate in FIRST && FIRST[candidate as keyof typeof FIRST] === transaction.isFirstDebit,
  );
  return `${kind} ${movement}${transaction.discount > 0n ? ' discounted' : ''}`;
}

function isKind(word: string): word is Kind {
  return KINDS.some((kind) => kind === word);
}
