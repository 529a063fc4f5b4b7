import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { unpackWithApt, writeLauncher } from '../apt-packages';
import { findProgram, onPath } from '../program-finder';

const run = promisify(execFile);
const CACHE = resolve(__dirname, '../../../node_modules/.cache/rgs-wallet-kit/jq');

/** The path of a jq: JQ if set, else on the PATH, else a copy that apt fetches into the cache. */
export function findJq(): Promise<string> {
  return findProgram({
    name: 'jq',
    oldest: [1, 6],
    variable: 'JQ',
    cure: 'install jq >= 1.6, or set JQ to the path of one',
    places: () => onPath('jq'),
    version: jqVersion,
    cache: () => CACHE,
    pathInCopy: 'jq',
    fetchers: [unpackJq],
  });
}

async function unpackJq(folder: string): Promise<void> {
  const root = await unpackWithApt(folder, { names: ['jq'] });
  writeLauncher(join(folder, 'jq'), join(root, 'usr/bin/jq'), root);
}

async function jqVersion(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(path, ['--version']);
    return /^jq-(\d+\.\d+(?:\.\d+)?)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}
