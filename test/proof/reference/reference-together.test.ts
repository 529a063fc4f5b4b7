import { describe, test } from '@jest/globals';

import { tell } from './tell';

describe('D4.6 the new debits of a call stand or fall together', () => {
  test('the first one falls with a later one that the wallet declines, and nothing of it moves', () =>
    tell(`first r 3             -> ok        | open 7
          debit a 3, debit b 30 -> 9004 9001 | open 7
          debit a 3, debit b 30 -> 9004 9001 | open 7
          debit a 3             -> 9004      | open 7`));

  test('those that together take too much fall, though each could be paid', () =>
    tell(`first r 3                       -> ok             | open 7
          debit a 3, debit b 3, debit c 3 -> 9004 9004 9001 | open 7
          debit d 7                       -> ok             | open 0`));

  test('what stands between and behind them falls too, and strands nothing', () =>
    tell(`first r 3                                                    -> ok                            | open 7
          debit a 3, credit w 12, end e, credit x 1, debit b 30, end f -> 9004 9004 9004 9004 13 9004   | open 7
          debit c 3, credit y 3 USD, debit d 3                         -> 9004 9004 13                  | open 7
          debit g 3, credit z 12                                       -> ok ok                         | open 16`));

  test('a win between them that could pay for the second is counted', () =>
    tell(`first r 3                           -> ok       | open 7
          debit a 7, credit w 12, debit b 12 -> ok ok ok | open 0`));

  test('what came before the first new debit stays processed', () =>
    tell(`first r 3                                     -> ok                  | open 7
          credit w 5, debit a 3, credit x 5, debit b 30 -> ok 9004 9004 9001 | open 12
          credit w 5                                    -> ok                  | open 12
          credit x 5                                    -> 9004                | open 12`));

  test('a win before the first new debit that strands the round has done so', () =>
    tell(`first r 3                        -> ok           | open 7
          credit w 5 USD, debit a 3, end e -> 9002 13 9004 | stranded 7`));

  test('known ones stay as they are, and a win between a known one and the first new one too', () =>
    tell(`first r 3, debit a 2                          -> ok ok               | open 5
          debit a 2, credit w 4, debit c 1, debit d 30  -> ok ok 9004 9001 | open 9
          debit a 2, credit w 4, debit b 30, credit x 5 -> ok ok 9001 9004 | open 9`));

  test.each([
    ['declined before, in front of it', 'debit n 30, debit a 3, credit w 5', '9001 9004 9004'],
    ['declined before, behind it', 'debit a 3, credit w 5, debit n 30', '9004 9004 9001'],
    ['with other content', 'debit a 3, debit n 31', '9004 37'],
    ['with other content, of the same call', 'debit a 3, debit a 4', '9004 37'],
    ['voided before it came', 'debit a 3, debit v 3', '9004 9003'],
    ['a second initial one', 'debit a 3, first b 3', '9004 12'],
    ['of another currency', 'debit a 3, debit b 3 USD', '9004 9002'],
    [
      'of another currency, which no account is asked for',
      'debit a 30, debit b 3 USD',
      '9004 9002',
    ],
    ['with a discount that nobody has', 'debit a 3, debit b 3 discounted', '9004 33'],
    ['behind an end', 'debit a 3, end e, debit b 3', '9004 9004 13'],
  ])('whatever its id, and where it is repeated: one %s', (_, call, answers) =>
    tell(`first r 3  -> ok   | open 7
          debit n 30 -> 9001 | open 7
          void v     -> ok   | open 7
          ${call}    -> ${answers} | open 7`),
  );

  test('the wallet is not asked for a debit beside one that a rule refuses: it notes nothing (D4.10)', () =>
    tell(`first r 3              -> ok        | open 7
          debit a 30, first b 3  -> 9004 12   | open 7
          credit w 5             -> ok        | open 12`));

  test('the first of several that fail by themselves has its own id', () =>
    tell(`debit a 3, debit b 3   -> 15 9004   | none 10
          first r 3              -> ok        | open 7
          debit c 30, debit d 30 -> 9001 9004 | open 7
          end e                  -> ok        | closed 7
          debit f 3, debit c 30  -> 13 9001   | closed 7`));

  test('the round notes the one that the wallet declined, and not the one that fell with it', () =>
    tell(`first r 3             -> ok        | open 7
          debit a 3, debit b 30 -> 9004 9001 | open 7
          void a                -> ok        | open 7
          credit w 5            -> 9004      | stranded 7`));

  test('so that the void of the declined one ends the note', () =>
    tell(`first r 3             -> ok        | open 7
          debit a 3, debit b 30 -> 9004 9001 | open 7
          void b                -> ok        | open 7
          credit w 5            -> ok        | open 12
          debit a 3             -> 9004      | open 12
          debit b 30            -> 9001      | open 12`));

  test('one that fell ends no decline, since it was not accepted', () =>
    tell(`first r 3            -> ok      | open 7
          debit n 30           -> 9001    | open 7
          debit a 3, first b 3 -> 9004 12 | open 7
          credit w 5           -> 9004    | stranded 7`));

  test('it is a resend of the whole that stays refused, though funds came since', () =>
    tell(`first r 3             -> ok             | open 7
          debit a 3, debit b 8  -> 9004 9001      | open 7
          deposit 5             ->                | open 12
          debit a 3, debit b 8  -> 9004 9001      | open 12
          debit a 3, debit c 1  -> 9004 9004      | open 12`));
});

describe("D4.6 the round's first debit falls", () => {
  test('the round is closed, as where the wallet declines it (D4.2)', () =>
    tell(`first r 3, debit a 30 -> 9004 9001 | closed 10
          first b 3             -> 13        | closed 10
          debit c 3             -> 13        | closed 10
          first r 3             -> 9004      | closed 10
          void a                -> ok        | closed 10
          void r                -> ok        | voided 10
          first r 3             -> 9003      | voided 10`));

  test.each([
    ['first r 3, first b 3', '9004 12'],
    ['first r 3, first r 4', '9004 37'],
    ['first r 3, debit v 3', '9004 9003'],
    ['first r 3, end e, debit a 3', '9004 9004 13'],
    ['first r 3, credit w 3 USD, debit a 3', '9004 9004 13'],
  ])('whatever the other one was refused for: %s', (call, answers) =>
    tell(`void v -> ok | none 10
          ${call} -> ${answers} | closed 10`),
  );

  test('one that stands behind the failed one changes no state (D4.5)', () =>
    tell(`debit a 3, first r 3 -> 15 9004 | none 10
          first b 3            -> ok      | open 7`));

  test('what a debit is that does not say so is decided as its turn comes (D2.3)', () =>
    tell(`maybe a 3, maybe b 30 -> 9004 9001 | closed 10
          void b                -> ok        | closed 10
          void a                -> ok        | voided 10`));

  test('one whose void came before is then the first, if it does not say what it is (D2.3, D4.10, D5.5)', () =>
    tell(`void c                -> ok        | none 10
          first r 3, maybe c 3  -> 9004 9003 | voided 10`));

  test('a win of a later call strands the round: nobody knows what it pays (D4.7)', () =>
    tell(`first r 3, debit a 30 -> 9004 9001 | closed 10
          credit w 5            -> 13        | stranded 10
          void r                -> ok        | voided 10`));

  test('it is not marked, only what the wallet declined is (D7)', () =>
    tell(`lost: first r 3, debit a 30 -> 5xx     | cancelled 10
          debit a 30                  -> unknown | cancelled 10
          first r 3                   -> 9004    | cancelled 10
          void a                      -> ok      | closed 10
          void r                      -> ok      | voided 10`));

  test('nor is a follow-up that fell (D7)', () =>
    tell(`first r 3                   -> ok      | open 7
          lost: debit a 3, debit b 30 -> 5xx     | cancelled 7
          debit a 3                   -> 9004    | cancelled 7
          void b                      -> ok      | open 7`));
});

describe('D4.6 a call that a void parts', () => {
  test('is answered 5xx where a debit in front of the void stands, and nets to zero once it is voided (D7)', () =>
    tell(`first r 3                     -> ok  | open 7
          debit a 3, void x, debit b 30 -> 5xx | cancelled 4
          debit a 3                     -> unknown | cancelled 4
          void a, void b                -> ok ok | open 7
          credit w 5                    -> ok  | open 12`));

  test('with a first debit, too', () =>
    tell(`first r 3, credit w 5, void x, credit y 5, debit b 30, end e -> 5xx | cancelled 12
          void b                                                       -> ok  | cancelled 12
          void r                                                       -> ok  | voided 10`));

  test('has all its voids processed in any case', () =>
    tell(`first r 3, debit a 2                  -> ok ok | open 5
          debit b 2, void x, debit c 30, void a -> 5xx   | cancelled 5
          void b, void c                        -> ok ok | open 7`));

  test('falls as a whole where the void comes in front of or behind its new debits', () =>
    tell(`first r 3                     -> ok           | open 7
          void x, debit a 3, debit b 30 -> ok 9004 9001 | open 7
          debit c 3, debit d 30, void y -> 9004 9001 ok | open 7
          credit w 5                    -> ok           | open 12`));

  test('is refused where no earlier part wrote a debit: what came in front is known, or a credit', () =>
    tell(`first r 3                            -> ok              | open 7
          first r 3, void x, debit a 30, end e -> ok ok 9001 9004 | open 7
          void a                               -> ok              | open 7
          credit w 5, void y, debit b 30       -> ok ok 9001      | open 12`));

  test('is answered 5xx, too, where the void takes that debit back', () =>
    tell(`first r 3                                -> ok  | open 7
          debit c 3, void c, debit d 3, credit v 1 -> 5xx | cancelled 7
          void c, void d                           -> ok ok | open 7
          credit v 1                               -> 9004 | open 7`));

  test('is refused where a debit in front of the void failed', () =>
    tell(`first r 3                                -> ok                | open 7
          debit a 3, debit b 30, void x, debit c 1 -> 9004 9001 ok 9004 | open 7`));

  test('stands where the void takes one of its debits back and none fails', () =>
    tell(`first r 3                                -> ok          | open 7
          debit a 2, debit b 1, void a, credit w 5 -> ok ok ok ok | open 11`));
});

describe('P10 no part of a call is committed before a debit that fails by its record', () => {
  test.each([
    ['declined', 'debit a 3, void x, debit n 30', '9004 ok 9001'],
    ['declined, with other content', 'debit a 3, void x, debit n 31', '9004 ok 37'],
    ['voided before it came', 'debit a 3, void x, debit v 3', '9004 ok 9003'],
    ['accepted and voided', 'debit a 3, void x, debit h 1', '9004 ok 9003'],
    ['voided by the call itself', 'void b, debit a 3, void x, debit b 3', 'ok 9004 ok 9003'],
  ])('one that is %s: nothing is taken, and the call is refused', (_, call, answers) =>
    tell(`first r 3         -> ok    | open 7
          debit n 30        -> 9001  | open 7
          void v            -> ok    | open 7
          debit h 1, void h -> ok ok | open 7
          ${call} -> ${answers} | open 7
          credit w 5        -> ok    | open 12`),
  );

  test('the first debit of the round falls, and closes it (D4.2)', () =>
    tell(`void v                                   -> ok                | none 10
          first r 3, void x, debit v 3, credit w 3 -> 9004 ok 9003 9004 | closed 10`));

  test('so do a debit and a win between, in whatever part, and the wallet is not asked (D4.10)', () =>
    tell(`first r 3  -> ok   | open 7
          debit n 30 -> 9001 | open 7
          void n     -> ok   | open 7
          debit a 3, credit w 5, void x, debit b 30, void y, debit n 30 -> 9004 9004 ok 9004 ok 9001 | open 7
          credit z 5 -> ok   | open 12`));

  test('what came before the first new debit stays processed, in whatever part', () =>
    tell(`first r 3  -> ok   | open 7
          debit n 30 -> 9001 | open 7
          void n     -> ok   | open 7
          credit w 5, void x, debit a 3, credit y 5, void z, debit n 30 -> ok ok 9004 9004 ok 9001 | open 12`));

  test.each([
    ['a second initial one, which the round refuses', 'debit a 3, void x, first b 3'],
    ['one that is voided behind the first part', 'debit a 3, void b, debit b 3'],
    ['one with other content than the first part has', 'debit a 3, void x, debit a 4'],
  ])('nothing is on record of %s: the call is answered 5xx (D7)', (_, call) =>
    tell(`first r 3 -> ok  | open 7
          ${call}   -> 5xx | cancelled 4`),
  );
});
