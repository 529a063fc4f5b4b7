import { isAscii } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { CommandFailure, messageOf } from '../terminal/failure';
import { withoutControls } from '../../protocol/json/printable';

/** Longest line of a file with events, in characters. */
const longestLine = 1_048_576;

/**
 * The text of a UTF-8 file, piece by piece; `-` is stdin, and a name that ends with .gz is decompressed.
 * @throws CommandFailure that names the file, if it cannot be read to its end.
 */
export async function* readPieces(path: string): AsyncGenerator<string> {
  const decode = pieceDecoder();
  const source = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: 262_144 });
  const bytes = path.endsWith('.gz') ? source.pipe(createGunzip()) : source;
  source.on('error', (error: Error) => bytes.destroy(error));
  try {
    for await (const chunk of bytes) yield decode(chunk as Buffer);
    const rest = decode(null);
    if (rest !== '') yield rest;
  } catch (error) {
    throw new CommandFailure(withoutControls(`${path} cannot be read: ${messageOf(error)}`));
  }
}

/**
 * Decodes UTF-8 piece by piece; null is the end. ASCII, as events mostly are, is not decoded but copied, which takes less time.
 * @throws TypeError for anything else than UTF-8.
 */
function pieceDecoder(): (piece: Buffer | null) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let mayWait = false;
  return (piece) => {
    if (piece === null) return decoder.decode();
    const isPlain = isAscii(piece);
    if (isPlain && !mayWait) return piece.toString('latin1');
    // A character that the piece before began is in the decoder.
    mayWait = !isPlain;
    return decoder.decode(piece, { stream: true });
  };
}

/** The lines of a text, many at a time, without empty ones. @throws CommandFailure for a line that is too long. */
export async function* linesOf(
  path: string,
  pieces: AsyncIterable<string>,
): AsyncGenerator<string[]> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) {
      throw new CommandFailure(withoutControls(`${path} has a line that is too long for an event`));
    }
    yield lines.filter((line) => line !== '');
  }
  if (rest !== '') yield [rest];
}
