import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { errorCatalogue, type ErrorCode } from '../errors';
import type { HashEntry, NewRecord, RoundHead, RoundState } from '../gameround';
import { emptyPurse, maxUnits } from '../money';
import type { RoundKey, AccountStore } from '../wallet';
import {
  assertCommitted,
  type Case,
  freshId,
  freshRound,
  open,
  orderOf,
  playerWith,
  purseOf,
  snapshotOf,
} from './wallet-store-contract-case';
import {
  type ChangePart,
  changeOf,
  creditRecord,
  debitRecord,
  give,
  openHead,
  openingOf,
  real,
  reverse,
  take,
  voidRecord,
} from './wallet-store-contract-changes';

/** Identifiers that a store must keep apart byte for byte (D2.6). */
const oddIds: readonly string[] = [
  ...'{} {a} }{ : :: % %7B%7D %25 / a/b \\ .. *?[a-z] " \' ` $(a)'.split(' '),
  ...'0 -1 00 h g th blocked EUR'.split(' '),
  ...'__proto__ constructor prototype toString null undefined a A \u00e9 e\u0301'.split(' '),
  ...'\u20ac \u{1f3b0} \u200b \u2028 \ufeff \u05d0\u202e'.split(' '),
  '0b9bd9a1-5f6e-4c3c-9a53-0e2b3a1d7c55',
  '0B9BD9A1-5F6E-4C3C-9A53-0E2B3A1D7C55',
  '0b9bd9a15f6e4c3c9a530e2b3a1d7c55',
  'C5vZoV9uTDyaUw4rOh18VQ',
  'T0b9bd9a1-5f6e-4c3c-9a53-0e2b3a1d7c55',
  'a b',
  ' a',
  'a ',
  'x'.repeat(128),
  `${'x'.repeat(127)}y`,
  '{'.repeat(128),
  '\u{1f3b0}'.repeat(128),
];

const states: readonly RoundState[] = [
  'none',
  'open',
  'closed',
  'cancelled',
  'voided',
  'stranded',
  'crashed',
];

/** Records and heads come back as they were written. */
export function recordRules(check: Case): void {
  check('every kind of record comes back exactly', async (store) => {
    const round = await playerWith(store, 1000n);
    const written = everyRecord();
    const parts: ChangePart[] = written.map((record) => ({ record }));
    assertCommitted(await store.commit(round, openingOf(parts)));
    const expected = new Map(written.map(({ hash, record }) => [hash, entryOf(record)]));
    const hashes = [...expected.keys()];
    const { entries } = await snapshotOf(store, round, hashes);
    assert.deepEqual(entries, expected);
    assert.deepEqual((await store.readRound(round))?.entries, expected);
  });

  check('a debit and its void are recorded apart, in either order (D3.3)', async (store) => {
    const round = await playerWith(store, 100n);
    const early = voidRecord(emptyPurse);
    const first = openingOf([take('a', 5n), { record: { hash: 'b', record: early } }]);
    assertCommitted(await store.commit(round, first));
    const { head } = await snapshotOf(store, round);
    const declined = debitRecord(9n, { outcome: 'GAMEROUNDVOIDED' });
    const second = changeOf(head, [
      reverse('a', real(5n)),
      { record: { hash: 'b', record: declined } },
    ]);
    assertCommitted(await store.commit(round, second));
    const { entries } = await snapshotOf(store, round, ['a', 'b']);
    const taken = debitRecord(5n, { purse: real(5n) });
    assert.deepEqual(entries.get('a'), { transaction: taken, void: voidRecord(real(5n)) });
    assert.deepEqual(entries.get('b'), { transaction: declined, void: early });
  });

  check('a record is replaced by the one of a later commit', async (store) => {
    const round = await playerWith(store, 100n);
    assertCommitted(await store.commit(round, openingOf([take('a', 5n)])));
    const { head } = await snapshotOf(store, round);
    const unanswered = debitRecord(5n, { purse: real(5n), outcome: 'unanswered' });
    const change = changeOf(head, [{ record: { hash: 'a', record: unanswered } }]);
    assertCommitted(await store.commit(round, change));
    const { entries } = await snapshotOf(store, round, ['a']);
    assert.deepEqual(entries.get('a'), { transaction: unanswered });
  });

  check('every head comes back exactly', async (store) => {
    for (const head of everyHead()) {
      const round = freshRound();
      assertCommitted(await store.commit(round, openingOf([], head)));
      const expected = { ...openHead, ...head };
      assert.deepEqual((await snapshotOf(store, round)).head, expected);
      const { operatorId, playerId, gameRound } = round;
      const report = { operatorId, playerId, gameRound, head: expected, entries: new Map() };
      assert.deepEqual(await store.readRound(round), report);
    }
  });

  check('only the hashes asked for are loaded, and readRound reads all', async (store) => {
    const round = await playerWith(store, 3000n);
    const hashes = Array.from({ length: 1200 }, (_, at) => `hash-${at}`);
    const opening = openingOf(hashes.map((hash) => take(hash, 1n)));
    assertCommitted(await store.commit(round, opening));
    const { head } = await snapshotOf(store, round);
    assert.deepEqual(head.debits, real(1200n));
    assertCommitted(await store.commit(round, changeOf(head, [take('later', 1n)])));
    const some = await snapshotOf(store, round, ['hash-0', 'hash-1199', 'other']);
    assert.deepEqual([...some.entries.keys()].toSorted(), ['hash-0', 'hash-1199']);
    const all = await snapshotOf(store, round, [...hashes, 'later']);
    const report = await store.readRound(round);
    assert.deepEqual(report?.entries, all.entries);
    assert.equal(all.entries.size, 1201);
    assert.equal((await purseOf(store, round)).real, 1799n);
  });
}

/** Identifiers and tenants never reach each other. */
export function identityRules(check: Case): void {
  check('odd identifiers are kept apart in every place', async (store) => {
    const operatorId = freshId('operator');
    for (const [at, id] of oddIds.entries()) {
      const round = { operatorId, playerId: id, gameRound: id };
      await open(store, round, 'EUR', 1000n);
      const deposit = orderOf(round, BigInt(at + 1), { reference: id });
      assert.equal((await store.deposit(deposit)).kind, 'done');
      const parts = oddIds.slice(0, at + 1).flatMap((hash, index) => {
        const order = voidRecord(real(BigInt(index)));
        return [take(hash, 1n), { record: { hash, record: order } }];
      });
      const opening = openingOf(parts, { gameCode: id, state: 'stranded' });
      assertCommitted(await store.commit(round, opening));
    }
    for (const [at, id] of oddIds.entries()) {
      const round = { operatorId, playerId: id, gameRound: id };
      assert.deepEqual(await purseOf(store, round), real(1000n));
      const { head, entries } = await snapshotOf(store, round, oddIds);
      const transaction = debitRecord(1n, { purse: real(1n) });
      const known = oddIds.slice(0, at + 1).map((hash, index): [string, HashEntry] => {
        return [hash, { transaction, void: voidRecord(real(BigInt(index))) }];
      });
      assert.deepEqual([head.gameCode, entries], [id, new Map(known)]);
      const report = await store.readRound(round);
      assert.deepEqual(report, { ...round, head, entries });
    }
    const listed = await listOf(store, operatorId);
    const expected = oddIds.map((id) => ({ playerId: id, gameRound: id }));
    assert.deepEqual(byName(listed), byName(expected));
  });

  check('identifiers that look alike when joined are different', async (store) => {
    const operatorId = freshId('operator');
    for (const mark of [':', '/', ' ', '%', '{', '}', '-', '.', '|', ',']) {
      const keys: RoundKey[] = [
        { operatorId: `${operatorId}${mark}a`, playerId: 'b', gameRound: 'c' },
        { operatorId, playerId: `a${mark}b`, gameRound: 'c' },
        ...splitsOf(operatorId, mark),
      ];
      const codes = keys.map((_, at) => `game-${at}`);
      await Promise.all(
        keys.map(async (round, at) => {
          const gameCode = codes[at] ?? null;
          assertCommitted(await store.commit(round, openingOf([], { gameCode })));
        }),
      );
      const loaded = await Promise.all(keys.map((round) => snapshotOf(store, round)));
      assert.deepEqual(
        loaded.map(({ head }) => head.gameCode),
        codes,
      );
    }
  });

  check('the same player of another operator is another player', async (store) => {
    const round = await playerWith(store, 100n);
    const other = { ...round, operatorId: freshId('operator') };
    await open(store, other, 'EUR', 5n);
    await store.setBlocked(other, true);
    assertCommitted(await store.commit(round, openingOf([take('d', 30n)])));
    assert.equal(await store.readRound(other), null);
    assert.equal((await purseOf(store, other)).real, 5n);
    const theirs = openingOf([give('d', real(1n))], { state: 'crashed' });
    assertCommitted(await store.commit(other, theirs));
    assert.deepEqual(await purseOf(store, round), real(70n));
    assert.deepEqual(await listOf(store, round.operatorId), []);
  });
}

/**
 * Players and rounds whose names are the same text, split at each of its marks. There are so many
 * that some are in the same partition, wherever a store puts them.
 */
function splitsOf(operatorId: string, mark: string): RoundKey[] {
  return Array.from({ length: 6 }, () => {
    const letters = Array.from(`${randomUUID()}${randomUUID()}`.replaceAll('-', ''));
    return letters.slice(1).map((_, at) => ({
      operatorId,
      playerId: letters.slice(0, at + 1).join(mark),
      gameRound: letters.slice(at + 1).join(mark),
    }));
  }).flat();
}

function everyRecord(): NewRecord[] {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  const purse = { real: 12n, bonus: -34n };
  const serials = oddIds.map((serial) => ({ serial, purse, at: 0 }));
  const records = [
    ...codes.flatMap((outcome) => [
      debitRecord(5n, { outcome }),
      creditRecord(purse, { outcome }),
      { type: 'end', outcome, at: 1 } as const,
    ]),
    { type: 'end', outcome: 'accepted', at: 8_640_000_000_000_000 } as const,
    debitRecord(9n, { outcome: 'unanswered', first: false, discount: 2n, currency: 'USD', purse }),
    debitRecord(maxUnits, { outcome: 'unanswered', discount: maxUnits }),
    creditRecord({ real: maxUnits, bonus: maxUnits }, { amount: maxUnits }),
    ...serials.map((more) => debitRecord(0n, { ...more, outcome: 'DEBITREFUSED' })),
    ...serials.map((more) => creditRecord(purse, more)),
    voidRecord({ real: -maxUnits, bonus: maxUnits }),
    voidRecord(emptyPurse),
  ];
  return records.map((record, at) => ({ hash: `hash-${at}`, record }));
}

function everyHead(): Partial<RoundHead>[] {
  const flags = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => ({
    started: (bits & 1) !== 0,
    credited: (bits & 2) !== 0,
    declined: (bits & 4) !== 0,
    unanswered: bits,
  }));
  const sums = { debits: { real: 1n, bonus: 2n }, credits: { real: 3n, bonus: maxUnits } };
  return [
    ...states.flatMap((state) => states.map((resume) => ({ state, resume }))),
    ...flags,
    { currency: null, gameCode: 'a {b}:%\u00e9\u{1f3b0}', changedAt: 0 },
    sums,
  ];
}

function entryOf(record: NewRecord['record']): HashEntry {
  return record.type === 'void' ? { void: record } : { transaction: record };
}

async function listOf(store: AccountStore, operatorId: string) {
  const entries: { playerId: string; gameRound: string }[] = [];
  for await (const { playerId, gameRound } of store.attention(operatorId)) {
    entries.push({ playerId, gameRound });
  }
  return entries;
}

function byName<T extends { readonly playerId: string }>(entries: readonly T[]): T[] {
  return entries.toSorted((a, b) => (a.playerId < b.playerId ? -1 : 1));
}
