import { type Command, Option } from 'commander';
import type { Statistics, StatisticsFilter, StatisticsRequest } from '../../operator/client';
import type { Writable } from '../../protocol/json/write';
import {
  readBody,
  addCallFlags,
  type CallFlags,
  callRgs,
  exactNumber,
  membersOf,
  printReply,
} from './client';
import { CommandFailure } from '../terminal/failure';
import { collect } from '../terminal/flags';
import { drawStatistics, type StatisticsRow } from './statistics-table';
import { defined } from '../../platform/validation/defined';

interface StatisticsFlags extends CallFlags {
  readonly from?: string;
  readonly to?: string;
  readonly groupBy?: readonly string[];
  readonly filter?: readonly string[];
  readonly playerId?: string;
  readonly showTotals?: true;
  readonly body?: string;
  readonly json?: true;
  readonly table?: true;
}

/** Adds `rgs-wallet call stats`. */
export function addStatistics(group: Command): void {
  const command = group
    .command('stats')
    .summary('statistics per day and currency, with totals')
    .description(
      'Reads statistics (getStats): a table with totals on a terminal, otherwise one line of JSON. Totals are exact sums of the records; their RTP is win / bet. Players are not summed: one player may play on many days.',
    )
    .option('--from <day>', 'first day, such as 2026-03-01 (filterBy.dateFrom)')
    .option('--to <day>', 'last day, inclusive (filterBy.dateToIncluding)')
    .option('--group-by <key>', 'a key to group by; repeatable', collect)
    .option('--filter <name=value>', 'a further key of filterBy; repeatable', collect)
    .option('--player-id <id>', 'only this player')
    .option(
      '--show-totals',
      'let the RGS total the records (showTotals); the table then adds no totals',
    )
    .option('--body <file|->', 'the fields as JSON, instead of flags')
    .option('--json', 'print JSON even on a terminal')
    .addOption(new Option('--table', 'print a table even into a file').conflicts('json'));
  addCallFlags(command).action((flags: StatisticsFlags) => showStatistics(flags));
}

async function showStatistics(flags: StatisticsFlags): Promise<void> {
  const request = readRequest(flags);
  const reply = await callRgs(flags, (client) => client.getStats(request));
  const rows = rowsOf(reply);
  const isTable = flags.table ?? (flags.json !== true && process.stdout.isTTY);
  if (!isTable) return printReply({ records: rows, ...reply.further });
  process.stdout.write(`${drawStatistics(rows, request.showTotals !== true).join('\n')}\n`);
}

function rowsOf({ records }: Statistics): StatisticsRow[] {
  return records.map((record) => {
    const row = membersOf(record);
    return record.RTP === null ? row : { ...row, RTP: exactNumber(record.RTP) };
  });
}

/** The client checks every field, whatever its type. */
function readRequest(flags: StatisticsFlags): StatisticsRequest {
  const { from, to, groupBy, filter, playerId, showTotals, body } = flags;
  if (body !== undefined) {
    const given = { from, to, filter, 'group-by': groupBy, 'player-id': playerId };
    return readBody(body, { ...given, 'show-totals': showTotals });
  }
  const filterBy = readFilter(from, to, filter ?? []);
  return {
    ...defined({ groupBy }),
    ...(Object.keys(filterBy).length === 0 ? {} : { filterBy }),
    ...defined({ showTotals, playerId }),
  };
}

function readFilter(
  dateFrom: string | undefined,
  dateToIncluding: string | undefined,
  pairs: readonly string[],
): StatisticsFilter {
  const filter = new Map<string, Writable>();
  if (dateFrom !== undefined) filter.set('dateFrom', dateFrom);
  if (dateToIncluding !== undefined) filter.set('dateToIncluding', dateToIncluding);
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals < 1) throw new CommandFailure('--filter must be name=value.');
    const name = pair.slice(0, equals);
    if (filter.has(name)) throw new CommandFailure(`--filter ${name} is given twice.`);
    filter.set(name, pair.slice(equals + 1));
  }
  return Object.fromEntries(filter);
}
