import { emptyPurse, type Purse } from '../../../lib/protocol/money/purse';
import {
  type HashEntry,
  noTexts,
  type RecordedOutcome,
  type TransactionRecord,
} from '../../../lib/operator/gameround';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { earlier } from './rounds';

/** The words of a cell: `debit X follow amount=7` is a list and a map. */
export interface Words {
  readonly list: readonly string[];
  readonly named: ReadonlyMap<string, string>;
}

/** Splits a cell into words; those with an equals sign are named. */
export function wordsOf(cell: string): Words {
  const words = cell.split(' ').filter((word) => word !== '');
  const named = words.filter((word) => word.includes('=')).map((word) => word.split('='));
  return {
    list: words.filter((word) => !word.includes('=')),
    named: new Map(named as [string, string][]),
  };
}

/** Units of `7`, or of `7/2`, which is seven real and two bonus. */
export function purseOf(text: string): Purse {
  const [real = '0', bonus = '0'] = text.split('/');
  return { real: BigInt(real), bonus: BigInt(bonus) };
}

/**
 * A transaction: `debit X first|follow|unsaid`, `credit X`, `end X`, `void X`. A debit and a
 * credit have `amount=10` and `currency=EUR` unless said, a void neither.
 */
export function transactionOf(cell: string): Transaction {
  const { list, named } = wordsOf(cell);
  const [type, hash = 'X'] = list;
  const amount = BigInt(named.get('amount') ?? 10);
  const currency = named.get('currency') ?? 'EUR';
  const serial = named.get('serial') ?? null;
  switch (type) {
    case 'debit': {
      const isFirstDebit = list.includes('unsaid') ? null : list.includes('first');
      const discount = BigInt(named.get('discount') ?? 0);
      return { type, hash, currency, amount, discount, isFirstDebit, serial };
    }
    case 'credit':
      return { type, hash, currency, amount, serial };
    case 'end':
      return { type, hash };
    case 'void': {
      const said = named.has('amount');
      return { type, hash, amount: said ? amount : null, currency: said ? currency : null };
    }
    default:
      throw new Error(`no such transaction: ${cell}`);
  }
}

/**
 * What is known of a hash: `-`, `void`, or a transaction as in {@link transactionOf} without its
 * hash, with `is=accepted|unanswered|CODE`, `took=10`, and for a debit `by=own`, the delivery that
 * wrote it, and `behind=B,C` (D5.3); `voided` adds that it was voided.
 */
export function entryOf(cell: string): HashEntry | undefined {
  if (cell === '-') return undefined;
  const voided: HashEntry = {
    void: { type: 'void', purse: emptyPurse, at: earlier, fingerprints: noTexts },
  };
  if (cell === 'void') return voided;
  const transaction = recordOf(cell);
  return wordsOf(cell).list.includes('voided') ? { transaction, ...voided } : { transaction };
}

function recordOf(cell: string): TransactionRecord {
  const { list, named } = wordsOf(cell);
  const [type = '', ...rest] = list;
  const names = [...named].map(([name, value]) => `${name}=${value}`);
  const transaction = transactionOf([type, 'X', ...rest, ...names].join(' '));
  const outcome = (named.get('is') ?? 'accepted') as RecordedOutcome;
  const purse = purseOf(named.get('took') ?? (outcome === 'accepted' ? '10' : '0'));
  const at = earlier;
  switch (transaction.type) {
    case 'debit': {
      const { currency, amount, discount, isFirstDebit, serial } = transaction;
      const first = isFirstDebit ?? false;
      const behind = named.get('behind')?.split(',') ?? noTexts;
      const delivery = named.get('by') ?? 'own';
      const round = { first, delivery, behind, fingerprints: noTexts };
      return { type: 'debit', currency, amount, discount, serial, outcome, purse, at, ...round };
    }
    case 'credit': {
      const { currency, amount, serial } = transaction;
      const fingerprints = noTexts;
      return { type: 'credit', currency, amount, serial, outcome, purse, at, fingerprints };
    }
    case 'end':
      return { type: 'end', outcome, at, fingerprints: noTexts };
    case 'void':
      throw new Error('a void alone is known as `void`');
  }
}
