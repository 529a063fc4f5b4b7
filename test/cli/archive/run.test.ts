import { describe, expect, test } from '@jest/globals';

import { ArchiveFolder } from '../../../lib/cli/archive/folder';
import { ArchiveLock } from '../../../lib/cli/archive/lock';
import { archiveEvents } from '../../../lib/cli/archive/run';
import { verifyArchive } from '../../../lib/cli/archive/verify';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { StoreUnavailableError } from '../../../lib/operator/wallet';
import { end, openingOf, take } from '../../../lib/proof/contracts/changes';
import { createSeededRandom } from '../../../lib/platform/random';
import { VirtualClock } from '../../support/virtual-clock';
import { MemoryDisk } from './memory-disk';
import { withParts } from '../../support/with-parts';
import { openQuietly } from '../../support/open-quietly';

const operatorId = 'op';
const random = createSeededRandom(1);
const request = {
  consumer: 'archive',
  operatorId,
  once: true,
  signal: new AbortController().signal,
};

/** A wallet with events of so many rounds, and what archives them. */
async function setUp(rounds: number) {
  const clock = new VirtualClock(Date.parse('2026-11-22T15:10:00.000Z'));
  const store = createMemoryStore({ events: ['archive', 'other'] });
  await openQuietly(store, {
    operatorId,
    playerId: 'p',
    currency: 'EUR',
    balances: { real: '1000' },
  });
  for (let at = 0; at < rounds; at++) {
    const part = at % 2 === 0 ? take(`d-${at}`, 1n) : end(`e-${at}`);
    await store.rounds.commit(
      { operatorId, playerId: 'p', gameRound: `r-${at}` },
      openingOf([part]),
    );
  }
  const disk = new MemoryDisk();
  const lock = new ArchiveLock(disk, clock, random);
  await lock.take();
  const folder = await ArchiveFolder.open(disk, operatorId, () => undefined);
  const lines: string[] = [];
  const note = (_: object, message: string): void => void lines.push(message);
  const log = { info: note, warn: note, error: note, debug: note };
  const parts = {
    source: store.events,
    folder,
    lock,
    clock,
    random,
    log,
  };
  const waiting = async () =>
    (await store.events.lag(operatorId)).find(({ consumer }) => consumer === 'archive')?.waiting;
  return { parts, disk, lines, waiting, store };
}

describe('the archive', () => {
  test('with --once keeps all that waits, and ends', async () => {
    const { parts, disk, waiting, lines } = await setUp(1003);
    await archiveEvents(request, parts);
    expect(await waiting()).toBe(0);
    expect(await verifyArchive(disk)).toMatchObject({ openEvents: 1003, faults: [] });
    expect(lines).toEqual(['events archived']);
  });

  test('with --once names the operator of whom nothing waits', async () => {
    const { parts, lines } = await setUp(1);
    await archiveEvents({ ...request, operatorId: 'misspelt' }, parts);
    expect(lines).toEqual(['no event of this operator waits']);
  });

  test('acknowledges nothing that is not on the disk', async () => {
    const { parts, disk, waiting } = await setUp(3);
    disk.left = 1;
    await expect(archiveEvents(request, parts)).rejects.toThrow();
    expect(await waiting()).toBe(3);
  });

  test('acknowledges nothing once another process has taken the folder', async () => {
    const { parts, disk, waiting } = await setUp(3);
    await disk.write('archive.lock', ['{"pid":1}']);
    await expect(archiveEvents(request, parts)).rejects.toThrow('Another process has taken');
    expect(await waiting()).toBe(3);
  });

  test('ends with an error when another process acknowledges for the consumer', async () => {
    const { parts, store } = await setUp(3);
    const rival = withParts(store, {
      events: {
        async *read(asked) {
          for await (const batch of store.events.read(asked)) {
            for await (const same of store.events.read(asked)) {
              await same.done();
              break;
            }
            yield batch;
          }
        },
      },
    });
    await expect(archiveEvents(request, { ...parts, source: rival.events })).rejects.toThrow(
      'Another process reads for the same consumer',
    );
  });

  test('goes on when the store answers again, and with --once gives up', async () => {
    const { parts, store, disk, lines } = await setUp(3);
    let failures = 2;
    const stopping = new AbortController();
    const flaky = withParts(store, {
      events: {
        async *read(asked) {
          if (failures-- > 0) throw new StoreUnavailableError('down');
          for await (const batch of store.events.read(asked)) {
            yield batch;
            stopping.abort();
          }
        },
      },
    });
    await expect(archiveEvents(request, { ...parts, source: flaky.events })).rejects.toThrow(
      'down',
    );
    const endless = { ...request, once: false, signal: stopping.signal };
    await parts.clock.run(archiveEvents(endless, { ...parts, source: flaky.events }));
    expect(await verifyArchive(disk)).toMatchObject({ openEvents: 3, faults: [] });
    expect(lines).toEqual(['events cannot be read: tried again', 'events archived']);
  });
});

describe('the lock', () => {
  const clock = new VirtualClock(1_000_000);

  test('of a process that lives elsewhere is respected until it was not renewed for a minute', async () => {
    const disk = new MemoryDisk();
    const holder = { host: 'other', pid: 7, place: 'elsewhere', at: clock.now(), since: 0 };
    await disk.write('archive.lock', [JSON.stringify(holder)]);
    const lock = new ArchiveLock(disk, clock, random);
    await expect(lock.take()).rejects.toThrow('Process 7 on other archives into this folder');
    await disk.write('archive.lock', [JSON.stringify({ ...holder, at: clock.now() - 60_000 })]);
    await lock.take();
    await lock.check();
  });

  test('of a process that has ended on this machine is taken at once', async () => {
    const disk = new MemoryDisk();
    const first = new ArchiveLock(disk, clock, random);
    await first.take();
    await new ArchiveLock(disk, clock, random).take(); // the same process: it cannot be another one
    await disk.write('archive.lock', ['torn']);
    await new ArchiveLock(disk, clock, random).take();
    await expect(first.check()).rejects.toThrow('Another process has taken the folder');
    await first.release();
    expect(await disk.read('archive.lock')).not.toBeNull();
  });
});
