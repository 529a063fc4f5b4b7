import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

import { installWithApt } from '../apt-packages';
import { findProgram, onPath } from '../program-finder';
import { unpackChromium } from './apt';

const run = promisify(execFile);
const CACHE = resolve(__dirname, '../../../node_modules/.cache/rgs-wallet-kit/chromium');

let found: Promise<string> | undefined;

/**
 * The path of a Chromium that runs without a window: CHROMIUM if set, else on the PATH, else a copy in the cache, else one
 * fetched with apt into the cache (no root, nothing installed). Safe to call from several processes. Rejects with one line
 * that says what to install.
 */
export function findChromium(): Promise<string> {
  found ??= findProgram({
    name: 'chromium',
    oldest: [120, 0],
    variable: 'CHROMIUM',
    cure: 'install chromium, or set CHROMIUM to the path of one',
    places: () => ['chromium-headless-shell', 'chromium', 'chromium-browser'].flatMap(onPath),
    version: chromiumVersion,
    cache: () => CACHE,
    pathInCopy: 'chromium',
    fetchers: [unpackChromium],
    install: () => installWithApt('chromium-headless-shell'),
  });
  return found;
}

/** The version that a Chromium reports, such as `150.0.7871`; undefined if it does not run. */
export async function chromiumVersion(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(path, ['--version', '--no-sandbox']);
    return /(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}
