import { describe, expect, test } from '@jest/globals';
import { WalletBook } from '../../../../lib/rgs/sandbox/books/wallet-book';
import type { Fated } from '../../../../lib/rgs/sandbox/books/movements';
import type { Due } from '../../../../lib/rgs/rounds/round';

type Call = readonly [gameRound: string, due: Due, fate: Fated['fate'], balance: bigint | null];

const common = { at: 1, reason: 'r', currency: 'EUR' } as const;
const bet = (hash: string, amount: bigint, isFirstDebit = true): Due => ({
  ...common,
  type: 'debit',
  hash,
  isFirstDebit,
  amount,
  discount: null,
  serial: null,
});
const win = (hash: string, amount: bigint): Due => ({ ...common, type: 'credit', hash, amount });
const takeBack = (hash: string, amount: bigint): Due => ({ ...common, type: 'void', hash, amount });

/** A book after these calls, one after the other. */
function bookOf(calls: readonly Call[]): WalletBook {
  const book = new WalletBook();
  for (const [gameRound, due, fate, balance] of calls) {
    const sent = book.sent(gameRound, [due]);
    book.answered(sent, [{ type: due.type, hash: due.hash, fate }], balance);
  }
  return book;
}

/** A round of bet and win, and two that make it rest. */
const three: readonly Call[] = [
  ['r1', bet('r1', 100n), 'processed', 900n],
  ['r1', win('w1', 250n), 'processed', 1150n],
  ['r2', bet('r2', 100n), 'processed', 1050n],
  ['r3', bet('r3', 100n), 'declined', 1050n],
];

describe('a round at rest is packed, and counts as it did (B3)', () => {
  test('a repeated credit counts once', () => {
    const book = bookOf([...three, ['r1', win('w1', 250n), 'processed', 1050n]]);
    expect(book.moved).toMatchObject({ least: 50n, most: 50n });
    expect(book).toMatchObject({ start: 1000n, misfits: [] });
  });

  test('a wallet that pays it again is named', () => {
    const book = bookOf([...three, ['r1', win('w1', 250n), 'processed', 1300n]]);
    expect(book.misfits).toMatchObject([{ gameRound: 'r1', balance: 1300n }]);
  });

  test('the void of its first bet takes all of it back, that of an added bet this one alone', () => {
    const added: readonly Call[] = [
      ['r1', bet('r1', 100n), 'processed', 900n],
      ['r1', bet('a1', 30n, false), 'processed', 870n],
      ...three.slice(2).map(([id, due, fate]): Call => [id, due, fate, null]),
    ];
    const one = bookOf([...added, ['r1', takeBack('a1', 30n), 'processed', 800n]]);
    expect(one).toMatchObject({ start: 1000n, latest: 800n, misfits: [] });
    const all = bookOf([...added, ['r1', takeBack('r1', 100n), 'processed', 900n]]);
    expect(all).toMatchObject({ start: 1000n, latest: 900n, misfits: [] });
  });

  test('an answer that comes while it is in doubt again makes it certain', () => {
    const book = bookOf([...three, ['r1', win('w2', 70n), 'due', null]]);
    expect(book.moved).toMatchObject({ least: 50n, most: 120n });
    const sent = book.sent('r1', [win('w2', 70n)]);
    book.answered(sent, [{ type: 'credit', hash: 'w2', fate: 'processed' }], 1120n);
    expect(book).toMatchObject({ moved: { least: 120n, most: 120n }, misfits: [] });
  });

  test('once it has left, what it moved is part of the start', () => {
    const book = bookOf(three);
    book.forget('r1');
    expect(book).toMatchObject({ start: 1150n, moved: { least: -100n, most: -100n } });
  });
});
