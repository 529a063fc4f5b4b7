import { type ArchiveDisk, openDisk } from '../../operator/archive/writer/disk';
import { thisProcess } from '../../operator/archive/writer/holder';
import { ArchiveWriter } from '../../operator/archive/writer/log-writer';
import type { WriterOptions } from '../../operator/archive/writer/options';
import { ArchiveRefusedError } from '../../operator/archive/writer/refused';
import { systemClock, systemRandom } from '../../platform';
import { CommandFailure, messageOf } from '../terminal/failure';
import { refuseWithin } from './place';
import { withoutControls } from '../../protocol/json/printable';

/** What a command says of the folder that it writes, and how. */
export type FolderOptions = Omit<WriterOptions, 'disk' | 'clock' | 'random' | 'process'>;

/** Opens the folder of `--to`, works, and lets it go. @throws CommandFailure that names the folder. */
export async function inFolder(
  path: string,
  options: FolderOptions,
  work: (writer: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const disk = await diskOf('to', path);
  await onDisk(path, async () => {
    const ports = { clock: systemClock, random: systemRandom, process: thisProcess() };
    const writer = await ArchiveWriter.open({ ...options, ...ports, disk });
    try {
      await work(writer);
    } finally {
      await writer.close();
    }
  });
}

/** What a person should know, as a line on stderr. */
export function noteOnStderr(_level: string, fields: object, message: string): void {
  process.stderr.write(`${withoutControls(`${message}: ${JSON.stringify(fields)}`)}\n`);
}

/** The folder that a flag names; it is made where it may be. @throws CommandFailure */
export async function diskOf(flag: string, path: string): Promise<ArchiveDisk> {
  await refuseWithin(flag, path);
  try {
    return await openDisk(path);
  } catch (error) {
    throw new CommandFailure(`--${flag}: ${messageOf(error)}`);
  }
}

/** Names the folder where the disk is what failed: full, or not to be written. */
async function onDisk(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ArchiveRefusedError) {
      throw new CommandFailure(withoutControls(messageOf(error)));
    }
    const isDisk = error instanceof Error && 'syscall' in error && !('address' in error);
    if (!isDisk) throw error;
    throw new CommandFailure(
      `The archive in ${path} cannot be written, and nothing more of it was acknowledged: ${messageOf(error)}`,
    );
  }
}
