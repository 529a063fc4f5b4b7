import { describe, test } from '@jest/globals';

import { tell } from './tell';

describe('D2.3 a debit that does not say whether it is the first', () => {
  test('is the first where the round has no accepted first debit, else a follow-up', () =>
    tell(`maybe a 3 -> ok | open 7
          maybe b 3 -> ok | open 4
          void b    -> ok | open 7
          void a    -> ok | voided 10`));

  test('stays what it was decided as when it is sent again', () =>
    tell(`maybe a 3 -> ok | open 7
          maybe a 3 -> ok | open 7
          first a 3 -> ok | open 7
          debit a 3 -> 37 | open 7`));
});

describe('D3.1 a known hash with the same content', () => {
  test('is answered with its recorded outcome, and nothing moves', () =>
    tell(`first r 3, credit w 5, end e -> ok ok ok | closed 12
          first r 3, credit w 5, end e -> ok ok ok | closed 12
          end e                        -> ok       | closed 12`));

  test('stays refused, though funds came since', () =>
    tell(`first r 3   -> ok   | open 7
          debit a 8   -> 9001 | open 7
          deposit 5   ->      | open 12
          debit a 8   -> 9001 | open 12`));

  test('stays refused with 15, though the round was started since', () =>
    tell(`debit a 3 -> 15 | none 10
          first r 3 -> ok | open 7
          debit a 3 -> 15 | open 7`));

  test('is refused with 9003 where it is a debit that was accepted and then voided', () =>
    tell(`first r 3 -> ok   | open 7
          debit a 3 -> ok   | open 4
          void a    -> ok   | open 7
          debit a 3 -> 9003 | open 7`));

  test('keeps its own refusal where it is a debit that was declined and then voided', () =>
    tell(`first r 3  -> ok   | open 7
          debit a 30 -> 9001 | open 7
          void a     -> ok   | open 7
          debit a 30 -> 9001 | open 7`));

  test('is refused with 9003 in a voided round, whatever it was', () =>
    tell(`first r 3, credit w 5                    -> ok ok           | open 12
          debit a 30, end e                        -> 9001 9004       | open 12
          void r                                   -> ok              | voided 10
          first r 3                                -> 9003            | voided 10
          credit w 5                               -> 9003            | voided 10
          debit a 30                               -> 9003            | voided 10
          end e                                    -> 9003            | voided 10`));
});

describe('D3.2 a known hash with other content', () => {
  test.each([
    'debit a 4',
    'debit a 3 discounted',
    'first a 3',
    'debit a 3 USD',
    'credit a 3',
    'end a',
  ])('is refused with 37 and leaves the round untouched: %s', (other) =>
    tell(`first r 3, debit a 3 -> ok ok | open 4
            ${other}             -> 37    | open 4
            debit a 3            -> ok    | open 4`),
  );

  test('is refused with 37 in a voided round too (D4.10)', () =>
    tell(`first r 3 -> ok | open 7
          void r    -> ok | voided 10
          first r 4 -> 37 | voided 10`));

  test('does not strand the round where it is a credit (D4.7)', () =>
    tell(`first r 3, credit w 5 -> ok ok | open 12
          credit w 6            -> 37    | open 12`));
});

describe('D3.3 a void carries the hash of a debit', () => {
  test('and is recorded apart from it', () =>
    tell(`first r 3, debit a 3 -> ok ok | open 4
          void a               -> ok    | open 7
          void a               -> ok    | open 7
          debit a 4            -> 37    | open 7`));
});
