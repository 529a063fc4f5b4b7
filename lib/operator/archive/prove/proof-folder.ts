import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderFiles } from '../read/files';
import { keptTimestamps, stampedNotes } from '../read/timestamps';
import { ArchiveUnreadableError } from '../read/unreadable';
import { LogFormatError } from '../tlog';
import { packed } from './packed';
import type { EventProofs } from './proofs';

/**
 * Writes the folder for an auditor or a court: `event.json` (the events, one a line), `event.N.tlog-proof` for line N,
 * `checkpoint`, `vkey`, the newest reply of a time authority as `SIZE.tsr` with its `SIZE.checkpoint`, `verify_proof.py` and
 * `README.txt`.
 * @throws ArchiveUnreadableError if the folder exists, or cannot be written.
 */
export async function writeProofFolder(
  { events, vkey, checkpoint, origin, size }: EventProofs,
  { archive, to }: { readonly archive: string; readonly to: string },
): Promise<void> {
  const timestamp = await newestTimestamp(archive);
  const contents: [name: string, content: string | Buffer][] = [
    ['event.json', events.map(({ text }) => `${text}\n`).join('')],
    ...events.map(({ proof }, at): [string, string] => [`event.${at + 1}.tlog-proof`, proof]),
    ['checkpoint', checkpoint],
    ['vkey', `${vkey}\n`],
    ...packed,
    ['README.txt', readme({ origin, size, events: events.length, timestamp: timestamp?.name })],
  ];
  if (timestamp !== null) {
    contents.push([`${timestamp.name}.tsr`, timestamp.content]);
    contents.push([`${timestamp.name}.checkpoint`, timestamp.note]);
  }
  try {
    await mkdir(to);
    for (const [name, content] of contents)
      await writeFile(join(to, name), content, { flag: 'wx' });
  } catch (error) {
    const code = String((error as { code?: unknown } | null)?.code);
    const why = code === 'EEXIST' ? 'it exists already' : `it cannot be written (${code})`;
    throw new ArchiveUnreadableError(`${to}: ${why}`, { cause: error });
  }
}

/** The reply about the greatest size, and the checkpoint that was stamped; null without any. */
async function newestTimestamp(
  archive: string,
): Promise<{ readonly name: string; readonly content: Buffer; readonly note: string } | null> {
  const files = new FolderFiles(archive);
  let newest: { size: number; content: Buffer; imprint: string } | null = null;
  for await (const one of keptTimestamps(files)) {
    if (!('fault' in one)) newest = { ...one, imprint: one.imprint.toString('hex') };
  }
  if (newest === null) return null;
  const { size, content, imprint } = newest;
  try {
    const note = (await stampedNotes(files, new Set([imprint]))).get(imprint);
    return note === undefined ? null : { name: String(size), content, note };
  } catch (error) {
    if (error instanceof LogFormatError) return null;
    throw error;
  }
}

function readme({
  origin,
  size,
  events,
  timestamp,
}: {
  readonly origin: string;
  readonly size: number;
  readonly events: number;
  readonly timestamp: string | undefined;
}): string {
  const time =
    timestamp === undefined
      ? ''
      : `
${timestamp}.tsr is the reply of a time authority (RFC 3161): at its time ${timestamp}.checkpoint was there, the signed root of the
log's first ${timestamp} entries. To check it with the certificate of the authority, and to see the time:
  openssl ts -verify -in ${timestamp}.tsr -data ${timestamp}.checkpoint -CAfile AUTHORITY.pem
  openssl ts -reply -in ${timestamp}.tsr -text
`;
  return `What this folder proves

Each line of event.json (${events}) was in the log ${origin}, among its first ${size} entries, when the holder of the log's
key signed its checkpoint. It does not prove that the event is true, nor that the log is complete.

To check it, with Python 3.8 or later and nothing else:
  python3 verify_proof.py VKEY [WITNESS_VKEY ...]
VKEY is the key of the log. Take it from where its operator has published it before, such as the licence file. The file vkey is
the key that this folder names for itself: compare them. With the key of a witness, the checkpoint must have its signature too,
and its time is printed: until then the witness saw the log only grow.

It prints one line for each event, and ends with code 0 if all are in the log. verify_proof.py is short: read it, or use another
program for the formats c2sp.org/tlog-proof, c2sp.org/tlog-checkpoint, c2sp.org/signed-note and c2sp.org/tlog-cosignature.

Ask the operator's other anchors (a folder of another administrator) for their checkpoints: who compares them with this log knows
that it has only grown since.
${time}`;
}
