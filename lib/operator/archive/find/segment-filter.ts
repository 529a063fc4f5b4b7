import { filterBytes, FindFilter, type FindKeys, names, type SegmentRecord } from '../format';
import type { FolderFiles } from '../read/files';
import { LogFormatError } from '../tlog';
import type { LineQuery } from './event-query';

/** Whether a segment may have events of a query, by its times and its filter; a lost filter says yes. */
export async function mayHave(
  files: FolderFiles,
  record: SegmentRecord,
  { keys, from, to }: LineQuery,
): Promise<boolean> {
  if ((from !== null && record.last < from) || (to !== null && record.first > to)) return false;
  return mayHaveAny(files, record, [keys]);
}

/** Whether a segment may have an event of any of these, by its filter; a lost filter says yes. */
export async function mayHaveAny(
  files: FolderFiles,
  { file, count }: SegmentRecord,
  sought: Iterable<FindKeys>,
): Promise<boolean> {
  try {
    const bytes = await files.bytes(names.findName(file), filterBytes(count));
    if (bytes === null) return true;
    const filter = FindFilter.decode(bytes, count);
    for (const keys of sought) if (filter.mayHave(keys)) return true;
    return false;
  } catch (error) {
    if (error instanceof LogFormatError) return true;
    throw error;
  }
}
