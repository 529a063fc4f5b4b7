import { filterBytes, FindFilter, names, type SegmentRecord } from '../format';
import type { FolderFiles } from '../read/files';
import { LogFormatError } from '../tlog';
import type { LineQuery } from './event-query';

/** Whether a segment may have events of a query, by its times and its filter; a lost filter says yes. */
export async function mayHave(
  files: FolderFiles,
  { file, count, first, last }: SegmentRecord,
  { keys, from, to }: LineQuery,
): Promise<boolean> {
  if ((from !== null && last < from) || (to !== null && first > to)) return false;
  try {
    const bytes = await files.bytes(names.findName(file), filterBytes(count));
    return bytes === null || FindFilter.decode(bytes, count).mayHave(keys);
  } catch (error) {
    if (error instanceof LogFormatError) return true;
    throw error;
  }
}
