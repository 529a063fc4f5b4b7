import type { Command } from 'commander';
import { addImport } from './import';
import { addKey } from './key';
import { addRun } from './run';
import { addWitness } from './witness';

/** Adds `rgs-wallet archive` and its subcommands. */
export function addArchive(program: Command): void {
  const group = program
    .command('archive')
    .summary('keep every event for years, in a log that shows whether it was changed')
    .description(
      'Keeps the events of a wallet in files that are a signed log: nothing in it can be changed or removed unseen. Each folder is the log of one operator.',
    );
  addRun(group, 'run');
  addKey(group);
  addWitness(group);
  addImport(group);
}
