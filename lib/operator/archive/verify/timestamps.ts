import type { FolderFiles } from '../read/files';
import { keptTimestamps, stampedNotes } from '../read/timestamps';
import { LogFormatError, parseCheckpoint } from '../tlog';
import type { Findings } from './findings';

/** Each reply of a time authority must be about the archive's own checkpoint of the size in its name. */
export async function checkTimestamps(files: FolderFiles, findings: Findings): Promise<void> {
  const kept: { readonly file: string; readonly size: number; readonly imprint: string }[] = [];
  for await (const one of keptTimestamps(files)) {
    if ('fault' in one) findings.fault(one.file, null, one.fault);
    else kept.push({ file: one.file, size: one.size, imprint: one.imprint.toString('hex') });
  }
  try {
    const notes = await stampedNotes(files, new Set(kept.map(({ imprint }) => imprint)));
    for (const { file, size, imprint } of kept) {
      const note = notes.get(imprint);
      if (note === undefined || parseCheckpoint(note).size !== size)
        findings.fault(file, null, 'the archive has no checkpoint that it was made for');
    }
  } catch (error) {
    // Damaged checkpoints are a fault already.
    if (!(error instanceof LogFormatError)) throw error;
  }
}
