import { describe, expect, test } from '@jest/globals';

import { engineErrors } from '../../../lib/protocol/engine-api/errors';

const table = `
12 GAMEROUNDALREADYSTARTED 400
13 GAMEROUNDNOTACTIVE 400
14 GAMEROUNDNOTFOUND 400
15 GAMEROUNDNOTSTARTED 400
19 INVALIDPARAMETER 400
26 TRANSACTIONSARERETRYING 400
33 DISCOUNTNOTELIGIBLE 400
37 TRANSACTIONALREADYEXISTS 400
1001 SIGNATUREWRONG 401
1008 SESSIONINVALID 400
9000 INTERNALERROR 500
9001 BALANCETOOLOW 400
9100 GENERICBETERROR 400
9101 BETLIMITREACHED 400
9102 TICKETNOTAVAILABLE 400
9103 SPINSNOTAVAILABLE 400
9104 GAMEROUNDSTILLOPEN 400
9106 GAMENOTFOUND 400
9107 RATELIMITEXCEEDED 429
9110 OPERATIONBEINGPROCESSED 503
9111 WALLETUNAVAILABLE 503
9112 PROVIDERUNAVAILABLE 503
`;

describe('the errors of the engine calls', () => {
  test('E3: each code has the id and the status of the table, and no other is there', () => {
    const lines = Object.entries(engineErrors).map(
      ([code, { id, status }]) => `${id} ${code} ${status}`,
    );
    expect(lines.join('\n')).toBe(table.trim());
  });

  test('E3.3: 401 is the wrong signature alone, so that a client may read it so', () => {
    const with401 = Object.values(engineErrors).filter((entry) => entry.status === 401);
    expect(with401.map((entry) => entry.id)).toEqual([1001]);
  });
});
