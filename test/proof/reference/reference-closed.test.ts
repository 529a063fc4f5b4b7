import { describe, test } from '@jest/globals';

import { tell } from './tell';

describe('D4.7 a new win of a closed round is refused with 13, and strands or crashes it', () => {
  test('of a round that an end closed', () =>
    tell(`first r 3      -> ok | open 7
          end e          -> ok | closed 7
          credit w 5     -> 13 | stranded 7
          credit w 5     -> 13 | stranded 7
          credit x 5     -> 13 | stranded 7
          end f          -> ok | stranded 7
          debit a 1      -> 13 | stranded 7`));

  test('of one in which a credit was accepted', () =>
    tell(`first r 3, credit v 1, end e -> ok ok ok | closed 8
          credit w 5                   -> 13       | crashed 8
          credit v 1                   -> ok       | crashed 8`));

  test('of one whose only win a void has taken back', () =>
    tell(`first r 3             -> ok    | open 7
          debit a 2, credit v 1 -> ok ok | open 6
          void a                -> ok    | open 7
          end e                 -> ok    | closed 7
          credit w 5            -> 13    | stranded 7`));

  test('of one whose first debit the wallet declined', () =>
    tell(`first r 30 -> 9001 | closed 10
          credit w 5 -> 13   | stranded 10
          first a 3  -> 13   | stranded 10
          void r     -> ok   | voided 10`));

  test('in whatever currency, and in the call of its end', () =>
    tell(`first r 3                 -> ok    | open 7
          end e, credit w 5 USD -> ok 13 | stranded 7`));

  test('in a call with a debit that is known, but not behind one that failed', () =>
    tell(`first r 3, end e                 -> ok ok   | closed 7
          debit a 3, credit w 5            -> 13 9004 | closed 7
          first b 3, credit x 5            -> 12 9004 | closed 7
          first r 3, credit y 5, debit c 3 -> ok 13 13 | stranded 7`));

  test('not where the win is known, whatever its answer was', () =>
    tell(`credit w 5                     -> 15        | none 10
          first r 3, credit v 1          -> ok ok     | open 8
          debit a 30, credit x 5         -> 9001 9004 | open 8
          end e                          -> ok        | closed 8
          credit w 5                     -> 15        | closed 8
          credit v 1                     -> ok        | closed 8
          credit x 5                     -> 9004      | closed 8
          credit v 2                     -> 37        | closed 8`));

  test('not in a cancelled round, which goes back to what it was', () =>
    tell(`first r 3                             -> ok    | open 7
          unmarked: debit a 2                   -> 5xx   | open 5
          end e                                 -> ok    | closed 5
          mark 2                                ->       | cancelled 5
          first r 3, credit w 5                 -> ok 13 | cancelled 5
          void a                                -> ok    | closed 7
          credit x 5                            -> 13    | stranded 7`));

  test('as it was before a late mark cancelled it', () =>
    tell(`first r 3           -> ok  | open 7
          unmarked: debit a 2 -> 5xx | open 5
          end e               -> ok  | closed 5
          credit w 5          -> 13  | stranded 5
          mark 2              ->     | cancelled 5
          void a              -> ok  | stranded 7`));
});

describe('D5.3 a void behind such a win', () => {
  test('leaves the round stranded where it takes the end back: the win came later', () =>
    tell(`first r 3        -> ok    | open 7
          debit a 2, end e -> ok ok | closed 5
          credit w 5       -> 13    | stranded 5
          void a           -> ok    | stranded 7
          end e            -> 9004  | stranded 7
          credit w 5       -> 13    | stranded 7`));

  test('takes the win back with its debit: the round is as if it had not come', () =>
    tell(`first r 3             -> ok    | open 7
          debit a 2             -> ok    | open 5
          end e                 -> ok    | closed 5
          debit a 2, credit w 5 -> ok 13 | stranded 5
          void a                -> ok    | closed 7
          credit w 5            -> 9004  | closed 7
          credit x 5            -> 13    | stranded 7`));

  test('opens the round where both were of its call', () =>
    tell(`first r 3                    -> ok       | open 7
          debit a 2, end e, credit w 5 -> ok ok 13 | stranded 5
          void a                       -> ok       | open 7
          credit w 5                   -> 9004     | open 7
          credit x 5                   -> ok       | open 12`));

  test('of the first debit voids it', () =>
    tell(`first r 3, end e -> ok ok | closed 7
          credit w 5       -> 13    | stranded 7
          void r           -> ok    | voided 10
          credit w 5       -> 9003  | voided 10`));
});

describe('D5.2, D5.4, D5.5 the gameRound as hash counts as saying that it is the first', () => {
  test('where it was refused with 15', () =>
    tell(`debit r 3 -> 15   | none 10
          void r    -> ok   | voided 10
          first a 3 -> 9003 | voided 10`));

  test('where it failed with another one', () =>
    tell(`debit a 3, debit r 3 -> 15 9004 | none 10
          void a               -> ok      | none 10
          void r               -> ok      | voided 10`));

  test('where another first debit was declined', () =>
    tell(`first a 30 -> 9001 | closed 10
          debit r 3  -> 13   | closed 10
          void r     -> ok   | voided 10`));

  test('not where the round has an accepted one, whatever it says of itself', () =>
    tell(`first a 3            -> ok      | open 7
          debit r 3            -> ok      | open 4
          void r               -> ok      | open 7
          void a               -> ok      | voided 10`));

  test('not where it is the hash of a credit (D5.7)', () =>
    tell(`credit r 3 -> 15 | none 10
          void r     -> 19 | none 10
          first a 3  -> ok | open 7`));

  test('where the void came before it', () =>
    tell(`void r    -> ok   | voided 10
          debit r 3 -> 9003 | voided 10`));
});
