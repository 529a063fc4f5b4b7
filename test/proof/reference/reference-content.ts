import type {
  Credit,
  Debit,
  End,
  Transaction,
} from '../../../lib/protocol/operator-api/transaction';
import type { Delivery } from './reference-log';

/** Whether a call holds a debit, new or known (D4.1). */
export function holdsDebit({ transactions }: Delivery): boolean {
  return transactions.some(({ type }) => type === 'debit');
}

/** D3.2. An isFirstDebit that was not sent is not other content: what stood for it counts. */
export function isSameContent(
  known: Transaction,
  wasFirst: boolean,
  sent: Debit | Credit | End,
): boolean {
  if (sent.type === 'end' || known.type === 'end') return known.type === sent.type;
  if (known.type !== sent.type || known.amount !== sent.amount) return false;
  if (known.currency !== sent.currency || known.serial !== sent.serial) return false;
  if (sent.type === 'debit' && known.type === 'debit' && known.discount !== sent.discount)
    return false;
  return sent.type !== 'debit' || (sent.isFirstDebit ?? wasFirst) === wasFirst;
}
