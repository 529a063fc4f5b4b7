import { expect, test } from '@jest/globals';

import { Rig } from './rig';

test('with optionalMembers a free play has promotions, and those that are left have a feature (E14.5)', async () => {
  const { rig, token } = await Rig.seated({ optionalMembers: ['promotions', 'feature'] });
  const granted = { playerId: 'ann', gameCode: 'bells', serial: 's-1', currency: 'EUR' };
  await rig.run(
    rig.service.assignPlayerFreerounds('casino', {
      ...granted,
      stake: 10n,
      count: 3,
      expires: null,
    }),
  );
  const reply = await rig.run(rig.start(token, 'R', 10, { useTicket: true }));
  expect(reply.freePlayInfo?.further?.['promotions']).toMatchObject({ data: expect.any(String) });
  expect(reply.freePlaysAvailable).toMatchObject([{ serial: 's-1', feature: expect.any(String) }]);
  expect(reply.tokenData.further).toBeUndefined();
});
