import { proposeRepair } from '../../../lib/operator/operations';
import { type FullStore, notableKinds } from '../../../lib/operator/wallet';
import { hostile, newYear, operatorId, putRound, queryOf, storeWithAnn } from './fixture';

/** A store in which every name is markup, or as long as may be. */
export async function hostileStore(): Promise<FullStore> {
  const store = await storeWithAnn(hostile, { events: ['totals', 'c'.repeat(64)] });
  await putRound(store, { playerId: hostile, gameRound: hostile }, 'stranded');
  const long = { operatorId, playerId: hostile, gameRound: 'r'.repeat(128) };
  await putRound(store, long, 'crashed', newYear + 1);
  // One of the last 30 days, so that the page of the player has a figure.
  await putRound(store, { playerId: hostile, gameRound: 'of today' }, 'closed', Date.now());
  const open = { playerId: hostile, gameRound: `${hostile} open` };
  await putRound(store, open, 'open', newYear - 90 * 24 * 3_600_000);
  const order = { kind: 'pay', reason: `it was won, as seen ${hostile}` } as const;
  await proposeRepair(long, order, { id: hostile, name: null }, { store });
  const limit = { kind: 'loss', currency: 'EUR', window: 'month', amount: '200' } as const;
  const act = { by: { id: hostile, name: null }, reason: `asked for ${hostile}` };
  await store.players.setLimit?.({ operatorId, playerId: hostile }, limit, act);
  await countRounds(store);
  return store;
}

/** Lists rounds of every kind as notable, and finds all by their ids; those of two players are there still. */
async function countRounds(store: FullStore): Promise<void> {
  const names = [hostile, wide, rightToLeft, 'r'.repeat(128)];
  const places = names.flatMap((playerId) =>
    names.map((gameRound) => ({ playerId, gameRound, at: newYear })),
  );
  const notable = notableKinds.flatMap((kind) => places.map((place) => ({ kind, ...place })));
  const rounds = places.map((place) => ({ ...place, text: 'kept', expiresAt: null }));
  for (const playerId of names.slice(1)) {
    await putRound(store, { playerId, gameRound: rightToLeft }, 'closed');
    await putRound(store, { playerId, gameRound: wide }, 'voided');
  }
  for await (const batch of store.totals.batches({ operatorId })) {
    await batch.add({ rows: [], rounds, gaps: [], since: newYear, notable, isLookup: true });
    return;
  }
}

/** As long as an id may be, in characters and in UTF-16; and one that turns the text after it around. */
const [wide, rightToLeft] = ['\u{1f3b0}'.repeat(128), `\u202e\u05d0<b>${'w'.repeat(100)}`];

/** Every page of it. */
export const paths = [
  '/',
  '/waiting',
  `/waiting?${queryOf({ state: 'crashed', game: hostile, currency: 'EUR', min: '1', sort: 'amount' })}`,
  `/waiting?${queryOf({ min: hostile, game: wide })}`,
  '/person',
  `/search?${queryOf({ q: `${hostile} nothing` })}`,
  '/money',
  '/repairs',
  '/repair-log',
  '/history',
  ...notableKinds.map((kind) => `/history?kind=${kind}`),
  `/search?${queryOf({ q: wide })}`,
  `/search?${queryOf({ q: rightToLeft })}`,
  `/round?${queryOf({ player: rightToLeft, round: wide, print: '1' })}`,
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
  `/round?${queryOf({ player: hostile, round: hostile, from: '1' })}`,
  `/round?${queryOf({ player: hostile, round: 'r'.repeat(128) })}`,
  `/round?${queryOf({ player: hostile, round: 'r'.repeat(128), print: '1' })}`,
  `/search?${queryOf({ player: hostile, hash: hostile })}`,
  '/player?player=none',
  '/?after=x',
  '/nowhere',
];
