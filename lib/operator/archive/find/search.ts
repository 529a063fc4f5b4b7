import { FolderFiles } from '../read/files';
import { openArchive, signedSize } from '../read/open-archive';
import { ArchiveUnreadableError } from '../read/unreadable';
import { type EventQuery, lineQuery } from './event-query';
import { mayHave } from './segment-filter';
import { eachEvent, eachUnsealedEvent, type LogLine, recordsInOrder } from './segments';

/** Most characters of one segment's events in a result. */
const mostFound = 268_435_456;

/**
 * The events of a player, a round, a hash or a reference, in the order of the log. Reads only the segments that may have
 * them: by their times, and by the filter beside each. A hash alone is in no filter: name the player, or all segments of
 * the time are read. An event that a restored store delivered again comes twice: drop it by its `id` and `at`.
 * `onChanged` gets each file that was read and is not the one that was sealed.
 * @throws TypeError for a wrong query; ArchiveUnreadableError if the archive cannot be read, or is damaged there.
 */
export async function* findEvents(
  folder: string,
  query: EventQuery,
  onChanged: (file: string) => void = () => undefined,
): AsyncGenerator<LogLine> {
  const asked = lineQuery(query);
  const files = new FolderFiles(folder);
  const signed = await signedSize(files, await openArchive(files));
  let sealed = 0;
  for await (const record of recordsInOrder(files)) {
    sealed = record.from + record.count;
    if (!(await mayHave(files, record, asked))) continue;
    const found = new Found();
    const { file } = record;
    const isSealed = await eachEvent(files, record, (line, index, number) => {
      if (asked.fits(line)) found.add({ index, file, line: number, text: line.toString() });
    });
    if (!isSealed) onChanged(file);
    yield* found.lines;
  }
  const found = new Found();
  await eachUnsealedEvent(files, { sealed, signed }, (line, index, place) => {
    if (asked.fits(line)) found.add({ index, ...place, text: line.toString() });
  });
  yield* found.lines;
}

/** The events of one segment, which are yielded once it was read to its end. */
class Found {
  readonly lines: LogLine[] = [];
  #length = 0;

  add(line: LogLine): void {
    this.#length += line.text.length;
    if (this.#length > mostFound) {
      throw new ArchiveUnreadableError(`${line.file} has too many such events: ask for less`);
    }
    this.lines.push(line);
  }
}
