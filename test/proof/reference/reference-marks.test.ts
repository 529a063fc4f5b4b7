import { describe, test } from '@jest/globals';

import { tell } from './tell';

describe('D7 the mark records the new credits and ends behind the debits that it marks as declined', () => {
  test('so that the win of a call that nobody wrote is not paid behind the void', () =>
    tell(`first r 3                        -> ok   | open 7
          unwritten: debit a 2, credit w 5 -> 5xx  | cancelled 7
          credit w 5                       -> 9004 | cancelled 7
          void a                           -> ok   | open 7
          credit w 5                       -> 9004 | open 7
          credit w 6                       -> 37   | open 7
          credit x 5                       -> ok   | open 12`));

  test('and its end does not close the round', () =>
    tell(`first r 3                           -> ok   | open 7
          unwritten: debit a 2, end e, void x -> 5xx  | cancelled 7
          void a                              -> ok   | open 7
          end e                               -> 9004 | open 7
          end f                               -> ok   | closed 7`));

  test('of a round that was never started, too', () =>
    tell(`unwritten: first r 3, credit w 5 -> 5xx  | cancelled 10
          credit w 5                       -> 9004 | cancelled 10
          void r                           -> ok   | voided 10
          credit w 5                       -> 9003 | voided 10`));

  test('behind any debit that it marks, not only right behind it', () =>
    tell(`first r 3                                    -> ok   | open 7
          debit b 1                                    -> ok   | open 6
          unwritten: debit a 2, debit b 1, credit w 5 -> 5xx  | cancelled 6
          void a                                       -> ok   | open 6
          credit w 5                                   -> 9004 | open 6`));

  test('not what stands in front of them', () =>
    tell(`first r 3                                    -> ok      | open 7
          unwritten: credit v 5, debit a 2, credit w 1 -> 5xx     | cancelled 7
          credit v 5                                   -> unknown | cancelled 7
          void a                                       -> ok      | open 7
          credit v 5                                   -> ok      | open 12
          credit w 1                                   -> 9004    | open 12`));

  test('in the order of the call, which decides between two of one hash', () =>
    tell(`first r 3                                   -> ok   | open 7
          unwritten: debit a 2, credit w 5, debit w 3 -> 5xx  | cancelled 7
          void a                                      -> ok   | open 7
          debit w 3                                   -> 37   | open 7
          credit w 5                                  -> 9004 | open 7`));

  test('not what is known: it was paid before, or has another content', () =>
    tell(`first r 3, credit w 5                                -> ok ok | open 12
          unwritten: debit a 2, credit w 5, credit r 1, end e -> 5xx   | cancelled 12
          void a                                               -> ok    | open 12
          credit w 5, first r 3                                -> ok ok | open 12`));

  test('not where it marks no debit', () =>
    tell(`first r 3                        -> ok    | open 7
          debit a 2                        -> ok    | open 5
          unwritten: debit a 2, credit w 5 -> 5xx   | open 5
          unwritten: first b 2, credit x 1 -> 5xx   | open 5
          credit w 5, credit x 1           -> ok ok | open 11`));

  test('not where nothing is marked, since the process died', () =>
    tell(`first r 3                      -> ok  | open 7
          unmarked: debit a 2            -> 5xx | open 5
          void a                         -> ok  | open 7
          credit w 5                     -> ok  | open 12`));

  test('nor where the void was faster', () =>
    tell(`first r 3                        -> ok   | open 7
          void a                           -> ok   | open 7
          unwritten: debit a 2, credit w 5 -> 5xx  | open 7
          credit w 5                       -> ok   | open 12`));

  test('nor where another delivery has marked it before', () =>
    tell(`first r 3                        -> ok      | open 7
          unwritten: debit a 2             -> 5xx     | cancelled 7
          unwritten: debit a 2, credit w 5 -> 5xx     | cancelled 7
          credit w 5                       -> unknown | cancelled 7
          void a, credit w 5               -> ok ok   | open 12`));

  test('what it records is no win that strands or crashes the round, then or later', () =>
    tell(`first r 3, credit v 1            -> ok ok     | open 8
          unwritten: debit a 2, credit w 5 -> 5xx       | cancelled 8
          credit w 5, end e                -> 9004 unknown | cancelled 8
          void a                           -> ok        | open 8
          end e                            -> ok        | closed 8
          credit w 5                       -> 9004      | closed 8`));

  test('a win that its own delivery wrote stays as it was written, and goes back with the void (D5.3)', () =>
    tell(`first r 3                   -> ok   | open 7
          lost: debit a 2, credit w 5 -> 5xx  | cancelled 10
          credit w 5                  -> ok   | cancelled 10
          void a                      -> ok   | open 7
          credit w 5                  -> 9004 | open 7`));
});
