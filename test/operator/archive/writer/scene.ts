import { generateKeyPairSync } from 'node:crypto';
import { gunzipSync } from 'node:zlib';

import { parseRecord, names, splitCheckpoints } from '../../../../lib/operator/archive/format';
import {
  noteSigner,
  Frontier,
  leafHash,
  type NoteSigner,
  openNote,
  parseCheckpoint,
} from '../../../../lib/operator/archive/tlog';
import type { ArchiveWriter } from '../../../../lib/operator/archive/writer/log-writer';
import type {
  ArchivableEvent,
  WriterOptions,
} from '../../../../lib/operator/archive/writer/options';
import { createSeededRandom } from '../../../../lib/platform/random';
import { VirtualClock } from '../../../support/virtual-clock';
import type { MemoryDisk, MemoryFolder } from './memory-disk';

export const signer: NoteSigner = noteSigner(
  'casino.example/op',
  generateKeyPairSync('ed25519').privateKey,
);

/** The n-th event of the operator. */
export function eventOf(n: number): ArchivableEvent {
  const at = new Date(Date.parse('2026-11-24T10:00:00.000Z') + n * 1_000).toISOString();
  return { type: 'round', id: `op/p%2F${n % 3}/r%20${n}/1`, at };
}

let tokens = 0;

/** Options of a writer; each call is another process, and every other process counts as ended. */
export function optionsOf(disk: MemoryDisk, more: Partial<WriterOptions> = {}): WriterOptions {
  const process = { host: 'h', pid: ++tokens, place: 'here', isRunning: () => false };
  return {
    disk,
    operatorId: 'op',
    signer,
    process,
    clock: new VirtualClock(Date.parse('2026-11-24T12:00:00.000Z')),
    random: createSeededRandom(tokens),
    report: () => undefined,
    ...more,
  };
}

/** The events of a store, and how far its consumer is. */
export class Source {
  cursor = 0;
  /** The roots that were anchored, by size. */
  readonly anchored = new Map<number, string>();

  constructor(readonly count: number) {}

  /** Archives until nothing is left, as the command does; ends early where another has acknowledged. */
  async archive(writer: ArchiveWriter, page: number): Promise<void> {
    while (this.cursor < this.count) {
      const from = this.cursor;
      const length = Math.min(page, this.count - from);
      const events = Array.from({ length }, (_, at) => eventOf(from + at));
      await writer.append(events);
      await writer.check();
      if (this.cursor !== from) return;
      this.cursor += length;
      writer.acknowledged(events);
      await writer.sealIfDue();
      const head = await writer.checkpoint();
      if (head !== null) this.anchored.set(head.size, head.root.toString('base64'));
    }
  }
}

/** What the folder holds, read without the writer's code. */
export interface FolderContent {
  readonly lines: readonly string[];
  readonly sealed: number;
}

/** Reads the folder, and checks each record, sum, checkpoint and root of it. */
export function contentOf(folder: MemoryFolder): FolderContent {
  const all = [...folder.names.keys()];
  const lines: string[] = [];
  const records = all.filter((name) => name.startsWith('segments/') && name.endsWith('.json'));
  const log = new Frontier();
  const roots = new Map([[0, log.root().toString('base64')]]);
  const add = (line: string): void => {
    lines.push(line);
    log.append(leafHash(line));
    roots.set(log.size, log.root().toString('base64'));
  };
  for (const name of records.toSorted()) {
    const record = parseRecord(folder.file(name).toString());
    if (record.from !== lines.length) throw new Error(`a gap before ${name}`);
    const file = gunzipSync(folder.file(record.file)).toString().split('\n').slice(0, -1);
    for (const line of file) add(line);
    if (file.length !== record.count) throw new Error(`${name} has another number of lines`);
    for (const beside of [names.leavesName(record.file), names.findName(record.file)]) {
      folder.file(beside);
    }
    const { size, root } = parseCheckpoint(
      openNote(record.checkpoint, [signer]) && record.checkpoint,
    );
    if (size !== log.size || !root.equals(log.root())) throw new Error(`${name} has another root`);
  }
  const sealed = lines.length;
  for (const line of openLines(folder, sealed)) add(line);
  checkCheckpoints(folder, roots);
  return { lines, sealed };
}

/** The lines of the newest whole session behind those that are sealed. */
function openLines(folder: MemoryFolder, sealed: number): string[] {
  const files = [...folder.names.keys()].filter((name) => /^sessions\/\d+\.jsonl$/.test(name));
  const texts = files.toSorted().map((name) => folder.file(name).toString());
  const text = texts.findLast((one) => one.includes('\n{"whole":true}\n')) ?? '';
  const found: string[] = [];
  let batch: string[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    if (line.startsWith('{"type"')) batch.push(line);
    if (!line.startsWith('{"batch"')) continue;
    const { size } = JSON.parse(line) as { size: number };
    found.push(...batch.slice(Math.max(0, sealed + found.length - (size - batch.length))));
    batch = [];
  }
  return found;
}

function checkCheckpoints(folder: MemoryFolder, roots: ReadonlyMap<number, string>): void {
  const text = folder.names.get('checkpoints')?.bytes.toString() ?? '';
  for (const { note } of splitCheckpoints(text)) {
    const { size, root } = parseCheckpoint(note);
    if (roots.get(size) !== root.toString('base64')) throw new Error(`another root at ${size}`);
  }
}

/** Throws unless everything acknowledged is in the folder, without a gap, and what was anchored is a prefix. */
export function checkFolder(folder: MemoryFolder, source: Source): FolderContent {
  const content = contentOf(folder);
  const ids = content.lines.map((line) => (JSON.parse(line) as ArchivableEvent).id);
  for (let n = 0; n < source.cursor; n++) {
    if (!ids.includes(eventOf(n).id)) throw new Error(`event ${n} of ${source.cursor} is missing`);
  }
  const log = new Frontier();
  const roots = new Map(
    content.lines.map((line) => {
      log.append(leafHash(line));
      return [log.size, log.root().toString('base64')];
    }),
  );
  for (const [size, root] of source.anchored) {
    if (roots.get(size) !== root) throw new Error(`the anchored log of ${size} is no prefix`);
  }
  return content;
}
