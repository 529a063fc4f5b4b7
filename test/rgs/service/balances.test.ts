import { expect, test } from '@jest/globals';

import type { Balance } from '../../../lib/protocol/engine-api/replies';
import type { Owner } from '../../../lib/rgs/rounds/round';
import { LatestBalances } from '../../../lib/rgs/service/core/balances';

const owner: Owner = {
  gameProviderId: 'studio',
  operatorId: 'casino',
  playerId: 'ann',
  gameCode: 'bells',
  mode: 'REAL',
  currency: 'EUR',
  currencyMultiplier: '1',
};

const balance: Balance = {
  totalBalance: 5n,
  mode: 'REAL',
  currency: 'EUR',
  balances: [],
  discountInfo: null,
  tickets: '[]',
  ticketInfo: null,
};

test('E17.1: the balances of the latest 10,000 players are kept, with their offers; those of players who left long ago are not', () => {
  const balances = new LatestBalances();
  balances.keep(named('ann'), balance, 0);
  balances.keep(named('ben'), balance, 0);
  for (let n = 0; n < 9_999; n++) balances.keep(named(`p${n}`), balance, n);
  expect(balances.find(named('ann'))).toBeNull();
  balances.keepMoney(named('ben'), { ...balance, tickets: null }, 1);
  balances.keep(named('last'), balance, 2);
  expect(balances.find(named('ben'))).toMatchObject({ totalBalance: 5n, tickets: '[]' });
  expect(balances.find(named('p0'))).toBeNull();
  expect(balances.all()).toHaveLength(10_000);
});

function named(playerId: string): Owner {
  return { ...owner, playerId };
}
