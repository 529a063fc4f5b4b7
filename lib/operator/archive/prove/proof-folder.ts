import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { names } from '../format';
import { FolderFiles } from '../read/files';
import { ArchiveUnreadableError } from '../read/unreadable';
import { LogFormatError } from '../tlog';
import { packed } from './packed';
import type { EventProofs } from './proofs';

/**
 * Writes the folder for an auditor or a court: `event.json` (the events, one a line), `event.N.tlog-proof` for line N,
 * `checkpoint`, `vkey`, the newest reply of a time authority as `SIZE.tsr`, `verify_proof.py` and `README.txt`.
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
  if (timestamp !== null) contents.push([timestamp.name, timestamp.content]);
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

async function newestTimestamp(archive: string): Promise<{ name: string; content: Buffer } | null> {
  const files = new FolderFiles(archive);
  const sizes: number[] = [];
  for (const { name } of await files.names(names.timestampsFolder)) {
    const known = names.readName(`${names.timestampsFolder}/${name}`);
    if (known?.kind === 'timestamp') sizes.push(known.size);
  }
  if (sizes.length === 0) return null;
  const size = Math.max(...sizes);
  try {
    const content = await files.bytes(names.timestampName(size), longestTimestamp);
    return content === null ? null : { name: `${size}.tsr`, content };
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
${timestamp} is the reply of a time authority (RFC 3161) about the signed checkpoint of the size in its name:
  openssl ts -verify -in ${timestamp} -data CHECKPOINT -CAfile AUTHORITY.pem
CHECKPOINT is the file checkpoint if that has this size; else the operator has it.
`;
  return `What this folder proves

Each line of event.json (${events}) was in the log ${origin}, among its first ${size} entries, when the holder of the log's
key signed its checkpoint. It does not prove that the event is true, nor that the log is complete.

To check it, with Python 3.8 or later and nothing else:
  python3 verify_proof.py VKEY
VKEY is the key of the log. Take it from where its operator has published it before, such as the licence file. The file vkey is
the key that this folder names for itself: compare them.

It prints one line for each event, and ends with code 0 if all are in the log. verify_proof.py is short: read it, or use another
program for the formats c2sp.org/tlog-proof, c2sp.org/tlog-checkpoint and c2sp.org/signed-note.

Ask the operator's anchors (a witness, a folder of another administrator) for their checkpoints: who compares them with this log knows
that it has only grown since.
${time}`;
}

const longestTimestamp = 65_536;
