import assert from 'node:assert/strict';
import { emptyPurse } from '../../../protocol/money/purse';
import {
  anotherRound,
  assertCommitted,
  assertHead,
  assertRefused,
  freshRound,
  playerWith,
  purseOf,
  snapshotOf,
} from '../case';
import {
  changeOf,
  creditRecord,
  debitRecord,
  end,
  endRecord,
  give,
  note,
  openingOf,
  real,
  take,
  takeMore,
  voidRecord,
  withBehind,
  changeOfVoids,
  commitVoids,
  commitFirst,
  commitNext,
} from '../changes';
import type { ContractWallet } from '../../subject/players';
import type { Case } from '../suite';

/** Reversals: what was posted is given or taken back, once, whatever the funds (D5). */
export function voidRules(it: Case<ContractWallet>): void {
  it('the void of a first debit takes back the whole round (D5.2)', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    const parts = [take('d', 30n), give('c', real(7n)), takeMore('e', 20n), give('f', real(1n))];
    await commitFirst(store, round, parts);
    assert.deepEqual(await purseOf(store, round), real(58n));
    const { after } = await commitVoids(store, round, 'd');
    assert.deepEqual(await purseOf(store, round), real(100n));
    const { head, entries } = await snapshotOf(store, round, ['d', 'c', 'e', 'f']);
    assertHead(head, after);
    assert.deepEqual([head.state, head.debits, head.credits], ['voided', real(0n), real(0n)]);
    assert.deepEqual(entries.get('d')?.void, voidRecord(real(42n)));
    assert.deepEqual(entries.get('d')?.transaction, debitRecord(30n, { purse: real(30n) }));
    assert.deepEqual([...entries.keys()].toSorted(), ['c', 'd', 'e', 'f']);
    assert.equal(entries.get('e')?.void, undefined);
  });

  it('the void of a follow-up debit without later credits takes back that debit (D5.3)', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    const parts = [take('d', 30n), takeMore('e', 20n), give('c', real(7n)), takeMore('f', 10n)];
    await commitFirst(store, round, parts);
    const { after } = await commitVoids(store, round, 'e');
    assert.deepEqual(await purseOf(store, round), real(67n));
    const { head, entries } = await snapshotOf(store, round, ['e']);
    assertHead(head, after);
    assert.deepEqual([head.state, head.debits, head.credits], ['open', real(40n), real(7n)]);
    const transaction = debitRecord(20n, { first: false, purse: real(20n) });
    assert.deepEqual(entries.get('e'), { transaction, void: voidRecord(real(20n)) });
    await commitVoids(store, round, 'd');
    assert.deepEqual(await purseOf(store, round), real(100n));
  });

  it('the void of a follow-up debit also takes back what follows it in its call (D5.3)', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    const parts = [
      take('d', 30n),
      give('a', real(1n)),
      withBehind(takeMore('e', 20n), ['c', 'g', 'x']),
      give('c', real(7n)),
      give('g', real(500n)),
      end('x'),
    ];
    const ended = { state: 'closed', credited: 3, ended: 1 } as const;
    await commitFirst(store, round, parts, ended);
    const { after } = await commitVoids(store, round, 'e');
    assert.deepEqual(await purseOf(store, round), real(71n));
    const { head, entries } = await snapshotOf(store, round, ['e', 'c', 'g', 'x', 'a']);
    assertHead(head, after);
    assert.deepEqual([head.state, head.debits, head.credits], ['open', real(30n), real(1n)]);
    assert.deepEqual([head.credited, head.ended], [1, 0]);
    const outcome = 'DEBITFAILEDBEFORE';
    const [c, g] = [7n, 500n].map((amount) => creditRecord(real(0n), { amount, outcome }));
    assert.deepEqual(entries.get('c'), { transaction: c });
    assert.deepEqual(entries.get('g'), { transaction: g });
    assert.deepEqual(entries.get('x'), { transaction: endRecord({ outcome }) });
    assert.deepEqual(entries.get('a'), { transaction: creditRecord(real(1n)) });
    assert.deepEqual(entries.get('e')?.void, voidRecord(real(-487n)));
    await commitVoids(store, round, 'd');
    assert.deepEqual(await purseOf(store, round), real(100n));
  });

  it('several voids of one change each take back what they name', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    const parts = [take('d', 1n), takeMore('e', 2n), takeMore('f', 4n), takeMore('g', 8n)];
    await commitFirst(store, round, parts);
    await commitVoids(store, round, 'g', 'e', 'unknown');
    assert.deepEqual(await purseOf(store, round), real(95n));
    const { entries } = await snapshotOf(store, round, ['e', 'f', 'g', 'unknown']);
    assert.deepEqual(entries.get('unknown'), { void: voidRecord(emptyPurse) });
    assert.equal(entries.get('f')?.void, undefined);
    await commitVoids(store, round, 'f', 'd');
    assert.deepEqual(await purseOf(store, round), real(100n));
  });

  it('a void executed twice gives back once', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    await commitFirst(store, round, [take('d', 30n)]);
    const change = await changeOfVoids(store, round, ['d']);
    assertCommitted(await store.rounds.commit(round, change));
    const once = await store.rounds.readRound(round);
    assert.deepEqual(await store.rounds.commit(round, change), { kind: 'stale' });
    assert.deepEqual(await store.rounds.readRound(round), once);
    assert.deepEqual(await purseOf(store, round), real(100n));
  });

  it('of concurrent voids one is written, and gives back once', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    await commitFirst(store, round, [take('d', 30n)]);
    const change = await changeOfVoids(store, round, ['d']);
    const results = await Promise.all(
      Array.from({ length: 6 }, () => store.rounds.commit(round, change)),
    );
    const kinds = results.map(({ kind }) => kind).toSorted();
    assert.deepEqual(kinds, ['committed', ...Array.from({ length: 5 }, () => 'stale')]);
    assert.deepEqual(await purseOf(store, round), real(100n));
  });

  it('a void is never refused for funds, and the balance may go below zero', async (wallet) => {
    const { store, players } = wallet;
    const player = await playerWith(players, 10n);
    const round = anotherRound(player);
    const parts = [take('d', 0n), give('c', real(30n))];
    await commitFirst(store, round, parts);
    await commitFirst(store, player, [take('d', 40n)]);
    await commitVoids(store, round, 'd');
    assert.deepEqual(await purseOf(store, player), real(-30n));
    const next = anotherRound(player);
    assertRefused(await store.rounds.commit(next, openingOf([take('x', 1n)])), 'x', 'tooLow');
    await commitFirst(store, anotherRound(player), [take('free', 0n)]);
    assert.deepEqual(await purseOf(store, player), real(-30n));
  });

  it('a void works for a blocked player (D4.9)', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    await commitFirst(store, round, [take('d', 30n)]);
    await players.setBlocked(round, true);
    await commitVoids(store, round, 'd');
    assert.deepEqual(await purseOf(store, round), real(100n));
  });

  it('a void that comes first is remembered, and moves nothing (D5.5)', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    await commitVoids(store, round, 'd');
    const early = await snapshotOf(store, round, ['d']);
    assert.deepEqual(early.entries.get('d'), { void: voidRecord(emptyPurse) });
    const declined = debitRecord(9n, { outcome: 'GAMEROUNDVOIDED' });
    const change = changeOf(early.head, [note('d', declined)], { state: 'voided' });
    assertCommitted(await store.rounds.commit(round, change));
    const { head, entries } = await snapshotOf(store, round, ['d']);
    assertHead(head, change.after);
    const expected = { transaction: declined, void: voidRecord(emptyPurse) };
    assert.deepEqual(entries.get('d'), expected);
    assert.deepEqual(await purseOf(store, round), real(100n));
  });

  it('an early void concerns only debits: a credit is processed (D5.5)', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    await commitFirst(store, round, [take('d', 30n)]);
    await commitVoids(store, round, 'c');
    await commitNext(store, round, [give('c', real(7n))]);
    assert.deepEqual(await purseOf(store, round), real(77n));
    const { entries } = await snapshotOf(store, round, ['c']);
    const expected = { transaction: creditRecord(real(7n)), void: voidRecord(emptyPurse) };
    assert.deepEqual(entries.get('c'), expected);
  });

  it('a void for an unknown player is remembered nevertheless', async ({ store }) => {
    const round = freshRound();
    await commitVoids(store, round, 'd');
    const { entries } = await snapshotOf(store, round, ['d']);
    assert.deepEqual(entries.get('d'), { void: voidRecord(emptyPurse) });
    assert.deepEqual(await store.rounds.accounts(round), { kind: 'known', accounts: null });
  });

  it('the void of a debit answered as unknown gives it back (D7)', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    const parts = [take('d', 30n), takeMore('e', 20n)];
    await commitFirst(store, round, parts);
    const { head } = await snapshotOf(store, round);
    const marked = debitRecord(20n, { first: false, purse: real(20n), outcome: 'unanswered' });
    const waiting = { state: 'cancelled', resume: 'open', unanswered: 1 } as const;
    assertCommitted(await store.rounds.commit(round, changeOf(head, [note('e', marked)], waiting)));
    assert.deepEqual(await purseOf(store, round), real(50n));
    const before = await snapshotOf(store, round, ['e']);
    assert.deepEqual(before.entries.get('e'), { transaction: marked });
    const { after } = await commitVoids(store, round, 'e');
    const now = await snapshotOf(store, round, ['e']);
    assertHead(now.head, after);
    assert.deepEqual([now.head.state, now.head.debits], ['open', real(30n)]);
    const expected = { transaction: marked, void: voidRecord(real(20n)) };
    assert.deepEqual(now.entries.get('e'), expected);
    assert.deepEqual(await purseOf(store, round), real(70n));
  });
}
