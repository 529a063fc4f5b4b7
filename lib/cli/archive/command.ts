import type { Command } from 'commander';
import { addVerify } from './check';
import { addCompare } from './compare';
import { addFind } from './find';
import { addImport } from './import';
import { addKey } from './key';
import { addProve } from './prove';
import { addRun } from './run';
import { addWitness } from './witness';

/** Adds `rgs-wallet archive` and its subcommands. */
export function addArchive(program: Command): void {
  const group = program
    .command('archive')
    .summary('keep every event for years, check and search them, and prove what is kept')
    .description(
      'Keeps the events of a wallet in a signed log that can only grow: nothing in it can be changed or removed unseen. Each folder is the log of one operator.',
    );
  addRun(group, 'run');
  addKey(group);
  addWitness(group);
  addImport(group);
  addVerify(group);
  addProve(group);
  addFind(group);
  addCompare(group);
}
