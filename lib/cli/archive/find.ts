import type { Command } from 'commander';
import { findEvents } from '../../operator/archive/reading';
import { exitCodes, print } from '../terminal/failure';
import { addQueryFlags, type QueryFlags, queryOf, reading } from './query-flags';
import { printableJson } from '../../protocol/json/printable';

/** Adds `rgs-wallet archive find`. */
export function addFind(archive: Command): void {
  addQueryFlags(
    archive
      .command('find <dir>')
      .summary('print the archived events of a player, a round, a hash or a reference')
      .description(
        'Prints the events in the order of the log, one a line. Reads only the segments that may have them. An event that a restored store delivered again is printed twice: drop it by its id and at. Exit code 1: a file that was read is not the one that was sealed.',
      )
      .option('--json', 'print each with its place: {"index","file","line","event"}'),
  ).action((folder: string, flags: QueryFlags & { readonly json?: true }) => run(folder, flags));
}

async function run(
  folder: string,
  { json, ...flags }: QueryFlags & { readonly json?: true },
): Promise<void> {
  const query = queryOf(flags);
  await reading(folder, async () => {
    for await (const { index, file, line, text } of findEvents(folder, query, warnOfChange)) {
      const place = JSON.stringify({ index, file, line }).slice(0, -1);
      print(printableJson(json === true ? `${place},"event":${text}}` : text));
    }
  });
}

function warnOfChange(file: string): void {
  process.stderr.write(`warning: ${file} is not the file that was sealed: verify the archive\n`);
  process.exitCode = exitCodes.wrong;
}
