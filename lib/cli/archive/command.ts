import type { Command } from 'commander';
import { addVerify } from './check';
import { addCompare } from './compare';
import { addFind } from './find';
import { addProve } from './prove';

/** Adds `rgs-wallet archive`. */
export function addArchive(program: Command): void {
  const archive = program
    .command('archive')
    .summary('check and search the archive of events, and prove what is in it')
    .description(
      'The archive keeps every event in a signed log that can only grow. These commands read its folder.',
    );
  addVerify(archive);
  addProve(archive);
  addFind(archive);
  addCompare(archive);
}
