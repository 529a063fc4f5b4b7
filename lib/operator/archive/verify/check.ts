import {
  longestIdentity,
  longestKeys,
  type LogKey,
  names,
  parseIdentity,
  parseKeys,
} from '../format';
import { timeOf } from '../find/event-query';
import { FolderFiles } from '../read/files';
import { readRecord, recordStarts } from '../read/open-archive';
import { ArchiveUnreadableError } from '../read/unreadable';
import { LogFormatError, type NoteKey, parseVkey } from '../tlog';
import { AccountCheck } from './accounts';
import { anchoredHeads, ownHeads } from './anchors';
import { type ArchiveVerification, closingSentence, Findings } from './findings';
import { KeyRing } from './key-ring';
import { checkListing, checkSums, findLeftovers, ListedFiles } from './listing';
import { LogState } from './log-state';
import { checkRecords } from './records';
import { SeenLeaves } from './repeated';
import type { OnEvent } from './segment';
import { checkTail, type Leftover } from './tail';

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
export async function verifyArchive(
  folder: string,
  options: VerifyOptions = {},
): Promise<ArchiveVerification> {
  const findings = new Findings();
  const files = new FolderFiles(folder);
  const trusted = (options.keys ?? []).map(knownKey);
  const { operatorId, origin, keys } = await readHead(files, trusted, findings);
  const ring = new KeyRing(origin ?? keys[0]?.name ?? '', keys, trusted);
  // Before the log, which may grow meanwhile.
  const sources = [await ownHeads(files, ring, findings)];
  for (const anchor of options.anchors ?? []) {
    sources.push(await anchoredHeads(anchor, ring, findings));
  }
  const signedEvents = sources[0]?.heads.greatest ?? 0;
  const log = new LogState(sources, findings);
  const watch = watching(operatorId, options, findings);
  const context = { files, log, findings, onEvent: watch.onEvent };
  const listed = new ListedFiles();
  const walk = await walkLog(context, { ring, listed, options });
  log.compareEnd();
  await checkListing(files, { listed, leftovers: walk.leftovers, findings });
  await checkSums(files, listed, findings);
  watch.report();
  ring.report(names.keysName, findings);
  if (walk.segments > 1 && sources[0]?.heads.count === 0) {
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
  const given: LogKey[] = trusted.map((key) => ({ ...key, signsFrom: 0 }));
  return {
    operatorId: identity?.operatorId ?? null,
    origin: identity?.origin ?? null,
    keys: keys ?? given,
  };
}

/** Reads the segments and the session. While it reads, a session may be sealed: its segment is read then. */
async function walkLog(
  context: { files: FolderFiles; log: LogState; findings: Findings; onEvent: OnEvent },
  {
    ring,
    listed,
    options,
  }: { ring: KeyRing; listed: ListedFiles; options: Pick<VerifyOptions, 'from' | 'to'> },
) {
  const { files, log, findings } = context;
  const window = { from: timeOf('from', options.from), to: timeOf('to', options.to) };
  const counts = { segments: 0, segmentsRead: 0, session: 0, firstBefore: null as string | null };
  let leftovers: Leftover[] = [];
  for (let turns = 0; ; turns++) {
    await checkRecords(context, { ring, listed, window, counts });
    const sealed = log.size;
    leftovers = await findLeftovers(files, listed, sealed);
    const unsealed = await checkTail(context, leftovers);
    // A session that was sealed or taken over meanwhile is gone, or another one has begun.
    const isOver = unsealed === 'gone' || unsealed === 'gap' || unsealed === 0;
    const isAgain = unsealed === 'gone' || (isOver && (await hasRecord(files, sealed)));
    if (isAgain && turns < 100) continue;
    if (typeof unsealed === 'number') return { ...counts, sealed, unsealed, leftovers };
    findings.fault(names.sessionsFolder, null, 'the session begins after the end of the segments');
    return { ...counts, sealed, unsealed: 0, leftovers };
  }
}

async function hasRecord(files: FolderFiles, from: number): Promise<boolean> {
  try {
    return (await readRecord(files, from)) !== null;
  } catch (error) {
    if (error instanceof LogFormatError) return false;
    throw error;
  }
}

/** What looks at every line. */
function watching(operatorId: string | null, options: VerifyOptions, findings: Findings) {
  const seen = new SeenLeaves();
  const accounts = options.accounts === true ? new AccountCheck(findings) : null;
  const member = Buffer.from(`"operatorId":${JSON.stringify(operatorId)}`);
  let repeated = 0;
  let stranger: { readonly file: string; readonly line: number } | null = null;
  const onEvent: OnEvent = (line, leaf, place) => {
    if (stranger === null && operatorId !== null && !line.includes(member)) stranger = place;
    if (seen.add(leaf)) repeated += 1;
    else accounts?.check(line, place);
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

function knownKey(vkey: string): NoteKey {
  try {
    return parseVkey(vkey);
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    throw new TypeError(`keys: ${error.message}`, { cause: error });
  }
}
