import { beforeEach, expect, test } from '@jest/globals';

import { withRedis } from '../servers/redis/client';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { until } from '../servers/until';
import {
  type Environment,
  OPERATOR,
  runCli,
  type Service,
  signer,
  startService,
  temporaryFile,
} from './cli';
import { cleanupAfterEach } from '../support/each-test';

const cleanup = cleanupAfterEach();
let redis: RedisServer;
let where: string[];

beforeEach(async () => {
  redis = cleanup.after(await startRedis({ config: { requirepass: 'hush-hush' } }));
  where = ['--store', redis.url];
});

async function serve(args: readonly string[], env: Environment = {}): Promise<Service> {
  const service = await startService(args, { ...OPERATOR, ...env });
  return cleanup.after(service);
}

function keys(): Promise<number> {
  return withRedis(redis, (admin) => admin.dbsize());
}

/** A win of a round that was begun before. */
const lateCredit = signer.doTransactions({
  playerId: 'ann',
  gameCode: 'bells',
  gameRound: 'r-1',
  transactionCount: 1,
  transactions: [{ type: 'credit', hash: 'c-1', amount: 1, currency: 'EUR' }],
});

test('serve and demo refuse an empty Redis in one line that names the flag, and write nothing', async () => {
  for (const command of ['serve', 'demo']) {
    for (const WALLET_INIT of ['', '0']) {
      const env = { ...OPERATOR, WALLET_INIT };
      expect(await runCli([command, ...where], { env })).toEqual({
        code: 2,
        stdout: '',
        stderr:
          `error: The store redis://127.0.0.1:${redis.port} cannot be used: Redis holds no store under rgs:settings: ` +
          'restore its data, or create a new store with `rgs-wallet init` or the option init. ' +
          'If it has another prefix, set --namespace. The flag --init creates one.\n',
      });
    }
  }
  expect(await keys()).toBe(0);
});

test('init makes a store once and changes nothing after that, and serve uses it without a flag', async () => {
  const args = ['init', ...where, '--decimals', '2'];
  expect(await runCli(args)).toEqual({ code: 0, stdout: 'Store created.\n', stderr: '' });
  const again = await runCli(['init', '--decimals', '2'], { env: { WALLET_STORE: redis.url } });
  expect(again).toEqual({ code: 0, stdout: 'Nothing to do: the store exists.\n', stderr: '' });
  expect(await keys()).toBe(1);
  const told = await runCli(['init', ...where, '--json']);
  expect(told).toEqual({ code: 0, stdout: '{"created":false}\n', stderr: '' });
  const service = await serve(where);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  expect(service.lines.filter(({ level }) => level > 30)).toEqual([]);
  const other = await runCli(['init', ...where, '--decimals', '3']);
  expect(other).toMatchObject({ code: 2, stdout: '' });
  expect(other.stderr).toMatch(/cannot be created: The data under rgs:settings has decimals 2/);
  expect(other.stderr).not.toContain('hush');
});

test.each<[string, string[], Environment]>([
  ['--init', ['--init'], {}],
  ['WALLET_INIT=1', [], { WALLET_INIT: '1' }],
])('serve with %s makes a store and uses it from then on', async (_, flags, env) => {
  const first = await serve([...where, ...flags], env);
  await first.stop();
  const second = await serve([...where, ...flags], env);
  await second.stop();
  expect(await keys()).toBe(1);
  await serve(where);
});

test('WALLET_INIT takes 1 or 0 alone', async () => {
  const result = await runCli(['serve', ...where], { env: { ...OPERATOR, WALLET_INIT: 'yes' } });
  expect(result).toEqual({ code: 2, stdout: '', stderr: 'error: WALLET_INIT must be 1 or 0\n' });
});

test('a Redis that loses its data under a service: not ready, calls unknown, and no start without the flag', async () => {
  const file = await temporaryFile('players.json', [
    { playerId: 'ann', currency: 'EUR', balances: { real: '100' } },
  ]);
  const args = [...where, '--players', file];
  const service = await serve([...args, '--init']);
  await withRedis(redis, (admin) => admin.flushall());
  const answer = await service.call(lateCredit);
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.text)).toMatchObject({ errorCode: { id: 9007 } });
  const balance = await service.call(signer.getBalance({ playerId: 'ann', currency: 'EUR' }));
  expect(balance.status).toBe(503);
  await until('not to be ready', async () => (await fetch(`${service.url}/readyz`)).status === 503);
  expect(await service.line('Redis store refuses commands: server check failed')).toMatchObject({
    level: 50,
    reason: 'Redis has lost the store under rgs:settings: restore its data.',
  });
  await service.stop();
  expect(await runCli(['serve', ...args], { env: OPERATOR })).toMatchObject({ code: 2 });
  expect(await keys()).toBe(0);
});
