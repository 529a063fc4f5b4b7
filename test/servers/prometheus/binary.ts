import { execFile } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { findProgram, onPath } from '../program-finder';
import { unpackPrometheus } from './apt';

const run = promisify(execFile);
const CACHE = resolve(__dirname, '../../../node_modules/.cache/rgs-wallet-kit/prometheus');

let found: Promise<string> | undefined;

/**
 * The path of a Prometheus with a promtool beside it: PROMETHEUS if set, else on the PATH, else a copy in the cache, else
 * one fetched with apt into the cache (no root, nothing installed, nothing started). Safe to call from several processes.
 * Rejects with one line that says what to install.
 */
export function findPrometheus(): Promise<string> {
  found ??= findProgram({
    name: 'prometheus',
    oldest: [2, 40],
    variable: 'PROMETHEUS',
    cure: 'install prometheus >= 2.40, or set PROMETHEUS to the path of one, with promtool beside it',
    places: () => onPath('prometheus'),
    version: prometheusVersion,
    cache: () => CACHE,
    pathInCopy: 'prometheus',
    fetchers: [unpackPrometheus],
  });
  return found;
}

/** The path of the promtool beside {@link findPrometheus}. */
export async function findPromtool(): Promise<string> {
  return join(dirname(await findPrometheus()), 'promtool');
}

/** The version that a Prometheus and its promtool report, such as `2.42.0`; undefined if one does not run. */
export async function prometheusVersion(path: string): Promise<string | undefined> {
  try {
    await run(join(dirname(path), 'promtool'), ['--version']);
    const { stdout } = await run(path, ['--version']);
    return /version (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}
