import { createHash } from 'node:crypto';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { type Compression, longestLine } from '../format';
import { ArchiveUnreadableError } from './unreadable';

/** Looks at a line, without its line break; false ends the reading. The bytes are valid during the call only. */
export type LookAtLine = (line: Buffer, number: number) => boolean | void;

/** How reading the lines of a file ended. */
export interface LinesRead {
  /** Whole lines. */
  readonly lines: number;
  /** Why they end early; null if they do not. `torn`: the last line has no line break. */
  readonly fault: 'torn' | 'too long' | 'damaged' | null;
}

/** Reads lines, one in memory at a time. */
export async function eachLine(
  chunks: AsyncIterable<Buffer>,
  look: LookAtLine,
): Promise<LinesRead> {
  let [rest, restBytes, lines] = [[] as Buffer[], 0, 0];
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      let line = chunk.subarray(from, at);
      if (restBytes > 0) {
        line = Buffer.concat([...rest, line]);
        [rest, restBytes] = [[], 0];
      }
      from = at + 1;
      if (line.length > longestLine) return { lines, fault: 'too long' };
      lines += 1;
      if (look(line, lines) === false) return { lines, fault: null };
    }
    if (from === chunk.length) continue;
    rest.push(chunk.subarray(from));
    restBytes += chunk.length - from;
    if (restBytes > longestLine) return { lines, fault: 'too long' };
  }
  return { lines, fault: restBytes > 0 ? 'torn' : null };
}

/** What a compressed file is. */
export interface CompressedRead extends LinesRead {
  /** Of the file; null if it was not read to its end. */
  readonly sha256: string | null;
  readonly bytes: number;
}

/**
 * Reads the lines of a compressed file.
 * @throws ArchiveUnreadableError if this version of Node cannot decompress it, or the disk fails.
 */
export async function eachCompressedLine(
  chunks: AsyncIterable<Buffer>,
  compression: Compression,
  look: LookAtLine,
): Promise<CompressedRead> {
  const hash = createHash('sha256');
  let [bytes, isRead, isOver] = [0, false, false];
  let cause: unknown = null;
  const hashed = async function* (): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
      isRead = true;
    } catch (error) {
      cause = error;
      throw error;
    }
  };
  const result = { lines: 0, fault: null as LinesRead['fault'] };
  const counted: LookAtLine = (line, number) => {
    result.lines = number;
    return look(line, number);
  };
  try {
    await pipeline(Readable.from(hashed()), decompressor(compression), async (lines) => {
      Object.assign(result, await eachLine(lines as AsyncIterable<Buffer>, counted));
      isOver = true;
    });
  } catch (error) {
    if (cause !== null) throw cause;
    // Ending in the middle aborts the streams before.
    if (!isOver && !isOfZlib(error)) throw error;
    if (!isOver) result.fault = 'damaged';
  }
  return { ...result, bytes, sha256: isRead ? hash.digest('hex') : null };
}

/** As Node has it from 22.15 on. */
interface Zstd {
  createZstdDecompress?(options: object): Transform;
}

function decompressor(compression: Compression): Transform {
  if (compression === 'gzip') return zlib.createGunzip({ chunkSize });
  const later = zlib as Zstd;
  if (later.createZstdDecompress === undefined) {
    throw new ArchiveUnreadableError('Segments compressed with zstd need Node 22.15 or later.');
  }
  return later.createZstdDecompress({ chunkSize });
}

/** Whether the content is what failed: an error of zlib, or the end of the data in the middle. */
function isOfZlib(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code);
  return /^(?:Z_|ZSTD|ERR_ZSTD)/.test(code);
}

const chunkSize = 262_144;
