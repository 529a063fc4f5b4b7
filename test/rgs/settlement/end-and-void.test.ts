import { describe, expect, test } from '@jest/globals';

import { settle } from '../../../lib/rgs/settlement/settle';
import { fatesOf, readTable, furtherOf } from './notation';

const ends = readTable(`
W4        | after silence an end is due                                       | e1 | time-out | due       | voidsAndEnds
W4        | after a 5xx an end is due, though it is listed                    | e1 | 500 e1   | due       | voidsAndEnds
W4        | an end that a 4xx lists with an error is over, and a finding      | e1 | 400 e1!13 | declined | endRefused@e1
W4        | so it is under a 2xx                                              | e1 | 200 e1!13 | declined | endRefused@e1
W4        | an end that a 4xx lists without an error is done                  | e1 | 400 e1   | processed | refusedNothing
W4        | an end that is answered 200 is done                               | e1 | 200 e1   | processed | -
W4        | it is done though the 200 lists nothing                           | e1 | 200      | processed | -
W4        | a 4xx that does not list it counts as silence                     | e1 | 400      | due       | voidsAndEnds
`);

const voids = readTable(`
W4        | after silence a void is due                                       | v:d1 | cut        | due       | voidsAndEnds
W4        | after a 5xx a void is due, though it is listed                    | v:d1 | 500 d1     | due       | voidsAndEnds
O 3 (3)   | a void that a 4xx lists with an error stays due for the janitor   | v:d1 | 400 d1!19  | due       | refusedVoids voidRefused@d1
O 3 (3)   | so it does under a 2xx                                            | v:d1 | 200 d1!19  | due       | refusedVoids voidRefused@d1
W4        | a void that a 4xx lists without an error is acknowledged          | v:d1 v:d2 | 400 d1 d2!19 | processed due | refusedVoids voidRefused@d2
W4        | a void that is answered 200 is acknowledged                       | v:d1 | 200 d1     | processed | -
W4        | it is acknowledged though the 200 lists nothing                   | v:d1 | 200        | processed | -
W4        | a void that a 4xx does not list stays due for the janitor         | v:d1 | 400        | due       | refusedVoids voidRefused@d1
`);

const repeated = readTable(`
O 2.3     | two transactions of one hash take two items, in order             | v:d1 v:d1 | 400 d1 d1!19 | processed due | refusedVoids voidRefused@d1
O 2.3     | an item beyond them is a finding                                  | e1 | 200 e1 e1 | processed | listedNotSent@e1
`);

describe('ends and voids alone: silence, then hashesProcessed, then the status decides (W4)', () => {
  test.each([...ends, ...voids, ...repeated])(
    '$name',
    ({ transactions, answer, fates, further }) => {
      const settlement = settle({ transactions, hasPaidCredit: false }, answer);
      expect(fatesOf(settlement)).toBe(fates);
      expect(furtherOf(settlement)).toBe(further);
    },
  );
});
