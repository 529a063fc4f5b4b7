import { describe, expect, test } from '@jest/globals';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type {
  ExportAct,
  FullStore,
  NoteActResult,
  WalletStore,
} from '../../../lib/operator/wallet';
import { VirtualClock } from '../../support/virtual-clock';
import {
  type Browser,
  hostile,
  maria,
  newYear,
  open,
  operatorId,
  putRound,
  queryOf,
} from './fixture';

interface ChangesJson {
  readonly changes: readonly Readonly<Record<string, unknown>>[];
}

const files = [
  '/rounds.csv?player=ann',
  '/rounds.jsonl?player=ann',
  '/changes.csv',
  '/changes.jsonl',
  '/notable.csv?kind=won',
  '/notable.jsonl?kind=won',
];

/** A store with so many rounds of Ann, a millisecond apart. */
async function storeOfRounds(clock: VirtualClock, count: number): Promise<FullStore> {
  const store = createMemoryStore({ clock, history: true, events: ['totals'] });
  const ann = { operatorId, playerId: 'ann', currency: 'EUR' };
  await store.players.openPlayer({ ...ann, balances: { real: '1' } });
  for await (const batch of store.totals.batches({ operatorId })) {
    await batch.add({ rows: [], rounds: [], gaps: [], since: newYear });
    break;
  }
  for (let at = 0; at < count; at++) {
    await putRound(store, { gameRound: `round-${at}` }, 'stranded', newYear + at);
    await clock.pass(1);
  }
  return store;
}

/** The store with another way to write exports down. */
function noting(store: FullStore, note: (act: ExportAct) => Promise<NoteActResult>): WalletStore {
  const acts = { list: store.acts.list.bind(store.acts), note };
  return Object.assign(Object.create(store) as WalletStore, { acts });
}

async function exportsIn(browser: Browser): Promise<ChangesJson['changes']> {
  return ((await browser.get('/changes.json?kind=export')).json() as ChangesJson).changes;
}

describe('an export', () => {
  test('needs the right export, and pages say so to a person without it', async () => {
    const store = await storeOfRounds(new VirtualClock(newYear), 1);
    const looking = open(store, { authorize: () => ({ ...maria, may: ['look', 'block'] }) });
    for (const file of files) {
      const { status, text } = await looking.get(file);
      expect([file, status]).toEqual([file, 403]);
      expect(text).toContain('it needs the right export');
    }
    for (const page of ['/changes', `/player?${queryOf({ player: 'ann' })}`]) {
      const { text } = await looking.get(page);
      expect(text).not.toMatch(/\.(csv|jsonl)/);
      expect(text).toContain('Files need the right export');
    }
    expect(await exportsIn(looking)).toEqual([]);
  });

  test('is on the page of changes with person, file, filter and rows', async () => {
    const clock = new VirtualClock(newYear);
    const browser = open(await storeOfRounds(clock, 3), { clock });
    const asked = { player: 'ann', game: hostile, from: '2026-01-01' };
    await browser.get(`/rounds.csv?${queryOf(asked)}`);
    await clock.pass(1000);
    await browser.get(`/changes.jsonl?${queryOf({ kind: 'cash', person: 'anna' })}`);
    const by = { id: 'maria', name: 'Maria' };
    const made = { type: 'export', step: 'begun', operatorId, by, rows: 0, isWhole: true };
    const ofRounds = {
      file: 'rounds.csv',
      playerId: 'ann',
      filter: { game: hostile, from: '2026-01-01' },
    };
    const ofChanges = {
      file: 'changes.jsonl',
      playerId: null,
      filter: { kind: 'cash', person: 'anna' },
    };
    expect(await exportsIn(browser)).toMatchObject([
      { ...made, ...ofChanges },
      { ...made, ...ofRounds },
    ]);
    const { text } = await browser.get('/changes');
    expect(text).toContain('rounds.csv, 0 rows');
    expect(text).toContain('changes.jsonl, 0 rows');
    expect(text).toContain('&lt;img src=x');
    expect(text).not.toContain(hostile);
    const csv = (await browser.get('/changes.csv?player=ann')).text;
    expect(csv).toMatch(
      /,export,begun,"rounds\.csv, 0 rows of from=2026-01-01&game=[^"]*",casino,ann,/,
    );
  });

  test('of more rows than are read at once has a second act with all of them', async () => {
    const clock = new VirtualClock(newYear);
    const browser = open(await storeOfRounds(clock, 450), { clock });
    const { text } = await browser.get(`/rounds.csv?${queryOf({ player: 'ann' })}`);
    expect(text).toMatch(/end,450,complete\r\n$/);
    const [ended, begun, ...none] = await exportsIn(browser);
    expect(none).toEqual([]);
    expect(begun).toMatchObject({ step: 'begun', rows: 200, isWhole: false });
    expect(ended).toMatchObject({ step: 'ended', rows: 450, isWhole: true, export: begun?.export });
    const page = (await browser.get('/changes')).text;
    expect(page).toContain('rounds.csv, at least 200 rows');
    expect(page).toContain('rounds.csv, 450 rows');
  });

  test('of rounds that was cut is continued by its last line, as one of changes', async () => {
    const clock = new VirtualClock(newYear);
    const store = await storeOfRounds(clock, 450);
    let elapsed = 0;
    const { now, after, pause } = clock;
    const slow = { now, after, pause, monotonicMs: () => (elapsed += 35_000) };
    const browser = open(store, { clock: slow });
    const query = queryOf({ player: 'ann' });
    const cut = (await browser.get(`/rounds.csv?${query}`)).text;
    const [, rows, next = ''] = /end,(\d+),continue,([^\r]+)\r\n$/.exec(cut) ?? [];
    expect(rows).toBe('400');
    const rest = (await browser.get(`/rounds.csv?${query}&after=${next}`)).text;
    expect(rest).toMatch(/end,50,complete\r\n$/);
    const names = `${cut}${rest}`.match(/round-\d+/g) ?? [];
    expect([names.length, new Set(names).size]).toEqual([450, 450]);
    expect((await browser.get(`/rounds.csv?${query}&after=x`)).status).toBe(400);
  });

  test('sends no byte where the act cannot be written', async () => {
    const clock = new VirtualClock(newYear);
    const store = await storeOfRounds(clock, 3);
    const silent = noting(store, async () => ({ kind: 'unknown', cause: new Error('gone') }));
    const without = Object.assign(Object.create(store) as WalletStore, { acts: undefined });
    for (const file of files) {
      const { status, headers, text } = await open(silent, { clock }).get(file);
      expect([file, status, headers['content-disposition']]).toEqual([file, 503, undefined]);
      expect(text).not.toContain('round-1');
      expect((await open(without, { clock }).get(file)).status).toBe(501);
    }
  });

  test('has no end where its second act cannot be written', async () => {
    const clock = new VirtualClock(newYear);
    const store = await storeOfRounds(clock, 250);
    const failing = noting(store, async (act) =>
      act.step === 'begun' ? store.acts.note(act) : { kind: 'unknown', cause: new Error('gone') },
    );
    const asked = `/rounds.csv?${queryOf({ player: 'ann' })}`;
    await expect(open(failing, { clock }).get(asked)).rejects.toThrow();
    expect(await exportsIn(open(store, { clock }))).toMatchObject([{ step: 'begun', rows: 200 }]);
  });

  test('asked for by HEAD gives nothing and is no act', async () => {
    const clock = new VirtualClock(newYear);
    const browser = open(await storeOfRounds(clock, 1), { clock });
    const { status, text } = await browser.head(files[0] ?? '');
    expect([status, text]).toEqual([200, '']);
    expect(await exportsIn(browser)).toEqual([]);
  });
});
