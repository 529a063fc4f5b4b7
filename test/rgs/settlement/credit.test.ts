import { describe, expect, test } from '@jest/globals';

import { settle } from '../../../lib/rgs/settlement/settle';
import { fatesOf, readTable, furtherOf } from './notation';

const listed = readTable(`
W3         | a credit that is listed without an error is paid under a 200            | c1 | 200 c1 | processed | -
O 4.1 (5)  | it is paid under a 4xx                                                  | c1 | 400 c1 | processed | refusedNothing
O 4.1 (5)  | it is paid under a 5xx, which a credit must not get                     | c1 | 500 c1 | processed | creditAnswered5xx
W3         | it is paid under a 3xx                                                  | c1 | 302 c1 | processed | -
O 3        | a credit that is listed with an error is refused for good and strands the round | c1 | 400 c1!9005 | declined | stranded person
O 4.1 (5)  | so it is under a 5xx                                                    | c1 | 500 c1!9005 | declined | stranded person creditAnswered5xx
O 4.1 (2)  | so it is under a 200, which is wrong                                    | c1 | 200 c1!9005 | declined | stranded person errorUnderSuccess@c1
O 3        | behind a credit of the call that was paid the round is crashed          | c1 c2 | 400 c1 c2!9005 | processed declined | crashed person
O 3        | before a credit of the call that was paid the round is stranded         | c1 c2 | 400 c1!9005 c2 | declined processed | stranded person
`);

const unlisted = readTable(`
O 3        | a credit that a 4xx does not list is due                                | c1 | 400    | due | credits
W3         | a credit that a 200 does not list is due, and the wallet is wrong       | c1 | 200    | due | credits creditNotListed@c1
W3         | a credit that a 5xx does not list is due                                | c1 | 503    | due | credits creditAnswered5xx
W3         | after a time-out a credit is due                                        | c1 | time-out | due | credits
W3         | after a connection that is cut a credit is due                          | c1 | cut    | due | credits
W3         | a reply that is not a JSON object lists nothing                         | c1 | 200 ?  | due | credits
W3         | an error at the top alone refuses no credit                             | c1 | 401 ?  | due | credits
W3         | of two credits the one that is not listed is due                        | c1 c2 | 400 c1 | processed due | credits
W5         | what is left behind a credit refused for good is held                   | c1 c2 e1 | 400 c1!9005 | declined held held | stranded person
W5         | what is left before it is held as well                                  | c1 c2 | 400 c2!9005 | held declined | stranded person
`);

const withEnd = readTable(`
B5 (1)     | a credit and its end are done                                           | c1 e1 | 200 c1 e1 | processed processed | -
B5 (4)     | a credit that is not listed is sent again with its end                  | c1 e1 | 400 | due due | credits
B5 (4)     | so it is after silence                                                  | c1 e1 | cut | due due | credits
W5         | an end that a 200 does not list stays behind the credit that is due     | c1 e1 | 200 | due due | credits creditNotListed@c1
W4         | an end that a 200 does not list is done behind a credit that is paid    | c1 e1 | 200 c1 | processed processed | -
W4         | an end that is listed is done, though the credit is due                 | c1 e1 | 400 e1 | due processed | credits
W4         | an end that a 4xx does not list is due alone                            | c1 e1 | 400 c1 | processed due | voidsAndEnds
W8         | no end is sent after a credit was refused for good                      | c1 e1 | 400 c1!9005 | declined held | stranded person
`);

describe('a call with credits and no debit: hashesProcessed alone decides (W3)', () => {
  test.each([...listed, ...unlisted, ...withEnd])(
    '$name',
    ({ transactions, answer, fates, further }) => {
      const settlement = settle({ transactions, hasPaidCredit: false }, answer);
      expect(fatesOf(settlement)).toBe(fates);
      expect(furtherOf(settlement)).toBe(further);
    },
  );

  test.each(
    readTable(`
O 3 | a refusal after a credit of an earlier call was paid crashes the round | c2 | 400 c2!9005 | declined | crashed person
`),
  )('$name', ({ transactions, answer, fates, further }) => {
    const settlement = settle({ transactions, hasPaidCredit: true }, answer);
    expect(fatesOf(settlement)).toBe(fates);
    expect(furtherOf(settlement)).toBe(further);
  });

  test('W12: a credit refused after a declined debit of an earlier call is a finding, as the text asks for it', () => {
    const [row] = readTable('W12 | refused | c2 e2 | 400 c2!9004 | declined held | -');
    const { transactions, answer } = row as NonNullable<typeof row>;
    const call = { transactions, hasPaidCredit: false, hasDeclinedDebit: true };
    expect(settle(call, answer).findings).toEqual([
      { code: 'refusedAfterDeclinedDebit', hash: 'c2' },
    ]);
    expect(settle({ ...call, hasDeclinedDebit: false }, answer).findings).toEqual([]);
  });
});
