import assert from 'node:assert/strict';
import type { ExportAct, NoteExportResult, WalletStore } from '../../../operator/wallet';
import type { ContractWallet } from '../../subject/players';
import { freshRound } from '../case';
import { type Case, faultOf, wrongUse } from '../suite';
import { allActs, anna, bert, ofPlayer, repairAt, since, writeRepairs } from './case';

/** Exports: files that people took out of the store. */
export function exportRules(it: Case<ContractWallet>): void {
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
    const noted = (change: object): Promise<NoteExportResult> =>
      Promise.resolve().then(() => actsOf(store).noteExport({ ...right, ...change }));
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

async function note(store: WalletStore, act: ExportAct): Promise<void> {
  assert.deepEqual(await actsOf(store).noteExport(act), { kind: 'noted' });
}

function actsOf({ acts }: WalletStore): NonNullable<WalletStore['acts']> {
  assert.ok(acts !== undefined, 'the store must list acts');
  return acts;
}

/** An act as the list has it. */
function listed(act: ExportAct) {
  return { ...act, reason: null };
}
