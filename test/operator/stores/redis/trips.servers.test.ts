import { beforeEach, expect, test } from '@jest/globals';

import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';

import { createRedisStore, type RedisStoreOptions } from '../../../../lib/operator/stores/redis';
import { scripts } from '../../../../lib/operator/stores/redis/commands/scripts';
import { closeClient, withRedis } from '../../../servers/redis/client';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { ServiceConnections, type ServiceReply } from '../../../rgs/load/call';
import { startTcpProxy, type TcpProxy } from '../../../network/tcp-proxy';
import { startWalletServer, type WalletServer } from '../../../servers/wallet-server';
import { cleanupAfterEach } from '../../../support/each-test';

type Wire = { readonly [key: string]: string | number | boolean };

const cleanup = cleanupAfterEach();
let redis: RedisServer;
let proxy: TcpProxy;
let wallet: WalletServer;
let service: ServiceConnections;

beforeEach(async () => {
  redis = cleanup.after(await startRedis());
  proxy = cleanup.after(await startTcpProxy(redis.clientOptions));
  await open({});
});

/** Opens the store that calls are sent to from here on. */
async function open(options: RedisStoreOptions): Promise<void> {
  const url = `redis://127.0.0.1:${proxy.port}`;
  const store = cleanup.after(
    createRedisStore({ init: true, url, decimals: 0, commandTimeoutMs: 60_000, ...options }),
  );
  await store.ready();
  const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };
  await store.players.openPlayer({ ...player, balances: { real: '1000000' } });
  wallet = cleanup.after(await startWalletServer(store));
  service = cleanup.after(new ServiceConnections([wallet.origin], 1, 10_000));
  await send('warm-up', debit('w1'), credit('w2'), { type: 'end', hash: 'w3' });
  await send('warm-up', { type: 'end', hash: 'w3' });
  await send('warm-up', credit('w4'));
}

const debit = (hash: string, isFirstDebit = true): Wire => ({
  type: 'debit',
  hash,
  amount: 10,
  currency: 'EUR',
  isFirstDebit,
});
const credit = (hash: string): Wire => ({ type: 'credit', hash, amount: 10, currency: 'EUR' });

function signed(gameRound: string, transactions: readonly Wire[]) {
  const transactionCount = transactions.length;
  const call = { playerId: 'p', gameCode: 'game', gameRound, transactions, transactionCount };
  return wallet.signer.doTransactions(call);
}

function send(gameRound: string, ...transactions: Wire[]): Promise<ServiceReply> {
  return service.send(signed(gameRound, transactions));
}

/** What a piece of work costs at Redis. */
interface Cost {
  /** The scripts that were called, each a trip; another command stands as itself. */
  readonly trips: readonly string[];
  /** What the scripts called in turn. */
  readonly inner: readonly string[];
  /** To Redis and back. */
  readonly bytes: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [trips, inner]: [string[], string[]] = [[], []];
  const opener = new Redis(redis.clientOptions);
  const monitor = await opener.monitor();
  closeClient(opener);
  const marker = randomUUID();
  const ended = new Promise<void>((resolve) => {
    monitor.on('monitor', (_: string, [command = '', ...args]: string[], source: string) => {
      if (args.includes(marker)) resolve();
      else if (source === 'lua') inner.push(command.toLowerCase());
      else trips.push(names.get(args[0] ?? '') ?? command);
    });
  });
  const bytes = traffic();
  await work();
  const spent = traffic() - bytes;
  await withRedis(redis, (admin) => admin.echo(marker));
  await ended;
  closeClient(monitor);
  return { trips: trips.filter((name) => !connecting.has(name)), inner, bytes: spent };
}

const names = new Map(Object.values(scripts).map(({ sha, name }) => [sha, name]));
/** What the connection of the marker says before it. */
const connecting = new Set(['hello', 'info', 'client']);

function traffic(): number {
  return proxy.counters.bytesUp + proxy.counters.bytesDown;
}

test('a call that opens a round costs one trip', async () => {
  const opened = await costOf(() => send('one', debit('1')));
  expect(opened.trips).toEqual(['rounds/open']);
  const whole = await costOf(() =>
    send('two', debit('1'), credit('2'), { type: 'end', hash: '3' }),
  );
  expect(whole.trips).toEqual(['rounds/open']);
});

test.each<[string, Wire[]]>([
  ['debits again', [debit('2', false)]],
  ['credits', [credit('2')]],
  ['credits and ends', [credit('2'), { type: 'end', hash: '3' }]],
])(
  'a call that %s costs one trip, one when it comes again, and two where it was signed anew',
  async (_, call) => {
    await send('round', debit('1'));
    const request = signed('round', call);
    expect((await costOf(() => service.send(request))).trips).toEqual(['follow']);
    // A debit that is answered again is noted as nobody's, once (D7).
    if (call[0]?.['type'] === 'debit') await service.send(request);
    expect((await costOf(() => service.send(request))).trips).toEqual(['follow']);
    // What guards its signature in every process is kept with the record (D1.8).
    const anew = signed('round', call);
    expect((await costOf(() => service.send(anew))).trips).toEqual(['follow', 'commit']);
    expect((await costOf(() => service.send(anew))).trips).toEqual(['follow']);
  },
);

test.each<[string, Wire[]]>([
  ['ends', [{ type: 'end', hash: '2' }]],
  ['voids a round', [{ type: 'void', hash: '1', amount: 10, currency: 'EUR' }]],
])(
  'a call that %s costs two trips, one when it comes again, and two where it was signed anew',
  async (_, call) => {
    await send('round', debit('1'));
    const request = signed('round', call);
    expect((await costOf(() => service.send(request))).trips).toEqual(['load', 'commit']);
    expect((await costOf(() => service.send(request))).trips).toEqual(['load']);
    const anew = signed('round', call);
    expect((await costOf(() => service.send(anew))).trips).toEqual(['load', 'commit']);
    expect((await costOf(() => service.send(anew))).trips).toEqual(['load']);
  },
);

test('a round of two calls costs two trips, and a debit that is too high three, as where it was loaded for', async () => {
  const round = await costOf(async () => {
    await send('plain', debit('1'));
    await send('plain', credit('2'), { type: 'end', hash: '3' });
  });
  expect(round.trips).toEqual(['rounds/open', 'follow']);
  await send('declined', debit('1'));
  const declined = await costOf(() => send('declined', { ...debit('2', false), amount: 1e9 }));
  expect(declined.trips).toEqual(['follow', 'commit', 'commit']);
});

test.each<[string, Wire[]]>([
  ['opens a round', [debit('1')]],
  ['is a whole round', [debit('1'), credit('2'), { type: 'end', hash: '3' }]],
])(
  'a call that %s and comes again costs one trip, and one more the first time and where it was signed anew',
  async (_, call) => {
    const request = signed('round', call);
    await service.send(request);
    const first = await costOf(() => service.send(request));
    expect(first.trips).toEqual(['rounds/open', 'commit']);
    expect((await costOf(() => service.send(request))).trips).toEqual(['rounds/open']);
    const anew = await costOf(() => send('round', ...call));
    expect(anew.trips).toEqual(['rounds/open', 'commit']);
  },
);

test('asking for a balance costs one trip', async () => {
  const parameters = { playerId: 'p', currency: 'EUR' };
  const asked = await costOf(() => service.send(wallet.signer.getBalance(parameters)));
  expect(asked.trips).toHaveLength(1);
});

test('a request that is not authentic costs no trip, and not a byte', async () => {
  const call = signed('round', [debit('1')]);
  const forged = { ...call, body: (call.body ?? '').replace('"amount":10', '"amount":11') };
  const balance = wallet.signer.getBalance({ playerId: 'p', currency: 'EUR' });
  const cost = await costOf(async () => {
    expect(await service.send(forged)).toMatchObject({ status: 401 });
    const other = { ...balance, path: balance.path.replace('playerId=p', 'playerId=q') };
    expect(await service.send(other)).toMatchObject({ status: 401 });
  });
  expect(cost).toEqual({ trips: [], inner: [], bytes: 0 });
});

test('the 1,000th call of a round costs what the 10th costs', async () => {
  await send('long', debit('first'));
  const costs: Cost[] = [];
  for (let call = 2; call <= 1_001; call += 1) {
    const hash = `hash ${String(call).padStart(4, '0')}`;
    const transaction = call % 2 === 0 ? debit(hash, false) : credit(hash);
    const play = (): Promise<unknown> => send('long', transaction);
    if (call === 10 || call === 1_000) costs.push(await costOf(play));
    else await play();
  }
  const [tenth, thousandth] = costs;
  expect(thousandth?.trips).toEqual(tenth?.trips);
  expect(thousandth?.inner).toEqual(tenth?.inner);
  expect(tenth?.inner.length).toBeGreaterThan(0);
  expect(thousandth?.bytes).toBeLessThan((tenth?.bytes ?? 0) * 1.05);
});

/** A UUID made of a number: a real service's hashes are UUIDs, and their length is part of the cost. */
const uuid = (number: number): string =>
  `0b7a2b3e-55d2-4b5e-9c1e-${String(number).padStart(12, '0')}`;

/** Seen when each was last made cheaper, and a little more. One that grows is to be looked at before it is let through. */
test.each<[string, Wire[], Wire[], { commands: number; bytes: number }]>([
  [
    'opens and closes a round',
    [],
    [debit(uuid(1)), credit(uuid(2)), { type: 'end', hash: uuid(3) }],
    { commands: 6, bytes: 512 }, // 31 bytes name what the books carry of a round with a time to live
  ],
  [
    'opens and closes a round with a gain',
    [],
    [debit(uuid(1)), { ...credit(uuid(2)), amount: 20 }, { type: 'end', hash: uuid(3) }],
    { commands: 7, bytes: 512 }, // one of them carries it
  ],
  ['opens a round', [], [debit(uuid(1))], { commands: 5, bytes: 344 }],
  ['credits', [debit(uuid(1))], [credit(uuid(2))], { commands: 5, bytes: 311 }],
  ['is sent again, signed anew', [debit(uuid(1))], [debit(uuid(1))], { commands: 9, bytes: 789 }],
])('a call that %s costs Redis no more than its budget', (_, before, call, budget) =>
  expectBudget(before, call, budget),
);

/** What a history adds, the index of open rounds among it; trips it adds none. */
test.each<[string, Wire[], Wire[], { commands: number; bytes: number }]>([
  [
    'opens and closes a round',
    [],
    [debit(uuid(1)), credit(uuid(2)), { type: 'end', hash: uuid(3) }],
    { commands: 12, bytes: 615 },
  ],
  ['opens a round', [], [debit(uuid(1))], { commands: 10, bytes: 469 }],
  ['credits', [debit(uuid(1))], [credit(uuid(2))], { commands: 6, bytes: 437 }],
  [
    'closes a round',
    [debit(uuid(1))],
    [credit(uuid(2)), { type: 'end', hash: uuid(3) }],
    { commands: 12, bytes: 533 },
  ],
])(
  'in a store with a history, a call that %s costs no more than its budget',
  async (_, before, call, budget) => {
    await open({ history: true });
    await expectBudget(before, call, budget);
  },
);

async function expectBudget(
  before: readonly Wire[],
  call: readonly Wire[],
  budget: { readonly commands: number; readonly bytes: number },
): Promise<void> {
  if (before.length > 0) await send(uuid(1), ...before);
  const { trips, inner, bytes } = await costOf(() => send(uuid(1), ...call));
  expect(trips.length + inner.length).toBeLessThanOrEqual(budget.commands);
  expect(bytes).toBeLessThanOrEqual(budget.bytes);
}
