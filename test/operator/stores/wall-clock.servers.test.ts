import { beforeEach, describe, expect, test } from '@jest/globals';

import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import { type AccountStore, doTransactions } from '../../../lib/operator/wallet';
import { type Clock, systemClock } from '../../../lib/platform';
import { startPostgres } from '../../servers/postgres/server';
import { startRedis } from '../../servers/redis/server';
import { startTcpProxy, type TcpProxy } from '../../network/tcp-proxy';
import { unsignedDelivery } from '../../../lib/operator/gameround';
import { cleanupAfterEach } from '../../support/each-test';

const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };
const round = { operatorId: 'op', playerId: 'p', gameRound: 'round' };
const end = {
  playerId: 'p',
  gameCode: 'game',
  gameRound: 'round',
  transactions: [{ type: 'end', hash: 'e' } as const],
};
/** No machine is so slow that a server that answers seems silent. */
const patient = { decimals: 0, commandTimeoutMs: 30_000, connectTimeoutMs: 30_000 };
const impatient = { decimals: 0, commandTimeoutMs: 100, connectTimeoutMs: 500 };

const cleanup = cleanupAfterEach();

let setBackMs = 0;
const clock: Clock = { ...systemClock, now: () => systemClock.now() - setBackMs };

beforeEach(() => {
  setBackMs = 0;
});

async function redisBehindProxy(
  times: typeof patient,
): Promise<{ store: AccountStore; proxy: TcpProxy }> {
  const redis = cleanup.after(await startRedis());
  const proxy = cleanup.after(await startTcpProxy(redis.clientOptions));
  return {
    proxy,
    store: createRedisStore({
      init: true,
      url: `redis://127.0.0.1:${proxy.port}`,
      ...times,
      clock,
    }),
  };
}

async function postgresBehindProxy(
  times: typeof patient,
): Promise<{ store: AccountStore; proxy: TcpProxy }> {
  const server = cleanup.after(await startPostgres());
  const target = { host: '127.0.0.1', port: server.port };
  const proxy = cleanup.after(await startTcpProxy(target));
  const url = new URL(await server.createDatabase());
  url.port = String(proxy.port);
  return { proxy, store: createPostgresStore({ url: url.href, init: true, ...times, clock }) };
}

/** From now on the wall clock is that of 250 s ago. */
function setWallClockBack(): void {
  setBackMs = 250_000;
}

describe.each([
  ['Redis', redisBehindProxy],
  ['PostgreSQL', postgresBehindProxy],
] as const)('when the wall clock is set back by 250 s while %s is silent', (_, open) => {
  test('a call ends at its deadline, unknown', async () => {
    const { store, proxy } = await opened(patient);
    await store.ready();
    await store.players.openPlayer({ ...player, balances: { real: '100' } });
    proxy.blackhole({ deliver: false });
    const policy = { useBonusFirst: true, creditTo: 'real' } as const;
    const ports = { rounds: store.rounds, clock, policy, deadlineMs: 400 };
    const answering = doTransactions(round, end, unsignedDelivery('d'), ports);
    setWallClockBack();
    expect((await answering).unknown).not.toBeNull();
  });

  test('a store that waits for its first connection gives up in its time', async () => {
    const { store, proxy } = await opened(impatient);
    proxy.blackhole({ deliver: false });
    const waiting = store.ready();
    setWallClockBack();
    await expect(waiting).rejects.toMatchObject({ name: 'StoreUnavailableError' });
  });

  async function opened(times: typeof patient): Promise<Awaited<ReturnType<typeof open>>> {
    const made = await open(times);
    cleanup.after(made.store);
    return made;
  }
});
