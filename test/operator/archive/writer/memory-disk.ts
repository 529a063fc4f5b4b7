import { posix } from 'node:path';

import type { ArchiveDisk } from '../../../../lib/operator/archive/writer/disk';
import { ArchiveRefusedError } from '../../../../lib/operator/archive/writer/refused';

/** The process was killed. */
export class Killed extends Error {}

interface Inode {
  bytes: Buffer;
  /** How many of them are on the disk. */
  synced: number;
  changedAt: number;
}

/** A change of a name that is not on the disk yet. */
interface Change {
  readonly folder: string;
  apply(names: Map<string, Inode>): void;
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

/** The files that several {@link MemoryDisk}s share. */
export class MemoryFolder {
  names = new Map<string, Inode>();
  folders = new Set(['.']);
  now: () => number = () => 0;
  #synced = new Map<string, Inode>();
  #changes: Change[] = [];

  change(folder: string, apply: Change['apply']): void {
    apply(this.names);
    this.#changes.push({ folder, apply });
  }

  sync(folder: string): void {
    for (const change of this.#changes) if (change.folder === folder) change.apply(this.#synced);
    this.#changes = this.#changes.filter((change) => change.folder !== folder);
  }

  /** The power fails, and the machine starts anew. */
  failPower({ names, bytes, hasZeros }: PowerCut): void {
    for (const change of this.#changes.slice(0, names)) change.apply(this.#synced);
    this.names = new Map(this.#synced);
    this.#changes = [];
    for (const file of new Set(this.names.values())) {
      const kept = file.bytes.subarray(0, file.synced + bytes);
      const zeros = Buffer.alloc(hasZeros ? file.bytes.length - kept.length : 0);
      file.bytes = Buffer.concat([kept, zeros]);
      file.synced = file.bytes.length;
    }
  }

  /** The content of a file; throws if there is none. */
  file(name: string): Buffer {
    return this.inode(name).bytes;
  }

  inode(name: string): Inode {
    const file = this.names.get(name);
    if (file === undefined) throw Object.assign(new Error(`ENOENT: ${name}`), { code: 'ENOENT' });
    return file;
  }
}

/** The folder as one process sees it: it dies at a given step, or at a step that fails. */
export class MemoryDisk implements ArchiveDisk {
  /** How many more steps it does. */
  left = Infinity;
  /** How many it has done. */
  done = 0;
  /** The names of the steps done. */
  readonly steps: string[] = [];
  /** Called before each step; it may wait, or throw. */
  before: (step: string) => void | Promise<void> = () => undefined;
  hasLinks = true;

  constructor(readonly folder = new MemoryFolder()) {}

  async list(folder: string): Promise<string[]> {
    await this.step(`list ${folder}`);
    return [...this.folder.names.keys()].flatMap((name) => {
      if (posix.dirname(name) === folder) return [posix.basename(name)];
      return folder === '.' && name.includes('/') ? [name.split('/')[0] ?? ''] : [];
    });
  }

  async read(name: string): Promise<string | null> {
    await this.step(`read ${name}`);
    return this.folder.names.get(name)?.bytes.toString() ?? null;
  }

  async *chunks(name: string, from = 0): AsyncGenerator<Buffer> {
    await this.step(`chunks ${name}`);
    const { bytes } = this.folder.inode(name);
    for (let at = from; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
  }

  async stat(name: string) {
    await this.step(`stat ${name}`);
    const file = this.folder.names.get(name);
    return file === undefined ? null : { bytes: file.bytes.length, changedAt: file.changedAt };
  }

  async touch(name: string, at: number): Promise<void> {
    await this.step(`touch ${name}`);
    this.folder.inode(name).changedAt = at;
  }

  async makeFolder(folder: string): Promise<void> {
    await this.step(`makeFolder ${folder}`);
    this.folder.folders.add(folder);
  }

  async create(
    name: string,
    content: AsyncIterable<Buffer> | Iterable<Buffer | string>,
  ): Promise<void> {
    await this.step(`create ${name}`);
    const folder = posix.dirname(name);
    if (!this.folder.folders.has(folder)) throw new Error(`ENOENT: ${folder}`);
    if (this.folder.names.has(name)) throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' });
    const file = { bytes: Buffer.alloc(0), synced: 0, changedAt: this.folder.now() };
    this.folder.change(folder, (names) => names.set(name, file));
    for await (const piece of content) file.bytes = Buffer.concat([file.bytes, Buffer.from(piece)]);
    await this.step(`fsync ${name}`);
    file.synced = file.bytes.length;
  }

  async append(name: string, content: string | Buffer): Promise<void> {
    await this.step(`append ${name}`);
    const file = this.folder.inode(name);
    const bytes = Buffer.from(content);
    // Others see a part of a page; a line of another file is torn by a crash alone.
    const isTorn = name.startsWith('sessions/') || this.left === 0;
    const half = isTorn ? Math.floor(bytes.length / 2) : bytes.length;
    file.bytes = Buffer.concat([file.bytes, bytes.subarray(0, half)]);
    await this.step(`append more ${name}`);
    file.bytes = Buffer.concat([file.bytes, bytes.subarray(half)]);
    file.changedAt = this.folder.now();
    await this.step(`fsync ${name}`);
    file.synced = file.bytes.length;
  }

  async truncate(name: string, bytes: number): Promise<void> {
    await this.step(`truncate ${name}`);
    const file = this.folder.inode(name);
    file.bytes = file.bytes.subarray(0, bytes);
    file.synced = bytes;
  }

  async link(from: string, to: string): Promise<boolean> {
    await this.step(`link ${to}`);
    if (!this.hasLinks) throw new ArchiveRefusedError('no hard links (EPERM)');
    const file = this.folder.inode(from);
    if (this.folder.names.has(to)) return false;
    this.folder.change(posix.dirname(to), (names) => names.set(to, file));
    return true;
  }

  async rename(from: string, to: string): Promise<void> {
    await this.step(`rename ${to}`);
    const file = this.folder.inode(from);
    this.folder.change(posix.dirname(to), (names) => {
      names.delete(from);
      names.set(to, file);
    });
  }

  async remove(name: string): Promise<void> {
    await this.step(`remove ${name}`);
    this.folder.change(posix.dirname(name), (names) => names.delete(name));
  }

  async sync(folder: string): Promise<void> {
    await this.step(`sync ${folder}`);
    this.folder.sync(folder);
  }

  private async step(name: string): Promise<void> {
    if (this.left-- <= 0) throw new Killed(name);
    await this.before(name);
    this.done++;
    this.steps.push(name);
  }
}
