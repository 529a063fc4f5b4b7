import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import { textOfNotes } from './notes';
import { leafHash, subtreesOf } from './tree';

export type Json = Record<string, unknown>;

/** The record of a segment; what a forger does not change stays as it was. */
export interface SegmentRecord extends Json {
  file: string;
  from: number;
  count: number;
}

const lineEnd = 10;

export const joinLines = (lines: readonly Buffer[]): Buffer =>
  Buffer.concat(lines.flatMap((line) => [line, Buffer.from([lineEnd])]));

export function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(lineEnd, at);
    const stop = end === -1 ? bytes.length : end;
    lines.push(bytes.subarray(at, stop));
    at = stop + 1;
  }
  return lines;
}

export const padded = (index: number): string => String(index).padStart(12, '0');

export const sha256Hex = (bytes: Buffer): string =>
  createHash('sha256').update(bytes).digest('hex');

/** The files of an archive, held in memory by somebody who may do with them what he likes. */
export class ArchiveFiles {
  constructor(
    readonly files = new Map<string, Buffer>(),
    /** Symbolic links: path and target. */
    readonly links = new Map<string, string>(),
  ) {}

  static async read(folder: string): Promise<ArchiveFiles> {
    const archive = new ArchiveFiles();
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name);
      archive.files.set(path.slice(folder.length + 1), await readFile(path));
    }
    return archive;
  }

  async write(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    for (const [path, bytes] of this.files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    }
    for (const [path, target] of this.links) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await symlink(target, join(folder, path));
    }
  }

  copy(): ArchiveFiles {
    return new ArchiveFiles(new Map(this.files), new Map(this.links));
  }

  bytes(path: string): Buffer {
    const bytes = this.files.get(path);
    if (bytes === undefined) throw new Error(`no file ${path}`);
    return bytes;
  }

  text(path: string): string {
    return this.bytes(path).toString('utf8');
  }

  set(path: string, content: string | Buffer): void {
    this.files.set(path, Buffer.from(content));
  }

  rename(path: string, to: string): void {
    const bytes = this.bytes(path);
    this.files.delete(path);
    this.files.set(to, bytes);
  }

  /** Of records, the oldest first. */
  get recordPaths(): string[] {
    return this.below('segments/');
  }

  get hasSession(): boolean {
    return this.below('sessions/').length > 0;
  }

  get sessionPath(): string {
    const path = this.below('sessions/').at(-1);
    if (path === undefined) throw new Error('no session');
    return path;
  }

  /** Without what a writer that was killed has left unfinished. */
  private below(folder: string): string[] {
    const isHere = (path: string) => path.startsWith(folder) && !path.endsWith('.tmp');
    return [...this.files.keys()].filter(isHere).toSorted();
  }

  recordPath(at: number): string {
    return this.recordPaths[at] as string;
  }

  record(at: number): SegmentRecord {
    return JSON.parse(this.text(this.recordPath(at))) as SegmentRecord;
  }

  setRecord(at: number, changes: Json): void {
    const text = this.text(this.recordPath(at));
    const end = text.endsWith('\n') ? '\n' : '';
    this.set(this.recordPath(at), JSON.stringify({ ...JSON.parse(text), ...changes }) + end);
  }

  lines(at: number): Buffer[] {
    return splitLines(gunzipSync(this.bytes(this.record(at).file)));
  }

  /** Changes the file of the segment, and nothing else. */
  setLines(at: number, lines: readonly Buffer[]): void {
    this.set(this.record(at).file, gzipSync(joinLines(lines), { level: 1 }));
  }

  sidecar(at: number, ending: 'leaves' | 'find'): string {
    return this.record(at).file.replace(/\.jsonl\.gz$/, `.${ending}`);
  }

  /** Removes the segment with all that says it was there. */
  removeSegment(at: number): void {
    const { file } = this.record(at);
    for (const path of [this.sidecar(at, 'leaves'), this.sidecar(at, 'find'), file])
      this.files.delete(path);
    this.files.delete(this.recordPath(at));
    this.setSum(file, undefined);
  }

  /** The sums of the file of a segment made anew: in its record and in SHA256SUMS. */
  redoSums(at: number): void {
    const { file } = this.record(at);
    const sha256 = sha256Hex(this.bytes(file));
    this.setRecord(at, { bytes: this.bytes(file).length, sha256 });
    this.setSum(file, sha256);
  }

  private setSum(file: string, sum: string | undefined): void {
    const path = 'SHA256SUMS';
    if (!this.files.has(path)) return;
    const others = this.text(path)
      .split('\n')
      .filter((line) => line !== '' && !line.endsWith(`  ${file}`));
    const lines = sum === undefined ? others : [...others, `${sum}  ${file}`];
    this.set(path, lines.map((line) => `${line}\n`).join(''));
  }

  /** What says which line was forged is lost. */
  dropLeaves(at: number): void {
    this.files.delete(this.sidecar(at, 'leaves'));
  }

  redoRange(at: number): void {
    const { from } = this.record(at);
    const lines = this.lines(at);
    const before = Array.from({ length: from }, () => Buffer.alloc(0));
    const leaves = [...before, ...lines.map(leafHash)];
    this.setRecord(at, { count: lines.length, range: subtreesOf(leaves, from, lines.length) });
  }

  setNotes(notes: readonly string[]): void {
    this.set('checkpoints', textOfNotes(notes));
  }
}
