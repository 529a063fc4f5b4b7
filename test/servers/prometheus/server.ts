import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { freePort } from '../ports';
import { reapWithThisProcess, temporaryFolder } from '../reaper';
import { until } from '../until';
import { findPrometheus } from './binary';

/** One series of an answer, with its latest value. */
export interface QueryResult {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/** A running Prometheus. */
export interface PrometheusServer {
  /** The result of an instant query. @throws Error for a query that Prometheus refuses. */
  query(expression: string): Promise<readonly QueryResult[]>;
  stop(): Promise<void>;
}

/** Starts a Prometheus with this `scrape_configs`, in YAML, and the rule files. */
export async function startPrometheus(
  scrapeConfigs: string,
  ruleFiles: readonly string[] = [],
): Promise<PrometheusServer> {
  const folder = await temporaryFolder('prometheus');
  const port = await freePort();
  const rules = `rule_files: ${JSON.stringify(ruleFiles)}`;
  const intervals = 'global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }';
  await writeFile(join(folder, 'prometheus.yml'), `${intervals}\n${rules}\n${scrapeConfigs}\n`);
  const child = spawn(
    await findPrometheus(),
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  reapWithThisProcess(child);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (log += text));
  const url = `http://127.0.0.1:${port}`;
  await until('Prometheus', async () => {
    if (child.exitCode !== null) throw new Error(`Prometheus did not start: ${log.slice(-2000)}`);
    return (await fetch(`${url}/-/ready`)).ok;
  });
  return {
    query: async (expression) => {
      const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
      const answer = (await response.json()) as Answer;
      if (answer.status !== 'success') throw new Error(`${answer.error}: ${expression}`);
      return answer.data.result;
    },
    stop: async () => {
      const exit = once(child, 'exit');
      if (child.exitCode === null && child.kill()) await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Answer =
  | { readonly status: 'success'; readonly data: { readonly result: readonly QueryResult[] } }
  | { readonly status: 'error'; readonly error: string };
