import { afterAll, describe, expect, test } from '@jest/globals';

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createOperatorHandler } from '../../../lib/operator/http/handler';
import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type { AccountStore, PlayerKey, WalletStore } from '../../../lib/operator/wallet';
import type { ContractPlayer } from '../../../lib/proof';
import { type CertificationResult, certify } from '../../../lib/proof/certify';
import { Cleanup } from '../../servers/cleanup';
import { startPostgres } from '../../servers/postgres/server';
import { startRedis } from '../../servers/redis/server';
import { createLedgerVariant } from '../../operator/ledger/ledger-variant';
import { patience } from '../../support/patience';
import { places, runs } from '../../support/runs';
import { seeds } from '../../support/seed';
import { printRun } from './run-line';

const cleanup = new Cleanup();

afterAll(() => cleanup.run());

const first = { operatorId: 'casino', secret: 'the first secret of the tests' };
const otherSecret = 'the other secret of the tests';
const second = { operatorId: 'bingo-hall', secret: 'the secret of another operator' };

/** Where the rounds and the money are; players are opened by `openPlayer`. */
interface Kept {
  readonly store: WalletStore;
  readonly openPlayer: (player: ContractPlayer) => Promise<unknown>;
  readonly setBlocked: (player: PlayerKey, blocked: boolean) => Promise<unknown>;
}

function own(store: AccountStore): Kept {
  const { players } = store;
  return {
    store,
    openPlayer: (player) => players.openPlayer(player),
    setBlocked: (player, blocked) => players.setBlocked(player, blocked),
  };
}

const stores: Readonly<Record<string, () => Promise<Kept>>> = {
  Redis: async () => {
    const server = cleanup.after(await startRedis(), (started) => started.stop());
    return own(createRedisStore({ init: true, url: server.url, ...patience }));
  },
  memory: async () => own(createMemoryStore()),
  PostgreSQL: async () => {
    const server = cleanup.after(await startPostgres(), (started) => started.stop());
    const url = await server.createDatabase();
    return own(createPostgresStore({ init: true, url, ...patience }));
  },
  'a ledger': async () => {
    const players = createLedgerVariant();
    const store = createLedgerStore({ ledger: players, journal: createMemoryStore() });
    return {
      store,
      openPlayer: (player) => players.openPlayer(player),
      setBlocked: (player, blocked) => players.setBlocked(player, blocked),
    };
  },
};

async function certified(kept: Kept, seed: number): Promise<CertificationResult> {
  const { store, openPlayer, setBlocked } = kept;
  cleanup.after(store, (opened) => opened.close());
  await store.ready();
  const blocked = { operatorId: first.operatorId, playerId: 'p1' };
  const real = { units: 1_000_000_000n };
  for (const [playerId, balances] of [
    ['p1', { real }],
    ['p2', { real, bonus: { units: 10_000_000n } }],
  ] as const) {
    await openPlayer({ operatorId: first.operatorId, playerId, currency: 'EUR', balances });
  }
  const handler = createOperatorHandler({
    store,
    operators: [
      { operatorId: first.operatorId, secrets: [first.secret, otherSecret] },
      { operatorId: second.operatorId, secrets: [second.secret] },
    ],
  });
  // Two instances over one store.
  const instances = [createServer(handler.handle), createServer(handler.handle)];
  const urls: string[] = [];
  for (const server of instances) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    cleanup.after(server, (started) => {
      started.closeAllConnections();
      started.close();
    });
  }
  return certify({
    urls,
    operator: first,
    otherSecret,
    secondOperator: second,
    playerIds: ['p1', 'p2'],
    currency: 'EUR',
    useBalance: true,
    restart: async () => undefined,
    block: async () => void (await setBlocked(blocked, true)),
    unblock: async () => void (await setBlocked(blocked, false)),
    long: { seed, histories: 40 },
    // No machine is so slow that the wallet seems silent.
    timeoutMs: 130_000,
    timeLimitMs: 1_500_000,
  });
}

/** What no flag of these runs enables; the wallet of this library offers no discount. */
const untried = ['--kill and --start', 'a first --player with a discount (discountInfo)'];

describe('the wallet of this library is certified', () => {
  test.each(
    places(stores).flatMap(([name, open]) =>
      seeds(runs(20, 1)).map((seed) => [name, seed, open] as const),
    ),
  )(
    'on %s by seed %d: each case passes but those that kill it, and the players have what they had',
    async (name, seed, open) => {
      const result = await certified(await open(), seed);
      printRun(`our wallet on ${name}`, seed, result);
      const { cases, outcome, money } = result;
      const others = cases.filter(({ verdict }) => verdict !== 'passed');
      const told = others.filter(({ needs }) => !untried.includes(needs ?? ''));
      expect(told.map(({ id, verdict, message }) => ({ id, verdict, message }))).toEqual([]);
      expect(outcome).toBe('passed');
      expect(money.map(({ start, end }) => end === start)).toEqual([true, true]);
    },
  );
});
