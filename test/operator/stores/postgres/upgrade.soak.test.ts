import { expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { toContractWallet } from '../../../../lib/proof/subject/players';
import {
  type CliResult,
  MAIN,
  OPERATOR,
  OPERATOR_ID,
  runProcess,
  type Service,
  signer,
  startService,
} from '../../../cli/cli';
import { startServiceLoad } from '../../../rgs/load/run';
import { openPlayers } from '../../../rgs/load/scene';
import { startPgbouncer } from '../../../servers/postgres/pgbouncer';
import { startPlainPlatform } from '../../../servers/postgres/plain-table';
import { startPostgres } from '../../../servers/postgres/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { makeNextProgram } from './next-program';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const decimals = 2;
const cleanup = cleanupAfterEach();
const server = serverOfFile(startPostgres);

/** The other sessions of the database, which the processes must replace by new ones. */
const OTHERS = `SELECT count(pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** Rounds whose commits did not write one event each. */
const UNTOLD = `SELECT r.game_round FROM rgs_wallet.rounds r
  LEFT JOIN rgs_wallet.events e USING (operator_id, player_id, game_round)
  GROUP BY r.game_round, r.version HAVING count(e.number) <> r.version`;

/** Commits of which no balances were kept. */
const WITHOUT_BALANCES = `SELECT r.game_round FROM rgs_wallet.rounds r
  WHERE NOT EXISTS (SELECT FROM rgs_wallet.balances b
    WHERE (b.operator_id, b.player_id, b.round) = (r.operator_id, r.player_id, r.number))`;

/** Where the money is, and what stands between the processes and the server. */
interface Scene {
  readonly own?: true;
  readonly history?: true;
  readonly pooled?: true;
}

const scenes: readonly (readonly [string, Scene])[] = [
  ['the accounts of the schema', {}],
  [
    'the accounts of the schema with their history, through PgBouncer',
    { history: true, pooled: true },
  ],
  ["the platform's own tables", { own: true }],
];

test.each(scenes)(
  'two versions serve at once over %s from before the migration until after it, without a stop, and the books agree to the unit',
  async (_, scene) => {
    const url = await server().createDatabase();
    const pooler = scene.pooled && cleanup.after(await startPgbouncer(server()));
    const through = pooler?.through(url) ?? url;
    const admin = cleanup.after(new Pool({ connectionString: url, max: 1 }));
    const serve = (main: string, ...args: string[]): Promise<Service> => {
      const asked = [
        '--store',
        through,
        '--decimals',
        String(decimals),
        '--events',
        'audit',
        ...args,
      ];
      if (scene.own) asked.push('--own-tables');
      if (scene.history) asked.push('--history');
      if (scene.pooled) asked.push('--no-session-timeouts');
      return startService(asked, OPERATOR, {}, main).then((service) => cleanup.after(service));
    };
    const migrate = (main: string): Promise<CliResult> =>
      runProcess(['migrate', '--store', url], { main });

    const platform = scene.own ? cleanup.after(await startPlainPlatform(url)) : null;
    if (platform === null) await migrate(MAIN);
    const old = [await serve(MAIN), await serve(MAIN)];
    const options = { ...patience, url, decimals };
    const wallet = platform?.wallet(options) ?? toContractWallet(createPostgresStore(options));
    const { store } = cleanup.after(wallet, (opened) => opened.store.close());
    const starts = await openPlayers(wallet, OPERATOR_ID, 8);
    // Each call goes to the next of them: a round has calls of both versions.
    const origins = old.map((service) => service.url);
    const load = startServiceLoad({
      origins,
      signer,
      players: [...starts.keys()],
      currency: 'EUR',
      decimals,
      connections: 12,
      lostReplyShare: 0.05,
    });
    cleanup.after(load, (played) => played.abandon());
    const processed = async (calls: number): Promise<void> => {
      const goal = load.figures.processed + calls;
      await until('calls to be processed', () => load.figures.processed >= goal);
    };

    await processed(200);
    const next = await makeNextProgram();
    expect(await migrate(next)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^applied \d{3}-next\n/),
    });
    await processed(200);
    const { rows } = await admin.query<{ ended: number }>(OTHERS);
    expect(rows[0]?.ended).toBeGreaterThan(1);
    await processed(200);
    // One that starts again finds the later schema, and has nothing to migrate.
    origins.push((await serve(MAIN, '--migrate')).url, (await serve(next)).url);
    await processed(400);
    origins.splice(0, origins.length - 1);
    for (const service of old) expect(await service.stop()).toBe(0);
    await processed(200);

    await load.stop();
    expect(load.violations).toEqual([]);
    expect(await load.book.differences(store, OPERATOR_ID, starts)).toEqual([]);
    expect(load.figures.voids).toBeGreaterThan(0);
    expect((await admin.query(UNTOLD)).rows).toEqual([]);
    if (scene.history) expect((await admin.query(WITHOUT_BALANCES)).rows).toEqual([]);
    if (scene.own) return; // whose books are the platform's
    const books = await runProcess(['books', '--check', '--store', url, '--decimals', '2'], {
      main: next,
    });
    expect(books).toMatchObject({ code: 0, stderr: '' });
  },
);
