import type { Command } from 'commander';
import { systemClock, systemRandom } from '../../platform';
import { CommandFailure, exitCodes, messageOf, needed } from '../terminal/failure';
import { createLog } from '../terminal/log';
import { addEventsFlags, archiveConsumer, type EventsFlags, withEvents } from './flags';
import { stopSignal } from '../terminal/stop-signals';
import { type ArchiveDisk, openFolder } from '../archive/disk';
import { ArchiveFolder } from '../archive/folder';
import { ArchiveLock } from '../archive/lock';
import { archiveEvents } from '../archive/run';
import { verifyArchive } from '../archive/verify';

interface ArchiveFlags extends EventsFlags {
  readonly to?: string;
  readonly verify?: string;
  readonly once?: true;
}

/** Adds `rgs-wallet events archive`. */
export function addArchive(group: Command): void {
  addEventsFlags(
    group
      .command('archive')
      .summary('keep every event in files, one compressed file an hour')
      .description(
        'Appends events to the file of their UTC hour and acknowledges them once they are on the disk. Five minutes after the hour the file is compressed and its checksum written to SHA256SUMS. Start it again after a crash: nothing is lost, nothing is kept twice.',
      )
      .option('--to <dir>', 'the folder, created if it does not exist; one for each operator')
      .option('--verify <dir>', 'read the whole archive, and name each damaged file and line')
      .option('--once', 'end when nothing waits any more, instead of waiting for new events'),
  ).action((flags: ArchiveFlags) => {
    return flags.verify === undefined ? archive(flags) : verify(flags, flags.verify);
  });
}

async function archive(flags: ArchiveFlags): Promise<void> {
  const to = needed('to', flags.to);
  const consumer = flags.consumer ?? archiveConsumer;
  const signal = stopSignal();
  const log = createLog('info');
  await withEvents(flags, async ({ source, operatorId }) => {
    const disk = await folderAt('to', to);
    const lock = new ArchiveLock(disk, systemClock, systemRandom);
    await onDisk(to, () => lock.take());
    try {
      const report = (level: 'info' | 'warn' | 'error', fields: object, message: string) =>
        log[level](fields, message);
      const folder = await onDisk(to, () => ArchiveFolder.open(disk, operatorId, report));
      const once = flags.once === true;
      const ports = { clock: systemClock, random: systemRandom, log };
      await onDisk(to, () =>
        archiveEvents({ consumer, operatorId, once, signal }, { source, folder, lock, ...ports }),
      );
    } finally {
      await lock.release().catch(() => undefined);
    }
  });
}

async function verify(flags: ArchiveFlags, path: string): Promise<void> {
  if (flags.to !== undefined) throw new CommandFailure('--verify takes no --to: name one folder.');
  const disk = await folderAt('verify', path);
  const { files, events, openEvents, faults } = await onDisk(path, () => verifyArchive(disk));
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  const end = faults.length === 0 ? 'the archive is whole' : `${faults.length} faults`;
  const open = openEvents === 0 ? '' : `, ${openEvents} in hours that are still open`;
  process.stdout.write(`${files} files, ${events} events${open}: ${end}.\n`);
  if (faults.length > 0) process.exitCode = exitCodes.wrong;
}

async function folderAt(flag: 'to' | 'verify', path: string): Promise<ArchiveDisk> {
  try {
    return await openFolder(path, flag === 'to' ? 'write' : 'read');
  } catch (error) {
    throw new CommandFailure(`--${flag}: ${messageOf(error)}`);
  }
}

/** Names the folder where the disk is what failed: full, or not to be written. */
async function onDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isDisk = error instanceof Error && 'syscall' in error && !('address' in error);
    if (!isDisk) throw error;
    throw new CommandFailure(
      `The archive in ${path} cannot be written, and nothing of it was acknowledged: ${messageOf(error)}`,
    );
  }
}
