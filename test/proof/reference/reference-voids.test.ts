import { describe, test } from '@jest/globals';

import { tell } from './tell';

describe('D5.2 the void of the first debit', () => {
  test('takes every debit and credit of the round back', () =>
    tell(`first r 3, credit w 5 -> ok ok | open 12
          debit a 4, credit x 9 -> ok ok | open 17
          void r                -> ok    | voided 10
          void r                -> ok    | voided 10`));

  test('is processed on a closed, stranded or crashed round (D5.1)', () =>
    tell(`first r 3, credit w 5, end e -> ok ok ok | closed 12
          void r                       -> ok       | voided 10`));

  test('takes back what was spent since: the balance may go below zero', () =>
    tell(`first r 1, credit w 4 -> ok ok | open 13
          debit a 13            -> ok    | open 0
          void r                -> ok    | voided 10`));

  test('may leave a balance below zero, which takes a free play and no stake', () =>
    tell(`first r 1             -> ok    | open 9
          debit a 1, credit w 9 -> ok ok | open 17
          debit b 17            -> ok    | open 0
          void a                -> ok    | open -8
          debit c 0             -> ok    | open -8
          debit d 1             -> 9001  | open -8`));

  test('concerns the accepted one, whatever its hash and whichever other one is marked as first', () =>
    tell(`first a 3 -> ok | open 7
          first r 3 -> 12 | open 7
          void r    -> ok | open 7
          void a    -> ok | voided 10`));
});

describe('D5.3 the void of a follow-up debit', () => {
  test('takes back the credit and the end behind it, and the round is open again', () =>
    tell(`first r 3                    -> ok       | open 7
          debit a 2, credit w 5, end e -> ok ok ok | closed 10
          void a                       -> ok       | open 7
          credit w 5                   -> 9004     | open 7
          end e                        -> 9004     | open 7
          debit b 2, credit x 5        -> ok ok    | open 10`));

  test('leaves what came before the debit in its call', () =>
    tell(`first r 3                          -> ok       | open 7
          credit v 1, debit a 2, credit w 5 -> ok ok ok | open 11
          void a                            -> ok       | open 8`));

  test('leaves what came behind the next debit', () =>
    tell(`first r 3                                    -> ok          | open 7
          debit a 2, credit w 5, debit b 1, credit x 4 -> ok ok ok ok | open 13
          void a                                       -> ok          | open 10
          void b                                       -> ok          | open 7`));

  test('leaves the same whether the voids of all its debits come before or after', () =>
    tell(`first r 3                                    -> ok                  | open 7
          void a                                       -> ok                  | open 7
          void b                                       -> ok                  | open 7
          debit a 2, credit w 5, debit b 1, credit x 4 -> 9003 9004 9003 9004 | open 7`));

  test('takes back what a call brought that only repeats the debit', () =>
    tell(`first r 3             -> ok    | open 7
          debit a 2             -> ok    | open 5
          debit a 2, credit w 5 -> ok ok | open 10
          void a                -> ok    | open 7`));

  test('leaves a known credit that a call only repeats behind it', () =>
    tell(`first r 3             -> ok    | open 7
          credit w 5            -> ok    | open 12
          debit a 2, credit w 5 -> ok ok | open 10
          void a                -> ok    | open 12`));

  test('leaves the credit of another call', () =>
    tell(`first r 3, debit a 2 -> ok ok | open 5
          credit w 5           -> ok    | open 10
          void a               -> ok    | open 12`));

  test('leaves the round closed where a later call has ended it since', () =>
    tell(`first r 3        -> ok    | open 7
          debit a 2, end e -> ok ok | closed 5
          end f            -> ok    | closed 5
          void a           -> ok    | closed 7`));

  test('opens a round again that the call stranded or crashed', () =>
    tell(`first r 3                             -> ok         | open 7
          debit a 2, credit w 5, credit x 5 USD -> ok ok 9002 | crashed 10
          void a                                -> ok         | open 7
          credit x 5 USD                        -> 9004       | open 7
          credit y 5 USD                        -> 9002       | stranded 7`));

  test('leaves a debit refused that found the round closed meanwhile', () =>
    tell(`first r 3        -> ok    | open 7
          debit a 2, end e -> ok ok | closed 5
          debit b 2        -> 13    | closed 5
          void a           -> ok    | open 7
          debit b 2        -> 13    | open 7`));

  test('has no second effect on what comes later', () =>
    tell(`first r 3             -> ok        | open 7
          debit a 2             -> ok        | open 5
          void a                -> ok        | open 7
          debit a 2, credit w 5 -> 9003 9004 | open 7
          credit x 5            -> ok        | open 12
          void a                -> ok        | open 12`));

  test('declines what stands behind it in its own call, as if it had come first', () =>
    tell(`first r 3                             -> ok                | open 7
          debit a 2, void a, credit w 5, end e -> ok ok 9004 9004   | open 7
          debit a 2, void a, credit w 5, end e -> 9003 ok 9004 9004 | open 7
          credit x 5                            -> ok                | open 12`));

  test('leaves a debit behind it in its own call to its void, since the call is in parts (D4.6, D7)', () =>
    tell(`first r 3                            -> ok   | open 7
          debit a 2, void a, end e, debit b 1 -> 5xx  | cancelled 7
          void b                               -> ok   | open 7
          end e, debit b 1                    -> ok 9003 | closed 7`));

  test('declines it behind a known debit too, which is answered as it was', () =>
    tell(`first r 3, debit b 1                    -> ok ok         | open 6
          debit a 2, void a, debit b 1, credit w 5 -> ok ok ok 9004 | open 6`));

  test('leaves what stands behind the next debit, where it came behind that one', () =>
    tell(`first r 3                                -> ok          | open 7
          debit a 2, debit b 1, void a, credit w 5 -> ok ok ok ok | open 11`));
});

describe('D5.4 the void of a declined debit', () => {
  test('gives nothing back of a follow-up', () =>
    tell(`first r 3 -> ok | open 7
          debit a 30 -> 9001 | open 7
          void a                -> ok      | open 7`));

  test('voids the round where it was the first and none was accepted', () =>
    tell(`first r 30 -> 9001 | closed 10
          void r     -> ok   | voided 10
          first a 3  -> 9003 | voided 10`));

  test('voids the round where it only says that it is the first', () =>
    tell(`debit b 3, first a 3 -> 15 9004 | none 10
          void b               -> ok      | none 10
          void a               -> ok      | voided 10`));
});

describe('D5.5 the void of an unknown hash', () => {
  test('is remembered, and the debit moves nothing when it comes', () =>
    tell(`first r 3 -> ok   | open 7
          void a    -> ok   | open 7
          debit a 3 -> 9003 | open 7
          debit a 3 -> 9003 | open 7`));

  test('voids the round when it turns out to be its first debit', () =>
    tell(`void a     -> ok   | none 10
          first a 3  -> 9003 | voided 10
          credit w 5 -> 9003 | voided 10`));

  test('voids the round at once where the hash is the gameRound', () =>
    tell(`void r    -> ok   | voided 10
          first a 3 -> 9003 | voided 10`));

  test('does not void a round with an accepted first debit', () =>
    tell(`first a 3 -> ok   | open 7
          void r    -> ok   | open 7
          first r 3 -> 9003 | open 7`));

  test('concerns debits alone: a credit of that hash is processed', () =>
    tell(`first r 3  -> ok | open 7
          void w     -> ok | open 7
          credit w 5 -> ok | open 12
          void w     -> ok | open 12`));
});

describe('D5.7 the void of a credit', () => {
  test('is refused with 19, and nothing moves', () =>
    tell(`first r 3, credit w 5 -> ok ok | open 12
          void w                -> 19    | open 12
          credit w 5            -> ok    | open 12`));
});
