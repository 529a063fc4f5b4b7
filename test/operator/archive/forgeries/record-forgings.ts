import { padded, type SegmentRecord } from './archive-files';
import { pickFrom, upTo } from './events';
import { type Forging, type Place, plain, type Scene } from './forging';
import { redoLog } from './redo';

const anySegment = ({ archive, draw }: Scene): number => upTo(draw, archive.recordPaths.length);

const removed = (name: string, place: (scene: Scene) => number): Forging =>
  plain(name, (scene) => scene.archive.removeSegment(place(scene)));

/** One member of a record is another value. */
const edited = (
  name: string,
  change: (record: SegmentRecord, scene: Scene) => Partial<SegmentRecord>,
): Forging =>
  plain(`a record ${name}`, (scene): Place => {
    const at = anySegment(scene);
    scene.archive.setRecord(at, change(scene.archive.record(at), scene));
    return { file: scene.archive.recordPath(at) };
  });

const later = (time: unknown): string => new Date(Date.parse(String(time)) + 1).toISOString();

/** What no count, index or size of a file can be. */
const wrongNumbers = [-1, 0.5, 1e300, 2 ** 53, '7', null, [7], true, '__proto__'];

export const recordForgings: readonly Forging[] = [
  removed('the first segment is removed with its record', () => 0),
  removed(
    'a segment in the middle is removed with its record',
    (scene) => 1 + upTo(scene.draw, scene.archive.recordPaths.length - 2),
  ),
  removed(
    'the last segment is removed with its record',
    ({ archive }) => archive.recordPaths.length - 1,
  ),
  plain('the record of a segment alone is removed', (scene) => {
    scene.archive.files.delete(scene.archive.recordPath(anySegment(scene)));
  }),
  plain('the file of a segment alone is removed', ({ archive, ...scene }) => {
    const at = anySegment({ archive, ...scene });
    archive.files.delete(archive.record(at).file);
    return { file: archive.record(at).file };
  }),
  plain('the files of two segments are exchanged', ({ archive, draw }) => {
    const at = upTo(draw, archive.recordPaths.length - 1);
    const [one, other] = [archive.record(at).file, archive.record(at + 1).file];
    const bytes = archive.bytes(one);
    archive.set(one, archive.bytes(other));
    archive.set(other, bytes);
    return { file: one };
  }),
  plain('the records of two segments are exchanged', ({ archive, draw }) => {
    const at = upTo(draw, archive.recordPaths.length - 1);
    const [one, other] = [archive.recordPath(at), archive.recordPath(at + 1)];
    const bytes = archive.bytes(one);
    archive.set(one, archive.bytes(other));
    archive.set(other, bytes);
  }),
  plain('the last event of a segment becomes the first one of the next', (scene) => {
    const { archive, draw } = scene;
    const at = upTo(draw, archive.recordPaths.length - 1);
    const [lines, next] = [archive.lines(at), archive.lines(at + 1)];
    archive.setLines(at, lines.slice(0, -1));
    archive.setLines(at + 1, [lines.at(-1) as Buffer, ...next]);
    for (const each of [at, at + 1]) archive.redoSums(each);
    return { file: archive.record(at).file };
  }),
  plain('a segment is another operator’s, with its record', (scene) => {
    const { archive, foreign } = scene;
    const at = anySegment(scene);
    const other = foreign.archive.record(upTo(scene.draw, foreign.archive.recordPaths.length));
    const { file, from } = archive.record(at);
    archive.set(file, foreign.archive.bytes(other.file));
    archive.set(archive.recordPath(at), `${JSON.stringify({ ...other, file, from })}\n`);
  }),
  plain('the file of a segment is another operator’s, with its sum', (scene) => {
    const { archive, foreign } = scene;
    const at = anySegment(scene);
    const other = foreign.archive.record(upTo(scene.draw, foreign.archive.recordPaths.length));
    archive.set(archive.record(at).file, foreign.archive.bytes(other.file));
    archive.redoSums(at);
    return { file: archive.record(at).file };
  }),
  {
    name: 'events of another operator are sealed and signed with the stolen key',
    shownBy: 'folder',
    forge(scene) {
      const { archive, foreign } = scene;
      archive.setLines(anySegment(scene), foreign.archive.lines(0));
      redoLog(archive, { origin: scene.origin, signers: [scene.owner] });
    },
  },
  edited('counts one event less', ({ count }) => ({ count: count - 1 })),
  edited('counts one event more', ({ count }) => ({ count: count + 1 })),
  edited('begins one event later', ({ from }) => ({ from: from + 1 })),
  edited('has a later first time', ({ first }) => ({ first: later(first) })),
  edited('has a later last time', ({ last }) => ({ last: later(last) })),
  edited('has another subtree', ({ range }, { draw }) => {
    const subtrees = structuredClone(range) as [number, number, string][];
    const subtree = pickFrom(draw, subtrees);
    subtree[2] = Buffer.alloc(32, 7).toString('base64');
    return { range: subtrees };
  }),
  edited('lacks a subtree', ({ range }) => ({ range: (range as unknown[]).slice(1) })),
  edited('has a subtree too many', ({ range }) => ({
    range: [...(range as unknown[]), [0, 0, Buffer.alloc(32).toString('base64')]],
  })),
  edited('has no checkpoint', () => ({ checkpoint: '' })),
  edited('has another sum', () => ({ sha256: '0'.repeat(64) })),
  edited('names a file outside', (_record, { draw }) => ({
    file: pickFrom(draw, [
      '../../../../../../etc/passwd',
      '/etc/passwd',
      '2026-11-24/../../outside.jsonl.gz',
      'sessions/0000000001.jsonl',
      'archive.json',
      'C:\\windows\\win.ini',
      '2026-11-24/\u0000.jsonl.gz',
      '2026-11-24',
      '',
    ]),
  })),
  edited('counts what no number is', (_record, { draw }) => ({
    count: pickFrom(draw, wrongNumbers) as number,
  })),
  edited('begins where no number is', (_record, { draw }) => ({
    from: pickFrom(draw, wrongNumbers) as number,
  })),
  edited('has subtrees that are none', (_record, { draw }) => ({
    range: pickFrom<unknown>(draw, [
      wrongNumbers.map((number) => [number, number, 'x']),
      { length: 1e9 },
      [[60, 0, Buffer.alloc(32).toString('base64')]],
      [[-1, 0, Buffer.alloc(32).toString('base64')]],
      [[0, 0, 'AA==']],
      [[]],
    ]),
  })),
  plain('a record is a number of brackets', (scene) => {
    const path = scene.archive.recordPath(anySegment(scene));
    scene.archive.set(path, '['.repeat(100_000));
    return { file: path };
  }),
  plain('a record is torn', (scene) => {
    const path = scene.archive.recordPath(anySegment(scene));
    scene.archive.set(path, scene.archive.bytes(path).subarray(0, 40));
    return { file: path };
  }),
  plain('a second record overlaps a segment', ({ archive, draw }) => {
    const record = archive.record(upTo(draw, archive.recordPaths.length));
    const from = record.from + 1;
    const text = JSON.stringify({ ...record, from, count: record.count - 1 });
    archive.set(`segments/${padded(from)}.json`, text);
  }),
  plain('a record has a second name', ({ archive, draw }) => {
    const path = archive.recordPath(upTo(draw, archive.recordPaths.length));
    archive.set(path.replace('/0', '/00'), archive.bytes(path));
  }),
  plain('an empty segment is put between two', ({ archive, draw }) => {
    const at = 1 + upTo(draw, archive.recordPaths.length - 1);
    const record = archive.record(at);
    const text = JSON.stringify({ ...record, count: 0, range: [] });
    archive.set(`segments/${padded(record.from)}.0.json`, text);
  }),
  plain('a segment is put behind the last one, with the checkpoint of that', ({ archive }) => {
    const at = archive.recordPaths.length - 1;
    const record = archive.record(at);
    const from = record.from + record.count;
    const file = record.file.replace(/\d{12}(?=-)/, padded(from));
    archive.set(file, archive.bytes(record.file));
    archive.set(`segments/${padded(from)}.json`, `${JSON.stringify({ ...record, from, file })}\n`);
  }),
];
