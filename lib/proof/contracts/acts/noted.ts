import assert from 'node:assert/strict';
import type {
  ExportAct,
  NoteActResult,
  NotedAct,
  PersonAct,
  RightsAct,
  WalletStore,
} from '../../../operator/wallet';
import type { ContractWallet } from '../../subject/players';
import { freshRound } from '../case';
import { type Case, faultOf, wrongUse } from '../suite';
import { allActs, anna, bert, ofPlayer, repairAt, since, writeRepairs } from './case';

/** What the store does not see by itself: files that people took out of it, and changes of rights. */
export function notedRules(it: Case<ContractWallet>): void {
  it('each step of an export is listed once, with all that it says', async ({ store }) => {
    const player = ofPlayer(freshRound());
    const begun = exportAt(since, player);
    const whole = { step: 'ended', rows: 100_000, isWhole: true } as const;
    const ended = exportAt(since, { ...player, ...whole });
    const { operatorId } = player;
    const all = exportAt(since + 5, {
      operatorId,
      playerId: null,
      by: bert,
      id: 'other',
      filter: {},
    });
    for (const act of [begun, ended, all, ended, begun]) await note(store, act);
    const other = { ...begun, operatorId: freshRound().operatorId, isWhole: true };
    await note(store, other);
    assert.deepEqual(await allActs(store, operatorId), [all, ended, begun].map(listed));
    assert.deepEqual(
      await allActs(store, operatorId, { limit: 1 }),
      [all, ended, begun].map(listed),
    );
    assert.deepEqual(await allActs(store, other.operatorId), [listed(other)]);
  });

  it('exports are found by person, player, kind and time', async ({ store }) => {
    const round = freshRound();
    const { operatorId, playerId } = round;
    await writeRepairs(store, round, [repairAt('one', since)]);
    await note(store, exportAt(since + 1, { operatorId, playerId, id: 'of-player' }));
    await note(store, exportAt(since + 2, { operatorId, playerId: null, id: 'of-all', by: bert }));
    const found = async (query: object): Promise<string> =>
      (await allActs(store, operatorId, { limit: 1, ...query }))
        .map((act) => (act.type === 'export' ? act.id : act.type))
        .join(' ');
    assert.equal(await found({}), 'of-all of-player repair');
    assert.equal(await found({ kind: 'export' }), 'of-all of-player');
    assert.equal(await found({ kind: 'export', person: bert.id }), 'of-all');
    assert.equal(await found({ kind: 'repair' }), 'repair');
    assert.equal(await found({ playerId }), 'of-player repair');
    assert.equal(await found({ kind: 'export', from: since + 2 }), 'of-all');
    assert.equal(await found({ kind: 'export', to: since + 2 }), 'of-player');
    assert.equal(await found({ kind: 'export', from: since + 3 }), '');
  });

  it('an act of an export that is not of its form is refused, and not written', async ({
    store,
  }) => {
    const player = ofPlayer(freshRound());
    const right = exportAt(since, player);
    const noted = (change: object): Promise<NoteActResult> =>
      Promise.resolve().then(() => actsOf(store).note({ ...right, ...change }));
    const wrong = [
      ...[-1, 1.5, Number.NaN, '5', null].flatMap((number) => [{ rows: number }, { at: number }]),
      ...['export', null].map((isWhole) => ({ isWhole })),
      ...['', 'middle', null].map((step) => ({ step })),
      ...[null, 7, {}].map((id) => ({ id })),
      { type: 'repair' },
      { by: null },
      { filter: { game: 7 } },
      { filter: { game: 'x'.repeat(8001) } },
      { filter: { 'a\nb': 'x' } },
    ];
    for (const change of wrong) {
      await assert.rejects(noted(change), wrongUse, JSON.stringify(change));
    }
    const texts = [
      ...['', 'a#b', 'x'.repeat(41)].map((id) => ['id', id] as const),
      ...['', 'a\nb', 'x'.repeat(65)].map((file) => ['file', file] as const),
      ...['', 'a\nb', 'x'.repeat(129)].map((playerId) => ['playerId', playerId] as const),
    ];
    for (const [field, text] of texts) {
      await assert.rejects(noted({ [field]: text }), faultOf(text), `${field} ${text}`);
    }
    await assert.rejects(noted({ by: { id: ' anna', name: null } }), faultOf(' anna'));
    assert.deepEqual(await allActs(store, player.operatorId), []);
  });

  it('a change of rights is listed once with whose they are, by its kind too and beside an export of its time and id', async ({
    store,
  }) => {
    const round = freshRound();
    const { operatorId } = round;
    const given = rightsAt(since, { operatorId });
    const changed = rightsAt(since + 1, {
      operatorId,
      before: given.may,
      may: ['look'],
      reason: null,
    });
    const removed = rightsAt(since + 1, {
      operatorId,
      id: 'other',
      person: anna,
      by: bert,
      may: [],
      before: [],
    });
    const taken = exportAt(since, { operatorId, playerId: null });
    const again = { ...given, by: bert, reason: null, before: [] };
    for (const act of [changed, given, taken, removed, again, changed]) await note(store, act);
    await writeRepairs(store, round, [repairAt('one', since - 1)]);
    const found = async (query: object) => allActs(store, operatorId, { limit: 1, ...query });
    const rights = [removed, changed, given].map(listed);
    assert.deepEqual(await found({ kind: 'rights' }), rights);
    assert.deepEqual(await found({ kind: 'rights', limit: 200 }), rights);
    assert.deepEqual(await found({ kind: 'rights', person: bert.id }), [listed(removed)]);
    assert.deepEqual(await found({ kind: 'rights', to: since + 1 }), [listed(given)]);
    assert.deepEqual(await found({ kind: 'export' }), [listed(taken)]);
    assert.deepEqual(await found({ playerId: round.playerId, kind: 'rights' }), []);
    const types = (await found({})).map(({ type }) => type);
    assert.deepEqual(types, ['rights', 'rights', 'export', 'rights', 'repair']);
  });

  it('a change of rights that is not of its form is refused, and not written', async ({
    store,
  }) => {
    const { operatorId } = freshRound();
    const right = rightsAt(since, { operatorId });
    const wrong = [
      ...['look', null, [7], [''], ['a\nb'], Array.from({ length: 17 }, () => 'look')].map(
        (may) => ({ may }),
      ),
      { before: 'look' },
      { before: [null] },
      { person: null },
      { by: null },
      { playerId: 'ann' },
      { at: 0.5 },
    ];
    const noted = (change: object): Promise<NoteActResult> =>
      Promise.resolve().then(() => actsOf(store).note({ ...right, ...change }));
    for (const change of wrong) {
      await assert.rejects(noted(change), wrongUse, JSON.stringify(change));
    }
    const texts = [
      ...['', 'a\nb', 'x'.repeat(501)].map((reason) => ['reason', reason] as const),
      ...['', 'a#b', 'x'.repeat(41)].map((id) => ['id', id] as const),
    ];
    for (const [field, text] of texts) {
      await assert.rejects(noted({ [field]: text }), faultOf(text), `${field} ${text}`);
    }
    const spaced = noted({ person: { id: ' bert', name: null } });
    await assert.rejects(spaced, { name: 'InvalidInputError', field: 'person.id' });
    assert.deepEqual(await allActs(store, operatorId), []);
  });
}

function exportAt(
  at: number,
  more: Pick<ExportAct, 'operatorId' | 'playerId'> & Partial<ExportAct>,
): ExportAct {
  return {
    type: 'export',
    at,
    by: anna,
    id: 'Zx-_09',
    step: 'begun',
    file: 'rounds.csv',
    filter: { game: 'bells "é/%|\u{1f3b0} <b>', min: '10.50' },
    rows: 200,
    isWhole: false,
    ...more,
  };
}

async function note(store: WalletStore, act: NotedAct): Promise<void> {
  assert.deepEqual(await actsOf(store).note(act), { kind: 'noted' });
}

function actsOf({ acts }: WalletStore): NonNullable<WalletStore['acts']> {
  assert.ok(acts !== undefined, 'the store must list acts');
  return acts;
}

/** An act as the list has it. */
function listed(act: NotedAct): PersonAct {
  return act.type === 'export' ? { ...act, reason: null } : act;
}

function rightsAt(
  at: number,
  more: Partial<RightsAct> & { readonly operatorId: string },
): RightsAct {
  return {
    type: 'rights',
    playerId: null,
    at,
    by: anna,
    reason: 'on call from "Monday" on: é/%|\u{1f3b0}',
    id: 'Zx-_09',
    person: bert,
    may: ['look', 'propose'],
    before: null,
    ...more,
  };
}
