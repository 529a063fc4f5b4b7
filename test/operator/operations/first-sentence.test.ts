import { expect, test } from '@jest/globals';

import type { PendingWork } from '../../../lib/operator/gameround';
import { unseenRound } from '../../../lib/operator/gameround';
import { approveRepair, proposeRepair } from '../../../lib/operator/operations';
import { routes } from '../../../lib/operator/operations/answers';
import type { FullStore } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../support/virtual-clock';
import { withParts } from '../../support/with-parts';
import {
  maria,
  newYear,
  open,
  operatorId,
  putRound,
  queryOf,
  storeWithAnn,
  verdictOf,
  wordsOf,
} from './fixture';
import { countedStore } from './money/fixture';

const noon = '2026-11-24T12:00:00Z';

async function sentenceOf(browser: ReturnType<typeof open>, path: string) {
  const { text } = await browser.get(path);
  const [, said = ''] = /role="status">(.*?)<\/div>/s.exec(text) ?? [];
  return [verdictOf(text), wordsOf(said.replace(/^<b>.*?<\/b>/s, '')).trim()];
}

test('the page of a search begins with what is found, in the order in which it is searched', async () => {
  const store = await storeWithAnn();
  const order =
    'a player with this id; then a player, a space, and a round of this player or the hash of a transaction;';
  const byId = 'then a round by its id alone, with serve --round-lookup; then';
  const last =
    'a round that waits for a person, by its id or its player. The first of these that has something is shown.';
  expect(await sentenceOf(open(store), '/search')).toEqual([
    'The field at the top finds players and rounds',
    `It looks for ${order} ${byId} ${last}`,
  ]);
  const without = open(withParts(store, { totals: undefined }), { operators: [operatorId, 'b'] });
  expect(await sentenceOf(without, '/search')).toEqual([
    'The field at the top finds players and rounds of 2 operators',
    `It looks for ${order} then ${last}`,
  ]);
});

test('the page of a person begins with what this person may do, and what not', async () => {
  const store = await storeWithAnn();
  const of = (may: typeof maria.may) => open(store, { authorize: () => ({ ...maria, may }) });
  expect(await sentenceOf(of(['export', 'look']), '/person')).toEqual([
    'You may see every page, take lists as files (each file is listed in Changes)',
    'You may not propose repairs (right propose), approve and reject repairs (right approve), block players and set limits (right block).',
  ]);
  const all = of(['look', 'propose', 'approve', 'block', 'export']);
  expect((await sentenceOf(all, '/person'))[0]).toBe('You may do everything here');
  expect((await all.get('/person')).text).not.toContain('Sign out');
  for (const signOut of ['/logout?a=1&b="', 'https://sso.example/logout']) {
    const { text } = await open(store, { signOut }).get('/person');
    const escaped = signOut.replace('&', '&amp;').replace('"', '&quot;');
    expect(text).toContain(`<a class="btn" href="${escaped}">Sign out</a>`);
  }
});

test('the page of changes begins with since when nothing was changed, where nothing is listed', async () => {
  const clock = new VirtualClock(newYear);
  const browser = open(await storeWithAnn('ann', { clock }), { clock });
  expect(await sentenceOf(browser, '/changes')).toEqual([
    'No change by a person is listed',
    'People have done nothing since the store was made.',
  ]);
  expect(await sentenceOf(browser, '/changes?person=maria')).toEqual([
    'No change by a person fits',
    'Nothing that people did is of this person, player, kind and time.',
  ]);
});

test('the page of histories begins with what to choose, or with how many rounds of a kind are listed', async () => {
  const { store, clock } = await countedStore(noon, []);
  const browser = open(store, { clock });
  expect((await sentenceOf(browser, '/history'))[0]).toBe(
    'Choose a player, or a kind of notable rounds',
  );
  expect(await sentenceOf(browser, '/history?kind=voided')).toEqual([
    'Voided: none',
    'Events are counted from 20 Nov 2026, 10:00:00 on.',
  ]);
});

test('the pages of rounds without an end and of repairs begin with how many there are, and with what to do', async () => {
  const clock = new VirtualClock(newYear + 96 * 3_600_000);
  const store = await storeWithAnn('ann', { clock });
  const browser = open(store, { clock });
  expect((await sentenceOf(browser, '/open'))[0]).toBe('No round is open for more than 72 hours');
  expect((await sentenceOf(browser, '/repairs'))[0]).toBe('No repair waits for approval');
  await putRound(store, { gameRound: 'r' }, 'open');
  const round = { operatorId, playerId: 'ann', gameRound: 'paid' };
  await putRound(store, round, 'stranded');
  const order = { kind: 'pay', reason: 'seen in the log of the RGS' } as const;
  await proposeRepair(round, order, { id: 'noel', name: null }, { store, clock });
  await clock.pass(5000);
  expect(await sentenceOf(browser, '/open')).toEqual([
    '1 round is open for more than 72 hours: no end came',
    'The oldest is from 4 d 0 h ago. Ask the RGS; some games keep a round open until the player comes back.',
  ]);
  const decided = 'Each is decided on the page of its round, which shows what it moves and why.';
  expect(await sentenceOf(browser, '/repairs')).toEqual([
    '1 repair waits for approval',
    `That needs a person with the right approve. ${decided} All repairs`,
  ]);
  const may = ['look', 'approve'] as const;
  const decider = open(store, { clock, authorize: () => ({ ...maria, may }) });
  expect((await sentenceOf(decider, '/repairs'))[1]).toBe(
    `You can decide those that another person proposed. ${decided} All repairs`,
  );
});

const credit = {
  type: 'credit',
  outcome: 'pending',
  currency: 'EUR',
  amount: 25_000n,
  serial: null,
  purse: { real: 25_000n, bonus: 0n },
  at: newYear,
  fingerprints: [],
} as const;

/** A round with work that the ledger has not answered, as a call leaves it. */
async function putPending(store: FullStore, gameRound: string, work: Partial<PendingWork>) {
  const pending = { since: newYear, posts: [], reversals: [], ...work };
  const head = { ...unseenRound, version: 1, started: true, currency: 'EUR', pending };
  const change = { before: unseenRound, after: head, records: [], movements: [] };
  await store.rounds.commit({ operatorId, playerId: 'ann', gameRound }, change);
}

async function* unfinished() {
  for (let at = 0; at < 10_001; at++) yield { operatorId, playerId: 'ann', gameRound: 'r' };
}

test('the page of what is pending begins with the money that the ledger has not answered, and with when a person must look', async () => {
  const clock = new VirtualClock(newYear);
  const store = await storeWithAnn('ann', { clock });
  const keeps = await sentenceOf(open(store, { clock }), '/pending');
  expect(keeps).toEqual(['Nothing is pending at a ledger', 'This store keeps the money itself.']);
  const ofLedger = withParts(store, { players: undefined });
  const browser = open(ofLedger, { clock });
  const of = () => sentenceOf(browser, '/pending');
  expect((await of())[0]).toBe('The ledger has answered everything');
  const post = { record: credit, bonusFirst: false, behind: null };
  await putPending(store, 'r', { posts: [{ ...post, hash: 'c' }] });
  await clock.pass(60_000);
  expect(await of()).toEqual([
    '1 round waits for an answer of the ledger',
    'In them: 1 posting to post ( 2.50 EUR ), 0 to undo. The oldest for 1 min. The sweeper finishes them: nobody need act.',
  ]);
  await putPending(store, 's', { since: newYear + 1, reversals: ['d', 'e'] });
  await clock.pass(6000);
  expect(await of()).toEqual([
    '2 rounds wait for an answer of the ledger',
    'In them: 1 posting to post ( 2.50 EUR ), 2 to undo. The oldest for 1 min. Look at the ledger: the log names each round that the sweeper could not finish.',
  ]);
  const cut = open(withParts(ofLedger, { lists: { unfinished } }), { clock });
  const [title, text] = await sentenceOf(cut, '/pending');
  expect(title).toBe('More than 10,000 rounds wait for an answer of the ledger');
  expect(text).toContain(
    'In the 50 that are shown: 50 postings to post ( 125.00 EUR ), 0 to undo.',
  );
});

test('the page of all repairs begins with their outcomes and the money that they gave', async () => {
  const clock = new VirtualClock(newYear);
  const store = await storeWithAnn('ann', { clock });
  const browser = open(store, { clock });
  expect((await sentenceOf(browser, '/repair-log'))[0]).toBe('No repair was proposed');
  const [noel, options] = [
    { id: 'noel', name: null },
    { store, clock },
  ];
  const propose = async (gameRound: string) => {
    const round = { operatorId, playerId: 'ann', gameRound };
    await putRound(store, round, 'stranded');
    const order = { kind: 'pay', reason: 'seen in the log of the RGS' } as const;
    const made = await proposeRepair(round, order, noel, options);
    if (made.kind !== 'proposed') throw new Error(made.kind);
    return () => approveRepair(round, made.repair.id, maria, options);
  };
  await (await propose('paid'))();
  expect(await sentenceOf(browser, '/repair-log')).toEqual([
    '1 repair: 1 made',
    'Proposed from 1 Jan 2026, 00:00:00 to 1 Jan 2026, 00:00:00 . Those that were made gave 2.50 EUR . Those that wait for approval',
  ]);
  await clock.pass(86_400_000);
  await propose('one');
  await propose('two');
  expect(await sentenceOf(browser, '/repair-log')).toEqual([
    '3 repairs: 2 wait for approval, 1 made',
    expect.stringContaining('Proposed from 1 Jan 2026, 00:00:00 to 2 Jan 2026, 00:00:00 .'),
  ]);
  for (let at = 0; at < 28; at++) await propose(`more-${at}`);
  expect((await sentenceOf(browser, '/repair-log'))[0]).toBe(
    '30 repairs on this page: 30 wait for approval',
  );
});

/** What follows the heading of a page, but for links: that which its reader sees first. */
async function firstOf(browser: ReturnType<typeof open>, path: string): Promise<string> {
  const { text } = await browser.get(path);
  const main = text.slice(text.indexOf('<main'));
  const [, first = ''] =
    /<(?:div|ul|form|section|p) class="(state|tiles|rows|card|tbl|notice)/.exec(main) ?? [];
  return `${path}: ${first}`;
}

test('every page begins with a sentence, also what is refused or not found, or of a store that lacks a part', async () => {
  const store = await storeWithAnn();
  await putRound(store, { gameRound: 'r' }, 'stranded');
  const pages = [...routes.keys()].filter((name) => routes.get(name)?.isPost === false);
  const [ofPlayer, ofRound] = [queryOf({ player: 'ann' }), queryOf({ player: 'ann', round: 'r' })];
  const paths = [
    ...pages.filter((name) => !/^player|round|beside|\./.test(name)).map((name) => `/${name}`),
    `/player?${ofPlayer}`,
    `/round?${ofRound}`,
    `/round?${ofRound}&print=1`,
    `/history?${ofPlayer}`,
    '/history?kind=won',
    '/search?q=nothing',
    `/search?${ofPlayer}&hash=h`,
    '/money?day=2020-01-01',
    '/player?player=nobody',
    '/nowhere',
    '/waiting?min=x',
  ];
  const { openRounds: _, ...lists } = store.lists;
  const without = { lists, history: undefined, repairs: undefined, acts: undefined };
  const more = { totals: undefined, reconciliations: undefined, minutes: undefined };
  const bare = { ...store, ...without, ...more };
  const looksAtNothing = { authorize: () => ({ ...maria, may: [] }) };
  for (const browser of [open(store), open(bare), open(store, looksAtNothing)]) {
    const found = await Promise.all(paths.map((path) => firstOf(browser, path)));
    expect(found).toEqual(paths.map((path) => `${path}: state`));
  }
});
