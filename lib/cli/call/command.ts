import type { Command } from 'commander';
import { addAssignFreerounds } from './freerounds';
import { addGameConfiguration, addGameList } from './games';
import { addStatistics } from './statistics';

/** Adds `rgs-wallet call` and its subcommands. */
export function addCall(program: Command): void {
  const group = program
    .command('call')
    .summary('call the RGS as its operator')
    .description(
      "Makes one of the operator's calls at the RGS, signed, and prints the reply as one line of JSON, its numbers unchanged.",
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 the service refused, failed or could not be reached; 2 a wrong flag, file or field: nothing was sent.',
    );
  addAssignFreerounds(group);
  addStatistics(group);
  addGameConfiguration(group);
  addGameList(group);
}
