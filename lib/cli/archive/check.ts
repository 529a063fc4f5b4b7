import type { Command } from 'commander';
import { type ArchiveVerification, type Finding } from '../../operator/archive/reading';
import { FolderFiles } from '../../operator/archive/read/files';
import { verifyFiles } from '../../operator/archive/verify/check';
import { systemClock } from '../../platform';
import { counted, exitCodes, print, printJson } from '../terminal/failure';
import { collect } from '../terminal/flags';
import { withProgress } from '../terminal/progress';
import { refuseOwnCheckpoints } from './anchors';
import { reading } from './query-flags';
import { withoutControls } from '../../protocol/json/printable';

interface VerifyFlags {
  readonly key?: readonly string[];
  readonly anchor?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly accounts?: true;
  readonly json?: true;
}

/** Adds `rgs-wallet archive verify`. */
export function addVerify(archive: Command): void {
  archive
    .command('verify <dir>')
    .summary('read a whole archive, and name each fault with its file and line')
    .description(
      "Reads the archive: that its events are those that its key has signed, and that its log is the one that the anchors have seen. Exit code 0: whole; 1: faults; 2: it cannot be read. Without an anchor and the log's key from elsewhere it proves nothing against anyone who holds the folder and the key.",
    )
    .option('--key <vkey>', "the log's key, as it was published; repeatable", collect)
    .option('--anchor <dir>', 'a folder with a file checkpoints of this log; repeatable', collect)
    .option('--from <time>', 'read the lines only of segments with events from this time on')
    .option('--to <time>', 'the same, up to this time')
    .option('--accounts', "compare each player's balance after an event with those before it")
    .option('--json', 'print JSON')
    .action((folder: string, flags: VerifyFlags) => run(folder, flags));
}

async function run(folder: string, flags: VerifyFlags): Promise<void> {
  const { key, anchor, json, ...rest } = flags;
  for (const place of anchor ?? []) refuseOwnCheckpoints(place, folder);
  const verifiedAt = new Date(systemClock.now()).toISOString();
  const result = await reading(folder, () =>
    withProgress('events', (add) => {
      const options = { keys: key ?? [], anchors: anchor ?? [], ...rest };
      return verifyFiles(new FolderFiles(folder), options, { onSigned: () => add(1) });
    }),
  );
  if (json === true) printJson({ verifiedAt, ...result });
  else for (const line of textOf(result)) print(withoutControls(line));
  if (result.faults.length > 0) process.exitCode = exitCodes.wrong;
}

function textOf(result: ArchiveVerification): string[] {
  const { faults, moreFaults, notes, moreNotes, segments, segmentsRead } = result;
  const { unsealedEvents, events, signedEvents, repeatedEvents } = result;
  const facts = [
    `${counted(segments, 'segment')}${segmentsRead < segments ? `, ${segmentsRead} of them read` : ''}`,
    counted(events, 'event'),
    ...(unsealedEvents > 0 ? [`${unsealedEvents} not sealed yet`] : []),
    ...(signedEvents < events ? [`the last ${events - signedEvents} not signed yet`] : []),
    ...(repeatedEvents > 0 ? [`${repeatedEvents} that came twice`] : []),
  ];
  return [
    ...faults.map(findingText),
    ...(moreFaults > 0 ? [`and ${moreFaults} more faults`] : []),
    ...notes.map((note) => `note: ${findingText(note)}`),
    ...(moreNotes > 0 ? [`and ${moreNotes} more notes`] : []),
    facts.join(', '),
    result.sentence,
  ];
}

function findingText({ file, line, what }: Finding): string {
  return line === null ? `${file}: ${what}` : `${file} line ${line}: ${what}`;
}
