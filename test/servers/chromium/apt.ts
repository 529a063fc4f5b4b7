import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { unpackWithApt, writeLauncher } from '../apt-packages';

// The shell alone: it draws pages and has no window, so it needs far fewer libraries than the browser. chromium-common has its data.
const PACKAGES = { names: ['chromium-headless-shell', 'chromium-common', 'fonts-dejavu-core'] };

/** Unpacks Debian's headless Chromium below `folder`, with a `chromium` there that starts it. */
export async function unpackChromium(folder: string): Promise<void> {
  const root = await unpackWithApt(folder, PACKAGES);
  const binary = ['usr/lib/chromium/chromium-headless-shell', 'usr/lib/chromium/headless_shell']
    .map((path) => join(root, path))
    .find((path) => existsSync(path));
  if (!binary) throw new Error('the packages hold no headless shell');
  writeLauncher(join(folder, 'chromium'), binary, root);
}
