import { describe, test } from '@jest/globals';

import { tell } from './tell';

describe('D7 a delivery that ended unknown', () => {
  test('cancels the round until the void of its debit comes', () =>
    tell(`first r 3                          -> ok  | open 7
          lost: debit a 2, credit w 5, end e -> 5xx | cancelled 10
          void a                             -> ok  | open 7`));

  test('cancels the round where nothing was written too', () =>
    tell(`first r 3            -> ok   | open 7
          unwritten: debit a 2 -> 5xx  | cancelled 7
          void a               -> ok   | open 7
          debit a 2            -> 9003 | open 7`));

  test('cancels a round that was never started', () =>
    tell(`unwritten: first r 3 -> 5xx | cancelled 10
          first a 3            -> 13  | cancelled 10
          void r               -> ok  | voided 10`));

  test('waits for no void once the round is voided', () =>
    tell(`lost: first r 3 -> 5xx | cancelled 7
          debit a 2       -> 13  | cancelled 7
          lost: debit b 2 -> 5xx | cancelled 7
          void r          -> ok  | voided 10`));

  test('waits for the void of each of its debits', () =>
    tell(`first r 3                  -> ok  | open 7
          lost: debit a 2, debit b 1 -> 5xx | cancelled 4
          void a                     -> ok  | cancelled 6
          void b                     -> ok  | open 7`));

  test('marks nothing that another delivery wrote', () =>
    tell(`first r 3, debit a 2       -> ok ok | open 5
          lost: first r 3, debit a 2 -> 5xx   | open 5
          credit w 5                 -> ok    | open 10`));

  test('marks nothing that another delivery wrote meanwhile', () =>
    tell(`first r 3            -> ok  | open 7
          unmarked: debit a 2  -> 5xx | open 5
          unwritten: debit a 2 -> 5xx | open 5
          mark 2               ->     | cancelled 5
          void a               -> ok  | open 7`));

  test('marks nothing that another delivery of the call was answered for meanwhile', () =>
    tell(`first r 3            -> ok  | open 7
          unmarked: debit a 2  -> 5xx | open 5
          debit a 2            -> ok  | open 5
          mark 2               ->     | open 5
          credit w 5           -> ok  | open 10`));

  test('marks nothing that was voided meanwhile', () =>
    tell(`first r 3           -> ok  | open 7
          unmarked: debit a 2 -> 5xx | open 5
          void a              -> ok  | open 7
          mark 2              ->     | open 7`));

  test('leaves out a credit or an end of a call without a debit, and what follows it', () =>
    tell(`first r 3          -> ok         | open 7
          lost: debit a 2    -> 5xx        | cancelled 5
          credit w 5, void a -> unknown    | cancelled 5
          end e              -> unknown    | cancelled 5
          void a, credit w 5 -> ok ok      | open 12
          end e              -> ok         | closed 12`));

  test('has new transactions of a call with a debit refused with 13, and strands nothing', () =>
    tell(`first r 3             -> ok      | open 7
          lost: debit a 2       -> 5xx     | cancelled 5
          first r 3, credit w 5 -> ok 13   | cancelled 5
          debit b 1, credit x 5 -> 13 9004 | cancelled 5
          void a                -> ok      | open 7
          credit y 5            -> ok      | open 12`));

  test('has an unanswered debit answered as unknown again, so that the RGS voids it', () =>
    tell(`first r 3                   -> ok      | open 7
          lost: debit a 2             -> 5xx     | cancelled 5
          unwritten: debit b 1        -> 5xx     | cancelled 5
          debit a 2, credit w 5       -> unknown | cancelled 5
          debit b 1                   -> unknown | cancelled 5
          debit b 2                   -> 37      | cancelled 5
          void a, void b, debit b 1   -> ok ok 9003 | open 7`));
});

describe('D7 which debits a delivery marks that ended unknown', () => {
  test.each([
    ['9001', 'debit a 30'],
    ['9002', 'debit a 3 USD'],
    ['33', 'debit a 3 discounted'],
  ])('one that the wallet declined, until its void, which ends the note too: %s', (_, debit) =>
    tell(`first r 3     -> ok         | open 7
          lost: ${debit} -> 5xx        | cancelled 7
          ${debit}       -> unknown    | cancelled 7
          debit b 2     -> 13         | cancelled 7
          credit w 5    -> unknown    | cancelled 7
          void a        -> ok         | open 7
          credit w 5    -> ok         | open 12
          ${debit}, end e -> 9003 9004  | open 12`),
  );

  test('one of a blocked player', () =>
    tell(`first r 3       -> ok  | open 7
          block           ->     | open 7
          lost: debit a 3 -> 5xx | cancelled 7
          void a          -> ok  | open 7`));

  test('a declined first debit of a round that has none accepted', () =>
    tell(`lost: first r 30 -> 5xx     | cancelled 10
          first r 30       -> unknown | cancelled 10
          first a 3        -> 13      | cancelled 10
          end e            -> unknown | cancelled 10
          void r           -> ok      | voided 10`));

  test('none whose decline another debit of the round has ended', () =>
    tell(`first r 3            -> ok   | open 7
          unmarked: debit a 30 -> 5xx  | open 7
          debit b 2            -> ok   | open 5
          mark 2               ->      | open 5
          debit a 30           -> 9001 | open 5
          credit w 5           -> ok   | open 10`));

  test('none whose decline is not the latest that the round notes', () =>
    tell(`first r 3            -> ok   | open 7
          unmarked: debit a 30 -> 5xx  | open 7
          debit b 30           -> 9001 | open 7
          mark 2               ->      | open 7
          credit w 5           -> 9004 | stranded 7`));

  test('none whose void came meanwhile', () =>
    tell(`first r 3            -> ok  | open 7
          unmarked: debit a 30 -> 5xx | open 7
          void a               -> ok  | open 7
          mark 2               ->     | open 7
          debit a 30           -> 9001 | open 7`));

  test.each([
    ['12', 'first a 3', 'open 7'],
    ['37', 'debit r 3', 'open 7'],
    ['9003', 'debit v 3', 'open 7'],
    ['13', 'end e, debit a 3', 'closed 7'],
  ])('none that was refused with %s', (_, call, outcome) =>
    tell(`first r 3    -> ok  | open 7
          void v       -> ok  | open 7
          lost: ${call} -> 5xx | ${outcome}`),
  );

  test.each([
    ['15', 'debit a 3'],
    ['33, and is a first one', 'first a 3 discounted'],
  ])('none that was refused with %s', (_, call) =>
    tell(`lost: ${call} -> 5xx | none 10
          first r 3    -> ok  | open 7`),
  );

  test('none that was refused with 13 in a round that another declined first debit has closed', () =>
    tell(`first r 30      -> 9001 | closed 10
          lost: first a 3 -> 5xx  | closed 10
          first a 3       -> 13   | closed 10
          void a          -> ok   | voided 10`));

  test('none that was refused with 9004, behind one that is marked', () =>
    tell(`first r 3                   -> ok   | open 7
          lost: debit a 30, debit b 1 -> 5xx  | cancelled 7
          debit b 1                   -> 9004 | cancelled 7
          void a                      -> ok   | open 7`));

  test('one that nobody wrote, where it could still have come', () =>
    tell(`unwritten: debit a 3 -> 5xx | none 10
          first r 3            -> ok  | open 7
          unwritten: first b 3 -> 5xx | open 7
          unwritten: debit c 3 -> 5xx | cancelled 7
          void c               -> ok  | open 7
          end e                -> ok  | closed 7
          unwritten: debit d 3 -> 5xx | closed 7
          debit d 3            -> 13  | closed 7`));
});
