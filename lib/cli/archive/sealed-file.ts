import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { ArchiveDisk } from './disk';
import { wholeLines } from './open-file';

/**
 * Writes a compressed file of these lines, each with its line break. Resolves to its checksum once it is on the
 * disk.
 */
export async function writeSealed(
  disk: ArchiveDisk,
  name: string,
  texts: AsyncIterable<string>,
): Promise<string> {
  const hash = createHash('sha256');
  // When one end of a pipeline fails, the other may be what rejects it, with an AbortError.
  let cause: { readonly error: unknown } | null = null;
  const note = (error: unknown): never => {
    cause ??= { error };
    throw error;
  };
  await pipeline(
    Readable.from(noting(texts, note)),
    createGzip(),
    (compressed: AsyncIterable<Buffer>) => disk.write(name, hashed(compressed, hash)).catch(note),
  ).catch((error: unknown) => {
    throw cause === null ? error : cause.error;
  });
  return hash.digest('hex');
}

/** How reading a compressed file ended. */
export interface SealedReading {
  /** Of the whole file; null if it could not be read to its end. */
  readonly sha256: string | null;
  /** Why the lines end early; null if they do not. */
  readonly fault: string | null;
}

/** Reads a compressed file: calls `look` with each line that can be read, and its number. */
export async function readSealed(
  disk: ArchiveDisk,
  name: string,
  look: (line: string, number: number) => void,
): Promise<SealedReading> {
  const hash = createHash('sha256');
  let number = 0;
  let length = 0;
  let lines = 0;
  const read = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    const counted = counting(chunks, (bytes) => (length += bytes));
    for await (const line of wholeLines(counted)) {
      look(line.toString(), ++number);
      lines += line.length + 1;
    }
  };
  try {
    const compressed = Readable.from(hashed(disk.chunks(name), hash));
    await pipeline(compressed, createGunzip(), read);
    const isTorn = length > lines;
    return { sha256: hash.digest('hex'), fault: isTorn ? 'the last line is torn' : null };
  } catch (error) {
    return { sha256: null, fault: String((error as { message?: unknown } | null)?.message) };
  }
}

async function* noting(
  texts: AsyncIterable<string>,
  note: (error: unknown) => never,
): AsyncGenerator<string> {
  try {
    yield* texts;
  } catch (error) {
    note(error);
  }
}

async function* hashed(
  chunks: AsyncIterable<Buffer>,
  hash: { update(chunk: Buffer): unknown },
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

async function* counting(
  chunks: AsyncIterable<Buffer>,
  count: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    count(chunk.length);
    yield chunk;
  }
}
