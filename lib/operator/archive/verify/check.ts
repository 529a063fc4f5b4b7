import {
  longestIdentity,
  longestKeys,
  type LogKey,
  names,
  parseIdentity,
  parseKeys,
} from '../format';
import { FolderFiles } from '../read/files';
import { recordStarts } from '../read/open-archive';
import { type HeldSession, holdNewestSession, sessionNumbers } from '../read/session';
import { ArchiveUnreadableError } from '../read/unreadable';
import { LogFormatError, type NoteKey } from '../tlog';
import { AccountCheck, type AccountEvent } from './accounts';
import { anchoredHeads, ownHeads } from './anchors';
import { type ArchiveVerification, closingSentence, Findings } from './findings';
import { KeyRing, knownKey } from './key-ring';
import { checkListing, checkSums, holdSums, ListedFiles } from './listing';
import { LogState } from './log-state';
import { checkRecords, countsOfNone, type ReadsSegment, readsWithin } from './records';
import { SeenLeaves } from './repeated';
import type { EventPlace, OnEvent } from './segment';
import { checkTail } from './tail';
import { checkTimestamps } from './timestamps';

/** How to verify an archive. */
export interface VerifyOptions {
  /** Keys of the log that are known from elsewhere, as published: `name+id+base64`. */
  readonly keys?: readonly string[];
  /** Folders with a file `checkpoints`, each of another administrator. */
  readonly anchors?: readonly string[];
  /** Reads the lines only of segments with events from this time on, in ISO 8601; of the others the records. */
  readonly from?: string;
  /** The same, up to this time. */
  readonly to?: string;
  /** Compares each event's accounts with those before it (O12); parses every line. */
  readonly accounts?: boolean;
}

/**
 * Reads a whole archive: that its lines, files and records are those that its keys have signed, and that its log is
 * the one that the anchors have seen. It may be written to meanwhile. Memory: one line, a few MB, and with `accounts`
 * the players.
 * @throws TypeError for wrong options; ArchiveUnreadableError if the folder is no archive, or a disk fails.
 */
export function verifyArchive(
  folder: string,
  options: VerifyOptions = {},
): Promise<ArchiveVerification> {
  return verifyFiles(new FolderFiles(folder), options);
}

/** What a reader of the events sets. */
export interface OwnReading {
  /** In place of `from` and `to`. */
  readonly reads?: ReadsSegment;
  /**
   * Gets each event that a checkpoint signs and that was not in the log before. Whether the log is whole is only known at
   * the end. The bytes are valid during the call only.
   */
  readonly onSigned?: (line: Buffer, place: EventPlace) => void;
}

/**
 * Verifies the archive of these files. What may grow is taken in the order against that in which a writer makes it:
 * checkpoints, checksums, the session, then the records. So each has, and whatever comes later, all that those before it
 * speak of. The keys come first, since all else is checked by them, and again if one has come meanwhile.
 */
export async function verifyFiles(
  files: FolderFiles,
  options: VerifyOptions,
  { reads = readsWithin(options), onSigned = () => undefined }: OwnReading = {},
): Promise<ArchiveVerification> {
  const findings = new Findings();
  const trusted = (options.keys ?? []).map(knownKey);
  const { operatorId, origin, keys } = await readHead(files, trusted, findings);
  const ring = new KeyRing(origin ?? keys[0]?.name ?? '', keys, trusted, () => laterKeys(files));
  const sources = [await ownHeads(files, ring, findings)];
  for (const anchor of options.anchors ?? []) {
    sources.push(await anchoredHeads(anchor, ring, findings));
  }
  const signedEvents = sources[0]?.heads.greatest ?? 0;
  const log = new LogState(sources, findings);
  const watch = watching(operatorId, { ...options, signedEvents, onSigned }, findings);
  const context = { files, log, findings, onEvent: watch.onEvent };
  const walk = await walkAll(context, ring, reads);
  watch.report();
  ring.report(names.keysName, findings);
  if (walk.segments > 1 && sources[0]?.heads.count === 0 && !(await hasCheckpoints(files))) {
    findings.fault(names.checkpointsName, null, 'it has none of the checkpoints that were made');
  }
  const signed = Math.max(signedEvents, walk.sealed);
  const result = {
    operatorId,
    origin,
    segments: walk.segments,
    segmentsRead: walk.segmentsRead,
    events: log.size,
    unsealedEvents: walk.unsealed,
    firstAt: walk.firstAt,
    lastAt: walk.lastAt,
    signedEvents: Math.min(signed, log.size),
    repeatedEvents: watch.repeated(),
    faults: findings.faults,
    moreFaults: findings.moreFaults,
    notes: findings.notes,
    moreNotes: findings.moreNotes,
    anchored: log.anchored,
  };
  return { ...result, sentence: closingSentence(result) };
}

/** Reads `archive.json` and `keys`: damaged ones are faults. @throws ArchiveUnreadableError for a folder without an archive. */
async function readHead(files: FolderFiles, trusted: readonly NoteKey[], findings: Findings) {
  const named = async <T>(name: string, most: number, parse: (text: string) => T) => {
    try {
      const text = await files.text(name, most);
      if (text !== null) return parse(text);
      findings.fault(name, null, 'the file is missing');
    } catch (error) {
      if (!(error instanceof LogFormatError)) throw error;
      findings.fault(name, null, error.message);
    }
    return null;
  };
  const identity = await named(names.identityName, longestIdentity, parseIdentity);
  const keys = await named(names.keysName, longestKeys, parseKeys);
  const hasRecords = (await recordStarts(files)).length > 0;
  if (identity === null && keys === null && !hasRecords) {
    throw new ArchiveUnreadableError('the folder is no archive of format 2');
  }
  const given: LogKey[] = trusted.map((key) => ({ ...key, signsFrom: 0, signedOver: null }));
  return {
    operatorId: identity?.operatorId ?? null,
    origin: identity?.origin ?? null,
    keys: keys ?? given,
  };
}

/** The keys as they are now; damaged ones are a fault already. */
async function laterKeys(files: FolderFiles): Promise<readonly LogKey[] | null> {
  try {
    const text = await files.text(names.keysName, longestKeys);
    return text === null ? null : parseKeys(text);
  } catch (error) {
    if (error instanceof LogFormatError) return null;
    throw error;
  }
}

interface WalkContext {
  readonly files: FolderFiles;
  readonly log: LogState;
  readonly findings: Findings;
  readonly onEvent: OnEvent;
}

/** Reads the log, and compares the folder with it. */
async function walkAll(context: WalkContext, ring: KeyRing, reads: ReadsSegment) {
  const { files, log, findings } = context;
  const listed = new ListedFiles();
  const sums = await holdSums(files, findings);
  try {
    // One that is not a plain file is a fault of the listing.
    const session = await holdNewestSession(files, () => undefined);
    try {
      const walk = await walkLog(context, { ring, listed, session, reads });
      log.compareEnd();
      await checkListing(files, { listed, size: log.size, findings });
      await checkTimestamps(files, findings);
      if (sums !== null) await checkSums(sums, listed, findings);
      return walk;
    } finally {
      await session?.file.close();
    }
  } finally {
    await sums?.close();
  }
}

/** Reads the segments and the session. */
async function walkLog(
  context: WalkContext,
  {
    ring,
    listed,
    session,
    reads,
  }: {
    ring: KeyRing;
    listed: ListedFiles;
    session: HeldSession | null;
    reads: ReadsSegment;
  },
) {
  const { files, log, findings } = context;
  const counts = countsOfNone();
  await checkRecords(context, { ring, listed, reads, counts });
  const sealed = log.size;
  if (session === null || (await isOvertaken(files, session, counts.session))) {
    return { ...counts, sealed, unsealed: 0 };
  }
  const unsealed = await checkTail(context, session);
  if (unsealed !== 'gap') return { ...counts, sealed, unsealed };
  findings.fault(names.sessionsFolder, null, 'the session begins after the end of the segments');
  return { ...counts, sealed, unsealed: 0 };
}

/**
 * Whether a session after this one has sealed meanwhile: all that counts of this one is sealed, and what its writer appended
 * since is not in the log.
 */
async function isOvertaken(files: FolderFiles, { number }: HeldSession, sealedBy: number) {
  return sealedBy > number && ((await sessionNumbers(files))[0] ?? 0) > number;
}

/** Whether the folder has checkpoints by now. */
async function hasCheckpoints(files: FolderFiles): Promise<boolean> {
  try {
    const held = await files.hold(names.checkpointsName);
    await held?.close();
    return held !== null && held.bytes > 0;
  } catch (error) {
    if (error instanceof LogFormatError) return false;
    throw error;
  }
}

/** What looks at every line. */
function watching(
  operatorId: string | null,
  {
    accounts: areCompared,
    signedEvents,
    onSigned,
  }: Pick<VerifyOptions, 'accounts'> & { signedEvents: number } & Required<
      Pick<OwnReading, 'onSigned'>
    >,
  findings: Findings,
) {
  const seen = new SeenLeaves();
  const accounts = areCompared === true ? accountCheck(findings) : null;
  const member = Buffer.from(`"operatorId":${JSON.stringify(operatorId)}`);
  let repeated = 0;
  let stranger: { readonly file: string; readonly line: number } | null = null;
  const onEvent: OnEvent = (line, leaf, place) => {
    if (stranger === null && operatorId !== null && !line.includes(member)) stranger = place;
    if (seen.add(leaf)) {
      repeated += 1;
      return;
    }
    accounts?.(line, place);
    // Sealed events are signed; of the session's, those that a checkpoint covers.
    if (isSealed(place) || place.index < signedEvents) onSigned(line, place);
  };
  return {
    onEvent,
    repeated: () => repeated,
    /** Of a forged line more is known, and of a folder of another operator all lines are strange. */
    report: () => {
      if (stranger === null || findings.faults.length > 0) return;
      const what = 'it is no event of the operator of archive.json';
      findings.fault(stranger.file, stranger.line, what);
    },
  };
}

/** Compares the accounts of each line with those before. */
function accountCheck(findings: Findings) {
  const check = new AccountCheck<EventPlace>(({ file, line }, before) => {
    const follows = `it does not follow from ${before?.file} line ${before?.line}`;
    const jump = `the balance of its player jumps: ${follows}`;
    findings.fault(file, line, before === null ? 'its accounts are no amounts' : jump);
  });
  return (text: Buffer, place: EventPlace): void => {
    const event = parsedEvent(text);
    if (event === null) return findings.fault(place.file, place.line, 'the line is not JSON');
    if (event.round === null) findings.note(place.file, place.line, lostContent);
    check.check(event, place);
  };
}

const lostContent =
  'it points to a round that the store had deleted: what it moved is not in the archive';

function parsedEvent(line: Buffer): AccountEvent | null {
  try {
    return JSON.parse(line.toString()) as AccountEvent | null;
  } catch {
    return null;
  }
}

function isSealed({ file }: EventPlace): boolean {
  return !file.startsWith(`${names.sessionsFolder}/`);
}
