import { beforeEach, expect, test } from '@jest/globals';

import {
  type Movement,
  type NewRecord,
  noTexts,
  type RoundChange,
  type RoundHead,
  unseenRound,
} from '../../../lib/operator/gameround';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { AccountStore } from '../../../lib/operator/wallet';
import { CommitRecorder } from '../../../lib/proof/histories/commit-recorder';
import { textOf } from '../../../lib/proof/histories/moments';
import { workOf } from '../../../lib/proof/histories/work';
import { emptyPurse } from '../../../lib/protocol/money';

const player = { operatorId: 'operator', playerId: 'player' };
const round = { ...player, gameRound: 'd0' };
const money = { currency: 'EUR', serial: null } as const;
const noted = { at: 1, fingerprints: noTexts } as const;

function debit(hash: string, amount: bigint): [NewRecord, Movement] {
  const content = { amount, discount: 0n, purse: emptyPurse, first: hash === 'd0', ...money };
  const written = { type: 'debit', outcome: 'accepted', delivery: 'one', behind: noTexts } as const;
  const record = { ...written, ...content, ...noted };
  return [
    { hash, record },
    { kind: 'take', hash, currency: 'EUR', amount, bonusFirst: false },
  ];
}

function credit(hash: string, amount: bigint): [NewRecord, Movement] {
  const purse = { real: amount, bonus: 0n };
  const record = {
    type: 'credit',
    outcome: 'accepted',
    amount,
    purse,
    ...money,
    ...noted,
  } as const;
  return [
    { hash, record },
    { kind: 'give', hash, currency: 'EUR', purse },
  ];
}

/** Makes the round's next version with these. */
function changeOf(before: RoundHead, ...parts: readonly [NewRecord, Movement][]): RoundChange {
  return {
    before,
    after: { ...before, state: 'open', currency: 'EUR', version: before.version + 1 },
    records: parts.map(([record]) => record),
    movements: parts.map(([, movement]) => movement),
  };
}

let store: AccountStore;
let recorder: CommitRecorder;

beforeEach(async () => {
  store = createMemoryStore();
  recorder = new CommitRecorder(store);
  const balances = { real: { units: 100n }, bonus: { units: 20n } };
  await store.openPlayer({ ...player, currency: 'EUR', balances });
});

test('every commit is a moment of its own, with what its debits took of each balance', async () => {
  const first = changeOf(unseenRound, debit('d0', 110n), credit('c0', 7n));
  const second = changeOf(first.after, credit('c1', 5n));
  await recorder.commit(round, first);
  await recorder.commit(round, second);
  const { stages } = workOf(recorder.commits, await recorder.readRound(round));
  expect(stages.map((stage) => stage.map(textOf))).toEqual([
    ['EUR -93 real -10 bonus'],
    ['EUR 5 real 0 bonus'],
  ]);
});

test('a commit that is stale or refused is not recorded, and its answer is passed on', async () => {
  const opened = changeOf(unseenRound, debit('d0', 10n));
  const answers = [
    await recorder.commit(round, changeOf(unseenRound, debit('d0', 1000n))),
    await recorder.commit(round, opened),
    await recorder.commit(round, opened),
  ];
  expect(answers.map(({ kind }) => kind)).toEqual(['refused', 'committed', 'stale']);
  expect(recorder.commits).toEqual([opened]);
});

test('a commit that moves no money is no moment', async () => {
  await recorder.commit(round, changeOf(unseenRound));
  expect(recorder.commits).toHaveLength(1);
  expect(workOf(recorder.commits, await recorder.readRound(round))).toEqual({ stages: [] });
});

test('what a debit took is not guessed if the debit is not stored', async () => {
  const change = changeOf(unseenRound, debit('d0', 10n));
  expect(() => workOf([change], null)).toThrow('the debit d0 was committed and is not stored');
});

test('loads and accounts are those of the store behind it', async () => {
  await recorder.commit(round, changeOf(unseenRound, debit('d0', 10n)));
  expect(recorder.decimals).toBe(store.decimals);
  expect(await recorder.load(round, ['d0'])).toEqual(await store.load(round, ['d0']));
  expect(await recorder.accounts(player)).toEqual(await store.accounts(player));
});

test('what was added to a running round is a moment too, and what was not added is none', async () => {
  const opened = changeOf(unseenRound, debit('d0', 10n));
  const after = { ...opened.after, started: true, gameCode: 'game' };
  await recorder.commit(round, { ...opened, after });
  const [record, movement] = credit('c1', 5n);
  const counts = { closes: false, credited: 1, ended: 0, changedAt: 0 };
  const added = { ...counts, credits: { real: 5n, bonus: 0n }, records: [record] };
  const of = { hashes: ['c1'], currency: 'EUR', gameCode: 'game' };
  const answers = [
    await recorder.follow?.(round, { ...of, ...added, movements: [movement] }),
    await recorder.follow?.(round, { ...of, ...added, movements: [movement] }),
  ];
  expect(answers.map((answer) => answer?.kind)).toEqual(['committed', 'other']);
  const { stages } = workOf(recorder.commits, await recorder.readRound(round));
  expect(stages.map((stage) => stage.map(textOf))).toEqual([
    ['EUR -10 real 0 bonus'],
    ['EUR 5 real 0 bonus'],
  ]);
});

test('a store that is loaded from stays one', () => {
  const { follow: _, ...loaded } = { ...store, follow: undefined, decimals: 4 };
  expect(new CommitRecorder(loaded as AccountStore).follow).toBeUndefined();
});
