import assert from 'node:assert/strict';
import type { Account, RoundEvent } from '../../../operator/wallet';
import { assertCommitted, accountsOf, snapshotOf } from '../case';
import { freshId } from '../../subject/runner';
import {
  changeOf,
  end,
  give,
  openingOf,
  real,
  reverse,
  take,
  takeMore,
  commitFirst,
  commitNext,
} from '../changes';
import { contractPlayer } from '../../subject/players';
import type { Case } from '../suite';
import { playerWith, readEvents, signedUnits, upTo, versionsOf, type ContractEvents } from './case';

/** What an event says. */
export function contentRules(it: Case<ContractEvents>): void {
  it('every version of a round is one event, in order, under its id', async (made) => {
    const { store } = made;
    const round = await playerWith(made, 100n);
    await commitFirst(store, round, [take('d', 30n)]);
    await commitNext(store, round, [give('c', real(5n)), end('e')]);
    const { head } = await snapshotOf(store, round);
    const events = await readEvents(store, round.operatorId, head.version);
    assert.deepEqual(versionsOf(events, round), upTo(head.version));
    for (const { type, id, version, playerId, gameRound, operatorId, at } of events) {
      const parts = [operatorId, playerId, gameRound, version];
      assert.equal(id, parts.map(encodeURIComponent).join('/'));
      assert.deepEqual({ operatorId, playerId, gameRound }, round);
      assert.equal(type, 'round');
      assert.equal(new Date(at).toISOString(), at);
    }
    const last = events.at(-1);
    assert.deepEqual([last?.state, last?.gameCode], [head.state, head.gameCode]);
  });

  it('an event survives JSON unchanged', async (made) => {
    const { store } = made;
    const round = await playerWith(made, 100n);
    await commitFirst(store, round, [take('d', 30n)]);
    const { head } = await snapshotOf(store, round);
    const events = await readEvents(store, round.operatorId, head.version);
    assert.deepEqual(JSON.parse(JSON.stringify(events)), toPlain(events));
  });

  it('it holds the records with what they moved, and what was moved', async (made) => {
    const { store } = made;
    const round = await playerWith(made, 100n, 20n);
    const parts = [take('d', 110n), give('c', { real: 7n, bonus: 0n }), end('e')];
    await commitFirst(store, round, parts);
    const { head } = await snapshotOf(store, round);
    const events = await readEvents(store, round.operatorId, head.version);
    const transactions = events.flatMap((event) => event.transactions);
    assert.deepEqual(
      transactions.map(({ type, hash, outcome, amount, moved }) => {
        return [type, hash, outcome, amount, moved?.real, moved?.bonus];
      }),
      [
        ['debit', 'd', 'accepted', '0.011', '-0.01', '-0.001'],
        ['credit', 'c', 'accepted', '0.0007', '0.0007', '0'],
        ['end', 'e', 'accepted', undefined, undefined, undefined],
      ],
    );
    assert.deepEqual(toPlain(events.flatMap((event) => event.movements)), [
      { hash: 'd', currency: 'EUR', real: '-0.01', bonus: '-0.001' },
      { hash: 'c', currency: 'EUR', real: '0.0007', bonus: '0' },
    ]);
  });

  it('the movements add up to what the rounds did to the balances', async (made) => {
    const { store, players } = made;
    const round = await playerWith(made, 100n, 50n);
    await players.openPlayer(contractPlayer(round, 'USD', 40n));
    await commitFirst(store, round, [take('d', 60n, { bonusFirst: true })]);
    await commitNext(store, round, [takeMore('m', 30n), give('c', { real: 3n, bonus: 4n })]);
    await commitNext(store, round, [take('u', 9n, { currency: 'USD', first: false })]);
    await commitNext(store, round, [reverse('m', real(30n))]);
    const { head } = await snapshotOf(store, round);
    const events = await readEvents(store, round.operatorId, head.version);
    assert.deepEqual(sumOf(events, 'EUR'), [-10n + 3n, -50n + 4n]);
    assert.deepEqual(sumOf(events, 'USD'), [-9n, 0n]);
    const [eur, usd] = await accountsOf(store, round);
    assert.deepEqual([eur?.real, eur?.bonus, usd?.real], [93n, 4n, 31n]);
    assertAccounts(events.at(-1), await accountsOf(store, round));
    const kept = (await store.rounds.readRound(round))?.toJSON().transactions ?? [];
    const lines = (all: typeof kept) =>
      new Set(all.map(({ type, hash, outcome }) => `${type} ${hash} ${outcome}`));
    const written = events.flatMap(({ transactions }) => transactions);
    assert.deepEqual(lines(written), lines(kept));
  });

  it('a commit without a movement is an event', async (made) => {
    const { store } = made;
    const round = await playerWith(made, 10n);
    await commitFirst(store, round, [end('early')], { state: 'none' });
    const [event] = await readEvents(store, round.operatorId, 1);
    assert.deepEqual([event?.version, event?.state, event?.movements.length], [1, 'none', 0]);
    assert.equal(event?.transactions[0]?.hash, 'early');
  });

  it('a commit that only rewrites records writes none', async (made) => {
    const { store } = made;
    const round = await playerWith(made, 10n);
    const rewritten = { record: { ...end('e').record, isRewritten: true } } as const;
    await commitFirst(store, round, [end('e')]);
    await commitNext(store, round, [rewritten]);
    await commitNext(store, round, [rewritten, end('f')]);
    const events = await readEvents(store, round.operatorId, 2);
    assert.deepEqual(
      events.map(({ version, transactions }) => [version, transactions.map(({ hash }) => hash)]),
      [
        [1, ['e']],
        [3, ['f']],
      ],
    );
  });

  it('stale and refused commits write none', async (made) => {
    const { store } = made;
    const round = await playerWith(made, 10n);
    const change = openingOf([take('d', 4n)]);
    assertCommitted(await store.rounds.commit(round, change));
    assert.equal((await store.rounds.commit(round, change)).kind, 'stale');
    const { head } = await snapshotOf(store, round);
    assert.equal(
      (await store.rounds.commit(round, changeOf(head, [takeMore('m', 50n)]))).kind,
      'refused',
    );
    const after = (await snapshotOf(store, round)).head;
    const events = await readEvents(store, round.operatorId, after.version);
    assert.deepEqual(versionsOf(events, round), upTo(after.version));
    assert.deepEqual(sumOf(events, 'EUR'), [-4n, 0n]);
    const other = { ...round, gameRound: freshId('round') };
    await commitFirst(store, other, [end('e')]);
    const [next] = await readEvents(store, round.operatorId, 1);
    assert.equal(next?.gameRound, other.gameRound);
  });

  it('ids of any characters arrive unchanged', async (made) => {
    const { store } = made;
    const start = await playerWith(made, 10n);
    const odd = { ...start, gameRound: `a/b%"\\ ${freshId('é')}` };
    const hash = 'h "quoted", [1] %2F\\\n';
    await commitFirst(store, odd, [take(hash, 4n)]);
    const { head } = await snapshotOf(store, odd);
    const events = await readEvents(store, odd.operatorId, head.version);
    assert.ok(events.every(({ gameRound }) => gameRound === odd.gameRound));
    assert.deepEqual(events.flatMap(({ movements }) => movements)[0]?.hash, hash);
  });
}

/** What the events moved in a currency: real and bonus. */
export function sumOf(events: readonly RoundEvent[], currency: string): [bigint, bigint] {
  const moves = events.flatMap(({ movements }) => movements);
  const own = moves.filter((move) => move.currency === currency);
  const sum = (name: 'real' | 'bonus'): bigint =>
    own.reduce((total, move) => total + signedUnits(move[name]), 0n);
  return [sum('real'), sum('bonus')];
}

/** A store that keeps the accounts reports them as they are after the event. */
function assertAccounts(event: RoundEvent | undefined, accounts: readonly Account[]): void {
  if (event?.accounts === null || event === undefined) return;
  const actual = event.accounts.map(({ currency, real: units, bonus }) => {
    return [currency, signedUnits(units), signedUnits(bonus ?? '0')];
  });
  const known = accounts.map(({ currency, real: units, bonus }) => [currency, units, bonus ?? 0n]);
  assert.deepEqual(actual.toSorted(byName), known.toSorted(byName));
}

function byName(one: readonly unknown[], other: readonly unknown[]): number {
  return String(one[0]) < String(other[0]) ? -1 : 1;
}

/** Copied by way of JSON. */
function toPlain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
