import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import type { Item } from './types';

/** A transaction as it is sent, in the currency of the round unless it has its own. */
export function toTransaction(item: Item, ofRound: string): Transaction {
  const { currency = ofRound } = item;
  const { type, hash, amount: units, first, serial: play, discount: less = 0 } = item;
  const [amount, serial, discount] = [BigInt(units), play ?? null, BigInt(less)];
  switch (type) {
    case 'debit':
      return { type, hash, currency, amount, discount, isFirstDebit: first === true, serial };
    case 'credit':
      return { type, hash, currency, amount, serial };
    case 'end':
      return { type, hash };
  }
}
