import { beforeEach, describe, expect, test } from '@jest/globals';

import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import type { AccountStore, AttentionEntry } from '../../../../lib/operator/wallet';
import { give, openingOf, real, take, takeMore } from '../../../../lib/proof/contracts/changes';
import { followUpOf } from '../../../../lib/proof/contracts/follow-up/case';
import { startPostgres } from '../../../servers/postgres/server';
import { ServiceConnections, type ServiceReply } from '../../../rgs/load/call';
import { startTcpProxy, type TcpProxy } from '../../../network/tcp-proxy';
import { until } from '../../../servers/until';
import { startWalletServer, type WalletServer } from '../../../servers/wallet-server';
import { LeapingClock } from '../../../support/leaping-clock';
import { patience } from '../../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

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
const server = serverOfFile(() => startPostgres());
let clock: LeapingClock;
let proxy: TcpProxy;
let store: AccountStore;
let wallet: WalletServer;
let service: ServiceConnections;

beforeEach(async () => {
  const target = { host: '127.0.0.1', port: server().port };
  proxy = cleanup.after(await startTcpProxy(target));
  const url = new URL(await server().createDatabase());
  url.port = String(proxy.port);
  clock = new LeapingClock();
  const options = { ...patience, url: url.href, decimals: 0, clock };
  store = cleanup.after(createPostgresStore({ ...options, init: true }));
  await store.ready();
  await store.players.openPlayer({ ...player, balances: { real: '100' } });
  const times = { deadlineMs: DEADLINE_MS, clock };
  wallet = cleanup.after(await startWalletServer(store, times));
  service = cleanup.after(new ServiceConnections([wallet.origin], 4, DEADLINE_MS));
});

function send(...transactions: Wire[]): Promise<ServiceReply> {
  const timestamp = new Date().toISOString();
  return service.send(
    wallet.signer.doTransactions({
      playerId: player.playerId,
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
  const result = await until('the store to answer', async () => {
    const answer = await store.rounds.accounts(player);
    return answer.kind === 'known' && answer;
  });
  return result.accounts?.[0]?.real;
}

async function attention(): Promise<AttentionEntry[]> {
  const entries: AttentionEntry[] = [];
  for await (const entry of store.lists.attention('op')) entries.push(entry);
  return entries;
}

const addedDebit: Wire[] = [followUp];
const addedCredit: Wire[] = [credit];

/** Every call of the service, what came before it, what the player has after it. */
const calls: readonly (readonly [string, readonly Wire[][], Wire[], bigint])[] = [
  ['opens a round', [], [debit], 90n],
  ['opens and ends a round', [], [debit, credit, end], 115n],
  ['debits again', [[debit]], addedDebit, 87n],
  ['credits', [[debit]], addedCredit, 115n],
  ['ends', [[debit]], [end], 90n],
  ['voids a round', [[debit], [followUp], [credit]], [voidOfDebit], 100n],
  ['voids a debit that followed', [[debit], [followUp]], [voidOfFollowUp], 90n],
  ['voids a debit that never came', [], [voidOfDebit], 100n],
];

/** Whether it is added to a running round without reading it. */
const isAdded = (call: readonly Wire[]): boolean => call === addedDebit || call === addedCredit;

/** Whether a call needs this function; one that is taken to open its round reads it in the statement that commits. */
function needs(call: readonly Wire[], name: string): boolean {
  if (isAdded(call)) return name === 'follow_round';
  return name === 'commit_round' || (name === 'load_round' && call[0] !== debit);
}

describe.each(['load_round', 'commit_round', 'follow_round'])(
  'when the reply to %s is lost',
  (name) => {
    const those = calls.filter(([, , call]) => needs(call, name));

    test.each(those)(
      'a call that %s is done once, and answered',
      async (_, before, call, after) => {
        for (const earlier of before) await send(...earlier);
        const dropped = proxy.dropNextReply({ to: (request) => request.includes(name) });
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

test('when the reply to a follow-up is lost, it is unknown, and is written once', async () => {
  const round = { operatorId: 'op', playerId: 'p', gameRound: 'followed' };
  await store.rounds.commit(round, openingOf([take('d', 10n)]));
  const more = followUpOf([takeMore('e', 3n), give('c', real(25n))]);
  const dropped = proxy.dropNextReply({ to: (request) => request.includes('follow_round') });
  expect(await store.rounds.follow?.(round, more)).toMatchObject({ kind: 'unknown' });
  await dropped;
  const snapshot = { head: { version: 2 } };
  expect(await store.rounds.follow?.(round, more)).toMatchObject({ kind: 'other', snapshot });
  expect(await balance()).toBe(112n);
});

test.each([
  ['deposit', 107n],
  ['withdraw', 93n],
] as const)(
  'when the reply to a %s is lost, the same order again tells of one move',
  async (move, after) => {
    const order = { ...player, amount: '7', reference: 'r' };
    const dropped = proxy.dropNextReply({ to: (request) => request.includes('record_cash') });
    expect(await store.players[move](order)).toMatchObject({ kind: 'unknown' });
    await dropped;
    expect(await store.players[move](order)).toMatchObject({ kind: 'done', replay: true });
    expect(await balance()).toBe(after);
  },
);

test('when the replies to an opening and a blocking are lost, both can be sent again', async () => {
  const other = { ...player, playerId: 'q' };
  const opening = proxy.dropNextReply({ to: (request) => request.includes('open_account') });
  expect(await store.players.openPlayer({ ...other, balances: { real: '5' } })).toMatchObject({
    kind: 'unknown',
  });
  await opening;
  const existed = await store.players.openPlayer({ ...other, balances: { real: '9' } });
  expect(existed).toEqual({ kind: 'existed', account: { currency: 'EUR', real: 5n, bonus: null } });
  const blocking = proxy.dropNextReply({ to: (request) => request.includes('record_block') });
  expect(await store.players.setBlocked(player, true)).toMatchObject({ kind: 'unknown' });
  await blocking;
  expect(await send(debit)).toMatchObject({ status: 400 });
});

test('when the reply to a list or a report is lost, it throws, and answers when it is asked again', async () => {
  await send(debit);
  const round = { operatorId: 'op', playerId: 'p', gameRound: 'round' };
  const reading = proxy.dropNextReply({ to: (request) => request.includes('read_round') });
  await expect(store.rounds.readRound(round)).rejects.toThrow('did not complete read_round');
  await reading;
  expect((await store.rounds.readRound(round))?.head.state).toBe('open');
  const listing = proxy.dropNextReply({ to: (request) => request.includes('list_attention') });
  await expect(attention()).rejects.toThrow('did not complete list_attention');
  await listing;
  expect(await attention()).toEqual([]);
});

describe.each([
  ['swallows only replies', true],
  ['swallows requests too', false],
])('past the deadline in a network that %s', (_, deliver) => {
  test('a debit is answered 503, and its round is cancelled until the void', async () => {
    proxy.blackhole({ deliver });
    expect(await sendPastDeadline(debit, credit, end)).toMatchObject({
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
    expect(await send(voidOfDebit)).toMatchObject({ status: 200 });
    expect(await attention()).toEqual([]);
    expect(await balance()).toBe(100n);
  });

  test('a credit is answered 400 without its hash, and is paid once when it is sent again', async () => {
    await send(debit);
    proxy.blackhole({ deliver });
    expect(await sendPastDeadline(credit)).toMatchObject({
      status: 400,
      body: { hashesProcessed: [] },
    });
    await proxy.pass();
    const paid = { status: 200, body: { hashesProcessed: [{ hash: 'c1' }] } };
    const reply = await until('the credit to be paid', async () => {
      const answer = await send(credit);
      return answer.kind === 'answered' && answer.status === 200 && answer;
    });
    expect(reply).toMatchObject(paid);
    expect(await balance()).toBe(115n);
  });
});
