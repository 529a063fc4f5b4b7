import { expect, test } from '@jest/globals';
import { Pool } from 'pg';

import {
  createPostgresStore,
  type PostgresStoreOptions,
} from '../../../../lib/operator/stores/postgres';
import { StoreUnavailableError } from '../../../../lib/operator/wallet';
import { end, give, openingOf, real, take } from '../../../../lib/proof/contracts/changes';
import { followUpOf } from '../../../../lib/proof/contracts/follow-up/case';
import { startPlainPlatform } from '../../../servers/postgres/plain-table';
import { startReplicatedPostgres } from '../../../servers/postgres/replicated';
import { until } from '../../../servers/until';
import type { WalletStore } from '../../../../lib/operator/wallet';
import { cleanupAfterEach } from '../../../support/each-test';

const cleanup = cleanupAfterEach();

const operatorId = 'op';
const ofPlayer = (playerId: string) => ({ operatorId, playerId });
const ofRound = (gameRound: string) => ({ ...ofPlayer('ann'), gameRound });
const account = (playerId: string) => ({ ...ofPlayer(playerId), currency: 'EUR' });
const limits = { poolSize: 30, commandTimeoutMs: 700, connectTimeoutMs: 700 };

/** Calls by what they ask of the store. */
type Calls = Readonly<Record<string, () => Promise<unknown> | undefined>>;

/** What was answered as anything but unknown (D7). */
async function answered(calls: Calls): Promise<string[]> {
  const names = await Promise.all(
    Object.entries(calls).map(async ([name, call]) => {
      try {
        const { kind } = Object(await call()) as { kind?: string };
        return kind === 'unknown' ? [] : [name];
      } catch (error) {
        expect(error).toBeInstanceOf(StoreUnavailableError);
        return [];
      }
    }),
  );
  return names.flat();
}

/** A call that opens its round, one that goes on with it, both without money that would hold an account; and who reads. */
function roundCalls(
  name: string,
  store: Pick<WalletStore, 'rounds'>,
): { writes: Calls; reads: Calls } {
  return {
    writes: {
      [`${name}: a call that opens its round`]: () =>
        store.rounds.commit(ofRound('new'), openingOf([end('e')]), ['e']),
      [`${name}: a call that goes on with its round`]: () =>
        store.rounds.follow?.(ofRound('running'), followUpOf([give('more', real(1n))])),
    },
    reads: {
      [`${name}: a load`]: () => store.rounds.load(ofRound('new'), ['e']),
      [`${name}: a round as a whole`]: () => store.rounds.readRound(ofRound('new')),
    },
  };
}

test('no answer rests on a commit that no standby has, however often it is asked for after a restart of the primary', async () => {
  const pair = cleanup.after(await startReplicatedPostgres());
  const [url, ownUrl] = [await pair.primary.createDatabase(), await pair.primary.createDatabase()];
  const idle = { idleTimeoutMillis: 1 };
  const admin = cleanup.after(new Pool({ ...idle, connectionString: url }));
  admin.on('error', () => undefined);
  const open = (more: PostgresStoreOptions = {}) =>
    cleanup.after(createPostgresStore({ url, ...limits, ...more }));
  const store = open({ init: true });
  await store.ready();
  await open({ events: ['gone'] }).ready();
  const telling = open({ events: ['audit'] });
  await telling.ready();
  const platform = cleanup.after(await startPlainPlatform(ownUrl, idle));
  const own = platform.wallet({ url: ownUrl, ...limits }).store;
  cleanup.after(own);
  await own.ready();
  await platform.players.openPlayer({
    ...account('ann'),
    balances: { real: { units: 100n } },
  });
  for (const player of ['ann', 'bob', 'cat', 'dan', 'eve'])
    await store.players.openPlayer({ ...account(player), balances: { real: { units: 100n } } });
  for (const opened of [store, own])
    expect(
      await opened.rounds.commit(ofRound('running'), openingOf([take('first', 1n)])),
    ).toMatchObject({
      kind: 'committed',
    });

  const [ofStore, ofOwn] = [roundCalls('accounts', store), roundCalls('own tables', own)];
  const writes: Calls = {
    ...ofStore.writes,
    ...ofOwn.writes,
    'a new player': () => store.players.openPlayer({ ...account('kim'), balances: { real: '1' } }),
    'a deposit': () => store.players.deposit({ ...account('bob'), amount: '1', reference: 'd' }),
    'a withdrawal': () =>
      store.players.withdraw({ ...account('cat'), amount: '0.001', reference: 'w' }),
    'a block': () => store.players.setBlocked(ofPlayer('dan'), true),
    'a consumer that is forgotten': () => store.events.forgetConsumer('gone', [operatorId]),
    'a consumer that is declared': () => open({ events: ['late'] }).ready(),
  };
  const told = { ...ofPlayer('eve'), gameRound: 'told' };
  const reads: Calls = {
    ...ofStore.reads,
    ...ofOwn.reads,
    events: () =>
      telling.events.read({ operatorId, consumer: 'audit' })[Symbol.asyncIterator]().next(),
  };
  await pair.standby.pause();
  const tell = {
    'a commit with its event': () => telling.rounds.commit(told, openingOf([end('e')])),
  };
  expect(await answered({ ...writes, ...tell })).toEqual([]);
  await until('all of it to wait for the standby', async () => {
    // What the processes note of themselves each 30 s waits too.
    const { rowCount } = await admin.query(
      "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query NOT LIKE '%renew_lineage%' AND query NOT LIKE 'WITH noted%'",
    );
    return rowCount === Object.keys(writes).length + 1;
  });
  await pair.primary.kill9();
  await pair.primary.restart();
  await until('the primary to serve', async () => {
    const known = await store.rounds.accounts(ofPlayer('kim'));
    const ownKnown = await own.rounds.accounts(ofPlayer('ann'));
    return known.kind === 'known' && known.accounts !== null && ownKnown.kind === 'known';
  });

  for (const time of ['the first time', 'the second time', 'the third time'])
    expect([time, await answered({ ...writes, ...reads })]).toEqual([time, []]);
  // It was the standby that was waited for: balances alone are shown without it.
  expect(await store.rounds.accounts(ofPlayer('bob'))).toMatchObject({ kind: 'known' });

  await pair.standby.resume();
  await pair.inStep();
  await until('everything to be answered', async () => {
    const names = await answered({ ...writes, ...reads });
    return names.length === Object.keys({ ...writes, ...reads }).length;
  });
});
