import { beforeEach, expect, test } from '@jest/globals';

import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { give, openingOf, real, take, takeMore } from '../../../../lib/proof/contracts/changes';
import { followUpOf } from '../../../../lib/proof/contracts/follow-up/case';
import { startTcpProxy } from '../../../network/tcp-proxy';
import { startPostgres } from '../../../servers/postgres/server';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';
import { LeapingClock } from '../../../support/leaping-clock';
import { patience } from '../../../support/patience';
import { debit, lostCash, lostReplies, LossyWallet, player, silentNetwork } from '../lost-reply';

const cleanup = cleanupAfterEach();
const server = serverOfFile(startPostgres);
let wallet: LossyWallet;

beforeEach(async () => {
  const target = { host: '127.0.0.1', port: server().port };
  const proxy = cleanup.after(await startTcpProxy(target));
  const url = new URL(await server().createDatabase());
  url.port = String(proxy.port);
  const clock = new LeapingClock();
  const options = { ...patience, url: url.href, decimals: 0, clock, init: true };
  wallet = await LossyWallet.open(createPostgresStore(options), proxy, clock, cleanup);
});

// A call that is taken to open its round reads it in the statement that commits.
lostReplies(
  () => wallet,
  [
    { name: 'load_round', text: 'load_round', takes: ['other'] },
    { name: 'commit_round', text: 'commit_round', takes: ['opening', 'other'] },
    { name: 'follow_round', text: 'follow_round', takes: ['adding'] },
  ],
);

lostCash(() => wallet, 'record_cash');

silentNetwork(() => wallet);

test('when the reply to a follow-up is lost, it is unknown, and is written once', async () => {
  const { proxy, store } = wallet;
  const round = { operatorId: 'op', playerId: 'p', gameRound: 'followed' };
  await store.rounds.commit(round, openingOf([take('d', 10n)]));
  const more = followUpOf([takeMore('e', 3n), give('c', real(25n))]);
  const dropped = proxy.dropNextReply({ to: (request) => request.includes('follow_round') });
  expect(await store.rounds.follow?.(round, more)).toMatchObject({ kind: 'unknown' });
  await dropped;
  const snapshot = { head: { version: 2 } };
  expect(await store.rounds.follow?.(round, more)).toMatchObject({ kind: 'other', snapshot });
  expect(await wallet.balance()).toBe(112n);
});

test('when the replies to an opening and a blocking are lost, both can be sent again', async () => {
  const { proxy, store } = wallet;
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
  expect(await wallet.send(debit)).toMatchObject({ status: 400 });
});

test('when the reply to a list or a report is lost, it throws, and answers when it is asked again', async () => {
  const { proxy, store } = wallet;
  await wallet.send(debit);
  const round = { operatorId: 'op', playerId: 'p', gameRound: 'round' };
  const reading = proxy.dropNextReply({ to: (request) => request.includes('read_round') });
  await expect(store.rounds.readRound(round)).rejects.toThrow('did not complete read_round');
  await reading;
  expect((await store.rounds.readRound(round))?.head.state).toBe('open');
  const listing = proxy.dropNextReply({ to: (request) => request.includes('list_attention') });
  await expect(wallet.attention()).rejects.toThrow('did not complete list_attention');
  await listing;
  expect(await wallet.attention()).toEqual([]);
});
