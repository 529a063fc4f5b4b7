import { describe, test } from '@jest/globals';

import { tell } from './tell';

describe('D4.1 to D4.4 what a round takes', () => {
  test('D4.1 a closed round takes no new debit and no new credit', () =>
    tell(`first r 3, end e -> ok ok | closed 7
          debit a 3        -> 13    | closed 7
          credit w 3       -> 13    | stranded 7`));

  test('D4.2 a first debit that the wallet declines closes the round', () =>
    tell(`first r 30 -> 9001 | closed 10
          first a 3  -> 13   | closed 10
          debit b 3  -> 13   | closed 10`));

  test('D4.3 a second initial debit gets 12 in every state but voided', () =>
    tell(`first r 3 -> ok   | open 7
          first a 3 -> 12   | open 7
          end e     -> ok   | closed 7
          first b 3 -> 12   | closed 7
          void r    -> ok   | voided 10
          first c 3 -> 9003 | voided 10`));

  test('D4.3 a cancelled round answers a second initial debit with 12 too', () =>
    tell(`first r 3       -> ok  | open 7
          lost: debit a 3 -> 5xx | cancelled 4
          first b 3       -> 12  | cancelled 4`));

  test.each(['debit a 3', 'credit w 3', 'end e'])(
    'D4.3 a round never started refuses with 15: %s',
    (transaction) =>
      tell(`${transaction} -> 15 | none 10
            first r 3      -> ok | open 7`),
  );

  test('D4.4 a follow-up debit that the wallet declines leaves the round open', () =>
    tell(`first r 3  -> ok   | open 7
          debit a 30 -> 9001 | open 7
          debit b 3  -> ok   | open 4`));

  test('D4.9 a blocked player is paid and given back, and cannot play', () =>
    tell(`first r 3, debit a 3 -> ok ok | open 4
          block                ->       | open 4
          debit b 1            -> 9006  | open 4
          void b               -> ok    | open 4
          credit w 5           -> ok    | open 9
          void a               -> ok    | open 12`));
});

describe('D4.5 after a debit that is not processed', () => {
  test('every later new debit, credit and end of the same call is declined', () =>
    tell(`first r 3                                  -> ok                  | open 7
          debit a 30, debit b 3, credit w 5, end e -> 9001 9004 9004 9004 | open 7`));

  test('known ones of the same call are answered as they were', () =>
    tell(`first r 3, credit w 5              -> ok ok        | open 12
          debit a 30, credit w 5, credit x 5 -> 9001 ok 9004 | open 12`));

  test.each([
    ['12', 'first a 3', '12'],
    ['37', 'debit r 3', '37'],
    ['9003, voided before it came', 'debit v 3', '9003'],
    ['9001, repeated', 'debit n 30', '9001'],
  ])('whatever its id: %s', (_, debit, id) =>
    tell(`first r 3           -> ok         | open 7
          debit n 30          -> 9001       | open 7
          void v              -> ok         | open 7
          ${debit}, credit w 5 -> ${id} 9004 | open 7`),
  );

  test('in a round never started the first debit of the call is declined too', () =>
    tell(`debit a 3, first r 3 -> 15 9004 | none 10
          first b 3            -> ok      | open 7`));

  test('a credit of the same call does not strand the round', () =>
    tell(`first r 3 -> ok | open 7
          debit a 30, credit w 5 -> 9001 9004 | open 7
          debit b 2, credit x 5             -> ok ok        | open 10`));

  test('a credit of a later call is declined, and strands the round', () =>
    tell(`first r 3 -> ok | open 7
          debit a 30 -> 9001 | open 7
          credit w 5            -> 9004    | stranded 7
          credit x 5            -> 13      | stranded 7
          end e                 -> ok      | stranded 7`));

  test('a credit of a later call crashes a round that was paid to (D4.7)', () =>
    tell(`first r 3, credit v 1 -> ok ok | open 8
          debit a 30            -> 9001  | open 8
          credit w 5            -> 9004  | crashed 8`));

  test('a repeat of the call has no effect on the round', () =>
    tell(`first r 3              -> ok        | open 7
          debit a 30, credit w 5 -> 9001 9004 | open 7
          debit a 30, credit w 5 -> 9001 9004 | open 7`));
});

describe('D4.5 the noted debit lapses', () => {
  test('when another debit is accepted', () =>
    tell(`first r 3 -> ok | open 7
          debit a 30 -> 9001 | open 7
          debit b 2             -> ok      | open 5
          credit w 5            -> ok      | open 10`));

  test('when it is voided itself', () =>
    tell(`first r 3 -> ok | open 7
          debit a 30 -> 9001 | open 7
          void a                -> ok      | open 7
          credit w 5            -> ok      | open 12`));

  test('when another debit comes that was voided before it came', () =>
    tell(`first r 3 -> ok | open 7
          debit a 30 -> 9001 | open 7
          void b                -> ok      | open 7
          debit b 2             -> 9003    | open 7
          credit w 5            -> ok      | open 12`));

  test('when another debit was left unanswered, and voided', () =>
    tell(`first r 3 -> ok | open 7
          debit a 30 -> 9001 | open 7
          unwritten: debit b 2  -> 5xx     | cancelled 7
          void b                -> ok      | open 7
          credit w 5            -> ok      | open 12`));

  test('when a debit is voided that was not seen yet, and it makes no difference whether that comes behind', () =>
    tell(`first r 3  -> ok   | open 7
          debit a 30 -> 9001 | open 7
          void b     -> ok   | open 7
          credit w 5 -> ok   | open 12
          debit b 2  -> 9003 | open 12
          credit x 5 -> ok   | open 17`));

  test('not when that void comes again, or stood before the decline, or its debit arrives behind it', () =>
    tell(`first r 3  -> ok   | open 7
          void b     -> ok   | open 7
          debit a 30 -> 9001 | open 7
          void b     -> ok   | open 7
          debit b 2  -> 9003 | open 7
          credit w 5 -> 9004 | stranded 7`));

  test('not when a debit is voided that is known: declined with another, accepted, or refused with 13', () =>
    tell(`first r 3             -> ok        | open 7
          debit b 2             -> ok        | open 5
          debit c 2, debit a 30 -> 9004 9001 | open 5
          void c                -> ok        | open 5
          void b                -> ok        | open 7
          credit w 5            -> 9004      | stranded 7`));

  test('when a hash is voided that no debit ever had: nobody can tell', () =>
    tell(`first r 3  -> ok   | open 7
          debit a 30 -> 9001 | open 7
          void w     -> ok   | open 7
          credit w 5 -> ok   | open 12`));

  test('not when the void of a credit is refused (D5.7)', () =>
    tell(`first r 3, credit v 1 -> ok ok | open 8
          debit a 30            -> 9001  | open 8
          void v                -> 19    | open 8
          credit w 5            -> 9004  | crashed 8`));

  test('when the void of another debit comes in the very call, in front of the win', () =>
    tell(`first r 3          -> ok    | open 7
          debit a 30         -> 9001  | open 7
          void b, credit w 5 -> ok ok | open 12`));

  test('not when an accepted debit is sent again', () =>
    tell(`first r 3 -> ok | open 7
          debit a 30 -> 9001 | open 7
          first r 3             -> ok      | open 7
          credit w 5            -> 9004    | stranded 7`));

  test('not when another debit is void that was declined before it', () =>
    tell(`first r 3 -> ok | open 7
          debit a 30 -> 9001 | open 7
          debit b 30            -> 9001    | open 7
          void a                -> ok      | open 7
          credit w 5            -> 9004    | stranded 7`));

  test.each(['first b 3', 'debit c 3'])(
    'not when a debit is refused that the wallet did not decline: %s',
    (debit) =>
      tell(`debit c 3             -> 15      | none 10
            first r 3 -> ok | open 7
          debit a 30 -> 9001 | open 7
            ${debit}              -> ${debit.startsWith('first') ? '12' : '15'} | open 7
            credit w 5            -> 9004    | stranded 7`),
  );

  test('12 and 37 are not noted: the wallet did not decline', () =>
    tell(`first r 3  -> ok | open 7
          first a 3  -> 12 | open 7
          debit r 3  -> 37 | open 7
          credit w 5 -> ok | open 12`));

  test('33 is noted of a follow-up, and changes nothing of a first debit', () =>
    tell(`first a 3 discounted -> 33   | none 10
          first r 3            -> ok   | open 7
          debit b 3 discounted -> 33   | open 7
          credit w 5           -> 9004 | stranded 7`));
});

describe('D4.7, D4.8', () => {
  test('D4.7 a credit that is refused for good strands the round, and its debits stay', () =>
    tell(`first r 3      -> ok   | open 7
          credit w 5 USD -> 9002 | stranded 7`));

  test('D4.7 it crashes the round where a credit was accepted', () =>
    tell(`first r 3, credit v 1 -> ok ok | open 8
          credit w 5 USD        -> 9002  | crashed 8`));

  test('D4.8 an end closes an open round, and is accepted behind its end', () =>
    tell(`first r 3, end e -> ok ok | closed 7
          end f            -> ok    | closed 7
          void r           -> ok    | voided 10
          end g            -> 9003  | voided 10`));

  test('D4.8 an end on a stranded or crashed round is accepted and changes nothing', () =>
    tell(`first r 3, credit w 5 USD -> ok 9002 | stranded 7
          end e                     -> ok      | stranded 7`));
});
