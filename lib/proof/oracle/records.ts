import type { HashEntry } from '../../operator/gameround';
import type { Purse } from '../../protocol/money/purse';
import type { Transaction } from '../../protocol/operator-api/transaction';
import { demand, toText } from './broken-rule';

/** Checks that the record of a hash is what was sent and answered (O1, O3). `name`: of the round. */
export function checkRecord(
  name: string,
  sent: Transaction,
  answer: string,
  entry: HashEntry | undefined,
): void {
  const record = entry?.transaction;
  const must = (holds: boolean, rule: 'O1' | 'O3'): void =>
    demand(holds, rule, () => {
      return `${name}: ${toText(sent)} was answered ${answer} and is stored as ${toText(record)}`;
    });
  const isProcessed = answer === 'processed';
  must(record?.outcome === (isProcessed ? 'accepted' : answer), 'O3');
  must(record?.type === sent.type, 'O3');
  if (record?.type === 'debit' && sent.type === 'debit') {
    const { amount, discount, currency, serial, isFirstDebit } = sent;
    must(record.amount === amount && record.discount === discount, 'O3');
    must(record.currency === currency && record.serial === serial, 'O3');
    must(isFirstDebit === null || record.first === isFirstDebit, 'O3');
    must(isWhole(record.purse, isProcessed ? amount - discount : 0n), 'O1');
  }
  if (record?.type === 'credit' && sent.type === 'credit') {
    must(record.amount === sent.amount && record.currency === sent.currency, 'O3');
    must(isWhole(record.purse, isProcessed ? sent.amount : 0n), 'O1');
  }
}

/** Whether the parts are these units together, and neither is below zero. */
export function isWhole({ real, bonus }: Purse, units: bigint): boolean {
  return real >= 0n && bonus >= 0n && real + bonus === units;
}
