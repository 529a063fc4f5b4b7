import { expect, test } from '@jest/globals';

import { unsignedDelivery } from '../../../../lib/operator/gameround';
import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { aroundRounds, doTransactions, type WalletStore } from '../../../../lib/operator/wallet';
import { createSeededRandom } from '../../../../lib/platform';
import { VirtualClock } from '../../../../lib/platform/virtual-clock';
import type { Transaction } from '../../../../lib/protocol/operator-api/transaction';
import { clientOf, RedisModel } from '../../../servers/in-process/redis';
import { patience } from '../../../support/patience';
import { withParts } from '../../../support/with-parts';

/** A Redis that a store writes, which keeps all there is to keep, and what it was sent. */
async function open(options: { readonly events?: readonly string[]; readonly history?: boolean }) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const model = await RedisModel.create(() => clock.now());
  const store = createRedisStore({
    init: true,
    client: clientOf(model),
    clock,
    random: createSeededRandom(1),
    ...patience,
    ...options,
  });
  await clock.run(store.ready());
  const trips = { follow: 0, followed: 0 };
  /** The same store, which is loaded from. */
  const loaded = withParts(store, { rounds: { follow: undefined } });
  const counted = {
    ...store,
    rounds: aroundRounds(store.rounds, async (operation, work) => {
      if (operation === 'follow') trips.follow++;
      const result = await work();
      if (operation === 'follow' && result.kind === 'committed') trips.followed++;
      return result;
    }),
  };
  return { clock, model, store, loaded, counted, trips };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** Everything that Redis holds, by name; when it expires too. */
function contentOf({ model: { keys } }: Opened): unknown {
  const types = ['hash', 'list', 'set', 'index', 'stream', 'string'] as const;
  return keys.names.toSorted().map((name) => {
    const held = types.flatMap((type) => {
      try {
        return [keys.read(name, type)];
      } catch {
        return [];
      }
    });
    return [name, keys.expiresAt(name), held];
  });
}

const player = { operatorId: 'op', playerId: 'ann' };

async function play(opened: Opened, store: WalletStore, seed: number): Promise<readonly string[]> {
  const { clock } = opened;
  const random = createSeededRandom(seed);
  const chance = (percent: number): boolean => random.bytes(1)[0]! < percent * 2.56;
  const amount = (most: number): bigint => BigInt(random.bytes(1)[0]! % most);
  const told: string[] = [];
  const balances = { real: { units: 700n }, ...(chance(50) ? { bonus: { units: 40n } } : {}) };
  await opened.store.players.openPlayer({ ...player, currency: 'EUR', balances });
  for (let round = 0; round < 4; round++) {
    const gameRound = chance(50) ? `round ${round}` : `0b7a2b3e-55d2-4b5e-9c1e-00000000000${round}`;
    for (let at = 0; at < 12; at++) {
      const transactions = callOf(at, gameRound, chance, amount);
      const delivery = { ...unsignedDelivery(`${round}${at}xx`.slice(0, 4)) };
      const signed = chance(50)
        ? { ...delivery, fingerprint: `${round}${at}abcdefgh01`.slice(0, 12) }
        : delivery;
      const call = {
        ...player,
        gameRound,
        gameCode: chance(95) ? 'bells & more' : 'reels',
        transactions,
      };
      const outcome = await clock.run(
        doTransactions({ ...player, gameRound }, call, signed, {
          rounds: store.rounds,
          clock,
          policy: { useBonusFirst: seed % 2 === 0, creditTo: 'real' },
          deadlineMs: 60_000,
        }),
      );
      told.push(
        JSON.stringify(
          [outcome.verdicts, outcome.accounts, outcome.state, outcome.currency],
          (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
        ),
      );
      clock.setWallClock(1 + Number(amount(50)));
    }
  }
  return told;
}

function callOf(
  at: number,
  gameRound: string,
  chance: (percent: number) => boolean,
  amount: (most: number) => bigint,
): Transaction[] {
  const named = (type: string): string => `${type}${chance(90) ? at : at - 1}`;
  const debit = (hash: string, isFirstDebit: boolean): Transaction => {
    const base = { currency: chance(97) ? 'EUR' : 'USD', discount: 0n, serial: null };
    return { type: 'debit', hash, amount: amount(chance(90) ? 30 : 250), isFirstDebit, ...base };
  };
  const credit = (hash: string): Transaction => {
    return {
      type: 'credit',
      hash,
      amount: amount(40),
      currency: 'EUR',
      serial: chance(10) ? 'a gift' : null,
    };
  };
  if (at === 0) return [debit(gameRound, true)];
  if (chance(6)) return [{ type: 'void', hash: named('d'), amount: null, currency: null }];
  const call: Transaction[] = [];
  if (chance(60)) call.push(debit(named('d'), false));
  if (call.length === 0 || chance(60)) call.push(credit(named('c')));
  if (chance(10)) call.push(credit(`0b7a2b3e-55d2-4b5e-9c1e-0000000000${10 + at}`));
  if (chance(at > 8 ? 50 : 3)) call.push({ type: 'end', hash: named('e') });
  return call;
}

test.each<[string, Parameters<typeof open>[0]]>([
  ['nothing else', {}],
  ['events', { events: ['archive'] }],
  ['a history', { history: true }],
  ['events and a history', { events: ['archive'], history: true }],
])(
  'what a follow-up writes is byte for byte what load and commit write, and so is the answer, with %s',
  async (_, options) => {
    const sum = { follow: 0, followed: 0 };
    for (let seed = 1; seed <= 15; seed++) {
      const [one, other] = [await open(options), await open(options)];
      const answers = await play(one, one.counted, seed);
      expect(answers).toEqual(await play(other, other.loaded, seed));
      expect(contentOf(one)).toEqual(contentOf(other));
      sum.follow += one.trips.follow;
      sum.followed += one.trips.followed;
    }
    expect(sum.followed).toBeGreaterThan(100);
    expect(sum.follow - sum.followed).toBeGreaterThan(100);
  },
);
