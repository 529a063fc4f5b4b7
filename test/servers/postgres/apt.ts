import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { aptDependencies, ensureListed, unpackWithApt, writeLauncher } from '../apt-packages';
import { openToAll } from '../server-account';

/** What of PostgreSQL the tests run. */
export const PROGRAMS = ['initdb', 'pg_ctl', 'postgres'];

/** Unpacks Debian's PostgreSQL below `folder`, with a folder `bin` there whose programs find their libraries. */
export async function unpackPostgresFromApt(folder: string): Promise<void> {
  await ensureListed(['postgresql']);
  const name = (await aptDependencies('postgresql'))
    .flat()
    .find((it) => /^postgresql-\d+$/.test(it));
  if (!name) throw new Error('apt knows no postgresql-<version>');
  // LLVM, for the just-in-time compiler alone, is larger than all the rest.
  const root = await unpackWithApt(folder, { names: [name], without: /^libllvm/ });
  const binaries = join(root, 'usr/lib/postgresql', name.replace('postgresql-', ''), 'bin');
  for (const program of PROGRAMS) {
    const binary = join(binaries, program);
    if (!existsSync(binary)) throw new Error(`${name} holds no ${program}`);
    writeLauncher(join(folder, 'bin', program), binary, root);
  }
  await openToAll(folder);
}
