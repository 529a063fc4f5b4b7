import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { ArchiveUnreadableError, compareWithStore } from '../../../lib/operator/archive/reading';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { EventSource } from '../../../lib/operator/wallet';
import { systemClock } from '../../../lib/platform';
import { credit, debit, RoundPlay, voidOf } from '../../../lib/proof/contracts/repairs/round-play';
import { BuiltFolder } from './folder';
import { temporaryFolders } from './temporary';

const temporary = temporaryFolders();

/** The events that wait, as lines. */
async function eventsOf(source: EventSource, operatorId: string): Promise<string[]> {
  const lines: string[] = [];
  const request = { consumer: 'archive', operatorId, atMost: 1_000, types: ['round'] } as const;
  for await (const batch of source.read(request)) {
    for (const event of batch.events) lines.push(JSON.stringify(event));
    await batch.done();
    if ((await source.lag(operatorId)).every(({ waiting }) => waiting === 0)) break;
  }
  return lines;
}

/** A round that is open and one that is over, archived in two segments and a session. */
async function archived() {
  const store = createMemoryStore({ events: ['archive'] });
  await store.ready();
  const open = await RoundPlay.open({ store, players: store.players });
  await open.call(debit('a', 10n, true));
  const before = await store.rounds.readRound(open.round);
  const over = open.other({ ...open.round, gameRound: 'over' });
  await over.call(debit('b', 10n, true));
  await over.call(credit('c', 5n), { type: 'end', hash: 'e' });
  await open.call(credit('d', 5n));
  const lines = await eventsOf(store.events, open.round.operatorId);
  expect(lines).toHaveLength(4);
  const event = (n: number): string => lines[n] ?? '';
  const plan = { segments: [2, 1], batches: [1], event };
  const { path } = new BuiltFolder(join(temporary(), 'archive'), plan);
  return { store, path, before, open: open.round, over: over.round };
}

test('a store that has every commit of the archive has no difference', async () => {
  const { store, path } = await archived();
  expect(await compareWithStore(path, store)).toEqual({ rounds: 4, missing: [] });
});

test('a round that was voided, and one that people repaired, are no difference', async () => {
  const store = createMemoryStore({ events: ['archive'] });
  await store.ready();
  const stranded = await RoundPlay.stranded({ store, players: store.players });
  const voided = stranded.other({ ...stranded.round, gameRound: 'voided' });
  await voided.call(debit('a', 10n, true));
  await voided.call(voidOf('a'));
  expect((await stranded.repaired({})).status).toBe('done');
  const lines = await eventsOf(store.events, stranded.round.operatorId);
  const plan = { segments: [lines.length], event: (n: number) => lines[n] ?? '' };
  const { path } = new BuiltFolder(join(temporary(), 'archive'), plan);
  expect(await compareWithStore(path, store)).toEqual({ rounds: 2, missing: [] });
  const lost = { ...store.rounds, readRound: () => store.rounds.readRound(voided.round) };
  expect((await compareWithStore(path, { rounds: lost })).missing).toMatchObject([
    { gameRound: stranded.round.gameRound, lacks: expect.stringMatching(/^(?:accepted )?\w+ /) },
  ]);
});

test('rounds that a restored store does not know, and those of which it lacks a commit, are listed', async () => {
  const { store, path, before, open, over } = await archived();
  const restored = {
    rounds: {
      ...store.rounds,
      readRound: async (round: typeof open) => {
        return round.gameRound === open.gameRound ? before : null;
      },
    },
  };
  const { missing } = await compareWithStore(path, restored);
  const at = expect.any(String);
  expect(missing).toEqual(
    [
      { ...open, version: 2, at, storeVersion: 1, lacks: 'accepted credit d' },
      { ...over, version: 2, at, storeVersion: null, lacks: null },
    ].toSorted((one, other) => (one.gameRound < other.gameRound ? -1 : 1)),
  );
  const to = '2020-01-01T00:00:00Z';
  expect(await compareWithStore(path, restored, { to })).toEqual({ rounds: 0, missing: [] });
});

test('a round that the restored store has played on is listed by what it lacks, whatever the number of commits', async () => {
  const { store, path, open } = await archived();
  const restored = createMemoryStore();
  await restored.ready();
  const again = await RoundPlay.open({ store: restored, players: restored.players });
  await again.call(debit('a', 10n, true));
  await again.call(credit('other', 5n));
  await again.call(credit('another', 5n));
  const compare = () =>
    compareWithStore(path, {
      rounds: {
        ...store.rounds,
        readRound: (round) => {
          const isOpen = round.gameRound === open.gameRound;
          return isOpen ? restored.rounds.readRound(again.round) : store.rounds.readRound(round);
        },
      },
      retentionMs: () => 86_400_000,
    });
  const missing = { ...open, version: 2, at: expect.any(String), storeVersion: 3 };
  expect(await compare()).toEqual({
    rounds: 3,
    missing: [{ ...missing, lacks: 'accepted credit d' }],
  });
  await again.call(credit('d', 5n));
  expect(await compare()).toEqual({ rounds: 4, missing: [] });
});

test('a round that is over and older than the retention is no difference, and one that is open is', async () => {
  const { path, open } = await archived();
  const empty = createMemoryStore({ retentionMs: 86_400_000 });
  const clock = { ...systemClock, now: () => systemClock.now() + 2 * 86_400_000 };
  const { missing } = await compareWithStore(path, empty, { clock });
  expect(missing.map(({ gameRound }) => gameRound)).toEqual([open.gameRound]);
});

test('an archive that cannot be read is no difference', async () => {
  const { store } = await archived();
  await expect(compareWithStore(temporary(), store)).rejects.toThrow(ArchiveUnreadableError);
});
