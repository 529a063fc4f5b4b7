import { CommandFailure, messageOf } from '../terminal/failure';
import type { ArchiveDisk } from './disk';
import { readChecksumsOf } from './folder';
import { readEventLine, SeenEvents } from './line';
import { checksumsName, identityName, readIdentity, readName } from './names';
import { openBatches } from './open-file';
import { readSealed } from './sealed-file';

/** What the folder holds. */
export interface Verification {
  readonly files: number;
  /** In sealed files. */
  readonly events: number;
  /** In files that are still appended to. */
  readonly openEvents: number;
  /** One line each, with the file and, where it is known, the line. */
  readonly faults: readonly string[];
}

/**
 * Reads the whole archive and compares it with its checksums. Each line must be an event of the operator and of
 * the file's hour, and come once.
 * @throws CommandFailure if the folder is no archive.
 */
export async function verifyArchive(disk: ArchiveDisk): Promise<Verification> {
  const operatorId = readIdentity((await disk.read(identityName)) ?? '');
  if (typeof operatorId !== 'string') {
    throw new CommandFailure(
      `The folder is no archive: it has no ${identityName} that can be read.`,
    );
  }
  const found = await disk.names();
  const faults: string[] = [];
  const checksums = await readChecksumsOf(disk).catch((error: unknown) => {
    faults.push(messageOf(error));
    return null;
  });
  let files = 0;
  let events = 0;
  let hour = '';
  let seen = new SeenEvents();
  for (const [file, place] of sealedFiles(found, checksums?.keys() ?? [])) {
    files++;
    if (place.hour !== hour) seen = new SeenEvents();
    hour = place.hour;
    if (!found.includes(file)) {
      faults.push(`${file} is missing`);
      continue;
    }
    let firstFault = 0;
    let why = '';
    let last = 0;
    const { sha256, fault } = await readSealed(disk, file, (line, number) => {
      last = number;
      if (firstFault > 0) return;
      why = faultOf(line, { operatorId, hour, seen }) ?? '';
      if (why === '') events++;
      else firstFault = number;
    });
    const expected = checksums?.get(file);
    if (firstFault > 0) faults.push(`${file} line ${firstFault}: ${why}`);
    else if (fault !== null) faults.push(`${file} line ${last + 1}: ${fault}`);
    else if (checksums !== null && expected === undefined) {
      faults.push(`${file} has no line in ${checksumsName}`);
    } else if (checksums !== null && sha256 !== expected) {
      faults.push(`${file} is not what was sealed, though each of its ${last} lines can be read`);
    }
  }
  const open = await verifyOpen(disk, found, operatorId);
  return { files, events, openEvents: open.events, faults: [...faults, ...open.faults] };
}

/** What is wrong with a line; null if nothing is. */
function faultOf(
  line: string,
  { operatorId, hour, seen }: { operatorId: string; hour: string; seen: SeenEvents },
): string | null {
  const event = readEventLine(line);
  if (event === null) return 'it is not an event';
  if (event.operatorId !== operatorId) return 'it is an event of another operator';
  if (event.hour !== hour) return 'it is an event of another hour';
  return seen.add(event.key) ? null : `the event ${event.id} comes a second time`;
}

/** The sealed files that are there or should be, in order of hour and part. */
function sealedFiles(found: readonly string[], listed: Iterable<string>) {
  return [...new Set([...found, ...listed])]
    .flatMap((file) => {
      const place = readName(file);
      return place?.kind === 'sealed' ? [[file, place] as const] : [];
    })
    .toSorted(([, one], [, other]) => {
      return one.hour === other.hour ? one.part - other.part : one.hour < other.hour ? -1 : 1;
    });
}

/** A torn end is no fault: it was not acknowledged, and the next start cuts it off. */
async function verifyOpen(disk: ArchiveDisk, found: readonly string[], operatorId: string) {
  const faults: string[] = [];
  let events = 0;
  for (const name of found.toSorted()) {
    const place = readName(name);
    if (place?.kind !== 'open') continue;
    try {
      for await (const { lines } of openBatches(name, disk.chunks(name))) {
        events += lines.length;
        const others = lines.filter((line) => readEventLine(line)?.operatorId !== operatorId);
        if (others.length > 0)
          faults.push(`${name} holds a line other than an event of ${operatorId}`);
      }
    } catch (error) {
      faults.push(messageOf(error));
    }
  }
  return { events, faults };
}
