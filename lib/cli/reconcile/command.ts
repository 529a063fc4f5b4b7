import { type Command, InvalidArgumentError, Option } from 'commander';
import { reconcileExport } from '../../operator/reconciliation/by-round/compare';
import { readExportMap, spoolExport } from '../../operator/reconciliation/by-round/export-rows';
import { reconcileStatistics } from '../../operator/reconciliation/by-day/statistics';
import type { Counting } from '../../operator/reconciliation/counting/cells';
import type { FitChoices } from '../../operator/reconciliation/counting/fit';
import type { Days } from '../../operator/reconciliation/counting/days';
import {
  type Comparison,
  type Reconciliation,
  verdictOf,
} from '../../operator/reconciliation/counting/result';
import { ReconciliationFailure } from '../../operator/reconciliation/rounds/failure';
import { OwnCheck } from '../../operator/reconciliation/rounds/own-check';
import { isDay, ZoneDays } from '../../platform/time/zone-days';
import { type AmountUnit, defaultDecimals, maxDecimals } from '../../protocol/money/amount';
import { addCallFlags, type CallFlags } from '../call/client';
import {
  CommandFailure,
  exitCodes,
  messageOf,
  needed,
  print,
  printJson,
} from '../terminal/failure';
import { callDecimals, collect, wholeNumber } from '../terminal/flags';
import { parseJsonText, readTextFile } from '../terminal/read-json-file';
import { type OurLog, readOurs } from './our-log';
import {
  hasOwnFaults,
  type OwnFindings,
  ownFaultLines,
  ownFaultsJson,
  ownFindings,
} from './own-faults';
import { csvLines, jsonOf, textLines, uncomparedLines } from './report';
import { checkSave, saveResult } from './save';
import { SpoolFolder } from './spool-folder';
import { readByGame, StatisticsByCalls } from './statistics-source';
import { readPieces } from './text-files';
import { addTotalsFlags, type TotalsFlags, totalsSide } from './totals-source';
import { plain, withoutControls } from '../../protocol/json/printable';

interface ReconcileFlags extends CallFlags, TotalsFlags {
  readonly events?: string;
  readonly archive?: string;
  readonly key?: readonly string[];
  readonly anchor?: readonly string[];
  readonly ownCheck: boolean;
  readonly from: string;
  readonly to?: string;
  readonly zone?: readonly string[];
  readonly by?: Counting['by'];
  readonly voids?: Counting['voids'];
  readonly freePlays?: 'counted' | 'left-out';
  readonly stats?: true;
  readonly byGame?: string;
  readonly players: number;
  readonly export?: string;
  readonly map?: string;
  readonly openHours: number;
  readonly decimals: number;
  readonly unit: AmountUnit;
  readonly tolerate: number;
  readonly save?: true;
  readonly json?: true;
  readonly csv?: true;
}

/** Zones that are tried besides this system's, unless --zone names some. */
const usualZones = ['UTC', 'Europe/Malta', 'Europe/London', 'America/New_York', 'Asia/Manila'];

const hourMs = 3_600_000;

/** Adds `rgs-wallet reconcile`. */
export function addReconcile(program: Command): void {
  const command = program
    .command('reconcile')
    .summary('compare the rounds of the wallet with what the RGS counts')
    .description(
      'Compares days of rounds, by the events of the wallet, with the statistics of the RGS (getStats), or round by round with an export of the RGS. Names the cells that differ and the rounds that explain them.',
    )
    .addOption(
      new Option(
        '--events <file|->',
        'the events, one line of JSON each, as events tail prints them',
      ).conflicts('archive'),
    )
    .option('--archive <dir>', 'in place of --events: the signed archive, which is verified')
    .option(
      '--key <vkey>',
      "with --archive: the log's key, as it was published; repeatable",
      collect,
    )
    .option(
      '--anchor <dir>',
      'with --archive: a folder with a file checkpoints of the log; repeatable',
      collect,
    )
    .option(
      '--no-own-check',
      'do not check first that each balance follows from the event before: where cash moves without events',
    )
    .requiredOption('--from <day>', 'first day, such as 2026-11-01', dayOf)
    .option('--to <day>', 'last day, included (default: the first)', dayOf)
    .option(
      '--zone <name>',
      "time zone of the RGS's days; repeatable (default: found by trying)",
      collect,
    );
  addTotalsFlags(command);
  addCountingFlags(command);
  addCallFlags(command).addHelpText(
    'after',
    '\nExit codes: 0 all days are equal; 1 something differs; 2 a wrong flag or file, a row of the export that cannot be read, the RGS does not answer, or days are not complete.',
  );
  command.action((flags: ReconcileFlags) => run(flags));
}

function addCountingFlags(command: Command): void {
  const by = new Option('--by <time>', 'the time of a round that says on which day it counts');
  const voids = new Option(
    '--voids <day>',
    'restated: a void counts on the day of its round; dated: on its own',
  );
  const free = new Option('--free-plays <how>', 'whether free plays are games');
  command
    .addOption(by.choices(['start', 'end']))
    .addOption(voids.choices(['restated', 'dated']))
    .addOption(free.choices(['counted', 'left-out']))
    .addOption(new Option('--stats', 'compare with getStats (the default)').conflicts('export'))
    .option(
      '--by-game <key[=member]>',
      'with getStats: group by this key; the game is in this member',
    )
    .option(
      '--players <n>',
      'with getStats: ask for up to n players of cells that differ',
      wholeNumber(0, 100_000),
      0,
    )
    .option(
      '--export <file>',
      'compare round by round: CSV with a header, or JSON lines (.ndjson, .jsonl)',
    )
    .option('--map <file>', 'which column of the export is what, as JSON')
    .option(
      '--open-hours <n>',
      'hours in which a round may be open on one side alone',
      wholeNumber(0, 8_784),
      24,
    )
    .option(
      '--decimals <n>',
      'most decimals of an amount on either side',
      wholeNumber(0, maxDecimals),
      defaultDecimals,
    )
    .addOption(
      new Option('--unit <unit>', "what 1 is in an amount of the RGS: the store's --unit")
        .choices(['1', '1/100'])
        .default('1'),
    )
    .option(
      '--tolerate <n>',
      'units of the last decimal that a cell may differ by',
      wholeNumber(0, 1_000_000),
      0,
    )
    .option(
      '--save',
      'keep what was found of each day in --store, for the metrics and the operations page of the wallet',
    )
    .option('--json', 'print the result as one line of JSON')
    .addOption(new Option('--csv', 'print the rounds of all differences as CSV').conflicts('json'));
}

function dayOf(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('It must be a day such as 2026-11-01.');
}

async function run(flags: ReconcileFlags): Promise<void> {
  const folder = new SpoolFolder();
  const remove = (): void => folder.remove();
  process.once('exit', remove);
  try {
    checkSave(flags);
    const result = await reconcile(flags, folder);
    report(result, flags);
    if (flags.save !== true) return;
    const said = await saveResult(flags, needed('operator', flags.operator), result);
    if (flags.json !== true && flags.csv !== true) print(said);
  } catch (error) {
    if (!(error instanceof ReconciliationFailure)) throw error;
    throw new CommandFailure(withoutControls(`Cannot compare: ${messageOf(error)}.`));
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** Prints what was found, and sets the exit code. */
function report(result: Reconciliation | OwnFindings, flags: ReconcileFlags): void {
  const { decimals } = flags;
  if ('books' in result) return reportOwnFaults(result, flags.json === true);
  if (flags.json === true) printJson(jsonOf(result, decimals));
  else if (flags.csv === true) {
    print(csvLines(result, decimals).join('\n'));
    for (const line of uncomparedLines(result)) process.stderr.write(`${withoutControls(line)}\n`);
  } else print(textLines(result, decimals).join('\n'));
  const codes = {
    equal: exitCodes.done,
    different: exitCodes.wrong,
    incomplete: exitCodes.failure,
    unreadable: exitCodes.failure,
  };
  process.exitCode = codes[verdictOf(result)];
}

/** Answers the own check if it found something: then nobody is asked. */
async function reconcile(
  flags: ReconcileFlags,
  folder: SpoolFolder,
): Promise<Reconciliation | OwnFindings> {
  const { openHours, players } = flags;
  const decimals = callDecimals(flags);
  const operatorId = needed('operator', flags.operator);
  const request = requestOf(flags);
  if (flags.export === undefined) {
    const byGame = flags.byGame === undefined ? null : readByGame(flags.byGame);
    const log = await readChecked(flags, operatorId, request, folder);
    if ('books' in log) return log;
    const source = new StatisticsByCalls(flags, byGame, decimals);
    const counted =
      flags.totals === true ? await totalsSide(flags, { operatorId, ...request }) : undefined;
    const result = await reconcileStatistics(log, source, { ...request, players }, counted);
    return withNotes(log, result);
  }
  const mapFile = needed('map', flags.map);
  const map = readExportMap(parseJsonText(readTextFile(mapFile), mapFile).value);
  const log = await readChecked(flags, operatorId, request, folder);
  if ('books' in log) return log;
  const format = /\.(?:ndjson|jsonl)(?:\.gz)?$/.test(flags.export) ? 'ndjson' : 'csv';
  const pieces = readPieces(flags.export);
  const rows = await spoolExport(pieces, { map, decimals, format }, folder.spool('theirs'));
  const result = reconcileExport(log, rows, { ...request, openMs: openHours * hourMs });
  return withNotes(log, result);
}

/** Reads the events and does the own check; answers what that found, if it is anything wrong. */
async function readChecked(
  flags: ReconcileFlags,
  operatorId: string,
  days: Days,
  spools: SpoolFolder,
): Promise<OurLog | OwnFindings> {
  const check = flags.ownCheck ? new OwnCheck() : null;
  const options = { operatorId, decimals: flags.decimals };
  const log = await readOurs(flags, options, { days, spools, check });
  if (check === null) return log;
  const found = await ownFindings(check, flags, operatorId, log);
  return hasOwnFaults(found) ? found : { ...log, notes: [...log.notes, ...found.notes] };
}

function withNotes({ notes }: OurLog, result: Reconciliation): Reconciliation {
  return { ...result, notes: [...notes, ...result.notes] };
}

function reportOwnFaults(found: OwnFindings, isJson: boolean): void {
  if (isJson) printJson(ownFaultsJson(found));
  else print(ownFaultLines(found).map(plain).join('\n'));
  process.exitCode = exitCodes.wrong;
}

/** @throws CommandFailure for a zone that is not known, or days in the wrong order. */
function requestOf(flags: ReconcileFlags): Comparison & FitChoices {
  const { from, to = from, by, voids, freePlays, tolerate } = flags;
  if (to < from) throw new CommandFailure('--to must not be before --from.');
  const usual = [...usualZones, Intl.DateTimeFormat().resolvedOptions().timeZone];
  try {
    const zones = [...new Set(flags.zone ?? usual)].map((name) => new ZoneDays(name));
    const free = freePlays === 'left-out' ? 'left out' : freePlays;
    return { from, to, zones, by, voids, freePlays: free, tolerate: BigInt(tolerate) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandFailure(`--zone: ${messageOf(error)}.`);
  }
}
