import { gzipSync } from 'node:zlib';

import { ArchiveFiles, joinLines, padded, sha256Hex } from './archive-files';
import { type Draw, EventSource, upTo } from './events';
import { checkpointOf, type Signer } from './notes';
import { sidecarsOf, timesOf } from './redo';
import { leafHash, rootOf, subtreesOf } from './tree';

export interface Shape {
  readonly segments: number;
  /** Events of a segment: at least, and how many more at most. */
  readonly atLeast: number;
  readonly more: number;
}

export const usualShape: Shape = { segments: 5, atLeast: 4, more: 10 };

export interface CleanArchive {
  readonly archive: ArchiveFiles;
  readonly operatorId: string;
  readonly origin: string;
  readonly owner: Signer;
  readonly source: EventSource;
}

const token = (draw: Draw): string =>
  upTo(draw, 2 ** 31)
    .toString(16)
    .padStart(8, '0');

/** An archive that nobody touched: sealed segments, a session that goes on behind them, a checkpoint of each. */
export function cleanArchive(
  draw: Draw,
  owner: Signer,
  operatorId: string,
  { segments, atLeast, more }: Shape = usualShape,
): CleanArchive {
  const archive = new ArchiveFiles();
  const source = new EventSource(draw, operatorId);
  const origin = owner.name;
  const leaves: Buffer[] = [];
  const notes: string[] = [];
  const checkpoint = (): string => {
    const note = checkpointOf(origin, leaves.length, rootOf(leaves), [owner]);
    notes.push(note);
    return note;
  };
  archive.set('archive.json', `${JSON.stringify({ format: 2, operatorId, origin })}\n`);
  archive.set('keys', `${owner.vkey}\n`);
  const sums: string[] = [];
  for (let at = 0; at < segments; at++) {
    const from = leaves.length;
    const lines = source.lines(atLeast + upTo(draw, more));
    leaves.push(...lines.map(leafHash));
    const bytes = gzipSync(joinLines(lines), { level: 1 });
    const day = `2026-11-${20 + Math.floor(at / 2)}`;
    const file = `${day}/${padded(from)}-${token(draw)}.jsonl.gz`;
    archive.set(file, bytes);
    const { leaves: leavesFile, find } = sidecarsOf(from, lines);
    archive.set(file.replace('.jsonl.gz', '.leaves'), leavesFile);
    archive.set(file.replace('.jsonl.gz', '.find'), find);
    const record = {
      file,
      from,
      count: lines.length,
      bytes: bytes.length,
      sha256: sha256Hex(bytes),
      ...timesOf(lines),
      sealedAt: `${day}T23:00:0${at % 10}.000Z`,
      session: 1,
      range: subtreesOf(leaves, from, lines.length),
      checkpoint: checkpoint(),
    };
    archive.set(`segments/${padded(from)}.json`, `${JSON.stringify(record)}\n`);
    sums.push(`${record.sha256}  ${file}\n`);
  }
  archive.set('SHA256SUMS', sums.join(''));
  archive.set('sessions/0000000001.jsonl', session(source, draw, leaves, checkpoint));
  archive.setNotes(notes);
  return { archive, operatorId, origin, owner, source };
}

/** Three batches; the second and the third have a checkpoint. */
function session(
  source: EventSource,
  draw: Draw,
  leaves: Buffer[],
  checkpoint: () => string,
): Buffer {
  const lines: (string | Buffer)[] = ['{"session":1,"host":"here","pid":1,"place":"a"}'];
  lines.push('{"whole":true}');
  for (let batch = 0; batch < 3; batch++) {
    const events = source.lines(3 + upTo(draw, 6));
    leaves.push(...events.map(leafHash));
    const root = rootOf(leaves).toString('base64');
    lines.push(...events);
    lines.push(JSON.stringify({ batch: events.length, size: leaves.length, root }));
    if (batch > 0) checkpoint();
  }
  return joinLines(lines.map((line) => Buffer.from(line)));
}
