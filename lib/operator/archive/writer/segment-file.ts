import { createHash } from 'node:crypto';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { type Compression, FindFilter, findKeysOf } from '../format';
import type { ArchiveDisk } from './disk';
import { damaged } from './sealed';
import { sessionItems } from '../read/session-items';

/** A file of lines that was written. */
export interface SegmentFile {
  readonly bytes: number;
  readonly sha256: string;
  readonly filter: FindFilter;
}

/**
 * Compresses the events of a session into a new file. It is compressed in zlib's threads, and lines are read in slices, so
 * that the process answers meanwhile.
 */
export async function writeSegment(
  disk: ArchiveDisk,
  session: string,
  count: number,
  file: { readonly name: string; readonly compression: Compression },
): Promise<SegmentFile> {
  const hash = createHash('sha256');
  const filter = FindFilter.forEvents(count);
  let bytes = 0;
  // When one end of a pipeline fails, the other may be what rejects it, with an AbortError.
  let cause: { readonly error: unknown } | null = null;
  const note = (error: unknown): never => {
    cause ??= { error };
    throw error;
  };
  const hashed = async function* (compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of compressed) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  await pipeline(
    Readable.from(linesOf(disk, session, { count, filter, note })),
    compressor(file.compression),
    (compressed: AsyncIterable<Buffer>) => disk.create(file.name, hashed(compressed)).catch(note),
  ).catch((error: unknown) => {
    throw cause === null ? error : cause.error;
  });
  return { bytes, sha256: hash.digest('hex'), filter };
}

/** The lines of a session's events, each batch in one piece. */
async function* linesOf(
  disk: ArchiveDisk,
  session: string,
  {
    count,
    filter,
    note,
  }: {
    readonly count: number;
    readonly filter: FindFilter;
    readonly note: (error: unknown) => never;
  },
): AsyncGenerator<Buffer> {
  let found = 0;
  try {
    for await (const item of sessionItems(disk.chunks(session))) {
      if (item.kind === 'damage') throw damaged(session, `line ${item.line}: ${item.what}`);
      if (item.kind !== 'batch') continue;
      const { lines } = item;
      found += lines.length;
      for (const line of lines) filter.add(findKeysOf(line));
      yield textOf(lines);
    }
    if (found !== count) throw damaged(session, `it has ${found} events instead of ${count}`);
  } catch (error) {
    note(error);
  }
}

/** The lines, each with a line break: `Buffer.concat` costs more for so many pieces. */
function textOf(lines: readonly Buffer[]): Buffer {
  const text = Buffer.allocUnsafe(lines.reduce((sum, { length }) => sum + length + 1, 0));
  let end = 0;
  for (const line of lines) {
    text.set(line, end);
    end += line.length;
    text[end++] = lineBreak;
  }
  return text;
}

/** As Node has it from 22.15 on. */
interface Zstd {
  readonly createZstdCompress?: (options: object) => Transform;
}

/** Whether this version of Node can compress so. */
export function hasCompression(compression: Compression): boolean {
  return compression === 'gzip' || (zlib as Zstd).createZstdCompress !== undefined;
}

function compressor(compression: Compression): Transform {
  if (compression === 'gzip') return zlib.createGzip({ level: 1, chunkSize });
  const { createZstdCompress } = zlib as Zstd;
  if (createZstdCompress !== undefined) return createZstdCompress({ chunkSize });
  throw new TypeError('compression: zstd needs Node 22.15 or later');
}

const chunkSize = 262_144;
const lineBreak = 10;
