import { describe, expect, test } from '@jest/globals';

import {
  type Move,
  netOf,
  newRound,
  type ReferenceRound,
  roundAfter,
  rulingOn,
} from '../../../../lib/proof/certify/cases/histories/reference';

const start = 100n;

/** `debit! d 10` is the first debit, `debit f 10` a follow-up one; `void! d` is the void of a first debit. */
function moveOf(text: string): Move {
  const [word = '', name = '', amount = '0'] = text.split(' ');
  const type = word.replace('!', '') as Move['type'];
  return { type, name, isFirst: word.endsWith('!'), amount: BigInt(amount) };
}

/** A round after these transactions; `no` before one that the wallet refused, `+` joins those of a call. */
function roundOf(history: string): ReferenceRound {
  let round = newRound;
  for (const call of history.split(', ').filter((text) => text !== '')) {
    const parts = call.split(' + ');
    for (const [at, part] of parts.entries()) {
      const isRefused = part.startsWith('no ');
      round = roundAfter(round, moveOf(part.replace('no ', '')), !isRefused, at < parts.length - 1);
    }
  }
  return round;
}

/** What must happen to a transaction; `silent` if the specification does not say it. */
function expectedOf(history: string, next: string): string {
  const round = roundOf(history);
  return rulingOn(round, moveOf(next), start + netOf(round))?.expected ?? 'silent';
}

describe('the reference decides as Operator API 3 and 4.1 are written', () => {
  test.each([
    // history, next, expected
    ['', 'debit! d 100', 'processed'],
    ['', 'debit! d 101', 'refused'],
    ['', 'debit f 10', 'silent'],
    ['', 'credit c 10', 'silent'],
    ['', 'end e', 'silent'],
    ['debit! d 10', 'credit c 5', 'processed'],
    ['debit! d 10', 'debit f 90', 'processed'],
    ['debit! d 10', 'debit f 91', 'refused'],
    ['debit! d 10, credit c 1', 'debit f 91', 'processed'],
    ['debit! d 10', 'end e', 'processed'],
  ])('an open round takes what the balance covers: %s | %s is %s', (history, next, expected) => {
    expect(expectedOf(history, next)).toBe(expected);
  });

  test.each([
    ['debit! d 10', 'debit! d2 10', 'refused'],
    ['debit! d 10, no debit! d2 10', 'credit c 5', 'silent'],
    ['debit! d 10, no debit! d2 10', 'void! d2', 'silent'],
    ['debit! d 10, no debit! d2 10', 'void! d', 'processed'],
  ])('4.1 rule 3, a second initial debit: %s | %s is %s', (history, next, expected) => {
    expect(expectedOf(history, next)).toBe(expected);
    expect(rulingOn(roundOf('debit! d 10'), moveOf('debit! x 1'), 90n)?.errorId).toBe(12);
  });

  test.each([
    ['no debit! d 101', 'credit c 5', 'refused'],
    ['no debit! d 101', 'debit f 5', 'refused'],
    ['no debit! d 101', 'end e', 'silent'],
    ['debit! d 10, no debit f 101', 'credit c 5', 'refused'],
    ['debit! d 10, no debit f 101', 'debit g 5', 'processed'],
    ['debit! d 10, no debit f 101, debit g 5', 'credit c 5', 'either'],
    ['debit! d 10, no debit f 101, void g', 'credit c 5', 'either'],
    ['debit! d 10, no debit f 101, void f', 'credit c 5', 'either'],
    ['debit! d 10, no debit f 101, no credit c 5', 'credit c2 5', 'silent'],
    ['debit! d 10, no debit f 101', 'end e', 'processed'],
  ])('3 rule 1, behind a failed debit: %s | %s is %s', (history, next, expected) => {
    expect(expectedOf(history, next)).toBe(expected);
  });

  test.each([
    ['void! d', 'debit! d 10', 'unmoved'],
    ['void! d', 'void! d', 'processed'],
    ['void! d', 'debit! x 10', 'silent'],
    ['void! d, no debit! d 10', 'credit c 5', 'refused'],
    ['void! d, no debit! d 10', 'debit! x 5', 'refused'],
    ['debit! d 10, void f', 'debit f 10', 'unmoved'],
    ['debit! d 10, void f, no debit f 10', 'credit c 10', 'either'],
    ['debit! d 10, end e', 'void f', 'silent'],
  ])('3 rule 2, a void before its debit: %s | %s is %s', (history, next, expected) => {
    expect(expectedOf(history, next)).toBe(expected);
  });

  test.each([
    ['debit! d 10, end e', 'credit c 5', 'refused'],
    ['debit! d 10, end e', 'debit f 5', 'refused'],
    ['debit! d 10, end e', 'debit! x 5', 'refused'],
    ['debit! d 10, end e', 'end e2', 'silent'],
    ['debit! d 10, end e', 'void! d', 'processed'],
    ['debit! d 10, debit f 5, end e', 'void f', 'processed'],
    ['debit! d 10, debit f 5, void f', 'void f', 'processed'],
    ['no debit! d 101', 'void! d', 'processed'],
    ['debit! d 10, debit f 5 + credit c 5', 'void f', 'silent'],
    ['debit! d 10, debit f 5, credit c 5', 'void f', 'processed'],
  ])('3 rule 3, closed rounds and voids: %s | %s is %s', (history, next, expected) => {
    expect(expectedOf(history, next)).toBe(expected);
  });

  test.each([
    ['debit! d 10, void! d', 'credit c 5', 'refused'],
    ['debit! d 10, void! d', 'debit f 5', 'refused'],
    ['debit! d 10, void! d', 'end e', 'refused'],
    ['debit! d 10, void! d', 'debit! d 10', 'unmoved'],
    ['debit! d 10, void! d', 'void! d', 'unmoved'],
  ])('3 rule 4, voided rounds: %s | %s is %s', (history, next, expected) => {
    expect(expectedOf(history, next)).toBe(expected);
  });

  test.each([
    // A second initial debit to some: 200, or error 12.
    ['debit! d 10', 'debit! d 10', 'unmoved'],
    ['debit! d 10, debit f 5', 'debit f 5', 'processed'],
    ['debit! d 10, credit c 5', 'credit c 5', 'processed'],
    ['debit! d 10, credit c 5, end e', 'credit c 5', 'processed'],
    ['debit! d 10, end e', 'end e', 'processed'],
    ['no debit! d 101', 'debit! d 101', 'refused'],
    ['debit! d 10, no debit f 101', 'debit f 101', 'refused'],
    ['debit! d 10, no debit f 80', 'debit f 80', 'silent'],
    ['debit! d 10, end e, no credit c 5', 'credit c 5', 'refused'],
    ['debit! d 10, debit f 5, void f', 'debit f 5', 'unmoved'],
    ['debit! d 10, credit c 5, no debit f 101', 'credit c 5', 'unmoved'],
    ['debit! d 10, no debit f 101, debit g 5, no credit c 5', 'credit c 5', 'silent'],
  ])('4.1 rule 1, resends: %s | %s is %s', (history, next, expected) => {
    expect(expectedOf(history, next)).toBe(expected);
  });
});

describe('the reference knows what a round has paid', () => {
  test.each([
    ['', 0n],
    ['debit! d 10', -10n],
    ['no debit! d 101', 0n],
    ['debit! d 10, credit c 25, end e', 15n],
    ['debit! d 10, debit f 5, void f', -10n],
    ['debit! d 10, debit f 5, credit c 7, void f', -3n],
    ['debit! d 10, debit f 5, credit c 7, end e, void! d', 0n],
    ['void! d, debit! d 10', 0n],
    ['debit! d 10, void f, debit f 5', -10n],
    ['debit! d 10, debit! d 10, credit c 5, credit c 5', -5n],
  ])('%s: %s', (history, net) => {
    expect(netOf(roundOf(history))).toBe(net);
  });
});
