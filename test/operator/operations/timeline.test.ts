import { expect, test } from '@jest/globals';

import { lacksBalances, timelineOf } from '../../../lib/operator/operations/page/round/timeline';
import type { RepairJson, TransactionJson } from '../../../lib/operator/wallet';

const maria = { id: 'maria', name: 'Maria' };
const jan = { id: 'jan', name: null };

function transaction(second: number, more: Partial<TransactionJson>): TransactionJson {
  const at = new Date(1_700_000_000_000 + second * 1000).toISOString();
  return { at, type: 'end', hash: `h${second}`, outcome: 'accepted', ...more };
}

function timeOf(second: number): string {
  return transaction(second, {}).at;
}

function repair(proposed: number, decided: number | null, more: Partial<RepairJson>): RepairJson {
  return {
    id: 'r1',
    kind: 'pay',
    status: 'proposed',
    hash: 'h3',
    currency: 'EUR',
    amount: '25',
    moves: { real: '25', bonus: '0' },
    reason: 'ticket 4711',
    proposedBy: maria,
    proposedAt: timeOf(proposed),
    expiresAt: timeOf(proposed + 86_400),
    ...(decided === null ? {} : { decidedBy: jan, decidedAt: timeOf(decided) }),
    ...more,
  };
}

function after(real: string) {
  return { currency: 'EUR', real, bonus: null };
}

/** Each entry in words: who, and what. */
function wordsOf(...round: Parameters<typeof timelineOf>): string[] {
  return timelineOf(...round).map(({ by, lines }) => {
    const told = lines.map(({ what, hash, outcome, moved }) =>
      [what, hash ?? '-', outcome, moved?.real ?? '-'].join(' '),
    );
    return `${by?.id ?? 'rgs'}: ${told.join(', ')}`;
  });
}

test('transactions that were recorded at one time are one call', () => {
  const moved = { real: '-5', bonus: '0' };
  const transactions = [
    transaction(1, { type: 'debit', moved, isFirstDebit: true }),
    transaction(1, { type: 'credit', hash: 'c', moved: { real: '2', bonus: '0' } }),
    transaction(2, {}),
    transaction(3, { type: 'void', hash: 'h1', moved: { real: '5', bonus: '0' } }),
  ];
  expect(wordsOf({ transactions })).toEqual([
    'rgs: debit h1 accepted -5, credit c accepted 2',
    'rgs: end h2 accepted -',
    'rgs: void h1 accepted 5',
  ]);
  expect(timelineOf({ transactions })[0]?.lines.map(({ kind }) => kind)).toEqual(['first', null]);
});

test('a repair stands in the timeline when it was proposed and when it was decided, with who', () => {
  const transactions = [transaction(3, {}), transaction(9, {})];
  const words = (decided: number | null, more: Partial<RepairJson>) =>
    wordsOf({ transactions, repairs: [repair(5, decided, more)] });
  expect(words(7, { status: 'done' })).toEqual([
    'rgs: end h3 accepted -',
    'maria: repair proposed h3 done -',
    'jan: repair made h3 done 25',
    'rgs: end h9 accepted -',
  ]);
  expect(words(7, { status: 'rejected', note: 'wrong player' })[2]).toBe(
    'jan: repair rejected h3 rejected -',
  );
  expect(words(7, { status: 'refused' })[2]).toBe('jan: repair refused h3 refused -');
  expect(words(7, { status: 'paying' })[2]).toBe('jan: repair in progress h3 paying -');
  expect(words(null, { status: 'stale' })).toHaveLength(3);
});

test('a repair that was taken back moved nothing in the end, as a credit that was', () => {
  const voided = transaction(9, { type: 'void', hash: 'h1', moved: { real: '5', bonus: '0' } });
  const taken = repair(5, 7, { status: 'takenBack' });
  expect(wordsOf({ transactions: [voided], repairs: [taken] })).toEqual([
    'maria: repair proposed h3 takenBack -',
    'jan: repair made h3 takenBack 0',
    'rgs: void h1 accepted 5',
  ]);
});

test('a void by a person is one line, theirs, with what the void moved', () => {
  const moved = { real: '5', bonus: '0' };
  const first = transaction(1, { type: 'debit', hash: 'h1', moved: { real: '-5', bonus: '0' } });
  const voided = transaction(7, { type: 'void', hash: 'h1', moved });
  const balance = { currency: 'EUR', real: '100', bonus: null };
  const byJan = repair(5, 7, {
    kind: 'void',
    hash: 'h1',
    status: 'done',
    moves: { real: '-20', bonus: '0' },
  });
  const round = { transactions: [first, { ...voided, balance }], repairs: [byJan] };
  expect(wordsOf(round)).toEqual([
    'rgs: debit h1 accepted -5',
    'maria: repair proposed h1 done -',
    'jan: repair made h1 done 5',
  ]);
  expect(timelineOf(round).at(-1)?.lines[0]?.balance).toEqual(balance);
  const ofRgs = repair(5, null, { kind: 'void', hash: 'h1', status: 'stale' });
  expect(wordsOf({ ...round, repairs: [ofRgs] }).at(-1)).toBe('rgs: void h1 accepted 5');
});

test('each line has the balance after it, where the round has it', () => {
  const transactions = [
    transaction(1, { type: 'debit', balance: after('95') }),
    transaction(2, { type: 'credit' }),
  ];
  const paid = repair(3, 4, { status: 'done', balance: after('120') });
  const lines = timelineOf({ transactions, repairs: [paid] }).flatMap((entry) => entry.lines);
  expect(lines.map(({ balance }) => balance?.real ?? null)).toEqual(['95', null, null, '120']);
});

function lacks(currency: string | null, ...transactions: TransactionJson[]): boolean {
  return lacksBalances({ currency }, timelineOf({ transactions }));
}

test('balances are missing where a line could have one, and not in a round that never started', () => {
  const unanswered = transaction(1, { type: 'debit', outcome: 'unanswered' });
  expect(lacks(null, unanswered, transaction(2, { type: 'void', hash: 'h1' }))).toBe(false);
  expect(lacks('EUR')).toBe(false);
  expect(lacks('EUR', transaction(1, {}), transaction(2, {}))).toBe(true);
  expect(lacks('EUR', transaction(1, {}), transaction(2, { balance: after('5') }))).toBe(false);
});

test('the reason, the note and the reference of a repair are with the step that they belong to', () => {
  const settled = repair(5, 7, { kind: 'resolve', status: 'done', reference: 'TICKET-1' });
  const [, proposed, decided] = timelineOf({
    transactions: [transaction(3, {})],
    repairs: [settled],
  });
  expect([proposed?.lines[0]?.note, decided?.lines[0]?.note]).toEqual(['ticket 4711', 'TICKET-1']);
});

test('a call and a decision at the same time are apart, the call first', () => {
  const transactions = [transaction(7, {})];
  expect(wordsOf({ transactions, repairs: [repair(5, 7, { status: 'done' })] })).toEqual([
    'maria: repair proposed h3 done -',
    'rgs: end h7 accepted -',
    'jan: repair made h3 done 25',
  ]);
});

test('a round without transactions has an empty timeline', () => {
  expect(timelineOf({ transactions: [] })).toEqual([]);
});
