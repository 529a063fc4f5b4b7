import type { Command } from 'commander';
import { compareWithStore, type MissingRound } from '../../operator/archive/reading';
import { type RoundsFlags, withRounds } from '../rounds/flags';
import { exitCodes, print, printJson } from '../terminal/failure';
import { addStoreFlags, ledgerFlag } from '../terminal/flags';
import { withProgress } from '../terminal/progress';
import { reading } from './query-flags';
import { defined } from '../../platform/validation/defined';
import { withoutControls } from '../../protocol/json/printable';

interface CompareFlags extends RoundsFlags {
  readonly from?: string;
  readonly to?: string;
}

/** Adds `rgs-wallet archive compare`. */
export function addCompare(archive: Command): void {
  addStoreFlags(
    archive
      .command('compare <dir>')
      .summary('list the rounds that the store does not have any more')
      .description(
        'Looks up each round of the archive in the store, and lists those of which the store lacks a commit: after it was restored from a backup, what the backup did not have. Deposits, withdrawals and corrections are not compared. Exit code 0: none; 1: some; 2: the archive or the store cannot be read.',
      )
      .option('--from <time>', 'events from this time on: a little before the backup')
      .option('--to <time>', 'events up to this time'),
    'WALLET_STORE',
  )
    .addOption(ledgerFlag('the ledger that holds the money, as for serve'))
    .option('--json', 'print JSON')
    .action((folder: string, flags: CompareFlags) => run(folder, flags));
}

async function run(folder: string, flags: CompareFlags): Promise<void> {
  const { from, to, json } = flags;
  const options = defined({ from, to });
  const { rounds, missing } = await withRounds(flags, (store) =>
    reading(folder, () =>
      withProgress('rounds', (add) =>
        compareWithStore(folder, store, { ...options, onRound: () => add(1) }),
      ),
    ),
  );
  if (json === true) printJson({ rounds, missing });
  else {
    for (const round of missing) print(withoutControls(textOf(round)));
    print(`${rounds} rounds of the archive looked up, ${missing.length} missing in the store.`);
  }
  if (missing.length > 0) process.exitCode = exitCodes.wrong;
}

function textOf({ playerId, gameRound, version, at, storeVersion, lacks }: MissingRound): string {
  const without = lacks === null ? '' : `, without the ${lacks}`;
  const store =
    storeVersion === null ? 'the store has none' : `the store has ${storeVersion}${without}`;
  return `player ${playerId} round ${gameRound}: commit ${version} of ${at}, ${store}`;
}
