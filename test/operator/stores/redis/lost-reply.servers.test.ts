import { beforeEach } from '@jest/globals';

import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { scripts } from '../../../../lib/operator/stores/redis/commands/scripts';
import { startTcpProxy } from '../../../network/tcp-proxy';
import { startRedis } from '../../../servers/redis/server';
import { cleanupAfterEach } from '../../../support/each-test';
import { LeapingClock } from '../../../support/leaping-clock';
import { patience } from '../../../support/patience';
import {
  type CallKind,
  credit,
  debit,
  end,
  lostCash,
  lostReplies,
  LossyWallet,
  player,
  silentNetwork,
} from '../lost-reply';

const cleanup = cleanupAfterEach();
let wallet: LossyWallet;

beforeEach(async () => {
  const redis = cleanup.after(await startRedis());
  const proxy = cleanup.after(await startTcpProxy(redis.clientOptions));
  const url = `redis://127.0.0.1:${proxy.port}`;
  const clock = new LeapingClock();
  const store = createRedisStore({ ...patience, init: true, url, decimals: 0, clock });
  wallet = await LossyWallet.open(store, proxy, clock, cleanup);
  // The server knows the scripts from here on: what is lost is a reply to one that has run.
  const other = { ...player, playerId: 'other', balances: { real: '100' } };
  await store.players.openPlayer(other);
  await store.players.deposit({ ...other, amount: '1', reference: 'r' });
  for (const one of [debit, credit, end]) await wallet.sendAs('other', one);
});

/** A call that is taken to open its round takes one trip, and a commit where the round is known. */
const takers: Readonly<Record<'load' | 'open' | 'commit' | 'follow', readonly CallKind[]>> = {
  load: ['other'],
  open: ['opening'],
  commit: ['opening', 'other'],
  follow: ['adding'],
};

lostReplies(
  () => wallet,
  (['load', 'open', 'commit', 'follow'] as const).map((name) => ({
    name: `a ${name}`,
    text: scripts[name].sha,
    takes: takers[name],
    inKnownRound: name === 'commit',
  })),
);

lostCash(() => wallet, scripts.moveCash.sha);

silentNetwork(() => wallet);
