import assert from 'node:assert/strict';
import {
  type FullStore,
  mostFoundPlayers,
  mostNotable,
  type NotableKind,
  notableKinds,
  type NotablePlace,
  type NotableQuery,
  type TotalsBatch,
  type TotalsChange,
  totalsConsumer,
} from '../../operator/wallet';
import { systemClock } from '../../platform';
import type { ContractStoreOptions } from '../subject/players';
import { type ContractRunner, freshId } from '../subject/runner';
import { open } from './case';
import { type Case, defineSuite, type Rules, wrongText, wrongUse } from './suite';

type Subject = Pick<FullStore, 'totals' | 'players' | 'ready' | 'close'>;

/** Options of {@link notableContract}. */
export interface NotableContractOptions {
  /** `{ describe, it, afterAll }` of jest or vitest, `{ describe, it, afterAll: after }` of node:test. */
  readonly runner: ContractRunner;
  /** Creates a store with these options; the suite closes it. */
  readonly createStore: (
    options: ContractStoreOptions & { readonly events: readonly string[] },
  ) => Subject;
}

const rules: Rules<Subject> = { 'notable rounds': listRules, 'players by a round': playerRules };

/** Defines what a store's totals must list of rounds: the notable ones, and the players of an id. No case can be left out. */
export function notableContract({ runner, createStore }: NotableContractOptions): void {
  defineSuite(runner, 'the rounds that totals list', rules, {
    make: async (options) => {
      const store = createStore({ ...options, events: [totalsConsumer] });
      await store.ready();
      return store;
    },
    close: (store) => store.close(),
  });
}

/** The next page of events of this operator; there is one. */
async function nextBatch({ totals, players }: Subject, operatorId: string): Promise<TotalsBatch> {
  await open(players, { operatorId, playerId: freshId('player') }, 'EUR', 1n);
  for await (const batch of totals.batches({ operatorId })) return batch;
  throw new Error('the iteration ended without a batch');
}

const nothing: TotalsChange = { rows: [], rounds: [], gaps: [], since: 1 };

async function count(
  store: Subject,
  operatorId: string,
  change: Partial<TotalsChange>,
): Promise<void> {
  const batch = await nextBatch(store, operatorId);
  assert.equal(await batch.add({ ...nothing, ...change }), true);
}

function ofKind(kind: NotableKind, places: readonly NotablePlace[]): Partial<TotalsChange> {
  return { notable: places.map((place) => ({ kind, ...place })) };
}

/** All that fit, in pages of this length. */
async function listed(
  { totals }: Subject,
  operatorId: string,
  query: Omit<NotableQuery, 'after'>,
): Promise<NotablePlace[]> {
  const all: NotablePlace[] = [];
  for (;;) {
    const after = all.at(-1);
    const page = await totals.notable(operatorId, { ...query, ...(after && { after }) });
    all.push(...page);
    if (page.length < query.limit) return all;
  }
}

/** Ids as long as may be, and with what means something elsewhere. */
const ids = ['a', 'A', ' a ', '<b>"\'\\&', '[1,"2"]', '\u{1f3b0}'.repeat(128), '\u202ea', '0'];

/** Of all ids, two at each time, in no order. */
function somePlaces(): NotablePlace[] {
  const first = systemClock.now() - ids.length ** 2;
  return ids.flatMap((playerId, one) =>
    ids.map((gameRound, other) => {
      return { at: first + Math.floor((one + other * ids.length) / 2), playerId, gameRound };
    }),
  );
}

function textsOf(places: readonly NotablePlace[]): string[] {
  return places.map((one) => JSON.stringify([one.at, one.playerId, one.gameRound])).toSorted();
}

function listRules(it: Case<Subject>): void {
  it('are listed once each, the last first, in pages of any length', async (store) => {
    const operatorId = freshId('operator');
    const places = somePlaces();
    await count(store, operatorId, ofKind('won', places.slice(20)));
    await count(store, operatorId, ofKind('won', places.slice(0, 30)));
    const whole = await listed(store, operatorId, { kind: 'won', limit: mostNotable });
    assert.deepEqual(textsOf(whole), textsOf(places));
    assert.ok(whole.every(({ at }, place) => at <= (whole[place - 1]?.at ?? at)));
    for (const limit of [1, 2, 7, places.length]) {
      assert.deepEqual(await listed(store, operatorId, { kind: 'won', limit }), whole);
    }
  });

  it('of a period are those from its first moment to before its last one', async (store) => {
    const operatorId = freshId('operator');
    const places = somePlaces();
    await count(store, operatorId, ofKind('voided', places));
    const [first = 0, last = 0] = [places[0]?.at, places.at(-1)?.at];
    for (const [from, to] of [
      [first, first + 1],
      [first + 3, last - 2],
      [last, last + 1],
      [last + 1, last + 9],
      [first + 5, first + 5],
    ] as const) {
      const within = places.filter(({ at }) => from <= at && at < to);
      for (const limit of [1, mostNotable]) {
        const found = await listed(store, operatorId, { kind: 'voided', from, to, limit });
        assert.deepEqual(textsOf(found), textsOf(within));
      }
    }
    const after = { at: last + 9, playerId: 'a', gameRound: 'a' };
    const query = { kind: 'voided', to: first + 1, limit: 9, after } as const;
    assert.equal((await store.totals.notable(operatorId, query)).length, 2);
  });

  it('pass over none and list none twice while others are counted', async (store) => {
    const operatorId = freshId('operator');
    const places = somePlaces();
    const [odd, even] = [1, 0].map((rest) => places.filter((_, place) => place % 2 === rest));
    await count(store, operatorId, ofKind('refused', odd ?? []));
    const seen: NotablePlace[] = [];
    for (const late of even ?? []) {
      const after = seen.at(-1);
      const query = { kind: 'refused', limit: 2, ...(after && { after }) } as const;
      seen.push(...(await store.totals.notable(operatorId, query)));
      await count(store, operatorId, ofKind('refused', [late]));
    }
    assert.equal(new Set(textsOf(seen)).size, seen.length);
    assert.deepEqual(
      textsOf(odd ?? []).filter((one) => !textsOf(seen).includes(one)),
      [],
    );
  });

  it('are of one kind and one operator', async (store) => {
    const operators = [freshId('operator'), freshId('operator')];
    for (const operatorId of operators) {
      for (const kind of notableKinds) {
        const place = { at: systemClock.now(), playerId: operatorId, gameRound: kind };
        await count(store, operatorId, ofKind(kind, [place]));
      }
    }
    for (const operatorId of operators) {
      for (const kind of notableKinds) {
        const found = await listed(store, operatorId, { kind, limit: 9 });
        assert.deepEqual(
          found.map(({ playerId, gameRound }) => [playerId, gameRound]),
          [[operatorId, kind]],
        );
      }
    }
  });

  it('of a page that another process has counted are not added', async (store) => {
    const operatorId = freshId('operator');
    const killed = await nextBatch(store, operatorId);
    const places = somePlaces().slice(0, 2);
    await count(store, operatorId, ofKind('won', places.slice(0, 1)));
    const late = { ...nothing, ...ofKind('won', places.slice(1)) };
    assert.equal(await killed.add(late), false);
    const found = await listed(store, operatorId, { kind: 'won', limit: 9 });
    assert.deepEqual(found, places.slice(0, 1));
  });

  it('are refused for a query that is wrong', async ({ totals }) => {
    const wrong = [
      { limit: 0 },
      { limit: mostNotable + 1 },
      { kind: 'lost' },
      { from: 0.5 },
      { to: '1' },
      { after: { at: 'x', playerId: 'a', gameRound: 'a' } },
    ];
    for (const one of wrong) {
      const query = { kind: 'won', limit: 1, ...one } as NotableQuery;
      await assert.rejects(totals.notable(freshId('operator'), query), wrongUse);
    }
    await assert.rejects(totals.notable('', { kind: 'won', limit: 1 }), wrongText);
  });
}

function playerRules(it: Case<Subject>): void {
  const kept = { text: 'kept', expiresAt: null };

  it('are all players who have a round of this id, of one operator', async (store) => {
    const [one, other] = [freshId('operator'), freshId('operator')];
    for (const gameRound of ids) {
      const rounds = ids.map((playerId) => ({ ...kept, playerId, gameRound }));
      await count(store, one, { rounds: rounds.slice(0, 5), isLookup: true });
      await count(store, one, { rounds: rounds.slice(3), isLookup: true });
    }
    for (const gameRound of ids) {
      const found = await store.totals.players(one, gameRound);
      assert.deepEqual(found.toSorted(), ids.toSorted());
      assert.deepEqual(await store.totals.players(other, gameRound), []);
    }
    assert.deepEqual(await store.totals.players(one, 'b'), []);
  });

  it('are found once they were kept for it, though a later page is not', async (store) => {
    const operatorId = freshId('operator');
    const rounds = [{ ...kept, playerId: 'ann', gameRound: 'r' }];
    await count(store, operatorId, { rounds });
    assert.deepEqual(await store.totals.players(operatorId, 'r'), []);
    await count(store, operatorId, { rounds, isLookup: true });
    await count(store, operatorId, { rounds });
    assert.deepEqual(await store.totals.players(operatorId, 'r'), ['ann']);
  });

  it(`are at most ${mostFoundPlayers}`, async (store) => {
    const operatorId = freshId('operator');
    const rounds = Array.from({ length: mostFoundPlayers + 1 }, (_, place) => {
      return { ...kept, playerId: `player-${place}`, gameRound: 'r' };
    });
    await count(store, operatorId, { rounds, isLookup: true });
    const found = await store.totals.players(operatorId, 'r');
    assert.equal(new Set(found).size, mostFoundPlayers);
  });
}
