import { expect, test } from '@jest/globals';

import { proposeRepair } from '../../../lib/operator/operations';
import { VirtualClock } from '../../support/virtual-clock';
import { withParts } from '../../support/with-parts';
import {
  maria,
  newYear,
  open,
  operatorId,
  putRound,
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
