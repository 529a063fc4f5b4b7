import { describe, expect, test } from '@jest/globals';

import { approveRepair, rejectRepair } from '../../../lib/operator/operations/repairs/decision';
import { proposeRepair } from '../../../lib/operator/operations/repairs/propose';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { FullStore, WalletStore } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../support/virtual-clock';
import { hostile, newYear, open, operatorId, putRound, wordsOf } from './fixture';

const anna = { id: 'anna', name: 'Anna' };
const bert = { id: hostile, name: null };
const reason = `the player showed ${hostile}`;
const ann = { operatorId, playerId: 'ann' };

interface ChangesJson {
  readonly changes: readonly Readonly<Record<string, unknown>>[];
  readonly next: string | null;
}

/** A store in which two people did one thing of each kind, a second apart. */
async function storeWithActs(clock: VirtualClock): Promise<FullStore> {
  const store = createMemoryStore({ clock });
  const euros = { ...ann, currency: 'EUR', by: anna, reason };
  const limit = { kind: 'loss', currency: 'EUR', window: 'month', amount: '200' } as const;
  const [paid, stranded] = ['paid', 'rejected'].map((gameRound) => ({ ...ann, gameRound }));
  const options = { store, clock };
  const ids: string[] = [];
  const propose = async (round = paid): Promise<void> => {
    if (round === undefined) throw new Error('no round');
    await putRound(store, round, 'stranded');
    const made = await proposeRepair(round, { kind: 'pay', reason }, anna, options);
    if (made.kind !== 'proposed') throw new Error(`not proposed: ${made.kind}`);
    ids.push(made.repair.id);
  };
  const acts: readonly (() => Promise<unknown>)[] = [
    () => store.players.openPlayer({ ...euros, balances: { real: '100' } }),
    () => store.players.deposit({ ...euros, amount: '1200', reference: 'bank-1' }),
    () => store.players.correct({ ...euros, amount: '-2.5', reference: '=2+5', by: bert }),
    () => store.players.setBlocked(ann, true, { by: bert, until: newYear + 86_400_000 }),
    () => store.players.setLimit(ann, limit, { by: anna, reason }),
    () => store.players.setBlocked(ann, false, { reason: 'a program' }),
    () => propose(),
    () => approveRepair(paid ?? { ...ann, gameRound: '' }, ids[0] ?? '', bert, options),
    () => propose(stranded),
    () =>
      rejectRepair(
        stranded ?? { ...ann, gameRound: '' },
        ids[1] ?? '',
        bert,
        'It was not won',
        options,
      ),
  ];
  for (const act of acts) {
    await act();
    await clock.pass(1000);
  }
  return store;
}

async function browserOfActs(options: object = {}) {
  const clock = new VirtualClock(newYear);
  return open(await storeWithActs(clock), { clock, ...options });
}

describe('the page of changes', () => {
  test('says of each who made it, when and why, the newest first, and nothing of programs', async () => {
    const browser = await browserOfActs();
    const json = (await browser.get('/changes.json')).json() as ChangesJson;
    expect(json).toMatchObject({ operatorId, next: null, since: null });
    expect(json.changes).toMatchObject([
      {
        type: 'repair',
        step: 'rejected',
        gameRound: 'rejected',
        by: bert,
        reason: 'It was not won',
      },
      { type: 'repair', step: 'proposed', gameRound: 'rejected', by: anna, reason },
      { type: 'repair', step: 'approved', gameRound: 'paid', kind: 'pay', amount: '2.5', by: bert },
      { type: 'repair', step: 'proposed', gameRound: 'paid', currency: 'EUR', by: anna },
      { type: 'limit', limit: { kind: 'loss', window: 'month', amount: '200' }, by: anna },
      { type: 'block', blocked: true, until: '2026-01-02T00:00:00.000Z', by: bert, reason: null },
      { type: 'cash', kind: 'correction', reference: '=2+5', amount: '-2.5', by: bert },
      { type: 'cash', kind: 'deposit', balance: 'real', amount: '1200', by: anna },
      { type: 'cash', kind: 'opening', amount: '100', at: '2026-01-01T00:00:00.000Z', ...ann },
    ]);
    expect(json.changes).toHaveLength(9);
    const { text } = await browser.get('/changes');
    expect(text).toContain('9 changes by 2 people');
    expect(text).toContain('+1,200.00 <small>EUR</small>');
    expect(text).toContain('\u22122.50 <small>EUR</small>');
    expect(text).toContain(`href="round?operator=${operatorId}&amp;player=ann&amp;round=paid"`);
    expect(text).toContain(`href="player?operator=${operatorId}&amp;player=ann"`);
    expect(text).toContain(`href="changes?operator=${operatorId}&amp;person=anna"`);
    expect(text).toContain('the player showed &lt;img src=x');
    expect(text).not.toContain(hostile);
    expect(text).not.toContain('a program');
  });

  test('filters by person, player, kind and time, and keeps the filter in its links and its form', async () => {
    const browser = await browserOfActs();
    const found = async (query: Readonly<Record<string, string>>): Promise<number> => {
      const search = new URLSearchParams(query).toString();
      const reply = await browser.get(`/changes.json?${search}`);
      return (reply.json() as ChangesJson).changes.length;
    };
    expect(await found({ person: 'anna' })).toBe(5);
    expect(await found({ person: hostile, kind: 'repair' })).toBe(2);
    expect(await found({ player: 'nobody' })).toBe(0);
    expect(await found({ kind: 'cash' })).toBe(2);
    expect(await found({ kind: 'correction', player: 'ann' })).toBe(1);
    expect(await found({ from: '2026-01-01T00:00:03Z', to: '2026-01-01T00:00:05Z' })).toBe(2);
    expect(await found({ to: '2025-12-31' })).toBe(0);
    const query = new URLSearchParams({ person: hostile, from: '2026-01-01', kind: 'repair' });
    const { text } = await browser.get(`/changes?${query.toString()}`);
    expect(text).toContain('name="from" type="date" maxlength="40" value="2026-01-01"');
    expect(text).toContain('name="kind" value="repair"');
    expect(text).toMatch(
      /href="changes\.csv\?operator=casino&amp;person=[^"]*&amp;kind=repair&amp;from=2026-01-01"/,
    );
    expect(text).toMatch(
      /href="changes\?operator=casino&amp;person=[^"]*&amp;kind=repair&amp;from=2025-12-01&amp;to=2025-12-31">Last month</,
    );
    expect(text).not.toContain(hostile);
    const none = wordsOf((await browser.get('/changes?kind=block&person=nobody')).text);
    expect(none).toContain('A person is searched for by the full id');
  });

  test('names the field that is wrong, and refuses any other place', async () => {
    const browser = await browserOfActs();
    for (const [query, message] of [
      ['kind=all', 'The kind must be one of repair, block'],
      ['player=a%23b', 'The player&#39;s id must be'],
      [`person=${'x'.repeat(129)}`, 'The id of a person must be'],
      ['from=yesterday', 'From, days of UTC'],
      ['from=2026-01-02&to=2026-01-01', 'must be before'],
      ['after=x', 'The place in the changes is not valid'],
    ] as const) {
      for (const page of ['changes', 'changes.csv']) {
        const { status, text } = await browser.get(`/${page}?${query}`);
        expect([query, status]).toEqual([query, 400]);
        expect(text).toContain(message);
      }
    }
    expect((await browser.get('/changes?operator=other')).status).toBe(404);
  });

  test('says whose rights were changed, from what to what, by whom and why', async () => {
    const clock = new VirtualClock(newYear);
    const store = createMemoryStore({ clock });
    const act = { type: 'rights', operatorId, playerId: null, by: anna, reason } as const;
    const changes = [
      { id: 'a', person: bert, may: ['look', 'block'], before: null },
      { id: 'b', person: bert, may: ['look'], before: ['look', 'block'] },
      { id: 'c', person: { id: 'carl', name: 'Carl' }, may: [], before: ['look'] },
    ];
    for (const [at, change] of changes.entries()) {
      await store.acts.note({ ...act, at: newYear + at, ...change });
    }
    const browser = open(store, { clock });
    const words = wordsOf((await browser.get('/changes?kind=rights')).text);
    expect(words).toContain('3 changes by 1 person');
    expect(words).toContain('rights removed Carl carl may: nothing; before: look');
    expect(words).toMatch(/rights changed &lt;img .{20,60}&gt; may: look; before: look, block/);
    expect(words).toMatch(/rights given &lt;img .{20,60}&gt; may: look, block Anna/);
    const json = (await browser.get('/changes.json')).json() as ChangesJson;
    expect(json.changes[0]).toMatchObject({
      type: 'rights',
      playerId: null,
      by: anna,
      reason,
      person: { id: 'carl' },
      may: [],
      before: ['look'],
    });
    const { text } = await browser.get('/changes.csv?kind=rights');
    expect(text).toContain(',rights,removed,"carl may nothing, before look",');
  });

  test('continues page by page to the first change', async () => {
    const clock = new VirtualClock(newYear);
    const browser = open(await storeWithMany(clock, 120), { clock });
    const seen: number[] = [];
    for (let path = '/changes'; path !== ''; ) {
      const { text } = await browser.get(path);
      seen.push(text.match(/<th scope="row">/g)?.length ?? 0);
      const [, older] = /href="(changes\?[^"]*)">Older changes/.exec(text) ?? [];
      path = older === undefined ? '' : `/${older.replaceAll('&amp;', '&')}`;
    }
    expect(seen).toEqual([30, 30, 30, 30]);
  });

  test('says from when on a store lists changes, and where one lists none', async () => {
    const store = createMemoryStore();
    const acts = {
      ...store.acts,
      list: async () => ({ kind: 'known', acts: [], next: 'more', since: newYear }) as const,
    };
    const late = Object.assign(Object.create(store) as WalletStore, { acts });
    const { text } = await open(late).get('/changes');
    expect(text).toContain('Listed since <time datetime="2026-01-01T00:00:00.000Z"');
    expect(text).toContain('None found yet');
    expect(text).toContain('Search older changes');
    const without = Object.assign(Object.create(store) as WalletStore, { acts: undefined });
    expect((await open(without).get('/changes')).text).toContain('This store does not list');
    expect((await open(without).get('/changes.json')).json()).toEqual({ missing: true });
    expect((await open(without).get('/changes.csv')).status).toBe(501);
  });
});

/** A store with so many blocks of players by a person, a millisecond apart. */
async function storeWithMany(clock: VirtualClock, count: number): Promise<FullStore> {
  const store = createMemoryStore({ clock });
  await store.players.openPlayer({ ...ann, currency: 'EUR', balances: { real: '1' } });
  for (let at = 0; at < count; at++) {
    await store.players.setBlocked(ann, at % 2 === 0, { by: anna });
    await clock.pass(1);
  }
  return store;
}

/** The lines of an export without the first and the last. */
function rowsOf(text: string): string[] {
  return text.trimEnd().split('\r\n').slice(1, -1);
}

describe('an export of changes', () => {
  test('as CSV has a line for each, runs no formula, and its last line says that it is whole', async () => {
    const browser = await browserOfActs();
    const { headers, text } = await browser.get('/changes.csv?kind=correction');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename="changes-2026-01-01.csv"');
    const [head, row, end, ...none] = text.split('\r\n');
    expect(head).toBe(
      '\ufeffat,kind,act,what,operatorId,playerId,gameRound,currency,balance,amount,reference,until,by,byName,reason',
    );
    const quoted = hostile.replaceAll('"', '""');
    expect(row).toBe(
      `2026-01-01T00:00:02.000Z,correction,correction,,casino,ann,,EUR,real,-2.5,'=2+5,,"${quoted}",,"the player showed ${quoted}"`,
    );
    expect([end, none]).toEqual(['end,1,complete', ['']]);
  });

  test('as lines of JSON has what the page has', async () => {
    const browser = await browserOfActs();
    const { headers, text } = await browser.get('/changes.jsonl?person=anna');
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const json = (await browser.get('/changes.json?person=anna')).json() as ChangesJson;
    expect(lines.slice(0, -1)).toEqual(json.changes);
    expect(lines.at(-1)).toEqual({ end: { rows: 5, complete: true } });
  });

  test('has all pages, and after a minute says where it continues', async () => {
    const clock = new VirtualClock(newYear);
    const store = await storeWithMany(clock, 450);
    const browser = open(store, { clock });
    const whole = (await browser.get('/changes.csv?kind=block')).text;
    expect(whole.split('\r\n')).toHaveLength(450 + 3);
    let elapsed = 0;
    const slow = {
      now: () => clock.now(),
      monotonicMs: () => (elapsed += 35_000),
      after: clock.after.bind(clock),
      pause: clock.pause.bind(clock),
    };
    const rest = open(store, { clock: slow });
    const cut = (await rest.get('/changes.csv?kind=block')).text;
    const [, rows, next = ''] = /end,(\d+),continue,([^\r]+)\r\n$/.exec(cut) ?? [];
    expect(rows).toBe('400');
    const left = (await rest.get(`/changes.csv?kind=block&after=${next}`)).text;
    expect(left.trimEnd().split('\r\n').at(-1)).toBe('end,50,complete');
    expect([...rowsOf(cut), ...rowsOf(left)]).toEqual(rowsOf(whole));
  });

  test('is cut without an end where the store stops answering', async () => {
    const clock = new VirtualClock(newYear);
    const store = await storeWithMany(clock, 450);
    let pages = 0;
    const failing = Object.assign(Object.create(store) as WalletStore, {
      acts: {
        note: store.acts.note.bind(store.acts),
        list: async (...asked: Parameters<FullStore['acts']['list']>) => {
          pages += 1;
          const gone = { kind: 'unknown', cause: new Error('gone') } as const;
          return pages === 2 ? gone : store.acts.list(...asked);
        },
      },
    });
    const file = '/changes.csv?kind=block';
    await expect(open(failing, { clock }).get(file)).rejects.toThrow();
    expect(pages).toBe(2);
    expect((await open(failing, { clock }).get(file)).text).toContain('end,450,complete');
  });
});
