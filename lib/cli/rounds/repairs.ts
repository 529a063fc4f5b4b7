import type { Command } from 'commander';
import { type RepairRow, repairRow } from '../../operator/operations/view/repairs';
import { systemClock } from '../../platform';
import { CommandFailure, messageOf, noAnswer, print, printJson } from '../terminal/failure';
import { wholeNumber } from '../terminal/flags';
import { addRoundsFlags, operatorOf, type RoundsFlags, withRounds } from './flags';
import { drawTable, repairCells } from './text';
import { defined } from '../../platform/validation/defined';

interface RepairsFlags extends RoundsFlags {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Adds `rgs-wallet rounds repairs`. */
export function addRepairs(rounds: Command): void {
  addRoundsFlags(
    rounds
      .command('repairs')
      .summary('list every repair, the latest proposal first')
      .description(
        'Lists every repair that was proposed, the latest first, whatever became of it: when and by whom it was proposed and decided, why, and of which round. What waits for approval alone: rgs-wallet rounds repair list.',
      ),
  )
    .option('--limit <n>', 'repairs of a page (default: 50)', wholeNumber(1, 200))
    .option('--cursor <cursor>', 'the next page, as the page before names it')
    .action((flags: RepairsFlags) => run(flags));
}

async function run(flags: RepairsFlags): Promise<void> {
  const operatorId = operatorOf(flags);
  const { cursor, limit } = flags;
  const query = defined({ cursor, limit });
  await withRounds(flags, async (store) => {
    if (store.repairs === undefined) {
      throw new CommandFailure(
        'This store does not list repairs: rgs-wallet rounds show has those of a round.',
      );
    }
    const page = await store.repairs.list(operatorId, query).catch(asWrongFlag);
    if (page.kind === 'unknown') throw noAnswer(page.cause);
    const now = systemClock.now();
    const repairs = page.repairs.map((one) => repairRow(one, store.decimals, now));
    if (flags.json) return printJson({ repairs, next: page.next });
    print(lines(operatorId, repairs).join('\n'));
    if (page.next !== null) print(`More with --cursor ${page.next}`);
  });
}

function asWrongFlag(error: unknown): never {
  if (error instanceof TypeError) throw new CommandFailure(`--cursor: ${messageOf(error)}`);
  throw error;
}

const titles = [
  'proposed (UTC)',
  'by',
  'repair',
  'state',
  'decided',
  'by',
  'amount',
  'player',
  'gameRound',
  'id',
  'why',
];

function lines(operatorId: string, repairs: readonly RepairRow[]): string[] {
  if (repairs.length === 0) return [`No repair of operator ${operatorId}.`];
  const rows = repairs.map((one) => [
    ...repairCells(one),
    one.playerId,
    one.gameRound,
    one.id,
    [one.reason, one.note ?? ''].filter((text) => text !== '').join('; '),
  ]);
  return drawTable(titles, rows);
}
