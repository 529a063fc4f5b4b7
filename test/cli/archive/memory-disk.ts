import type { ArchiveDisk } from '../../../lib/cli/archive/disk';

/** The process was killed. */
export class Killed extends Error {}

interface MemoryFile {
  bytes: Buffer;
  /** How many of them are on the disk. */
  synced: number;
}

/** What a power cut leaves of what was not synced. */
export interface PowerCut {
  /** Changes of names that are kept, the oldest first. */
  readonly names: number;
  /** Bytes that are kept of each file. */
  readonly bytes: number;
  /** Whether the bytes behind them are zeros instead of missing. */
  readonly hasZeros: boolean;
}

/** A folder in memory that dies at a given operation, and loses what was not synced when the power fails. */
export class MemoryDisk implements ArchiveDisk {
  #files = new Map<string, MemoryFile>();
  #syncedNames = new Map<string, MemoryFile>();
  #changes: ((names: Map<string, MemoryFile>) => void)[] = [];
  /** How many more operations it does. */
  left = Infinity;
  /** How many it has done. */
  done = 0;

  /** The power fails, and the machine starts anew. */
  failPower({ names, bytes, hasZeros }: PowerCut): void {
    for (const change of this.#changes.slice(0, names)) change(this.#syncedNames);
    this.#files = new Map(this.#syncedNames);
    this.#changes = [];
    for (const file of this.#files.values()) {
      const kept = file.bytes.subarray(0, file.synced + bytes);
      const zeros = Buffer.alloc(hasZeros ? file.bytes.length - kept.length : 0);
      file.bytes = Buffer.concat([kept, zeros]);
      file.synced = file.bytes.length;
    }
  }

  async names(): Promise<string[]> {
    return [...this.#files.keys()];
  }

  async read(name: string): Promise<string | null> {
    return this.#files.get(name)?.bytes.toString() ?? null;
  }

  async *chunks(name: string): AsyncGenerator<Buffer> {
    const { bytes } = this.fileOf(name);
    for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
  }

  async size(name: string): Promise<number> {
    return this.fileOf(name).bytes.length;
  }

  async append(name: string, text: string): Promise<void> {
    this.step();
    const file = this.#files.get(name) ?? this.create(name);
    const bytes = Buffer.from(text);
    file.bytes = Buffer.concat([file.bytes, bytes.subarray(0, bytes.length / 2)]);
    this.step();
    file.bytes = Buffer.concat([file.bytes, bytes.subarray(bytes.length / 2)]);
    this.step();
    file.synced = file.bytes.length;
  }

  async truncate(name: string, bytes: number): Promise<void> {
    this.step();
    const file = this.fileOf(name);
    file.bytes = file.bytes.subarray(0, bytes);
    file.synced = bytes;
  }

  async write(name: string, content: AsyncIterable<Buffer> | Iterable<string>): Promise<void> {
    this.step();
    const file = this.create(name);
    for await (const piece of content) {
      file.bytes = Buffer.concat([file.bytes, Buffer.from(piece)]);
      this.step();
    }
    file.synced = file.bytes.length;
  }

  async rename(from: string, to: string): Promise<void> {
    this.step();
    const file = this.fileOf(from);
    this.change((names) => {
      names.delete(from);
      names.set(to, file);
    });
  }

  async remove(name: string): Promise<void> {
    this.step();
    this.change((names) => names.delete(name));
  }

  async sync(): Promise<void> {
    this.step();
    this.#syncedNames = new Map(this.#files);
    this.#changes = [];
  }

  /** Replaces bytes as a bad sector does. */
  damage(name: string, at: number, byte: number): void {
    this.fileOf(name).bytes[at] = byte;
  }

  private create(name: string): MemoryFile {
    const file = { bytes: Buffer.alloc(0), synced: 0 };
    this.change((names) => names.set(name, file));
    return file;
  }

  private change(work: (names: Map<string, MemoryFile>) => void): void {
    work(this.#files);
    this.#changes.push(work);
  }

  private fileOf(name: string): MemoryFile {
    const file = this.#files.get(name);
    if (file === undefined) throw new Error(`ENOENT: ${name}`);
    return file;
  }

  private step(): void {
    if (this.left-- <= 0) throw new Killed();
    this.done++;
  }
}
