import assert from 'node:assert/strict';
import type { HashEntry } from '../../operator/gameround';
import type { Purse } from '../../protocol/money';
import type { Transaction } from '../../protocol/operator-api';
import { toText } from './action';

/** Checks that the record of a hash is what was sent and answered (O1, O3). */
export function checkRecord(sent: Transaction, answer: string, entry: HashEntry | undefined): void {
  const record = entry?.transaction;
  const text = `${toText(sent)} was answered ${answer} and is stored as ${toText(record)}`;
  const isProcessed = answer === 'processed';
  assert.equal(record?.outcome, isProcessed ? 'accepted' : answer, `O3: ${text}`);
  assert.equal(record?.type, sent.type, text);
  if (record?.type === 'debit' && sent.type === 'debit') {
    const { amount, discount, currency, serial } = sent;
    assert.deepEqual([record.amount, record.discount], [amount, discount], text);
    assert.deepEqual([record.currency, record.serial], [currency, serial], text);
    assert.equal(record.first, sent.isFirstDebit ?? record.first, text);
    const { purse } = record;
    assert.equal(sumOf(purse), isProcessed ? amount - discount : 0n, `O1: ${text}`);
    assert.ok(purse.real >= 0n && purse.bonus >= 0n, text);
  }
  if (record?.type === 'credit' && sent.type === 'credit') {
    assert.deepEqual([record.amount, record.currency], [sent.amount, sent.currency], text);
    assert.equal(sumOf(record.purse), isProcessed ? sent.amount : 0n, `O1: ${text}`);
  }
}

/** The sum of both parts. */
export function sumOf({ real, bonus }: Purse): bigint {
  return real + bonus;
}
