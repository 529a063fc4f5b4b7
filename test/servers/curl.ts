import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { unpackWithApt, writeLauncher } from './apt-packages';
import { findProgram, onPath } from './program-finder';

const run = promisify(execFile);
const CACHE = resolve(__dirname, '../../node_modules/.cache/rgs-wallet-kit/curl');

/** The path of a curl: CURL if set, else on the PATH, else a copy that apt fetches into the cache. */
export function findCurl(): Promise<string> {
  return findProgram({
    name: 'curl',
    oldest: [7, 0],
    variable: 'CURL',
    cure: 'install curl, or set CURL to the path of one',
    places: () => onPath('curl'),
    version: async (path) => {
      const { stdout } = await run(path, ['--version']).catch(() => ({ stdout: '' }));
      return /^curl (\d+\.\d+(?:\.\d+)?)/.exec(stdout)?.[1];
    },
    cache: () => CACHE,
    pathInCopy: 'curl',
    fetchers: [
      async (folder) => {
        const root = await unpackWithApt(folder, { names: ['curl'] });
        writeLauncher(join(folder, 'curl'), join(root, 'usr/bin/curl'), root);
      },
    ],
  });
}
