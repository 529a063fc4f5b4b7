import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { installWithApt, unpackWithApt, writeLauncher } from '../apt-packages';
import { findProgram, onPath } from '../program-finder';

const run = promisify(execFile);
const CACHE = resolve(__dirname, '../../../node_modules/.cache/rgs-wallet-kit/firefox');
const PACKAGES = { names: ['firefox-esr', 'fonts-dejavu-core'] };

let found: Promise<string> | undefined;

/** The path of a Firefox, found or fetched as `findChromium` does; FIREFOX names one. */
export function findFirefox(): Promise<string> {
  found ??= findProgram({
    name: 'firefox',
    oldest: [128, 0],
    variable: 'FIREFOX',
    cure: 'install firefox-esr, or set FIREFOX to the path of a Firefox',
    places: () => ['firefox-esr', 'firefox'].flatMap(onPath),
    version: firefoxVersion,
    cache: () => CACHE,
    pathInCopy: 'firefox',
    fetchers: [unpackFirefox],
    install: () => installWithApt('firefox-esr'),
  });
  return found;
}

async function unpackFirefox(folder: string): Promise<void> {
  const root = await unpackWithApt(folder, PACKAGES);
  writeLauncher(join(folder, 'firefox'), join(root, 'usr/lib/firefox-esr/firefox-esr'), root);
}

/** The version that a Firefox reports, such as `140.12.0`; undefined if it does not run. */
async function firefoxVersion(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(path, ['--version']);
    return /(\d+\.\d+(?:\.\d+)?)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}
