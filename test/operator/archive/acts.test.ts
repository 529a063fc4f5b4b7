import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { findEvents, verifyArchive } from '../../../lib/operator/archive/reading';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { LimitOrder, WalletEvent } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { BuiltFolder } from './folder';
import { temporaryFolders } from './temporary';

const temporary = temporaryFolders();
const [operatorId, playerId] = ['casino', 'ann'];
const ann = { operatorId, playerId };

/** The events of a player who is funded, limited and blocked, each by a person or a program. */
async function eventsOfAnn(): Promise<readonly WalletEvent[]> {
  const clock = new VirtualClock(Date.UTC(2026, 10, 24, 10));
  const { players, events } = createMemoryStore({ events: ['archive'], clock });
  await players.openPlayer({ ...ann, currency: 'EUR', balances: { real: '100' } });
  const limit: LimitOrder = { kind: 'loss', currency: 'EUR', window: 'month', amount: '200' };
  const act = { by: { id: 'maria', name: null }, reason: 'asked for by chat' };
  await players.setLimit(ann, { ...limit, zone: 'Europe/Malta', counts: 'all' }, act);
  await players.deposit({ ...ann, currency: 'EUR', amount: '5', reference: 'psp-1' });
  await players.setLimit(ann, { ...limit, amount: null });
  await players.setBlocked(ann, true, { ...act, until: clock.now() + 3_600_000 });
  await players.withdraw({ ...ann, currency: 'EUR', amount: '20', reference: 'payout' });
  for await (const batch of events.read({ consumer: 'archive', operatorId })) return batch.events;
  return [];
}

function archiveOf(events: readonly object[]): BuiltFolder {
  const lines = events.map((event) => JSON.stringify(event));
  const plan = { segments: [3], batches: [lines.length - 3] };
  const event = (index: number): string => lines[index] ?? '';
  return new BuiltFolder(join(temporary(), 'archive'), { ...plan, event });
}

test('a limit and a block with an end are events of the archive, found by their player, and change no account', async () => {
  const events = await eventsOfAnn();
  const types = ['cash', 'limit', 'cash', 'limit', 'block', 'cash'];
  expect(events.map(({ type }) => type)).toEqual(types);
  expect(events.filter(({ type }) => type === 'limit' || type === 'block')).toMatchObject([
    {
      id: 'casino/ann/limit/1',
      limit: { kind: 'loss', window: 'month', zone: 'Europe/Malta', counts: 'all', amount: '200' },
      by: { id: 'maria' },
      reason: 'asked for by chat',
      accounts: [{ currency: 'EUR', real: '100' }],
    },
    { id: 'casino/ann/limit/2', limit: { zone: 'Europe/Malta', amount: null }, by: null },
    { id: 'casino/ann/block/1', blocked: true, until: '2026-11-24T11:00:00.000Z' },
  ]);
  const { path } = archiveOf(events);
  expect((await verifyArchive(path, { accounts: true })).faults).toEqual([]);
  const found: unknown[] = [];
  for await (const { text } of findEvents(path, { playerId })) found.push(JSON.parse(text));
  expect(found).toEqual(events);
});

test('a limit event after which the accounts are not those of before is a jump (O12)', async () => {
  const events = await eventsOfAnn();
  const forged = events.map((event, at) =>
    at === 3 ? { ...event, accounts: [{ currency: 'EUR', real: '104', bonus: null }] } : event,
  );
  const { faults } = await verifyArchive(archiveOf(forged).path, { accounts: true });
  expect(faults.length).toBeGreaterThan(0);
  expect(faults[0]?.what).toContain('the balance of its player jumps');
});
