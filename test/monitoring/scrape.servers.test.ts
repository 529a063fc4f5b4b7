import { join } from 'node:path';

import { afterEach, expect, test } from '@jest/globals';

import { debitCall, runCli, startService, temporaryFile } from '../cli/cli';
import { blockOf } from '../docs/blocks';
import { startProgram } from '../docs/process';
import { userFolder, writeProgram } from '../docs/program';
import { Cleanup } from '../servers/cleanup';
import { freePort } from '../servers/ports';
import { startPrometheus } from '../servers/prometheus/server';
import { temporaryFolder } from '../servers/reaper';
import { until } from '../servers/until';
import { ROOT } from '../tidy/source';
import { alertRules, dashboardExpressions } from './shipped';

const opened = new Cleanup();

afterEach(() => opened.run());

test('Prometheus scrapes the program of docs/operations/monitoring.md, and evaluates every expression that is shipped', async () => {
  const port = await freePort();
  const path = await writeProgram(
    await userFolder(),
    blockOf('docs/operations/monitoring.md', 'metrics'),
    {
      '9464': String(port),
    },
  );
  const env = { RGS_SECRET: 'at-least-16-bytes-of-secret' };
  const program = opened.after(startProgram(process.execPath, [path], { env }));
  await program.answers(`http://127.0.0.1:${port}/`);
  const target = `{ job_name: wallet, static_configs: [{ targets: ['127.0.0.1:${port}'] }] }`;
  const rules = join(ROOT, 'docs/monitoring/alerts.yml');
  const prometheus = opened.after(await startPrometheus(`scrape_configs: [${target}]`, [rules]));
  const [up] = await until('a scrape', async () => {
    const found = await prometheus.query('rgs_wallet_rounds_attention{state="stranded"}');
    return found.length > 0 && found;
  });
  expect(up).toMatchObject({
    metric: { job: 'wallet', operator: 'my-casino' },
    value: [expect.any(Number), '0'],
  });
  for (const { expr } of [...alertRules(), ...dashboardExpressions()]) {
    await prometheus.query(expr); // rejects what is no PromQL
  }
  expect(await prometheus.query('ALERTS')).toEqual([]);
});

test('Prometheus signs in to rgs-wallet serve --admin-port, and a query returns what the RGS called', async () => {
  const users = join(await temporaryFolder('metrics'), 'users.json');
  const add = ['admin-user', 'add', '--file', users, '--id', 'prometheus', '--name', 'Prometheus'];
  const password = 'correct horse battery';
  const added = await runCli([...add, '--may', 'look'], { stdin: `${password}\n` });
  expect(added.code).toBe(0);
  const players = await temporaryFile('players.json', [
    { playerId: 'ann', currency: 'EUR', balances: { real: '100.50' } },
  ]);
  const args = ['--admin-port', '0', '--admin-users', users, '--players', players];
  const service = opened.after(await startService([...args, '--log-transactions']));
  const { adminPort } = await service.line('operations page listening');
  const metricsUrl = `http://127.0.0.1:${String(adminPort)}/metrics`;
  expect((await fetch(metricsUrl)).status).toBe(401);
  expect((await service.call(debitCall('ann', 'round-1'))).status).toBe(200);
  expect((await service.call(debitCall('ann', 'round-1'))).status).toBe(200);
  const target = `static_configs: [{ targets: ['127.0.0.1:${String(adminPort)}'] }]`;
  const signIn = `basic_auth: { username: prometheus, password: '${password}' }`;
  const config = `scrape_configs: [{ job_name: serve, ${target}, ${signIn} }]`;
  const prometheus = opened.after(await startPrometheus(config));
  const seen = await until('a scrape', async () => {
    const found = await prometheus.query('rgs_wallet_transactions_total{type="debit"} > 0');
    return found.length > 0 && found;
  });
  const counted = seen.map(({ metric, value }) =>
    [metric['outcome'], metric['replay'], value[1]].join(' '),
  );
  expect(new Set(counted)).toEqual(new Set(['processed false 1', 'processed true 1']));
  expect(await service.line('transaction answered')).toMatchObject({
    playerId: 'ann',
    type: 'debit',
    hash: 'round-1',
    outcome: 'processed',
  });
});
