import { expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { createPostgresLedger } from '../../../examples/ledger-postgres/ledger';
import { createLedgerStore, startSweeper } from '../../../lib/operator/ledger';
import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { killUnderLoad, startLoadScene } from '../../rgs/load/scene';
import { openPostgresLedger } from '../../servers/postgres/ledger';
import { startPostgres } from '../../servers/postgres/server';
import { OPERATOR_ID } from '../../servers/wallet-server';
import { runs } from '../../support/runs';
import { cleanupAfterEach } from '../../support/each-test';

/** How often the server dies; `KILLS=300` makes a long run of it. */
const KILLS = Number(process.env['KILLS'] ?? runs(300, 10));
const CALLS_BETWEEN_KILLS = 60;
const TIMEOUT_MS = 400;
const DEADLINE_MS = 900;

const cleanup = cleanupAfterEach();

test('nothing is lost and nothing doubled when the server of journal and ledger is killed under load', async () => {
  const server = cleanup.after(await startPostgres());
  const money = cleanup.after(await openPostgresLedger(server));
  const url = await server.createDatabase();
  const pool = cleanup.after(
    new Pool({
      connectionString: money.pool.options.connectionString,
      query_timeout: TIMEOUT_MS,
      connectionTimeoutMillis: TIMEOUT_MS,
      max: 16,
    }),
  );
  pool.on('error', () => undefined); // the server dies on purpose
  const store = cleanup.after(
    createLedgerStore({
      ledger: createPostgresLedger(pool),
      journal: createPostgresStore({
        url,
        decimals: 2,
        init: true,
        commandTimeoutMs: TIMEOUT_MS,
      }),
      attemptTimeoutMs: TIMEOUT_MS,
      deadlineMs: DEADLINE_MS,
      breakMs: 100,
    }),
  );
  await store.ready();
  const scene = cleanup.after(
    await startLoadScene(
      { store, players: money.players },
      { deadlineMs: DEADLINE_MS, lostReplyShare: 0.01, connections: 16 },
    ),
  );
  const sweeper = cleanup.after(
    startSweeper({ store, operatorIds: [OPERATOR_ID], intervalMs: 200, graceMs: 500 }),
  );
  await killUnderLoad(server, scene, { kills: KILLS, callsBetween: CALLS_BETWEEN_KILLS });
  const differences = await scene.finish();
  scene.tell(`${KILLS} kills of PostgreSQL under a ledger store`);
  expect(differences).toEqual([]);
  await sweeper.stop();
  const left: unknown[] = [];
  for await (const round of store.lists.unfinished(OPERATOR_ID)) left.push(round);
  // Stranded and crashed rounds are as the book has them: a win behind a declined debit (D4.5).
  for await (const round of store.lists.attention(OPERATOR_ID)) {
    if (round.state === 'cancelled') left.push(round);
  }
  expect(left).toEqual([]);
  const { failed, pending, voids } = scene.load.figures;
  expect(Math.min(failed, pending, voids)).toBeGreaterThan(0);
});
