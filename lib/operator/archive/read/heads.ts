import { splitCheckpoints } from '../format';
import { hashBytes, longestNote, LogFormatError } from '../tlog';
import type { FolderFiles } from './files';

/** A note of a file `checkpoints`, with the number of its first line. */
export interface FoundNote {
  readonly note: string;
  readonly line: number;
  /** Whether its empty line is missing: it may be half written, or the file was trimmed. */
  readonly isOpen: boolean;
}

/**
 * The notes of a file `checkpoints`, one in memory at a time; null if it does not exist. What is at the end
 * without an empty line comes last.
 * @throws LogFormatError if something is no note; ArchiveUnreadableError.
 */
export async function readNotes(
  files: FolderFiles,
  path: string,
): Promise<AsyncIterable<FoundNote> | null> {
  const chunks = await files.chunks(path);
  return chunks === null ? null : notesOf(chunks);
}

/** The notes of such a file, piece by piece. @throws LogFormatError */
export async function* notesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<FoundNote> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let [text, lines] = ['', 0];
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    let end = 0;
    for (const entry of splitCheckpoints(text)) {
      yield { note: entry.note, line: lines + entry.line, isOpen: false };
      end = entry.end;
    }
    lines += text.slice(0, end).split('\n').length - 1;
    text = text.slice(end);
    if (text.length > longestNote) {
      throw new LogFormatError(`${lines + 1} begins a checkpoint that does not end`);
    }
  }
  const note = text.trimEnd();
  if (note !== '') yield { note: `${note}\n`, line: lines + 1, isOpen: true };
}

/** Roots of a log by their sizes, 44 bytes each: a witness keeps one a minute, for years. */
export class Heads {
  #sizes = new Float64Array(64);
  #lines = new Uint32Array(64);
  #roots = Buffer.alloc(64 * hashBytes);
  #count = 0;
  #order: Uint32Array | null = null;
  #next = 0;

  get count(): number {
    return this.#count;
  }

  /** The greatest size; 0 without any. */
  get greatest(): number {
    return this.#sizes.subarray(0, this.#count).reduce((most, size) => Math.max(most, size), 0);
  }

  add(size: number, root: Buffer, line: number): void {
    if (this.#count === this.#sizes.length) this.grow();
    this.#sizes[this.#count] = size;
    this.#lines[this.#count] = line;
    root.copy(this.#roots, this.#count * hashBytes);
    this.#count += 1;
    this.#order = null;
  }

  /** The size of the next head, in order of size; infinite after the last. */
  get nextSize(): number {
    const at = this.order()[this.#next];
    return at === undefined ? Number.POSITIVE_INFINITY : (this.#sizes[at] ?? 0);
  }

  /** Takes the next head. */
  take(): { readonly line: number; has(root: Buffer): boolean } {
    const at = this.order()[this.#next] ?? 0;
    this.#next += 1;
    const from = at * hashBytes;
    return {
      line: this.#lines[at] ?? 0,
      has: (root) => root.compare(this.#roots, from, from + hashBytes) === 0,
    };
  }

  private order(): Uint32Array {
    if (this.#order !== null) return this.#order;
    const order = Uint32Array.from({ length: this.#count }, (_, at) => at);
    const sizes = this.#sizes;
    return (this.#order = order.toSorted((one, other) => (sizes[one] ?? 0) - (sizes[other] ?? 0)));
  }

  private grow(): void {
    const length = 2 * this.#sizes.length;
    const sizes = new Float64Array(length);
    sizes.set(this.#sizes);
    const lines = new Uint32Array(length);
    lines.set(this.#lines);
    const roots = Buffer.alloc(length * hashBytes);
    roots.set(this.#roots);
    [this.#sizes, this.#lines, this.#roots] = [sizes, lines, roots];
  }
}
