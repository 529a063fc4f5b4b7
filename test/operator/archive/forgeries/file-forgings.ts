import { gunzipSync, gzipSync } from 'node:zlib';

import { joinLines } from './archive-files';
import { pickFrom, upTo } from './events';
import { type Forging, type Place, plain, type Scene } from './forging';

/** The bytes of the file of a segment are others, and its sums made anew or not. */
const bytesOf = (name: string, change: (bytes: Buffer, scene: Scene) => Buffer): Forging[] =>
  [false, true].map((redone) =>
    plain(`${name}${redone ? ', with its sums made anew' : ''}`, (scene): Place => {
      const at = upTo(scene.draw, scene.archive.recordPaths.length);
      const { file } = scene.archive.record(at);
      scene.archive.set(file, change(scene.archive.bytes(file), scene));
      if (redone) scene.archive.redoSums(at);
      return { file };
    }),
  );

/** A bit that says something: not the time of packing, nor what fills the last byte. */
function flipBit(bytes: Buffer, scene: Scene): Buffer {
  const flipped = Buffer.from(bytes);
  const at = 10 + upTo(scene.draw, bytes.length - 10);
  flipped[at] = (flipped[at] as number) ^ (1 << upTo(scene.draw, 8));
  return unpacked(flipped)?.equals(gunzipSync(bytes)) ? flipBit(bytes, scene) : flipped;
}

function unpacked(bytes: Buffer): Buffer | undefined {
  try {
    return gunzipSync(bytes);
  } catch {
    return undefined;
  }
}

const added = (name: string, path: (scene: Scene) => string, content = 'x\n'): Forging =>
  plain(name, (scene) => scene.archive.set(path(scene), content));

const dayOf = ({ archive, draw }: Scene): string =>
  archive.record(upTo(draw, archive.recordPaths.length)).file.slice(0, 10);

const inArchiveJson = (name: string, changes: object): Forging =>
  plain(`archive.json ${name}`, ({ archive }) => {
    const text = JSON.parse(archive.text('archive.json')) as object;
    archive.set('archive.json', JSON.stringify({ ...text, ...changes }));
  });

/** A segment that is small on the disk, and 600 MB once unpacked: more than a text can have. */
const bomb = (name: string, filledWith: string): Forging =>
  plain(`a segment unpacks to 600 MB of ${name}`, ({ archive, draw }): Place => {
    const at = upTo(draw, archive.recordPaths.length);
    const megabyte = gzipSync(Buffer.alloc(1_000_000, filledWith));
    archive.set(archive.record(at).file, Buffer.concat(Array<Buffer>(600).fill(megabyte)));
    archive.redoSums(at);
    return { file: archive.record(at).file };
  });

/** What never ends, in place of a file that the archive has. */
const endless = (what: string, path: (scene: Scene) => string): Forging =>
  plain(`${what} is a symbolic link to what never ends`, (scene) => {
    const replaced = path(scene);
    scene.archive.files.delete(replaced);
    scene.archive.links.set(replaced, '/dev/zero');
  });

/** The same files, in a folder that its forger can exchange later. */
const elsewhere = (what: string, folder: (scene: Scene) => string): Forging =>
  plain(`${what} is a symbolic link to a folder with the same files`, (scene) => {
    const { archive, anchor } = scene;
    const moved = folder(scene);
    for (const path of [...archive.files.keys()].filter((each) => each.startsWith(`${moved}/`))) {
      anchor.set(`elsewhere/${path}`, archive.bytes(path));
      archive.files.delete(path);
    }
    archive.links.set(moved, `../anchor/elsewhere/${moved}`);
    return { file: moved };
  });

/** The magic of a filter. */
const headOfFilter = 8;

const firstFile = ({ archive }: Scene): string => archive.record(0).file;

export const fileForgings: readonly Forging[] = [
  bomb('one line', 'a'),
  bomb('empty lines', '\n'),
  endless('archive.json', () => 'archive.json'),
  endless('keys', () => 'keys'),
  endless('checkpoints', () => 'checkpoints'),
  endless('SHA256SUMS', () => 'SHA256SUMS'),
  endless('a segment', firstFile),
  endless('a record', ({ archive }) => archive.recordPath(0)),
  endless('.leaves', ({ archive }) => archive.sidecar(0, 'leaves')),
  endless('.find', ({ archive }) => archive.sidecar(0, 'find')),
  endless('the session', ({ archive }) => archive.sessionPath),
  elsewhere('the folder of a day', dayOf),
  elsewhere('segments', () => 'segments'),
  elsewhere('sessions', () => 'sessions'),
  ...bytesOf('a member of gzip is added', (bytes, { source }) =>
    Buffer.concat([bytes, gzipSync(joinLines([source.line()]))]),
  ),
  ...bytesOf('what is no gzip is added', (bytes) => Buffer.concat([bytes, Buffer.from('garbage')])),
  ...bytesOf('zeros are added', (bytes) => Buffer.concat([bytes, Buffer.alloc(512)])),
  ...bytesOf('a segment is cut', (bytes, { draw }) =>
    bytes.subarray(0, 1 + upTo(draw, bytes.length - 1)),
  ),
  ...bytesOf('a segment is empty', () => Buffer.alloc(0)),
  ...bytesOf('a segment is text', (_bytes, { source }) => joinLines(source.lines(3))),
  ...bytesOf('a bit is flipped', flipBit),
  plain('the last line has no end', ({ archive, draw }) => {
    const at = upTo(draw, archive.recordPaths.length);
    const bytes = joinLines(archive.lines(at));
    archive.set(archive.record(at).file, gzipSync(bytes.subarray(0, -1)));
    archive.redoSums(at);
    return { file: archive.record(at).file };
  }),
  plain('the filter of a segment is emptied, so that find passes it by', ({ archive, draw }) => {
    const at = upTo(draw, archive.recordPaths.length);
    const path = archive.sidecar(at, 'find');
    const filter = Buffer.from(archive.bytes(path));
    archive.set(path, filter.fill(0, headOfFilter));
    return { file: path };
  }),
  plain('a segment is a symbolic link to the same bytes', (scene): Place => {
    const { archive, draw } = scene;
    const { file } = archive.record(upTo(draw, archive.recordPaths.length));
    archive.rename(file, `${file}.hidden`);
    archive.links.set(file, `${file.slice(11)}.hidden`);
    return { file };
  }),
  plain('a record is a symbolic link to the same bytes', ({ archive, draw }) => {
    const path = archive.recordPath(upTo(draw, archive.recordPaths.length));
    archive.rename(path, 'elsewhere.json');
    archive.links.set(path, '../elsewhere.json');
  }),
  added('a file is hidden in the folder of a day', (scene) => `${dayOf(scene)}/.hidden`),
  added('a file is hidden in the archive', () => '.hidden'),
  added('a file is hidden among the records', () => 'segments/.hidden'),
  added('a file is hidden among the sessions', () => 'sessions/note.txt'),
  added('a folder is hidden in the archive', () => 'private/ledger.jsonl'),
  added('a second archive is put into the archive', () => 'copy/archive.json', '{"format":2}'),
  added('a name would draw on a terminal', ({ draw }) =>
    pickFrom(draw, ['\u001b[2J\u001b[1;31mwhole', '\u009b2J', 'a\r\nwhole: 1 event', '\u202Egpj']),
  ),
  inArchiveJson('names another operator', { operatorId: 'another-casino' }),
  inArchiveJson('names another origin', { origin: 'another.example/log' }),
  plain('a line of SHA256SUMS is another', ({ archive, draw }) => {
    const lines = archive.text('SHA256SUMS').split('\n');
    const at = upTo(draw, lines.length - 1);
    lines[at] = pickFrom(draw, ['0'.repeat(64), 'f'.repeat(64)]) + (lines[at] ?? '').slice(64);
    archive.set('SHA256SUMS', lines.join('\n'));
    return { file: 'SHA256SUMS' };
  }),
];
