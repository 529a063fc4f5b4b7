import { proposeRepair } from '../../../lib/operator/operations';
import type { AccountStore } from '../../../lib/operator/wallet';
import { hostile, newYear, operatorId, putRound, queryOf, storeWithAnn } from './fixture';

/** A store in which every name is markup, or as long as may be. */
export async function hostileStore(): Promise<AccountStore> {
  const store = await storeWithAnn(hostile);
  await putRound(store, { playerId: hostile, gameRound: hostile }, 'stranded');
  const long = { operatorId, playerId: hostile, gameRound: 'r'.repeat(128) };
  await putRound(store, long, 'crashed', newYear + 1);
  const open = { playerId: hostile, gameRound: `${hostile} open` };
  await putRound(store, open, 'open', newYear - 90 * 24 * 3_600_000);
  const order = { kind: 'pay', reason: `it was won, as seen ${hostile}` } as const;
  await proposeRepair(long, order, { id: hostile, name: null }, { store });
  const limit = { kind: 'loss', currency: 'EUR', window: 'month', amount: '200' } as const;
  const act = { by: { id: hostile, name: null }, reason: `asked for ${hostile}` };
  await store.players.setLimit?.({ operatorId, playerId: hostile }, limit, act);
  return store;
}

/** Every page of it. */
export const paths = [
  '/',
  '/waiting',
  `/waiting?${queryOf({ state: 'crashed', game: hostile, currency: 'EUR', min: '1', sort: 'amount' })}`,
  '/person',
  `/search?${queryOf({ q: `${hostile} nothing` })}`,
  '/money',
  '/repairs',
  '/repair-log',
  '/history',
  '/history?kind=won',
  '/system',
  `/history?${queryOf({ player: hostile, from: '2025-01-01', to: '2026-01-31' })}`,
  '/changes',
  `/changes?${queryOf({ player: hostile, person: hostile, from: '2026-01-01', to: '2026-01-01T10:00Z', kind: 'limit' })}`,
  '/open',
  '/pending',
  '/search',
  `/player?${queryOf({ player: hostile })}`,
  `/player?${queryOf({ player: hostile })}&did=blocked`,
  `/player?${queryOf({ player: hostile, from: '2026-01-01', to: '2026-01-01T10:00Z', game: hostile, state: 'open', min: '1' })}`,
  `/player?${queryOf({ player: hostile, state: hostile })}`,
  `/round?${queryOf({ player: hostile, round: hostile })}`,
  `/round?${queryOf({ player: hostile, round: 'r'.repeat(128) })}`,
  `/round?${queryOf({ player: hostile, round: 'r'.repeat(128), print: '1' })}`,
  `/search?${queryOf({ player: hostile, hash: hostile })}`,
  '/player?player=none',
  '/?after=x',
  '/nowhere',
];
