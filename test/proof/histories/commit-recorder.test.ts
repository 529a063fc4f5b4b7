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
import type { AccountStore, Rounds, Written } from '../../../lib/operator/wallet';
import { recordCommits } from '../../../lib/proof/histories/commit-recorder';
import { textOf } from '../../../lib/proof/histories/moments';
import { workOf } from '../../../lib/proof/histories/work';
import { emptyPurse } from '../../../lib/protocol/money/purse';
import { withParts } from '../../support/with-parts';

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
let commits: Written[];
let rounds: Rounds;

beforeEach(async () => {
  store = createMemoryStore();
  commits = [];
  rounds = recordCommits(store.rounds, commits);
  const balances = { real: { units: 100n }, bonus: { units: 20n } };
  await store.players.openPlayer({ ...player, currency: 'EUR', balances });
});

test('every commit is a moment of its own, with what its debits took of each balance', async () => {
  const first = changeOf(unseenRound, debit('d0', 110n), credit('c0', 7n));
  const second = changeOf(first.after, credit('c1', 5n));
  await rounds.commit(round, first);
  await rounds.commit(round, second);
  const { stages } = workOf(commits, await rounds.readRound(round));
  expect(stages.map((stage) => stage.map(textOf))).toEqual([
    ['EUR -93 real -10 bonus'],
    ['EUR 5 real 0 bonus'],
  ]);
});

test('a commit that is stale or refused is not recorded, and its answer is passed on', async () => {
  const opened = changeOf(unseenRound, debit('d0', 10n));
  const answers = [
    await rounds.commit(round, changeOf(unseenRound, debit('d0', 1000n))),
    await rounds.commit(round, opened),
    await rounds.commit(round, opened),
  ];
  expect(answers.map(({ kind }) => kind)).toEqual(['refused', 'committed', 'stale']);
  expect(commits).toEqual([opened]);
});

test('a commit that moves no money is no moment', async () => {
  await rounds.commit(round, changeOf(unseenRound));
  expect(commits).toHaveLength(1);
  expect(workOf(commits, await rounds.readRound(round))).toEqual({ stages: [] });
});

test('what a debit took is not guessed if the debit is not stored', async () => {
  const change = changeOf(unseenRound, debit('d0', 10n));
  expect(() => workOf([change], null)).toThrow('the debit d0 was committed and is not stored');
});

test('loads and accounts are those of the store behind it', async () => {
  await rounds.commit(round, changeOf(unseenRound, debit('d0', 10n)));
  expect(await rounds.load(round, ['d0'])).toEqual(await store.rounds.load(round, ['d0']));
  expect(await rounds.accounts(player)).toEqual(await store.rounds.accounts(player));
});

test('what was added to a running round is a moment too, and what was not added is none', async () => {
  const opened = changeOf(unseenRound, debit('d0', 10n));
  const after = { ...opened.after, started: true, gameCode: 'game' };
  await rounds.commit(round, { ...opened, after });
  const [record, movement] = credit('c1', 5n);
  const counts = { closes: false, credited: 1, ended: 0, changedAt: 0 };
  const added = { ...counts, credits: { real: 5n, bonus: 0n }, records: [record] };
  const of = { hashes: ['c1'], currency: 'EUR', gameCode: 'game' };
  const answers = [
    await rounds.follow?.(round, { ...of, ...added, movements: [movement] }),
    await rounds.follow?.(round, { ...of, ...added, movements: [movement] }),
  ];
  expect(answers.map((answer) => answer?.kind)).toEqual(['committed', 'other']);
  const { stages } = workOf(commits, await rounds.readRound(round));
  expect(stages.map((stage) => stage.map(textOf))).toEqual([
    ['EUR -10 real 0 bonus'],
    ['EUR 5 real 0 bonus'],
  ]);
});

test('a store that is loaded from stays one', () => {
  const { rounds: loaded } = withParts(store, { rounds: { follow: undefined } });
  expect(recordCommits(loaded, commits).follow).toBeUndefined();
});
