import { describe, expect, test } from '@jest/globals';

import { noteRights } from '../../../lib/cli/admin/rights';
import type { AdminUser } from '../../../lib/cli/admin/users';
import { silentLogger } from '../../../lib/platform';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { VirtualClock } from '../../support/virtual-clock';
import type { ActList, PersonAct, RightsAct, WalletStore } from '../../../lib/operator/wallet';

const operatorId = 'casino';
const minuteMs = 60_000;
/** Whole minutes. */
const [monday, tuesday, today] = [20_000_000, 40_000_000, 60_000_000].map(
  (at) => (at * minuteMs) / 1000,
) as [number, number, number];
const byHand = 'the file of users does not say who did it';

const anna: AdminUser = {
  id: 'anna',
  name: 'Anna',
  may: ['look', 'propose'],
  set: setAt(monday, ['look', 'propose'], 'carl', 'on call'),
};
const bert: AdminUser = { id: 'bert', name: null, may: ['look'] };

function setAt(at: number, may: AdminUser['may'], by: string, reason: string | null) {
  return { at: new Date(at).toISOString(), by, reason, may };
}

/** A start of serve with a file of these people. */
function starter(store: Pick<WalletStore, 'acts'> = createMemoryStore()) {
  return {
    store,
    start: (
      people: readonly AdminUser[],
      now: number | VirtualClock,
      stopped = new AbortController().signal,
    ) => {
      const users = new Map(people.map((one) => [one.id, one]));
      const clock = typeof now === 'number' ? new VirtualClock(now) : now;
      const operators = [operatorId, 'other'];
      return noteRights(users, { store, operators, log: silentLogger, clock }, stopped);
    },
    listed: () => rightsIn(store, operatorId),
  };
}

const nameOf = ({ at, person }: RightsAct) => `${Number.MAX_SAFE_INTEGER - at} ${person.id}`;

/** The newest first, and by person. */
async function rightsIn(
  store: Pick<WalletStore, 'acts'>,
  operator: string,
): Promise<readonly RightsAct[]> {
  const page = await store.acts?.list(operator);
  if (page?.kind !== 'known') throw new Error('the acts are not known');
  const acts = page.acts.filter((act: PersonAct) => act.type === 'rights');
  return acts.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

describe('a start with a file of people', () => {
  test('lists what each may do from then on, once, with who said it, and for every operator', async () => {
    const { store, start, listed } = starter();
    await start([anna, bert], tuesday + 59_999);
    await start([bert, { ...anna, may: ['propose', 'look'] }], today);
    const said = { by: { id: 'carl' }, reason: 'on call' };
    expect(await listed()).toMatchObject([
      { at: tuesday, person: { id: 'anna', name: 'Anna' }, may: anna.may, before: null, ...said },
      { at: tuesday, person: { id: 'bert' }, may: ['look'], by: { id: 'unknown' }, reason: byHand },
    ]);
    expect(await rightsIn(store, 'other')).toHaveLength(2);
  });

  test('that processes read in the same minute lists each change once', async () => {
    const { start, listed } = starter();
    await Promise.all([0, 1, 59_999].map((late) => start([anna, bert], today + late)));
    expect(await listed()).toHaveLength(2);
  });

  test('lists a change with what was before, and one by hand as that of nobody known, also where its clock is behind', async () => {
    const { start, listed } = starter();
    await start([anna], monday);
    const set = setAt(tuesday, ['look'], 'dora', null);
    await start([{ ...anna, may: ['look'], set }], today);
    await start([{ ...anna, may: ['look', 'approve'] }], tuesday);
    const unknown = { by: { id: 'unknown', name: null }, reason: byHand };
    expect(await listed()).toMatchObject([
      { at: today + 1, before: ['look'], may: ['look', 'approve'], ...unknown },
      { at: today, by: { id: 'dora' }, reason: null, before: ['look', 'propose'] },
      { at: monday },
    ]);
  });

  test('lists a change by hand as that of nobody known, also where the entry still says who made one before or since', async () => {
    const { start, listed } = starter();
    const may = ['look', 'approve'] as const;
    // Seconds after the minute of the start that found it: the command and the start are in one minute.
    const said = { ...anna, set: setAt(monday + 30_000, anna.may, 'carl', 'on call') };
    await start([said], monday + 40_000);
    await start([{ ...said, may }], tuesday);
    // Another password, and then the rights by hand.
    const replaced = { ...anna, set: setAt(today, anna.may, 'carl', 'new password') };
    await start([{ ...replaced, may: ['look', 'export'] }], today);
    // An older file.
    await start([said], today + minuteMs);
    const unknown = { by: { id: 'unknown', name: null }, reason: byHand };
    expect(await listed()).toMatchObject([
      { may: said.may, before: ['look', 'export'], ...unknown },
      { may: ['look', 'export'], before: may, ...unknown },
      { may, before: said.may, ...unknown },
      { may: said.may, before: null, by: { id: 'carl' } },
    ]);
  });

  test('lists who is no longer there, or has no rights, once; not whom somebody else has noted', async () => {
    const { store, start, listed } = starter();
    await store.acts?.note({
      type: 'rights',
      operatorId,
      playerId: null,
      at: monday,
      by: { id: 'sso', name: null },
      reason: null,
      id: 'own',
      person: { id: 'eve', name: null },
      may: ['look'],
      before: null,
    });
    await start([anna, bert], monday);
    const set = setAt(tuesday, [], 'dora', 'left');
    for (const days of [0, 1]) await start([{ ...anna, may: [], set }], today + days * 86_400_000);
    const found = await listed();
    expect(found.slice(0, 2)).toMatchObject([
      { at: today, person: { id: 'anna' }, may: [], by: { id: 'dora' }, reason: 'left' },
      { at: today, person: { id: 'bert' }, may: [], before: ['look'], reason: byHand },
    ]);
    expect(found).toHaveLength(5);
  });

  test('notes what the store did not take once a minute until it takes it, and no more once it is stopped', async () => {
    const { acts } = createMemoryStore();
    const clock = new VirtualClock(today);
    const stopped = new AbortController();
    let [isSilent, asked] = [true, 0];
    const list = acts.list.bind(acts);
    const note: ActList['note'] = async (act) => {
      asked += 1;
      return isSilent ? { kind: 'unknown', cause: new Error('gone') } : acts.note(act);
    };
    const { start, listed } = starter({ acts: { list, note } });
    const changed = { ...anna, may: ['look'] as const };
    await start([anna], clock, stopped.signal);
    await clock.pass(minuteMs);
    expect([asked, await listed()]).toEqual([4, []]);
    isSilent = false;
    await clock.pass(minuteMs);
    const noted = [{ at: today + 2 * minuteMs, by: { id: 'carl' } }];
    expect(await listed()).toMatchObject(noted);
    expect(clock.waiting).toBe(0);
    isSilent = true;
    await start([changed], clock, stopped.signal);
    stopped.abort();
    isSilent = false;
    await clock.pass(2 * minuteMs);
    expect(await listed()).toMatchObject(noted);
    await start([changed], clock);
    expect(await listed()).toHaveLength(2);
  });
});
