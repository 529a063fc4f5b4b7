import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from '@jest/globals';

import { verifyArchive } from '../../../lib/operator/archive/reading';
import { archiveChecksIn } from '../../../lib/cli/admin/archive-checks';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { VirtualClock } from '../../support/virtual-clock';
import { withParts } from '../../support/with-parts';
import { BuiltFolder } from '../archive/folder';
import { hostile, newYear, open, operatorId, putRound, queryOf, wordsOf } from './fixture';

const dayMs = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'history-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface HistoryJson {
  readonly playerId: string | null;
  readonly rounds: { readonly rounds: readonly { readonly gameRound: string }[] };
  readonly coverage: {
    readonly keptSince: string | null;
    readonly parts: readonly { readonly source: string; readonly from: string | null }[];
    readonly archive: unknown;
  };
}

let files = 0;

/** A file with this text. */
function fileOf(text: string): string {
  files += 1;
  const file = join(folder, `check-${files}.json`);
  writeFileSync(file, text);
  return file;
}

/** What a verification of days of January 2026 that found nothing wrong says. */
const found = {
  verifiedAt: '2026-01-31T00:00:00.000Z',
  operatorId,
  segments: 2,
  segmentsRead: 2,
  faults: [] as unknown[],
  firstAt: '2026-01-05T00:00:00.000Z',
  lastAt: '2026-01-28T00:00:00.000Z',
  sentence: `whole ${hostile}`,
};

/** The history of ann at the end of January 2026, in a store that keeps rounds for ten days. */
async function inFebruary(archiveChecks: readonly string[] = []) {
  const clock = new VirtualClock(newYear + 31 * dayMs);
  const store = createMemoryStore({ clock, retentionMs: 10 * dayMs });
  await store.players.openPlayer({
    operatorId,
    playerId: 'ann',
    currency: 'EUR',
    balances: { real: '1' },
  });
  for (const day of [3, 12, 28]) {
    await putRound(store, { gameRound: `day-${day}` }, 'stranded', newYear + (day - 1) * dayMs);
  }
  return {
    store,
    clock,
    browser: open(store, { clock, archiveCheck: archiveChecksIn(archiveChecks) }),
  };
}

async function coverageOf(archiveChecks: readonly string[], more: Record<string, string> = {}) {
  const { browser } = await inFebruary(archiveChecks);
  const query = queryOf({ player: 'ann', ...more });
  const json = (await browser.get(`/history.json?${query}`)).json() as HistoryJson;
  const words = wordsOf((await browser.get(`/history?${query}`)).text);
  const parts = json.coverage.parts.map(({ source, from }) => `${source} ${from?.slice(0, 10)}`);
  return { parts, words, json };
}

describe('the history of a player', () => {
  test('is whole only in the days that the store still keeps; what came before is nowhere', async () => {
    const { parts, words, json } = await coverageOf([], { from: '2026-01-01' });
    expect(parts).toEqual(['store 2026-01-22', 'nowhere 2026-01-01']);
    expect(words).toContain('This list may not be whole Rounds of some days may have been deleted');
    expect(words).toContain('None is known here');
    expect(json.rounds.rounds.map(({ gameRound }) => gameRound)).toEqual([
      'day-28',
      'day-12',
      'day-3',
    ]);
    const kept = await coverageOf([], { from: '2026-01-22' });
    expect(kept.parts).toEqual(['store 2026-01-22']);
    expect(kept.words).toContain('This list is whole The store keeps every round of this period');
    expect((await coverageOf([])).parts).toEqual(['store 2026-01-22', 'nowhere undefined']);
    expect((await coverageOf([], { to: '2025-12-31' })).parts).toEqual(['nowhere undefined']);
  });

  test('names the days that the archive has, when it was checked, and how to read them', async () => {
    const check = fileOf(JSON.stringify(found));
    const { parts, words } = await coverageOf([check], { from: '2026-01-01' });
    expect(parts).toEqual(['store 2026-01-22', 'archive 2026-01-05', 'nowhere 2026-01-01']);
    expect(words).toContain('rgs-wallet archive find DIR --player &#39;ann&#39;');
    expect(words).toContain('checked 31 Jan 2026, 00:00:00');
    const inside = await coverageOf([check], { from: '2026-01-06', to: '2026-01-30' });
    expect(inside.parts).toEqual(['store 2026-01-22', 'archive 2026-01-06']);
    expect(inside.words).toContain('This list is not whole The older rounds are in the archive');
    const late = { ...found, lastAt: '2026-01-10T00:00:00.000Z' };
    const gap = await coverageOf([fileOf(JSON.stringify(late))], { from: '2026-01-06' });
    expect(gap.parts).toEqual(['store 2026-01-22', 'nowhere 2026-01-10', 'archive 2026-01-06']);
  });

  test('never calls an archive whole that has a fault, or of which lines were not read', async () => {
    const query = { from: '2026-01-06', to: '2026-01-30' };
    for (const wrong of [{ faults: [{}] }, { segmentsRead: 1 }]) {
      const file = fileOf(JSON.stringify({ ...found, ...wrong }));
      const { words } = await coverageOf([file], query);
      expect(words).toContain('the checks of the archive do not hold');
    }
  });

  test('shows a check that cannot be read as such, and none of another operator', async () => {
    const query = { from: '2026-01-06', to: '2026-01-30' };
    for (const text of ['{', '', '{"operatorId":"casino"}']) {
      const { words, json } = await coverageOf([fileOf(text)], query);
      expect(json.coverage.archive).toBe('unreadable');
      expect(words).toContain('cannot be read');
    }
    for (const wrong of [{ verifiedAt: 'now' }, { firstAt: 5 }, { lastAt: null }]) {
      const { json } = await coverageOf([fileOf(JSON.stringify({ ...found, ...wrong }))], query);
      expect(json.coverage.archive).toBe('unreadable');
    }
    const missing = await coverageOf([join(folder, 'no-such-file')], query);
    expect(missing.json.coverage.archive).toBe('unreadable');
    const other = fileOf(JSON.stringify({ ...found, operatorId: 'other' }));
    expect((await coverageOf([other], query)).json.coverage.archive).toBe('not given');
  });

  test('reads what a verification of a real archive says of its times', async () => {
    const built = new BuiltFolder(join(folder, 'archive'), { segments: [10, 10], batches: [3] });
    const result = await verifyArchive(built.path);
    expect(result.faults).toEqual([]);
    expect(Date.parse(result.firstAt ?? '')).toBeLessThanOrEqual(Date.parse(result.lastAt ?? ''));
    const written = { verifiedAt: found.verifiedAt, ...result, operatorId };
    const { json } = await coverageOf([fileOf(JSON.stringify(written))]);
    const { firstAt, lastAt, sentence } = result;
    expect(json.coverage.archive).toMatchObject({ isWhole: true, firstAt, lastAt, sentence });
  });

  test('asks for the file once a minute, however often the page is looked at', async () => {
    const file = fileOf('{');
    const { browser, clock } = await inFebruary([file]);
    const archiveOf = async () => {
      const reply = await browser.get(`/history.json?${queryOf({ player: 'ann' })}`);
      return (reply.json() as HistoryJson).coverage.archive;
    };
    expect(await archiveOf()).toBe('unreadable');
    writeFileSync(file, JSON.stringify(found));
    expect(await archiveOf()).toBe('unreadable');
    await clock.pass(60_000);
    expect(await archiveOf()).toMatchObject({ isWhole: true });
  });

  test('has ready searches as links, keeps the filter in them, and shows markup of others as text', async () => {
    const { browser } = await inFebruary([fileOf(JSON.stringify(found))]);
    const query = queryOf({ player: hostile, from: '2026-01-01', to: '2026-01-31' });
    const { text } = await browser.get(`/history?${query}`);
    expect(text).not.toContain(hostile);
    const player = 'operator=casino&amp;player=%3Cimg[^"]*';
    for (const link of [
      `history\\?${player}&amp;from=2026-02-01&amp;to=2026-02-28`,
      `history\\?${player}&amp;from=2026-01-01&amp;to=2026-01-31" aria-current="true"`,
      `history\\?${player}&amp;from=2026-01-01&amp;to=2026-01-31&amp;min=1000`,
      `history\\?${player}&amp;from=2026-01-01&amp;to=2026-01-31&amp;state=voided`,
      `changes\\?${player}&amp;from=2026-01-01&amp;to=2026-01-31&amp;kind=repair`,
    ]) {
      expect(text).toMatch(new RegExp(`href="${link}`));
    }
    expect(wordsOf((await browser.get('/history')).text)).toContain('Choose a player');
    expect((await browser.get(`/history?${queryOf({ player: 'ann', from: 'x' })}`)).status).toBe(
      400,
    );
  });

  test('says that rounds are not listed where the store has no history, and what it does not say', async () => {
    const { store, clock } = await inFebruary();
    const off = withParts(store, { history: { rounds: async () => ({ kind: 'off' }) as const } });
    const target = `/history?${queryOf({ player: 'ann' })}`;
    expect(wordsOf((await open(off, { clock }).get(target)).text)).toContain('History is off');
    const silent = withParts(store, { retentionMs: undefined });
    const { text } = await open(silent, { clock }).get(target);
    expect(wordsOf(text)).toContain('This store does not say how long it keeps rounds');
  });
});

test("the last page of a player's rounds says since when deleted rounds are missing", async () => {
  const { browser } = await inFebruary();
  const { text } = await browser.get(`/player?${queryOf({ player: 'ann' })}`);
  expect(wordsOf(text)).toContain('Rounds that were over before 22 Jan 2026, 00:00:00 may have');
});
