import { openArchive } from '../read/open-archive';
import { ArchiveUnreadableError } from '../read/unreadable';
import { type EventQuery, lineQuery } from './event-query';
import { mayHave } from './segment-filter';
import { eachEvent, eachUnsealedEvent, type LogLine, recordsInOrder } from './segments';

/** Most events of one segment in a result. */
export const mostFound = 100_000;

/**
 * The events of a player, a round, a hash or a reference, in the order of the log. Reads only the segments that may have
 * them: by their times, and by the filter beside each. A hash alone is in no filter: name the player, or all segments of
 * the time are read. An event that a restored store delivered again comes twice: drop it by its `id` and `at`.
 * @throws TypeError for a wrong query; ArchiveUnreadableError if the archive cannot be read, or is damaged there.
 */
export async function* findEvents(folder: string, query: EventQuery): AsyncGenerator<LogLine> {
  const asked = lineQuery(query);
  const { files } = await openArchive(folder);
  let sealed = 0;
  for await (const record of recordsInOrder(files)) {
    sealed = record.from + record.count;
    if (!(await mayHave(files, record, asked))) continue;
    const found: LogLine[] = [];
    await eachEvent(files, record, (line, index, number) => {
      if (!asked.fits(line)) return;
      keep(found, { index, file: record.file, line: number, text: line.toString() });
    });
    yield* found;
  }
  const found: LogLine[] = [];
  await eachUnsealedEvent(files, sealed, (line, index, place) => {
    if (asked.fits(line)) keep(found, { index, ...place, text: line.toString() });
  });
  yield* found;
}

function keep(found: LogLine[], line: LogLine): void {
  if (found.length === mostFound) {
    throw new ArchiveUnreadableError(`more than ${mostFound} events of a segment: ask for less`);
  }
  found.push(line);
}
