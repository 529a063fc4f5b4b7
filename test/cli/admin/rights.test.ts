import { describe, expect, test } from '@jest/globals';

import { noteRights } from '../../../lib/cli/admin/rights';
import type { AdminUser } from '../../../lib/cli/admin/users';
import { createLog } from '../../../lib/cli/terminal/log';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { ActList, PersonAct, RightsAct, WalletStore } from '../../../lib/operator/wallet';

const operatorId = 'casino';
const [monday, tuesday, today] = [1_000_000_000, 2_000_000_000, 3_000_000_000];
const byHand = 'the file was changed without rgs-wallet admin-user';

const anna: AdminUser = {
  id: 'anna',
  name: 'Anna',
  may: ['look', 'propose'],
  set: { at: new Date(monday).toISOString(), by: 'carl', reason: 'on call' },
};
const bert: AdminUser = { id: 'bert', name: null, may: ['look'] };

/** A start of serve with a file of these people. */
function starter(store: Pick<WalletStore, 'acts'> = createMemoryStore()) {
  return {
    store,
    start: (people: readonly AdminUser[], changedAt: number) => {
      const users = new Map(people.map((one) => [one.id, one]));
      const parts = { store, operators: [operatorId, 'other'], log: createLog('silent') };
      return noteRights({ users, changedAt }, parts);
    },
    listed: () => rightsIn(store, operatorId),
  };
}

async function rightsIn(
  { acts }: Pick<WalletStore, 'acts'>,
  operator: string,
): Promise<readonly RightsAct[]> {
  const page = await acts?.list(operator);
  if (page?.kind !== 'known') throw new Error('the acts are not known');
  return page.acts.filter((act: PersonAct) => act.type === 'rights');
}

describe('a start with a file of people', () => {
  test('lists what each may do, once, with who said it, and for every operator', async () => {
    const { store, start, listed } = starter();
    await start([anna, bert], today);
    await start([bert, { ...anna, may: ['propose', 'look'] }], today);
    expect(await listed()).toMatchObject([
      { at: today, person: { id: 'bert' }, may: ['look'], by: { id: 'unknown' }, reason: byHand },
      {
        ...{ at: monday, playerId: null, by: { id: 'carl' }, reason: 'on call' },
        ...{ person: { id: 'anna', name: 'Anna' }, may: ['look', 'propose'], before: null },
      },
    ]);
    expect(await rightsIn(store, 'other')).toHaveLength(2);
  });

  test('that processes read at the same time lists each change once', async () => {
    const { start, listed } = starter();
    await Promise.all([start([anna, bert], today), start([anna, bert], today)]);
    expect(await listed()).toHaveLength(2);
  });

  test('lists a change with what was before, and one by hand as that of nobody known, also if its clock was behind', async () => {
    const { start, listed } = starter();
    await start([anna], monday);
    const at = new Date(tuesday).toISOString();
    await start([{ ...anna, may: ['look'], set: { at, by: 'dora', reason: null } }], tuesday);
    await start([{ ...anna, may: ['look', 'approve'] }], monday);
    expect(await listed()).toMatchObject([
      {
        ...{ at: tuesday + 1, by: { id: 'unknown', name: null }, reason: byHand },
        ...{ before: ['look'], may: ['look', 'approve'] },
      },
      { at: tuesday, by: { id: 'dora' }, reason: null, before: ['look', 'propose'] },
      { at: monday },
    ]);
  });

  test('lists who is no longer there, or has no rights, once; not whom somebody else has noted', async () => {
    const { store, start, listed } = starter();
    const elsewhere: RightsAct = {
      ...{ type: 'rights', operatorId, playerId: null, at: monday, by: { id: 'sso', name: null } },
      ...{
        id: 'own',
        person: { id: 'eve', name: null },
        may: ['look'],
        before: null,
        reason: null,
      },
    };
    await store.acts?.note(elsewhere);
    await start([anna, bert], monday);
    const at = new Date(tuesday).toISOString();
    const set = { at, by: 'dora', reason: 'left' };
    for (const _ of [1, 2]) await start([{ ...anna, may: [], set }], today);
    expect((await listed()).slice(0, 2)).toMatchObject([
      { at: today, person: { id: 'bert' }, may: [], before: ['look'], reason: byHand },
      { at: tuesday, person: { id: 'anna' }, may: [], by: { id: 'dora' }, reason: 'left' },
    ]);
    expect(await listed()).toHaveLength(5);
  });

  test('notes at the next one what the store did not take', async () => {
    const { store, listed } = starter();
    const { acts } = store;
    if (acts === undefined) throw new Error('no acts');
    const silent: ActList = {
      list: acts.list.bind(acts),
      note: async () => ({ kind: 'unknown', cause: new Error('gone') }),
    };
    await starter({ acts: silent }).start([anna], today);
    expect(await listed()).toEqual([]);
    await starter(store).start([anna], today);
    expect(await listed()).toHaveLength(1);
  });
});
