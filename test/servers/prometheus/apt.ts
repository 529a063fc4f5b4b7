import { join } from 'node:path';

import { unpackWithApt, writeLauncher } from '../apt-packages';

// Its own pages need some libraries of JavaScript, the server does not.
const PACKAGES = { names: ['prometheus'], without: /^libjs-/ };

/** Unpacks Debian's Prometheus below `folder`, with a `prometheus` and a `promtool` there that start it. */
export async function unpackPrometheus(folder: string): Promise<void> {
  const root = await unpackWithApt(folder, PACKAGES);
  for (const name of ['prometheus', 'promtool']) {
    writeLauncher(join(folder, name), join(root, 'usr/bin', name), root);
  }
}
