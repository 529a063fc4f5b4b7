import { describe, expect, test } from '@jest/globals';

import { settle } from '../../../lib/rgs/settlement/settle';
import { fatesOf, readTable, furtherOf } from './notation';

const silence = readTable(`
W7        | with a debit in doubt the credit and the end of its call are dropped   | d1* c1 e1 | time-out | withdrawn dropped dropped | cancelled
W7        | so they are with a follow-up debit                                     | d2 c1 e1  | cut      | withdrawn dropped dropped | -
W7        | they are dropped though the 5xx lists them                             | d2 c1 e1  | 500 d2 c1 e1 | withdrawn dropped dropped | -
W7        | a credit listed with an error is dropped and does not strand the round | d2 c1     | 500 d2 c1!9005 | withdrawn dropped | -
O 3       | what stands before a follow-up debit is of an earlier play: it is due  | c1 d2 c2  | 503      | due withdrawn dropped     | credits
O 4.1 (5) | it is paid where the 5xx lists it                                      | c1 d2 c2  | 503 c1   | processed withdrawn dropped | -
O 3       | the void of a first debit cancels what stands before it as well        | c1 d1* c2 | 503 c1   | dropped withdrawn dropped | cancelled
W4        | a void of a call in doubt stays due                                    | v:d1 d2 c1 | cut     | due withdrawn dropped     | voidsAndEnds
`);

const declined = readTable(`
O 3 (1)   | after a declined debit the credit and the end are dropped              | d1* c1 e1 | 400 d1!9001 c1!9004 e1!9004 | declined dropped dropped | declined
O 3 (1)   | so they are where nothing is listed                                    | d1* c1 e1 | 400      | declined dropped dropped | declined
O 3 (1)   | a credit that is so refused does not strand the round                  | d2 c1     | 400 d2!9001 c1!9004 | declined dropped | -
O 3 (1)   | so they are under a 200                                                | d2 c1 e1  | 200 d2!9001 | declined dropped dropped | errorUnderSuccess@d2
O 4.1 (5) | a credit that is paid all the same counts, and a person must look      | d2 c1     | 400 d2!9001 c1 | declined processed | person processedBehindDeclined@c1
W4        | an end that is done all the same is a finding                          | d2 e1     | 400 d2!9001 e1 | declined processed | processedBehindDeclined@e1
W3        | a credit before the declined debit is decided for itself               | c1 d2 c2  | 400 c1 d2!9001 | processed declined dropped | -
W3        | it is due where it is not listed                                       | c1 d2     | 400      | due declined            | credits
O 3 (1)   | a debit that is accepted later helps nothing behind a declined one     | d2 d3 c1  | 400 d2!9001 d3 | declined processed dropped | -
`);

const accepted = readTable(`
B5 (1)    | a whole round in one call is done                                      | d1* c1 e1 | 200 d1 c1 e1 | processed processed processed | -
W2        | after an accepted debit a credit that is not listed is due, with its end | d1* c1 e1 | 400 d1 | processed due due | credits
W3        | so it is under a 200                                                   | d1* c1    | 200 d1   | processed due           | credits creditNotListed@c1
O 3       | a credit refused after an accepted debit strands the round: no void   | d1* c1 e1 | 400 d1 c1!9005 | processed declined held | stranded person
W2        | of two debits the second is declined, and what follows it dropped      | d1* c1 d2 c2 | 400 d1 c1 d2!9001 c2!9004 | processed processed declined dropped | -
W2        | or the whole call falls with it (D4.6)                                 | d1* c1 d2 c2 | 400 d1!9004 c1!9004 d2!9001 c2!9004 | declined dropped declined dropped | declined
W2        | so it does in a round that goes on, but for what comes before          | c1 d2 c2 d3  | 400 c1 d2!9004 c2!9004 d3!9001 | processed declined dropped declined | -
W2        | a wallet that lists nothing under a 4xx has declined both              | d1* c1 d2 c2 | 400      | declined dropped declined dropped | declined
`);

describe('calls of debits, credits and ends: silence, a declined debit, an accepted one (W7)', () => {
  test.each([...silence, ...declined, ...accepted])(
    '$name',
    ({ transactions, answer, fates, further }) => {
      const settlement = settle({ transactions, hasPaidCredit: false }, answer);
      expect(fatesOf(settlement)).toBe(fates);
      expect(furtherOf(settlement)).toBe(further);
    },
  );

  test('O 4.1: what is sent again of a call with a debit is a call without one', () => {
    const [{ transactions, answer }] = readTable(
      'W3 | the credit and the end are due | d1* c1 e1 | 400 d1 | processed due due | credits',
    ) as [ReturnType<typeof readTable>[number]];
    const { toResend } = settle({ transactions, hasPaidCredit: false }, answer);
    expect(toResend).toEqual(transactions.slice(1));
  });
});
