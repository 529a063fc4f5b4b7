import { describe, expect, test } from '@jest/globals';

import { changeOfEvents } from '../../../../lib/operator/reconciliation/totals/change';
import { createMemoryStore } from '../../../../lib/operator/stores/memory';
import type {
  NotableRound,
  RoundEvent,
  TotalsChange,
  TransactionJson,
} from '../../../../lib/operator/wallet';
import { VirtualClock } from '../../../support/virtual-clock';

const at = '2026-03-02T10:20:00.000Z';
const quarter = Math.floor(Date.parse(at) / 900_000);
const hash = '01942c5e-8d6b-7a3e-9f1c-2b4d6e8f0a1';
const terms = {
  operatorId: 'op',
  decimals: 4,
  retentionMs: 1000,
  since: 0,
  notableFrom: new Map([['EUR', 20_000n]]),
};

function event(
  version: number,
  state: RoundEvent['state'],
  transactions: readonly TransactionJson[],
): RoundEvent {
  const ids = { operatorId: 'op', playerId: 'ann', gameRound: 'r' };
  const shown = { at, accounts: null, gameCode: 'bells', cause: 'call', movements: [] } as const;
  return {
    type: 'round',
    id: `op/ann/r/${version}`,
    ...ids,
    ...shown,
    version,
    state,
    transactions,
  };
}

function debit(outcome: string): TransactionJson {
  const money = { currency: 'EUR', amount: '1.5', isFirstDebit: true } as const;
  return { at, type: 'debit', hash: `${hash}a`, outcome, ...money };
}

const credit: TransactionJson = {
  at,
  type: 'credit',
  hash: `${hash}b`,
  outcome: 'accepted',
  currency: 'EUR',
  amount: '2',
};
const end: TransactionJson = { at, type: 'end', hash: `${hash}c`, outcome: 'accepted' };

/** What events change for which this is kept of their round. */
function changeOf(
  events: readonly RoundEvent[],
  kept: string | null = null,
): Promise<TotalsChange> {
  return changeOfEvents(events, { rounds: async (_, keys) => keys.map(() => kept) }, terms);
}

/** An event that points to the round as it was when the event was read. */
function pointer(version: number, transactions: readonly TransactionJson[]): RoundEvent {
  const round = { state: 'open', gameCode: 'bells', transactions };
  return { ...event(version, 'open', []), round } as unknown as RoundEvent;
}

function winOf({ rows }: TotalsChange): bigint {
  const own = rows.filter(({ by }) => by === 'start');
  return own.reduce((sum, { sums }) => sum + (sums.win ?? 0n), 0n);
}

describe('what the totals keep of a round', () => {
  test('is at most 200 characters for a round with a debit, a credit and an end', async () => {
    const { rounds } = await changeOf([event(1, 'closed', [debit('accepted'), credit, end])]);
    expect(rounds[0]?.text.length).toBeLessThanOrEqual(200);
  });

  test('makes an event that comes again change nothing', async () => {
    const events = [event(1, 'open', [debit('accepted')]), event(2, 'closed', [credit, end])];
    const first = await changeOf(events);
    expect(first.rows.length).toBe(2);
    const again = await changeOf(events, first.rounds[0]?.text);
    expect([again.rows, again.rounds]).toEqual([[], first.rounds]);
  });

  test('lets a void after the end move what the round counted', async () => {
    const first = await changeOf([event(1, 'closed', [debit('accepted'), credit, end])]);
    const moved = { real: '-0.5', bonus: '0' };
    const order = { at, type: 'void', hash: `${hash}a`, outcome: 'accepted', moved } as const;
    const { rows } = await changeOf([event(2, 'voided', [order])], first.rounds[0]?.text);
    const sums = { games: -1n, bet: -15_000n, win: -20_000n };
    const taken = { voidedGames: 1n, voidedBet: 15_000n, voidedWin: 20_000n };
    const back = { backGames: 1n, backBet: 15_000n, backWin: 20_000n };
    const row = { quarter, game: 'bells', currency: 'EUR', sums: { ...sums, ...taken, ...back } };
    expect(rows).toEqual([
      { ...row, by: 'start' },
      { ...row, by: 'end' },
    ]);
  });

  test('lets a void of a debit of a voided round take nothing more', async () => {
    const money = { currency: 'EUR', amount: '3', isFirstDebit: false } as const;
    const later: TransactionJson = {
      at,
      type: 'debit',
      hash: `${hash}e`,
      outcome: 'accepted',
      ...money,
    };
    const voids = (one: string, real: string): TransactionJson => {
      return { at, type: 'void', hash: one, outcome: 'accepted', moved: { real, bonus: '0' } };
    };
    const played = event(1, 'open', [later, debit('accepted'), credit]);
    const whole = event(2, 'voided', [voids(`${hash}a`, '2.5')]);
    const after = event(3, 'voided', [voids(`${hash}e`, '0')]);
    const first = await changeOf([played, whole]);
    expect((await changeOf([after], first.rounds[0]?.text)).rows).toEqual([]);
    expect((await changeOf([played, whole, after])).rows).toEqual(first.rows);
  });

  test('dates the void of a round by the void, though its pointers are read later', async () => {
    const [early, late] = ['2026-03-02T09:00:00.000Z', '2026-03-03T10:00:00.000Z'];
    const moved = { real: '1.5', bonus: '0' };
    const order = { at, type: 'void', hash: `${hash}a`, outcome: 'accepted', moved } as const;
    const later = { ...order, at: late, hash: `${hash}e`, moved: { real: '0', bonus: '0' } };
    const transactions = [{ ...debit('accepted'), at: early }, order, later];
    const round = { state: 'voided', gameCode: 'bells', transactions };
    const events = [1, 2, 3].map((version) => {
      return { ...event(version, 'open', []), at: [early, at, late][version - 1], round };
    });
    const { rows } = await changeOf(events as unknown as RoundEvent[]);
    const back = rows.filter(({ by, sums }) => by === 'start' && sums.backGames !== undefined);
    expect(back.map((one) => [one.quarter, one.sums.backBet])).toEqual([[quarter, 15_000n]]);
  });

  test('is nothing of a round whose first debit and others are voided by one call, in any order', async () => {
    const money = { currency: 'EUR', amount: '3', isFirstDebit: false } as const;
    const later = { at, type: 'debit', hash: `${hash}e`, outcome: 'accepted', ...money } as const;
    const voided = (one: string, real: string): TransactionJson => {
      return { at, type: 'void', hash: one, outcome: 'accepted', moved: { real, bonus: '0' } };
    };
    const first = await changeOf([event(1, 'open', [debit('accepted'), later])]);
    const voids = [voided(`${hash}a`, '1.5'), voided(`${hash}e`, '3')];
    for (const order of [voids, voids.toReversed()]) {
      const { rows } = await changeOf([event(2, 'voided', order)], first.rounds[0]?.text);
      const start = rows.find(({ by }) => by === 'start');
      expect(start?.sums).toMatchObject({ games: -1n, bet: -45_000n });
      expect(start?.sums.win).toBeUndefined();
    }
  });

  test('has the win that a void took back with its debit before the pointer was read', async () => {
    const money = { currency: 'EUR', amount: '3', isFirstDebit: false } as const;
    const later = { at, type: 'debit', hash: `${hash}e`, outcome: 'accepted', ...money } as const;
    const moved = { real: '1', bonus: '0' };
    const order = { at, type: 'void', hash: `${hash}e`, outcome: 'accepted', moved } as const;
    const back = { ...credit, outcome: 'DEBITFAILEDBEFORE' };
    const played = [debit('accepted'), later];
    const late = await changeOf([pointer(2, [...played, back, order])]);
    const early = await changeOf([pointer(1, [...played, credit])]);
    const after = await changeOf([pointer(2, [...played, back, order])], early.rounds[0]?.text);
    expect([winOf(late), winOf(early) + winOf(after)]).toEqual([0n, 0n]);
  });

  test('has a repair at its decision and its return at the void, by the events and by a pointer alike', async () => {
    const [decidedAt, voidedAt] = ['2026-03-02T22:00:00.000Z', '2026-03-04T10:00:00.000Z'];
    const moves = { real: '2.5', bonus: '0' };
    const repair = { id: 'fix', kind: 'pay', currency: 'EUR', status: 'done', moves, decidedAt };
    const movement = { hash: 'repair#fix', currency: 'EUR', real: '2.5', bonus: '0' };
    const order = { at: voidedAt, type: 'void', hash: `${hash}a`, outcome: 'accepted' } as const;
    const voided = { ...order, moved: { real: '1.5', bonus: '0' } };
    const later = '2026-03-09T00:00:00.000Z';
    const paid = { ...event(2, 'closed', []), at: later, repairs: [repair], movements: [movement] };
    const back = { ...repair, status: 'takenBack' };
    const played = event(1, 'stranded', [debit('accepted')]);
    const round = { state: 'voided', gameCode: 'bells', currency: 'EUR', repairs: [back] };
    const pointed = { ...round, transactions: [debit('accepted'), voided] };
    const pointerTo = { ...event(3, 'voided', []), at: later, round: pointed };
    const taken = { ...movement, real: '-2.5' };
    const whole = { ...event(3, 'voided', [voided]), at: later, movements: [taken] };
    const histories = [[played, paid, whole], [played, paid, pointerTo], [pointerTo]];
    for (const history of histories) {
      const { rows } = await changeOf(history as unknown as RoundEvent[]);
      const own = rows.filter(({ by }) => by === 'own').map((one) => [one.quarter, one.sums]);
      expect(own).toEqual([
        [Math.floor(Date.parse(decidedAt) / 900_000), { repaired: 25_000n }],
        [Math.floor(Date.parse(voidedAt) / 900_000), { repaired: -25_000n }],
      ]);
    }
  });

  test('has a repair of a round that never began, which no other sum counts', async () => {
    const refused = { ...credit, outcome: 'GAMEROUNDNOTACTIVE' };
    const first = await changeOf([
      event(1, 'closed', [debit('INSUFFICIENTFUNDS')]),
      event(2, 'stranded', [refused]),
    ]);
    const decidedAt = '2026-03-04T09:00:00.000Z';
    const repair = { id: 'fix', kind: 'pay', currency: 'EUR', status: 'done', decidedAt };
    const movement = { hash: 'repair#fix', currency: 'EUR', real: '2', bonus: '0' };
    const paid = { ...event(3, 'closed', []), repairs: [repair], movements: [movement] };
    const change = await changeOf([paid] as unknown as RoundEvent[], first.rounds[0]?.text);
    const row = { by: 'own', game: 'bells', currency: 'EUR', sums: { repaired: 20_000n } };
    expect(change.rows).toEqual([{ quarter: Math.floor(Date.parse(decidedAt) / 900_000), ...row }]);
    expect([change.gaps, change.notable?.map(({ kind }) => kind)]).toEqual([[], ['repaired']]);
    expect(change.rounds[0]?.expiresAt).toBeNull();
  });

  test('is forgotten a day after the retention of a round that is over, never before it is, and never earlier than it was to be', async () => {
    const closed = await changeOf([event(1, 'closed', [debit('accepted'), end])]);
    expect(closed.rounds[0]?.expiresAt).toBe(Date.parse(at) + 1000 + 86_400_000);
    const open = await changeOf([event(1, 'open', [debit('accepted')])]);
    expect(open.rounds[0]?.expiresAt).toBeNull();
    const late = { ...event(2, 'voided', []), at: '2026-03-01T10:20:00.000Z' };
    const voided = await changeOf([late], closed.rounds[0]?.text);
    expect(voided.rounds[0]?.expiresAt).toBe(closed.rounds[0]?.expiresAt);
  });
});

describe('the lists of notable rounds', () => {
  const paidAt = '2026-03-04T09:00:00.000Z';
  const repair = { id: 'fix', kind: 'pay', currency: 'EUR', status: 'done', decidedAt: paidAt };
  const paid = {
    ...event(4, 'closed', []),
    repairs: [repair],
    movements: [{ hash: 'repair#fix', currency: 'EUR', real: '1', bonus: '0' }],
  };
  const voided = { type: 'void', hash: `${hash}a`, outcome: 'accepted' } as const;
  const moved = { real: '-1.5', bonus: '0' };
  // A store may commit a call after the day on which it was decided.
  const history = [
    { ...event(1, 'open', [debit('accepted')]), at: '2026-03-03T00:00:00.000Z' },
    event(2, 'open', [credit]),
    event(3, 'crashed', [{ ...credit, hash: `${hash}d`, outcome: 'DEBITFAILEDBEFORE' }]),
    paid as unknown as RoundEvent,
    event(5, 'voided', [{ ...voided, at: paidAt, moved }]),
  ];
  const began = { playerId: 'ann', gameRound: 'r', at: Date.parse(at) };

  test('have a round once for each reason that it ever had, by when its first debit was accepted, however its events are cut into pages', async () => {
    for (let cuts = 0; cuts < 2 ** (history.length - 1); cuts++) {
      const pages = history.reduce<RoundEvent[][]>((made, one, place) => {
        if (place > 0 && (cuts >> (place - 1)) % 2 === 0) made.at(-1)?.push(one);
        else made.push([one]);
        return made;
      }, []);
      const listed: NotableRound[] = [];
      let kept: string | null = null;
      for (const page of pages) {
        const change: TotalsChange = await changeOf(page, kept);
        listed.push(...(change.notable ?? []));
        kept = change.rounds[0]?.text ?? null;
      }
      const kinds = ['won', 'refused', 'repaired', 'voided'] as const;
      expect([cuts, listed]).toEqual([cuts, kinds.map((kind) => ({ kind, ...began }))]);
    }
  });

  test('have both rounds of an id that was used again after its retention', async () => {
    const later = '2026-05-02T10:20:00.000Z';
    const first = event(1, 'closed', [debit('accepted'), credit, end]);
    const second = {
      ...first,
      at: later,
      transactions: first.transactions.map((one) => ({ ...one, at: later })),
    };
    const kept = (await changeOf([first])).rounds[0]?.text;
    const places = [began, { ...began, at: Date.parse(later) }];
    const both = places.map((place) => ({ kind: 'won', ...place }));
    expect((await changeOf([first, second])).notable).toEqual(both);
    expect((await changeOf([second], kept)).notable).toEqual(both.slice(1));
  });

  test('have a round that never began among those that were refused a win, once, from its first event on', async () => {
    const refused = { ...credit, outcome: 'GAMEROUNDNOTACTIVE' };
    const events = [
      event(1, 'closed', [debit('INSUFFICIENTFUNDS')]),
      event(2, 'stranded', [refused]),
      event(3, 'stranded', [{ ...refused, hash: `${hash}d` }]),
    ];
    const first = await changeOf(events.slice(0, 2));
    expect([first.notable, first.rows]).toEqual([[{ kind: 'refused', ...began }], []]);
    expect((await changeOf(events.slice(2), first.rounds[0]?.text)).notable).toEqual([]);
  });

  test('have a repaired round among those that were refused a win, though only a pointer tells of it', async () => {
    const moves = { real: '1', bonus: '0' };
    const repairs = [{ ...repair, moves }];
    const round = {
      state: 'closed',
      gameCode: 'bells',
      transactions: [debit('accepted')],
      repairs,
    };
    const pointers = [{ ...event(4, 'closed', []), round }] as unknown as RoundEvent[];
    const { notable } = await changeOf(pointers);
    expect(notable).toEqual(['refused', 'repaired'].map((kind) => ({ kind, ...began })));
  });
});

describe('a quarter is not whole', () => {
  const names = { quarter, playerId: 'ann', gameRound: 'r' };

  test('if a round was seen in it without its beginning', async () => {
    const { gaps } = await changeOf([event(2, 'closed', [credit, end])]);
    expect(gaps).toEqual([{ ...names, kind: 'beginning missing' }]);
  });

  test('if a round was deleted before its pointer was read', async () => {
    const { gaps, rows } = await changeOf([{ ...event(1, 'closed', []), round: null }]);
    expect([gaps, rows]).toEqual([[{ ...names, kind: 'round lost' }], []]);
  });

  test('but a refused first debit that is voided lacks no beginning', async () => {
    const moved = { real: '0', bonus: '0' };
    const order = { at, type: 'void', hash: `${hash}a`, outcome: 'accepted', moved } as const;
    const { gaps, rows } = await changeOf([
      event(1, 'none', [debit('INSUFFICIENTFUNDS')]),
      event(2, 'voided', [order]),
    ]);
    expect([gaps, rows]).toEqual([[], []]);
  });
});

test('the events of totals are read by the totals alone', () => {
  const { events } = createMemoryStore({ events: ['totals'] });
  expect(() => events.read({ consumer: 'totals', operatorId: 'op' })).toThrow(
    'the events of the consumer totals are read by the totals alone',
  );
});

test('a page of the totals that is less than half full is followed by a pause, so that the next one is fuller', async () => {
  const clock = new VirtualClock();
  const store = createMemoryStore({ events: ['totals'], clock });
  const open = async (playerId: string) => {
    const account = { operatorId: 'op', playerId, currency: 'EUR', balances: { real: '0' } };
    await store.players.openPlayer(account);
  };
  const pages: [events: number, ms: number][] = [];
  const count = async () => {
    for await (const batch of store.totals.batches({ operatorId: 'op', atMost: 4 })) {
      pages.push([batch.events.length, clock.monotonicMs()]);
      await batch.add({ rows: [], rounds: [], gaps: [], since: 0 });
      if (pages.length === 3) break;
      await open(`after page ${pages.length}`);
    }
  };
  for (const playerId of ['ann', 'bob']) await open(playerId);
  await clock.run(count());
  expect(pages).toEqual([
    [2, 0],
    [1, 0],
    [1, 1000],
  ]);
});
