import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import { isTime } from '../../operator/archive/format';
import type { NewLine } from '../../operator/archive/writer/options';
import { isFormat1 } from '../../operator/archive/writer/identity';
import { wholeLines } from '../../operator/archive/read/session-items';
import { CommandFailure, messageOf } from '../terminal/failure';

/** An archive of version 0.1: a file an hour, sealed ones with their sums in `SHA256SUMS`. */
export interface OldArchive {
  readonly operatorId: string;
  /** The files in order of hour and part; an hour that is not sealed comes after its parts. */
  readonly files: readonly string[];
}

/** Opens the folder, and compares each sealed file with its sum. @throws CommandFailure */
export async function openOldArchive(folder: string): Promise<OldArchive> {
  const identity = await textOf(folder, 'archive.json');
  if (!isFormat1(identity)) throw new CommandFailure('The folder is no archive of format 1.');
  const { operatorId } = JSON.parse(identity) as { operatorId: string };
  const sums = readSums(await textOf(folder, 'SHA256SUMS', ''));
  const found = (await readdir(folder)).flatMap((name) => placeOf(name) ?? []);
  const sealed = found.filter(({ isOpen }) => !isOpen).map(({ name }) => name);
  for (const name of new Set([...sums.keys(), ...sealed])) {
    const sum = sealed.includes(name) ? await sha256Of(join(folder, name)) : null;
    if (sum !== null && sum === sums.get(name)) continue;
    throw new CommandFailure(`${name} is not what was sealed: nothing was imported.`);
  }
  const files = found.toSorted((one, other) => {
    return one.hour === other.hour ? one.part - other.part : one.hour < other.hour ? -1 : 1;
  });
  return { operatorId, files: files.map(({ name }) => name) };
}

/** The events of a file, in pages. @throws CommandFailure with the invalid line. */
export async function* oldLines(
  folder: string,
  { operatorId }: OldArchive,
  name: string,
): AsyncGenerator<NewLine[]> {
  const isOpen = name.endsWith('.open');
  let [page, held, number] = [[] as NewLine[], [] as NewLine[], 0];
  for await (const line of linesOf(join(folder, name), isOpen)) {
    number += 1;
    const text = line?.toString() ?? '';
    if (isOpen && text.startsWith('{"batch":')) {
      page = held;
      held = [];
    } else {
      const read = readLine(text, operatorId);
      if (read === null)
        throw new CommandFailure(`${name} line ${number} is no event of ${operatorId}.`);
      (isOpen ? held : page).push(read);
    }
    if (page.length < (isOpen ? 1 : pageSize)) continue;
    yield page;
    page = [];
  }
  // Lines of an open hour without their batch line were not acknowledged: the store delivers them again.
  if (page.length > 0) yield page;
}

async function* linesOf(path: string, isOpen: boolean): AsyncGenerator<Buffer | null> {
  const file = createReadStream(path);
  const unpacked = isOpen ? file : createGunzip();
  if (unpacked !== file) {
    pipeline(file, unpacked as Gunzip).catch((error: unknown) => unpacked.destroy(error as Error));
  }
  try {
    for await (const lines of wholeLines(unpacked as AsyncIterable<Buffer>)) yield* lines;
  } catch (error) {
    throw new CommandFailure(`${basename(path)} is damaged: ${messageOf(error)}`);
  }
}

function readLine(line: string, operatorId: string): NewLine | null {
  try {
    const event = JSON.parse(line) as Partial<Record<'id' | 'at' | 'operatorId', unknown>>;
    const { id, at } = event;
    if (typeof id !== 'string' || typeof at !== 'string' || !isTime(at)) return null;
    return event.operatorId === operatorId ? { id, at, line } : null;
  } catch {
    return null;
  }
}

function placeOf(name: string) {
  const [, hour, part = '1', ending] =
    /^(\d{4}-\d\d-\d\dT\d\d)(?:\.([1-9]\d{0,8}))?\.(jsonl\.gz|open)$/.exec(name) ?? [];
  if (hour === undefined) return null;
  const isOpen = ending === 'open';
  return { name, hour, part: isOpen ? Number.POSITIVE_INFINITY : Number(part), isOpen };
}

function readSums(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [, sum, name] = /^([0-9a-f]{64}) [ *](\S{1,100})$/.exec(line) ?? [];
      if (sum !== undefined && name !== undefined) return [name, sum];
      throw new CommandFailure('SHA256SUMS is damaged: nothing was imported.');
    }),
  );
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function textOf(folder: string, name: string, missing?: string): Promise<string> {
  try {
    return await readFile(join(folder, name), 'utf8');
  } catch (error) {
    const isMissing = (error as { code?: unknown }).code === 'ENOENT';
    if (isMissing && missing !== undefined) return missing;
    throw new CommandFailure(`The folder is no archive of format 1: ${messageOf(error)}`);
  }
}

const pageSize = 1_000;
