import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { Cleanup } from '../../../servers/cleanup';
import { killUnderLoad, startLoadScene } from '../../../rgs/load/scene';
import { startPlainPlatform } from '../../../servers/postgres/plain-table';
import { startPostgres } from '../../../servers/postgres/server';
import { patience } from '../../../support/patience';
import { runs } from '../../../support/runs';

/** How often the server dies; `KILLS=300` makes a long run of it. */
const KILLS = Number(process.env['KILLS'] ?? runs(300, 5));
const CALLS_BETWEEN_KILLS = 300;
const COMMAND_TIMEOUT_MS = 300;
const DEADLINE_MS = 600;

const cleanup = new Cleanup();
const warnings: string[] = [];
const onWarning = ({ name, message }: Error): void => {
  warnings.push(`${name}: ${message}`);
};

beforeEach(() => {
  warnings.length = 0;
  process.on('warning', onWarning);
});

afterEach(async () => {
  process.off('warning', onWarning);
  await cleanup.run();
});

/** Whose limits are not those of the store under test: how fast the books are read is not judged. */
function patientReader(url: string): AccountStore {
  return cleanup.after(createPostgresStore({ ...patience, url, decimals: 2 }));
}

test('nothing acknowledged is lost and nothing is doubled when the server is killed again and again', async () => {
  const server = cleanup.after(await startPostgres());
  const options = { url: server.url, commandTimeoutMs: COMMAND_TIMEOUT_MS };
  const store = cleanup.after(createPostgresStore({ ...options, decimals: 2, init: true }));
  await store.ready();
  const scene = cleanup.after(
    await startLoadScene(store, { deadlineMs: DEADLINE_MS, lostReplyShare: 0.01 }),
  );
  await killUnderLoad(server, scene, { kills: KILLS, callsBetween: CALLS_BETWEEN_KILLS });
  expect(await scene.finish(patientReader(server.url))).toEqual([]);
  scene.tell(`${KILLS} kills, the store's own pool`);
  const { failed, pending, voids } = scene.load.figures;
  expect(Math.min(failed, pending, voids)).toBeGreaterThan(0);
  expect(warnings).toEqual([]);
});

test('a pool of the user’s own, with the defaults of pg, survives the deaths of the server', async () => {
  const kills = Math.ceil(KILLS / 3);
  const server = cleanup.after(await startPostgres());
  const pool = cleanup.after(new Pool({ connectionString: server.url }));
  const store = cleanup.after(
    createPostgresStore({
      pool,
      decimals: 2,
      init: true,
      commandTimeoutMs: COMMAND_TIMEOUT_MS,
    }),
  );
  await store.ready();
  const scene = cleanup.after(
    await startLoadScene(store, { deadlineMs: DEADLINE_MS, lostReplyShare: 0.01 }),
  );
  await killUnderLoad(server, scene, { kills: kills, callsBetween: CALLS_BETWEEN_KILLS });
  expect(await scene.finish(patientReader(server.url))).toEqual([]);
  scene.tell(`${kills} kills, a pool of pg's defaults`);
  expect(warnings).toEqual([]);
});

test('nothing is lost and nothing doubled where the money is in tables of a platform, and each movement has its row', async () => {
  const server = cleanup.after(await startPostgres());
  const { url } = server;
  const platform = cleanup.after(await startPlainPlatform(url));
  const open = (limits: { readonly commandTimeoutMs: number }) => {
    const made = platform.wallet({ ...limits, url });
    cleanup.after(made.store);
    return made;
  };
  const wallet = open({ commandTimeoutMs: COMMAND_TIMEOUT_MS });
  await wallet.store.ready();
  const scene = cleanup.after(
    await startLoadScene(wallet, { deadlineMs: DEADLINE_MS, lostReplyShare: 0.01 }),
  );
  await killUnderLoad(server, scene, { kills: KILLS, callsBetween: CALLS_BETWEEN_KILLS });
  expect(await scene.finish(open(patience).store)).toEqual([]);
  scene.tell(`${KILLS} kills, own tables`);
  const { rows } = await platform.pool.query<{ wrong: string }>(
    `SELECT a."user" || ': ' || a.real AS wrong FROM casino.accounts a WHERE a.real <>
       CASE a."user" WHEN 'player 0' THEN 3000 ELSE 100000000 END
       + (SELECT coalesce(sum(e.real), 0) FROM casino.entries e WHERE e."user" = a."user")`,
  );
  expect(rows).toEqual([]);
  expect(warnings).toEqual([]);
});
