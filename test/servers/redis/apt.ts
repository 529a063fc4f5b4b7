import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { unpackWithApt, writeLauncher } from '../apt-packages';

// Debian keeps the binary itself in redis-tools; redis-server holds the link to it.
const PACKAGES = { names: ['redis-server', 'redis-tools'] };

/** Unpacks Debian's Redis below `folder`, with a `redis-server` there that starts it. */
export async function unpackRedis(folder: string): Promise<void> {
  const root = await unpackWithApt(folder, PACKAGES);
  const binary = ['redis-server', 'redis-check-rdb']
    .map((name) => join(root, 'usr/bin', name))
    .find((path) => existsSync(path));
  if (!binary) throw new Error('the packages hold no redis-server');
  writeLauncher(join(folder, 'redis-server'), binary, root);
}
