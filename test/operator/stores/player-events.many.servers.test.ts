import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { array, assert, asyncProperty, constantFrom, integer, nat, record } from 'fast-check';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import {
  cancelRound,
  doTransactions,
  type FullStore,
  type RoundKey,
  type WalletEvent,
} from '../../../lib/operator/wallet';
import type { Delivery } from '../../../lib/operator/gameround';
import { systemClock } from '../../../lib/platform';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { readAllOf } from '../../../lib/proof/contracts/events/case';
import { moneyOf } from '../../../lib/proof/contracts/events/player-money';
import {
  anna,
  credit,
  debit,
  RoundPlay,
  voidOf,
} from '../../../lib/proof/contracts/repairs/round-play';
import { freshDelivery } from '../../../lib/proof/subject/runner';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';
import { type RedisServer, startRedis } from '../../servers/redis/server';
import { patience } from '../../support/patience';
import { runs } from '../../support/runs';
import { testSeed } from '../../support/seed';
import { cleanupAfterEach } from '../../support/each-test';

const cleanup = cleanupAfterEach();
let redis: RedisServer;
let postgres: PostgresServer;

beforeAll(async () => {
  [redis, postgres] = [await startRedis(), await startPostgres()];
});

afterAll(async () => {
  await redis.stop();
  await postgres.stop();
});

const events = ['contract-a', 'contract-b'];
const options = { ...patience, events, init: true } as const;
const stores: Readonly<Record<string, () => Promise<FullStore>>> = {
  memory: async () => createMemoryStore({ events }),
  Redis: async () => createRedisStore({ ...options, url: redis.url }),
  PostgreSQL: async () => createPostgresStore({ ...options, url: await postgres.createDatabase() }),
};

const steps = [
  'open',
  'deposit',
  'withdraw',
  'correct',
  'block',
  'debit',
  'resend',
  'credit',
] as const;
const more = ['void', 'repair', 'mark'] as const;

/** What is done, to which of a few rounds or references, and with how many units. */
const step = record({
  kind: constantFrom(...steps, ...more),
  which: nat(3),
  units: integer({ min: 1, max: 60 }),
});
type Step = { readonly kind: (typeof steps)[number] | (typeof more)[number] } & {
  readonly which: number;
  readonly units: number;
};

test.each(Object.keys(stores))(
  'in %s whatever is done to a player, the events are in order and add up to the balances (O12)',
  async (name) => {
    const made = await stores[name]?.();
    if (made === undefined) throw new Error(`there is no ${name}`);
    const store = cleanup.after(made);
    await store.ready();
    const histories = array(step, { minLength: 5, maxLength: 25 });
    const numRuns = runs(1000, 10);
    await assert(
      asyncProperty(histories, (one) => play(store, one)),
      { numRuns, seed: testSeed },
    );
  },
);

async function play(store: FullStore, history: readonly Step[]): Promise<void> {
  const first = await RoundPlay.open({ store, players: store.players }, 20n);
  const rounds = [first];
  for (let at = 1; at < 4; at++) {
    rounds.push(first.other({ ...first.round, gameRound: `${first.round.gameRound}-${at}` }));
  }
  for (const [at, one] of history.entries()) {
    const round = rounds[one.which] ?? first;
    await (one.units % 3 === 0
      ? Promise.all([act(store, round, one, at), act(store, first, one, at)])
      : act(store, round, one, at));
  }
  const { operatorId, playerId } = first.round;
  const told = await readAllOf(store, operatorId);
  const money = moneyOf({ operatorId, playerId });
  for (const event of told) money.follow(event);
  await money.check(store.players);
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
  expect(told.filter(isEmpty)).toEqual([]);
}

/** A commit without money, transactions, a repair, or a change of state: it would tell nothing. */
function isEmpty(event: WalletEvent): boolean {
  if (event.type !== 'round' || event.cause !== 'call') return false;
  const { movements, transactions, repairs } = event;
  return movements.length === 0 && transactions.length === 0 && repairs === undefined;
}

async function act(store: FullStore, play1: RoundPlay, one: Step, at: number): Promise<void> {
  const { kind, which, units } = one;
  const { players } = store;
  const { operatorId, playerId, gameRound } = play1.round;
  const player = { operatorId, playerId };
  const hash = `${gameRound}-${which}`;
  const order = { ...player, currency: 'EUR', amount: { units: BigInt(units) } };
  const cash = {
    ...order,
    reference: `${kind}-${which}`,
    balance: units % 2 ? 'real' : 'bonus',
  } as const;
  const reason = 'as the ticket says';
  switch (kind) {
    case 'open':
      await players.openPlayer({
        ...player,
        currency: ['EUR', 'USD', 'GBP', 'SEK'][which] ?? 'EUR',
        balances: { real: { units: BigInt(units) } },
      });
      return;
    case 'deposit':
      await players.deposit(cash);
      return;
    case 'withdraw':
      await players.withdraw(cash);
      return;
    case 'correct': {
      const amount = { units: BigInt(which % 2 ? units : -units) };
      await players.correct?.({ ...cash, amount, by: anna, reason });
      return;
    }
    case 'block':
      await players.setBlocked(player, units < 20, { by: anna, reason });
      return;
    case 'debit':
      await send(store, play1.round, debit(`${hash}-${units}`, BigInt(units)));
      return;
    case 'resend':
      for (const fingerprint of ['A', 'B']) {
        const delivery = { ...freshDelivery(), fingerprint: fingerprint.repeat(12) };
        await deliver(store, play1.round, delivery, [debit(hash, 7n, true)]);
      }
      return;
    case 'credit':
      await send(store, play1.round, credit(`${hash}-${units}`, BigInt(units)), {
        type: 'end',
        hash: `e-${at}`,
      });
      return;
    case 'void':
      await send(store, play1.round, voidOf(hash));
      return;
    case 'repair': {
      const proposed = await play1.propose({ kind: units % 2 ? 'pay' : 'void' });
      if (proposed.kind === 'proposed') await play1.approve(proposed.repair.id);
      return;
    }
    case 'mark': {
      const transactions = [debit(`${hash}-m`, BigInt(units))];
      const call = { playerId, gameRound, gameCode: 'game', transactions };
      const { signal } = new AbortController();
      const ports = { rounds: store.rounds, clock: systemClock, signal };
      expect(await cancelRound(play1.round, call, freshDelivery(), ports)).toBe(true);
      return;
    }
  }
}

function send(store: FullStore, round: RoundKey, ...transactions: Transaction[]): Promise<void> {
  return deliver(store, round, freshDelivery(), transactions);
}

/** The call of the RGS; its outcome may be unknown, as where a debit waits for its void. */
async function deliver(
  store: FullStore,
  round: RoundKey,
  delivery: Delivery,
  transactions: readonly Transaction[],
): Promise<void> {
  const call = { ...round, gameCode: 'game', transactions };
  const policy = { useBonusFirst: false, creditTo: 'real' } as const;
  const ports = { rounds: store.rounds, clock: systemClock, policy, deadlineMs: 60_000 };
  await doTransactions(round, call, delivery, ports);
}
