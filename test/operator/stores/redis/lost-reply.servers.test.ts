import { beforeEach, describe, expect, test } from '@jest/globals';

import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { scripts } from '../../../../lib/operator/stores/redis/commands/scripts';
import type { AttentionEntry, AccountStore } from '../../../../lib/operator/wallet';
import { startRedis } from '../../../servers/redis/server';
import { ServiceConnections, type ServiceReply } from '../../../rgs/load/call';
import { startTcpProxy, type TcpProxy } from '../../../network/tcp-proxy';
import { until } from '../../../servers/until';
import { startWalletServer, type WalletServer } from '../../../servers/wallet-server';
import { LeapingClock } from '../../../support/leaping-clock';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

/** Both are longer than any machine takes: they pass when the clock leaps. */
const COMMAND_TIMEOUT_MS = patience.commandTimeoutMs;
const DEADLINE_MS = 2 * COMMAND_TIMEOUT_MS;
const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };

const debit = { type: 'debit', hash: 'd1', amount: 10, currency: 'EUR', isFirstDebit: true };
const followUp = { ...debit, hash: 'd2', amount: 3, isFirstDebit: false };
const credit = { type: 'credit', hash: 'c1', amount: 25, currency: 'EUR' };
const end = { type: 'end', hash: 'e1' };
const voidOfDebit = { type: 'VOID', hash: 'd1', amount: 10, currency: 'EUR' };
const voidOfFollowUp = { ...voidOfDebit, hash: 'd2', amount: 3 };
type Wire = { readonly [key: string]: string | number | boolean };

const cleanup = cleanupAfterEach();
let clock: LeapingClock;
let proxy: TcpProxy;
let store: AccountStore;
let wallet: WalletServer;
let service: ServiceConnections;

beforeEach(async () => {
  const redis = cleanup.after(await startRedis());
  proxy = cleanup.after(await startTcpProxy(redis.clientOptions));
  const url = `redis://127.0.0.1:${proxy.port}`;
  clock = new LeapingClock();
  store = cleanup.after(createRedisStore({ ...patience, init: true, url, decimals: 0, clock }));
  await store.ready();
  await store.players.openPlayer({ ...player, balances: { real: '100' } });
  const times = { deadlineMs: DEADLINE_MS, clock };
  wallet = cleanup.after(await startWalletServer(store, times));
  service = cleanup.after(new ServiceConnections([wallet.origin], 4, DEADLINE_MS));
  // The server knows the scripts from here on: what is lost is a reply to one that has run.
  const other = { ...player, playerId: 'other', balances: { real: '100' } };
  await store.players.openPlayer(other);
  await store.players.deposit({ ...other, amount: '1', reference: 'r' });
  await sendAs('other', debit);
  await sendAs('other', credit);
  await sendAs('other', end);
});

function send(...transactions: Wire[]): Promise<ServiceReply> {
  return sendAs(player.playerId, ...transactions);
}

function sendAs(playerId: string, ...transactions: Wire[]): Promise<ServiceReply> {
  const timestamp = new Date().toISOString();
  return service.send(
    wallet.signer.doTransactions({
      playerId,
      gameCode: 'game',
      gameRound: 'round',
      transactions: transactions.map((transaction) => ({ ...transaction, timestamp })),
      transactionCount: transactions.length,
    }),
  );
}

/**
 * Sends a call into a silent network: the store is asked again after the time of a command, and the answer
 * comes when the deadline passes, not before.
 */
async function sendPastDeadline(...transactions: Wire[]): Promise<ServiceReply> {
  let isAnswered = false;
  const replying = send(...transactions).finally(() => {
    isAnswered = true;
  });
  await somethingLost();
  clock.leap(COMMAND_TIMEOUT_MS);
  await somethingLost();
  expect(isAnswered).toBe(false);
  clock.leap(DEADLINE_MS - COMMAND_TIMEOUT_MS);
  return replying;
}

/** Resolves when the network swallows something more. */
async function somethingLost(): Promise<void> {
  const { bytesLost } = proxy.counters;
  await until('something to be lost', () => proxy.counters.bytesLost > bytesLost);
}

async function balance(): Promise<bigint | undefined> {
  const result = await store.rounds.accounts(player);
  if (result.kind === 'unknown') throw result.cause;
  return result.accounts?.[0]?.real;
}

async function attention(): Promise<AttentionEntry[]> {
  const entries: AttentionEntry[] = [];
  for await (const entry of store.lists.attention('op')) entries.push(entry);
  return entries;
}

/** Every call of the service, what came before it, what the player has after it. */
const calls: readonly (readonly [string, readonly Wire[][], Wire[], bigint])[] = [
  ['opens a round', [], [debit], 90n],
  ['opens and ends a round', [], [debit, credit, end], 115n],
  ['debits again', [[debit]], [followUp], 87n],
  ['credits', [[debit]], [credit], 115n],
  ['credits and ends', [[debit]], [credit, end], 115n],
  ['ends', [[debit]], [end], 90n],
  ['voids a round', [[debit], [followUp], [credit]], [voidOfDebit], 100n],
  ['voids a debit that followed', [[debit], [followUp]], [voidOfFollowUp], 90n],
  ['voids a debit that never came', [], [voidOfDebit], 100n],
];

/** Calls that only add to a running round: they take one trip of their own. */
const adding: ReadonlySet<string> = new Set(['debits again', 'credits', 'credits and ends']);

/** Calls that are taken to open their round: they take one trip of theirs, and a commit where the round is known. */
const opening: ReadonlySet<string> = new Set(['opens a round', 'opens and ends a round']);

type Lost = 'load' | 'open' | 'commit' | 'follow';

function takes(what: string, name: Lost): boolean {
  if (opening.has(what)) return name === 'open' || name === 'commit';
  return adding.has(what) ? name === 'follow' : name === 'load' || name === 'commit';
}

describe.each<Lost>(['load', 'open', 'commit', 'follow'])(
  'when the reply to a %s is lost',
  (name) => {
    const taking = calls.filter(([what]) => takes(what, name));

    test.each(taking)(
      'a call that %s is done once, and answered',
      async (_, before, call, after) => {
        for (const earlier of before) await send(...earlier);
        const opens = call[0] === debit;
        if (name === 'commit' && opens) await send({ ...end, hash: 'early' }); // or the call opens the round
        const { sha } = scripts[name];
        const dropped = proxy.dropNextReply({ to: (request) => request.includes(sha) });
        const reply = await send(...call);
        await dropped;
        const hashesProcessed = call.map(({ hash }) => ({ hash }));
        expect(reply).toMatchObject({ status: 200, body: { hashesProcessed } });
        expect(await balance()).toBe(after);
        expect(await send(...call)).toMatchObject({ status: 200, body: { hashesProcessed } });
        expect(await balance()).toBe(after);
      },
    );
  },
);

test.each([
  ['deposit', 107n],
  ['withdraw', 93n],
] as const)(
  'when the reply to a %s is lost, the same order again tells of one move',
  async (move, after) => {
    const order = { ...player, amount: '7', reference: 'r' };
    const { sha } = scripts.moveCash;
    const dropped = proxy.dropNextReply({ to: (request) => request.includes(sha) });
    expect(await store.players[move](order)).toMatchObject({ kind: 'unknown' });
    await dropped;
    // A slow machine may take more than one command's time to connect again: unknown once more, never two moves.
    const known = await until('the order to be known', async () => {
      const result = await store.players[move](order);
      return result.kind !== 'unknown' && result;
    });
    expect(known).toMatchObject({ kind: 'done', replay: true });
    expect(await balance()).toBe(after);
  },
);

describe.each([
  ['swallows only replies', true],
  ['swallows requests too', false],
])('past the deadline in a network that %s', (_, deliver) => {
  const goSilent = (): void => proxy.blackhole({ deliver });

  test.each([
    ['the first debit', [], [debit, credit, end], voidOfDebit, 'voided', 100n],
    ['a debit that follows', [[debit]], [followUp], voidOfFollowUp, 'open', 90n],
  ] as const)(
    'a call with %s is answered 503, and its round is cancelled until the void',
    async (__, before, call, order, state, after) => {
      for (const earlier of before) await send(...earlier);
      goSilent();
      expect(await sendPastDeadline(...call)).toMatchObject({
        status: 503,
        body: { hashesProcessed: [] },
      });
      await proxy.pass();
      const cancelled = await until('the round to be listed', async () => {
        const entries = await attention();
        return entries.length > 0 && entries;
      });
      expect(cancelled).toMatchObject([
        { operatorId: 'op', playerId: 'p', gameRound: 'round', state: 'cancelled' },
      ]);
      expect(await send(order)).toMatchObject({ status: 200 });
      expect(await attention()).toEqual([]);
      expect(await balance()).toBe(after);
      const round = await store.rounds.readRound({
        operatorId: 'op',
        playerId: 'p',
        gameRound: 'round',
      });
      expect(round?.head.state).toBe(state);
    },
  );

  test('a credit is answered 400 without its hash, and is paid once when it is sent again', async () => {
    await send(debit);
    goSilent();
    expect(await sendPastDeadline(credit)).toMatchObject({
      status: 400,
      body: { hashesProcessed: [] },
    });
    await proxy.pass();
    const paid = { status: 200, body: { hashesProcessed: [{ hash: 'c1' }] } };
    expect(await send(credit)).toMatchObject(paid);
    expect(await balance()).toBe(115n);
    expect(await attention()).toEqual([]);
  });

  test.each([
    ['an end', end, 90n],
    ['a void', voidOfDebit, 100n],
  ])('%s is answered 503, and done once when it is sent again', async (__, transaction, after) => {
    await send(debit);
    goSilent();
    expect(await sendPastDeadline(transaction)).toMatchObject({
      status: 503,
      body: { hashesProcessed: [] },
    });
    await proxy.pass();
    expect(await send(transaction)).toMatchObject({ status: 200 });
    expect(await balance()).toBe(after);
  });
});
