import { basename, dirname } from 'node:path';

import type { Disk, DiskFile } from '../../../lib/rgs/journal/disk';

/** What the disk does to the next operation. */
export type Fault = 'none' | 'fail' | { readonly shortBy: number } | { readonly failAfter: number };

/** An operation on the disk, before it is done. */
export interface Operation {
  readonly name:
    | 'open'
    | 'read'
    | 'write'
    | 'sync'
    | 'truncate'
    | 'close'
    | 'rename'
    | 'remove'
    | 'syncFolder';
  /** The file's own name. */
  readonly file: string;
  /** Bytes of a write. */
  readonly bytes: number;
}

/** What a power cut leaves of operations that were not synced. */
export interface PowerCut {
  /** How many of the unsynced operations of a file are done. */
  readonly operations: number;
  /** How many bytes of the next one, a write, are there. */
  readonly bytes: number;
  /** Whether the file is already as long as that write makes it. */
  readonly hasZeros: boolean;
  /** How many of the unsynced changes of the folder are done. */
  readonly names: number;
}

type Unsynced = { readonly at: number; readonly bytes: Buffer } | { readonly length: number };

interface Content {
  durable: Buffer;
  cached: Buffer;
  unsynced: Unsynced[];
}

type Names = Map<string, Content>;

/** A disk in memory with a cache, which a power cut empties, and with faults. */
export class CrashingDisk implements Disk {
  readonly operations: Operation[] = [];
  /** Asked before each operation. */
  fault: (operation: Operation) => Fault = () => 'none';
  errorCode = 'EIO';
  /** How many turns of the queue of promises the next operation takes. */
  pace: () => number = () => 1;
  /** Waits before an operation is done. */
  hold: (operation: Operation) => Promise<unknown> | null = () => null;
  private durableNames: Names = new Map();
  private readonly unsyncedNames: ((names: Names) => void)[] = [];
  private readonly names: Names = new Map();

  /** The content of a file as a process reads it. */
  contentOf(path: string): Buffer {
    const content = this.names.get(path);
    if (content === undefined) throw this.error('ENOENT');
    return content.cached;
  }

  /** Puts a file there, durably. */
  put(path: string, bytes: Buffer | string): void {
    const cached = Buffer.from(bytes);
    this.names.set(path, { durable: cached, cached, unsynced: [] });
    this.durableNames = new Map(this.names);
  }

  paths(): string[] {
    return [...this.names.keys()];
  }

  /** Resolves once such an operation has begun, from now on. */
  async until(isMeant: (operation: Operation) => boolean): Promise<void> {
    const first = this.operations.length;
    for (let turns = 0; !this.operations.slice(first).some(isMeant); turns++) {
      if (turns > 10_000) throw new Error('there is no such operation');
      await Promise.resolve();
    }
  }

  countOf(name: Operation['name']): number {
    return this.operations.filter((one) => one.name === name).length;
  }

  /** The disk as the next process finds it after a power cut; after a kill it is the same disk. */
  afterPowerCut(cut: PowerCut): CrashingDisk {
    const names: Names = new Map(this.durableNames);
    for (const change of this.unsyncedNames.slice(0, cut.names)) change(names);
    const disk = new CrashingDisk();
    for (const [path, content] of names) disk.put(path, contentAfter(content, cut));
    return disk;
  }

  async open(path: string, what: 'new' | 'existing' | 'any'): Promise<DiskFile> {
    await this.operate('open', path);
    const found = this.names.get(path);
    if (found === undefined && what === 'existing') throw this.error('ENOENT');
    if (found !== undefined && what === 'new') throw this.error('EEXIST');
    const content = found ?? { durable: Buffer.alloc(0), cached: Buffer.alloc(0), unsynced: [] };
    if (found === undefined) this.change((names) => names.set(path, content));
    return this.fileOf(path, content);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.operate('rename', to);
    const content = this.names.get(from);
    if (content === undefined) throw this.error('ENOENT');
    this.change((names) => {
      names.set(to, content);
      names.delete(from);
    });
  }

  async remove(path: string): Promise<void> {
    await this.operate('remove', path);
    if (this.names.has(path)) this.change((names) => names.delete(path));
  }

  async syncFolder(folder: string): Promise<void> {
    await this.operate('syncFolder', folder);
    this.durableNames = new Map(this.names);
    this.unsyncedNames.length = 0;
  }

  async list(folder: string): Promise<readonly string[]> {
    return this.paths().flatMap((path) => (dirname(path) === folder ? [basename(path)] : []));
  }

  async resolve(path: string): Promise<string> {
    const isFolder = this.paths().some((one) => dirname(one) === path) || path === '/data';
    if (!isFolder && !this.names.has(path)) throw this.error('ENOENT');
    return path;
  }

  private fileOf(path: string, content: Content): DiskFile {
    return {
      read: async (into, position) => {
        await this.operate('read', path);
        return content.cached.copy(into, 0, position);
      },
      write: async (bytes, position) => {
        const fault = await this.operate('write', path, bytes.length);
        const isPartial = typeof fault === 'object';
        const failAfter = isPartial && 'failAfter' in fault ? fault.failAfter : null;
        const shortBy = isPartial && 'shortBy' in fault ? fault.shortBy : 0;
        const count = failAfter ?? Math.max(1, bytes.length - shortBy);
        apply(content, { at: position, bytes: Buffer.from(bytes.subarray(0, count)) });
        if (failAfter !== null) throw this.error(this.errorCode);
        return count;
      },
      sync: async () => {
        await this.operate('sync', path);
        content.durable = content.cached;
        content.unsynced = [];
      },
      truncate: async (length) => {
        await this.operate('truncate', path);
        apply(content, { length });
      },
      close: async () => void (await this.operate('close', path)),
    };
  }

  private async operate(name: Operation['name'], path: string, bytes = 0): Promise<Fault> {
    const operation = { name, file: basename(path), bytes };
    this.operations.push(operation);
    const fault = this.fault(operation);
    for (let turns = this.pace(); turns > 0; turns--) await Promise.resolve();
    await this.hold(operation);
    if (fault === 'fail') throw this.error(this.errorCode);
    return fault;
  }

  private change(change: (names: Names) => void): void {
    change(this.names);
    this.unsyncedNames.push(change);
  }

  private error(code: string): Error {
    return Object.assign(new Error(`the disk answers ${code}`), { code });
  }
}

function apply(content: Content, operation: Unsynced): void {
  content.cached = after(content.cached, operation);
  content.unsynced.push(operation);
}

function after(before: Buffer, operation: Unsynced): Buffer {
  if ('length' in operation) {
    const { length } = operation;
    return Buffer.concat([
      before.subarray(0, length),
      Buffer.alloc(Math.max(0, length - before.length)),
    ]);
  }
  const { at, bytes } = operation;
  const content = Buffer.alloc(Math.max(before.length, at + bytes.length));
  before.copy(content);
  bytes.copy(content, at);
  return content;
}

function contentAfter({ durable, unsynced }: Content, cut: PowerCut): Buffer {
  const done = unsynced.slice(0, cut.operations).reduce(after, durable);
  const next = unsynced[cut.operations];
  if (next === undefined || 'length' in next) return done;
  const torn = after(done, { at: next.at, bytes: next.bytes.subarray(0, cut.bytes) });
  if (!cut.hasZeros) return torn;
  return after(torn, { length: Math.max(torn.length, next.at + next.bytes.length) });
}
