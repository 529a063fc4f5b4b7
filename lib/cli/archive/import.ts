import type { Command } from 'commander';
import { Frontier, leafHash } from '../../operator/archive/tlog';
import type { ArchiveWriter } from '../../operator/archive/writer/log-writer';
import { CommandFailure, counted, needed, print, printJson } from '../terminal/failure';
import { jsonFlag } from '../terminal/flags';
import { inFolder, noteOnStderr } from './folder';
import { oldLines, openOldArchive } from './format-1';
import { withProgress } from '../terminal/progress';
import { readKeyFile } from './key-file';

interface ImportFlags {
  readonly to?: string;
  readonly key?: string;
  readonly origin?: string;
  readonly json?: true;
}

/** Adds `rgs-wallet archive import`. */
export function addImport(group: Command): void {
  group
    .command('import <old>')
    .summary('bring the files of version 0.1 into a new folder')
    .description(
      'Compares the sealed files with SHA256SUMS, and makes their lines the first segments of a new log, in order of hour and line. It proves nothing about the time before. Start it again after a crash.',
    )
    .option('--to <dir>', 'the new folder')
    .option('--key <file>', 'the key that signs, from archive key new')
    .option('--origin <name>', 'the name of the log, for a key file without it')
    .addOption(jsonFlag())
    .action((old: string, flags: ImportFlags) => importOld(old, flags));
}

async function importOld(folder: string, flags: ImportFlags): Promise<void> {
  const to = needed('to', flags.to);
  const signer = readKeyFile('key', needed('key', flags.key), flags.origin);
  const old = await openOldArchive(folder);
  const { operatorId } = old;
  await inFolder(to, { operatorId, signer, report: noteOnStderr }, async (writer) => {
    const target = new ImportTarget(writer);
    await withProgress('events', async (add) => {
      for (const file of old.files) {
        for await (const page of oldLines(folder, old, file)) {
          await target.add(page);
          add(page.length);
        }
      }
    });
    target.finish();
    if (writer.openEvents > 0) await writer.seal();
    await writer.checkpoint();
    if (flags.json) printJson({ events: writer.size });
    else print(`${counted(writer.size, 'event')} imported.`);
  });
}

/** The new log: what an import before has left there must be the same. */
class ImportTarget {
  readonly #there: number;
  readonly #root: Buffer;
  readonly #seen = new Frontier();

  constructor(private readonly writer: ArchiveWriter) {
    this.#there = writer.size;
    this.#root = writer.root;
  }

  /** @throws CommandFailure if the log has more than the old archive. */
  finish(): void {
    if (this.#seen.size < this.#there) throw this.differs();
  }

  async add(page: Parameters<ArchiveWriter['appendLines']>[0]): Promise<void> {
    const fresh = page.filter(({ line }) => {
      if (this.#seen.size >= this.#there) return true;
      this.#seen.append(leafHash(line));
      if (this.#seen.size === this.#there && !this.#seen.root().equals(this.#root)) {
        throw this.differs();
      }
      return false;
    });
    if (fresh.length === 0) return;
    await this.writer.appendLines(fresh);
    await this.writer.check();
    this.writer.acknowledged(fresh);
    await this.writer.sealIfDue();
  }

  private differs(): CommandFailure {
    return new CommandFailure('--to holds other events than the old folder: name a new folder.');
  }
}
