import { expect, test } from '@jest/globals';

import { createLedgerStore, startSweeper } from '../../../lib/operator/ledger';
import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { OPERATOR, OPERATOR_ID, type Service, signer, startService } from '../../cli/cli';
import { exampleLedgerFile } from './ledger-file';
import { openPlayers } from '../../rgs/load/scene';
import { freePort } from '../../servers/ports';
import { openPostgresLedger } from '../../servers/postgres/ledger';
import { startPostgres } from '../../servers/postgres/server';
import { startServiceLoad } from '../../rgs/load/run';
import { until } from '../../servers/until';
import { patience } from '../../support/patience';
import { runs } from '../../support/runs';
import { cleanupAfterEach } from '../../support/each-test';

/** How often a process of the application dies; `KILLS=1000` makes a long run of it. */
const KILLS = Number(process.env['KILLS'] ?? runs(100, 20));
const CALLS_BETWEEN_KILLS = 40;
const DECIMALS = 2;

const cleanup = cleanupAfterEach();

test('nothing is lost and nothing doubled when processes of the application are killed under load', async () => {
  const server = cleanup.after(await startPostgres());
  const money = cleanup.after(await openPostgresLedger(server));
  const journalUrl = await server.createDatabase();
  const ledgerUrl = money.pool.options.connectionString ?? '';
  const file = await exampleLedgerFile();
  const journal = createPostgresStore({
    ...patience,
    url: journalUrl,
    decimals: DECIMALS,
    init: true,
  });
  const store = cleanup.after(createLedgerStore({ ledger: money.ledger, journal }));
  await store.ready();
  const starts = await openPlayers({ store, players: money.players }, OPERATOR_ID, 6);

  const start = async (port: number): Promise<Service> => {
    const where = ['--store', journalUrl, '--decimals', String(DECIMALS), '--ledger', file];
    const args = ['--port', String(port), '--deadline-ms', '1500', ...where];
    return startService(args, { ...OPERATOR, LEDGER_DATABASE: ledgerUrl });
  };
  const ports = [await freePort(), await freePort()];
  const services = await Promise.all(ports.map(start));
  cleanup.after(services, async (left) => {
    await Promise.all(left.map((service) => service.stop()));
  });
  const load = cleanup.after(
    startServiceLoad({
      origins: services.map(({ url }) => url),
      signer,
      players: [...starts.keys()],
      currency: 'EUR',
      decimals: DECIMALS,
      connections: 12,
      lostReplyShare: 0.01,
    }),
    (started) => started.abandon(),
  );
  for (let kill = 0; kill < KILLS; kill += 1) {
    const goal = load.figures.processed + CALLS_BETWEEN_KILLS;
    await until('calls to be processed', () => load.figures.processed >= goal);
    const at = kill % services.length;
    services[at]?.signal('SIGKILL');
    await services[at]?.exit;
    services[at] = await start(ports[at] ?? 0);
  }
  await load.stop();

  const sweeper = startSweeper({
    store,
    operatorIds: [OPERATOR_ID],
    graceMs: 0,
    giveUpAfterMs: 0,
  });
  const swept = await sweeper.sweep();
  await sweeper.stop();
  process.stdout.write(
    `${KILLS} kills of the application: ${JSON.stringify({ ...load.figures, swept })}\n`,
  );
  expect(load.violations).toEqual([]);
  expect(await load.book.differences(store, OPERATOR_ID, starts)).toEqual([]);
  const left: unknown[] = [];
  for await (const round of store.lists.unfinished(OPERATOR_ID)) left.push(round);
  // Stranded and crashed rounds are as the book has them: a win behind a declined debit (D4.5).
  for await (const round of store.lists.attention(OPERATOR_ID)) {
    if (round.state === 'cancelled') left.push(round);
  }
  expect(left).toEqual([]);
  expect(load.figures.lost).toBeGreaterThan(0);
});
