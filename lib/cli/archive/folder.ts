import type { WalletEvent } from '../../operator/wallet';
import { CommandFailure, messageOf } from '../terminal/failure';
import type { ArchiveDisk } from './disk';
import { endOfHour, hourOf, readEventLine, SeenEvents } from './line';
import * as names from './names';
import { openBatches, openBatchText } from './open-file';
import { readSealed, writeSealed } from './sealed-file';

/** A file that was sealed. */
export interface SealedFile {
  readonly file: string;
  readonly events: number;
}

/** Says what a person should know. */
export type Report = (level: 'info' | 'warn' | 'error', fields: object, message: string) => void;

/** How long after its end an hour stays open for late events, in milliseconds. */
export const lateMs = 5 * 60_000;

/**
 * The folder of an archive. Events are appended to the open file of their hour, line by line. When the hour is
 * over, its file is sealed: compressed, without what came twice, and its checksum written. A sealed file does not
 * change any more; what comes later for its hour is sealed as part 2. A crash between any two steps loses
 * nothing: the next {@link ArchiveFolder.open} finishes or repeats the step.
 */
export class ArchiveFolder {
  /** When an event was last appended to the open file of each hour, in milliseconds since 1970. */
  readonly #open = new Map<string, number>();
  #checksums = new Map<string, string>();

  private constructor(
    private readonly disk: ArchiveDisk,
    private readonly report: Report,
  ) {}

  /**
   * Opens the folder for the events of an operator, and repairs what a crash left: a torn end is cut off.
   * @throws CommandFailure if it holds the events of another operator; DamagedFileError.
   */
  static async open(disk: ArchiveDisk, operatorId: string, report: Report): Promise<ArchiveFolder> {
    const folder = new ArchiveFolder(disk, report);
    await folder.identify(operatorId);
    await folder.repair();
    return folder;
  }

  /** The hours that are not sealed, in order. */
  get openHours(): readonly string[] {
    return [...this.#open.keys()].toSorted();
  }

  /** Appends the events, each to the file of its hour: all of them are on the disk when it resolves. */
  async append(events: readonly WalletEvent[], now: number): Promise<void> {
    const hours = new Map<string, string[]>();
    for (const event of events) {
      const hour = hourOf(event);
      const lines = hours.get(hour) ?? [];
      hours.set(hour, lines);
      lines.push(JSON.stringify(event));
    }
    const isNew = [...hours.keys()].some((hour) => !this.#open.has(hour));
    const appended = await Promise.allSettled(
      [...hours].map(([hour, lines]) => {
        return this.disk.append(names.openName(hour), openBatchText(lines));
      }),
    );
    for (const one of appended) if (one.status === 'rejected') throw one.reason;
    if (isNew) await this.disk.sync();
    for (const hour of hours.keys()) this.#open.set(hour, now);
  }

  /**
   * Seals the hours that are over. While older events are still being read, only those to which none came for a
   * while.
   */
  async sealDue(now: number, isCaughtUp: boolean): Promise<SealedFile[]> {
    const sealed: SealedFile[] = [];
    for (const hour of this.openHours) {
      const isOver = now >= endOfHour(hour) + lateMs;
      const isQuiet = now - (this.#open.get(hour) ?? 0) >= lateMs;
      if (!isOver || !(isCaughtUp || isQuiet)) continue;
      const file = await this.seal(hour);
      if (file !== null) sealed.push(file);
    }
    return sealed;
  }

  /** Seals the file of an hour; null if all its events are sealed already. */
  private async seal(hour: string): Promise<SealedFile | null> {
    const parts = this.partsOf(hour);
    const seen = new SeenEvents();
    for (const { file } of parts) await this.readPart(file, seen);
    const file = names.sealedName(hour, (parts.at(-1)?.part ?? 0) + 1);
    const temporary = names.unfinishedName(file);
    let events = 0;
    const { disk } = this;
    const fresh = async function* (): AsyncGenerator<string> {
      const name = names.openName(hour);
      for await (const { lines } of openBatches(name, disk.chunks(name))) {
        const kept = lines.filter((line) => seen.add(readEventLine(line)?.key ?? line));
        events += kept.length;
        if (kept.length > 0) yield kept.map((line) => `${line}\n`).join('');
      }
    };
    const checksum = await writeSealed(disk, temporary, fresh());
    if (events > 0) {
      await disk.rename(temporary, file);
      await disk.sync();
      await this.writeChecksum(file, checksum);
    } else await disk.remove(temporary);
    await disk.remove(names.openName(hour));
    this.#open.delete(hour);
    return events > 0 ? { file, events } : null;
  }

  private async readPart(file: string, seen: SeenEvents): Promise<void> {
    const { fault } = await readSealed(this.disk, file, (line) => {
      seen.add(readEventLine(line)?.key ?? line);
    });
    if (fault === null) return;
    this.report(
      'error',
      { file, fault },
      'a sealed file cannot be read: late events may come twice',
    );
  }

  private async writeChecksum(file: string, checksum: string): Promise<void> {
    const checksums = new Map(this.#checksums).set(file, checksum);
    await this.replace(names.checksumsName, names.checksumsText(checksums));
    this.#checksums = checksums;
  }

  private async identify(operatorId: string): Promise<void> {
    const { disk } = this;
    const text = await disk.read(names.identityName);
    if (text === null) {
      await this.replace(names.identityName, `${JSON.stringify({ operatorId })}\n`);
    } else if (names.readIdentity(text) !== operatorId) {
      throw new CommandFailure(
        'The folder holds the events of another operator: use a separate folder for each.',
      );
    }
  }

  private async repair(): Promise<void> {
    const { disk } = this;
    const found = (await disk.names()).map((name) => [name, names.readName(name)] as const);
    for (const [name, known] of found) if (known?.kind === 'unfinished') await disk.remove(name);
    this.#checksums = await readChecksumsOf(disk);
    for (const [name, known] of found) {
      if (known?.kind !== 'open') continue;
      this.#open.set(known.hour, 0);
      const end = await this.wholeBytes(name);
      const length = await disk.size(name);
      if (end === length) continue;
      await disk.truncate(name, end);
      this.report(
        'warn',
        { file: name, bytes: length - end },
        'the torn end of a file was cut off',
      );
    }
    for (const [name, known] of found) {
      if (known?.kind !== 'sealed' || this.#checksums.has(name)) continue;
      if (!this.#open.has(known.hour)) {
        throw new CommandFailure(
          `${name} has no line in ${names.checksumsName}: run events archive --verify, and move it away.`,
        );
      }
      await disk.remove(name); // its sealing did not end
    }
    await disk.sync();
  }

  private async wholeBytes(name: string): Promise<number> {
    let end = 0;
    for await (const batch of openBatches(name, this.disk.chunks(name))) end = batch.end;
    return end;
  }

  private partsOf(hour: string): { readonly file: string; readonly part: number }[] {
    return [...this.#checksums.keys()]
      .flatMap((file) => {
        const name = names.readName(file);
        return name?.kind === 'sealed' && name.hour === hour ? [{ file, part: name.part }] : [];
      })
      .toSorted((one, other) => one.part - other.part);
  }

  private async replace(name: string, text: string): Promise<void> {
    const temporary = names.unfinishedName(name);
    await this.disk.write(temporary, [text]);
    await this.disk.rename(temporary, name);
    await this.disk.sync();
  }
}

/** @throws CommandFailure if the file of checksums is damaged. */
export async function readChecksumsOf(disk: ArchiveDisk): Promise<Map<string, string>> {
  try {
    return names.readChecksums((await disk.read(names.checksumsName)) ?? '');
  } catch (error) {
    throw new CommandFailure(messageOf(error));
  }
}
