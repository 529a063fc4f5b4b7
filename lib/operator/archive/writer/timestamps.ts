import { names } from '../format';
import type { ArchiveDisk } from './disk';

/** Writes the reply of a time authority under its size, whole or not at all; one that is there stays. */
export async function keepTimestamp(
  { disk, token }: { readonly disk: ArchiveDisk; readonly token: string },
  size: number,
  reply: Buffer,
): Promise<void> {
  const name = names.timestampName(size);
  const temporary = names.unfinishedName(`${name}.${token}`);
  await disk.makeFolder(names.timestampsFolder);
  await disk.remove(temporary);
  await disk.create(temporary, [reply]);
  await disk.link(temporary, name);
  await disk.remove(temporary);
  await disk.sync(names.timestampsFolder);
}
