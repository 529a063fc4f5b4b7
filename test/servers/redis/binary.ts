import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

import { installWithApt } from '../apt-packages';
import { findProgram, onPath } from '../program-finder';
import { unpackRedis } from './apt';

const run = promisify(execFile);
const CACHE = resolve(__dirname, '../../../node_modules/.cache/rgs-wallet-kit/redis');

let found: Promise<string> | undefined;

/**
 * The path of a redis-server of version 7.0 or later: REDIS_SERVER if set, else on the PATH, else a copy in the cache, else
 * one fetched with apt into the cache (no root, nothing installed, nothing started). Safe to call from several processes.
 * Rejects with one line that says what to install.
 */
export function findRedisServer(): Promise<string> {
  found ??= findProgram({
    name: 'redis-server',
    oldest: [7, 0],
    variable: 'REDIS_SERVER',
    cure: 'install redis-server >= 7.0, or set REDIS_SERVER to the path of one',
    places: () => onPath('redis-server'),
    version: redisVersion,
    cache: () => CACHE,
    pathInCopy: 'redis-server',
    fetchers: [unpackRedis],
    install: () => installWithApt('redis-server'),
  });
  return found;
}

/** The version a redis-server binary reports, such as `7.0.15`; undefined when it does not run. */
export async function redisVersion(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(path, ['--version']);
    return /v=(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}
