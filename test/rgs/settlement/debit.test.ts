import { describe, expect, test } from '@jest/globals';

import { settle } from '../../../lib/rgs/settlement/settle';
import { fatesOf, readTable, furtherOf } from './notation';

const silence = readTable(`
W2    | no reply in time puts a first debit in doubt: it is voided            | d1* | time-out        | withdrawn | cancelled
W2    | a connection that is cut puts it in doubt                             | d1* | cut             | withdrawn | cancelled
W2    | a 5xx puts it in doubt                                                | d1* | 503             | withdrawn | cancelled
W2    | a 5xx puts it in doubt, though it lists the hash                      | d1* | 500 d1          | withdrawn | cancelled
W2    | a 5xx puts it in doubt, though it lists an error                      | d1* | 500 d1!9001     | withdrawn | cancelled
W1    | a 5xx that is not a JSON object puts it in doubt                      | d1* | 502 ?           | withdrawn | cancelled
W1    | a 3xx puts it in doubt                                                | d1* | 302 d1          | withdrawn | cancelled
W1    | a 2xx that is not a JSON object puts it in doubt                      | d1* | 200 ?           | withdrawn | cancelled
W1    | a status of 0 puts it in doubt                                        | d1* | 0 d1            | withdrawn | cancelled
O 3   | a follow-up debit in doubt leaves the round open                      | d2  | time-out        | withdrawn | -
O 4.1 | every debit of a call in doubt is voided                              | d1* d2 | 503 d1       | withdrawn withdrawn | cancelled
`);

const listing = readTable(`
W2    | a debit that is listed with an error under a 4xx is declined          | d1* | 400 d1!9001     | declined  | declined
W2    | so it is under a 2xx, and the wallet is wrong                         | d1* | 200 d1!9001     | declined  | declined errorUnderSuccess@d1
W2    | an error without an id under a 2xx puts it in doubt: it is voided     | d1* | 200 d1!?        | withdrawn | cancelled errorUnderSuccess@d1
W2    | an error without an id under a 4xx declines it                        | d1* | 400 d1!?        | declined  | declined
O 3   | a follow-up debit that is declined leaves the round open              | d2  | 400 d2!9001     | declined  | -
W2    | a debit that a 4xx lists without an error is accepted                 | d1* | 400 d1          | processed | refusedNothing
W2    | of two debits the one that is listed with an error is declined        | d1* d2 | 400 d1 d2!9001 | processed declined | -
O 2.3 | an item for a hash that was not sent changes nothing, and is a finding | d1* | 400 x1          | declined  | declined listedNotSent@x1
`);

const status = readTable(`
W2    | a debit that is answered 200 and listed is accepted                   | d1* | 200 d1          | processed | -
W2    | any 2xx accepts a debit, though it lists nothing                      | d1* | 201             | processed | -
W2    | a 4xx that lists nothing declines it, and nothing is voided           | d1* | 400             | declined  | declined
W2    | a 408 declines it                                                     | d1* | 408             | declined  | declined
W2    | a 429 declines it                                                     | d1* | 429             | declined  | declined
W1    | a 4xx that is not a JSON object declines it                           | d1* | 404 ?           | declined  | declined
O 4.1 | a 4xx that lists nothing declines every debit                         | d2 d3 | 400           | declined declined | -
`);

describe('a call with debits: silence, then hashesProcessed, then the status decides (W2)', () => {
  test.each([...silence, ...listing, ...status])(
    '$name',
    ({ transactions, answer, fates, further }) => {
      const settlement = settle({ transactions, hasPaidCredit: false }, answer);
      expect(fatesOf(settlement)).toBe(fates);
      expect(furtherOf(settlement)).toBe(further);
    },
  );

  test('the debits to be voided are those in doubt, in the order of the call', () => {
    const [{ transactions, answer }] = readTable(
      'W2 | all are voided | d1* d2 | cut | withdrawn withdrawn | -',
    ) as [ReturnType<typeof readTable>[number]];
    const { toVoid, toResend } = settle({ transactions, hasPaidCredit: false }, answer);
    expect(toVoid).toEqual(transactions);
    expect(toResend).toEqual([]);
  });
});
