import type { ArchiveFiles } from './archive-files';
import { type Draw, pickFrom, replacement, upTo } from './events';
import type { Forging, Scene } from './forging';
import type { Signer } from './notes';
import { redoLog, redoSidecars } from './redo';

/** Changes the lines of a segment; answers the first line, from 1, that is not what it was; 0 if none is. */
type Edit = (lines: Buffer[], draw: Draw, scene: Scene) => number;

const flipped: Readonly<Record<string, string>> = { '0': '9', '9': '1' };

/** Another digit in the last amount of a line. */
function otherAmount(line: Buffer): Buffer {
  const text = line.toString();
  const at = text.lastIndexOf('"real":"') + '"real":"'.length;
  const digit = at + text.slice(at).search(/\d/);
  const other = flipped[text[digit] as string] ?? '9';
  return Buffer.from(`${text.slice(0, digit)}${other}${text.slice(digit + 1)}`);
}

const edits: Readonly<Record<string, Edit>> = {
  'the amount of an event is changed'(lines, draw) {
    const at = upTo(draw, lines.length);
    lines[at] = otherAmount(lines[at] as Buffer);
    return at + 1;
  },
  'an event is removed'(lines, draw) {
    const at = upTo(draw, lines.length - 1);
    lines.splice(at, 1);
    return at + 1;
  },
  'the last event of a segment is removed'(lines) {
    lines.pop();
    return 0;
  },
  'an event is inserted'(lines, draw, { source }) {
    const at = upTo(draw, lines.length);
    lines.splice(at, 0, source.line());
    return at + 1;
  },
  'an event is added at the end of a segment'(lines, _draw, { source }) {
    lines.push(source.line());
    return 0;
  },
  'an event is moved'(lines, draw) {
    const from = upTo(draw, lines.length - 1);
    const to = from + 1 + upTo(draw, lines.length - from - 1);
    lines.splice(to, 0, ...lines.splice(from, 1));
    return from + 1;
  },
  'an event is there twice'(lines, draw) {
    const at = upTo(draw, lines.length);
    lines.splice(at, 0, lines[at] as Buffer);
    return at + 2;
  },
  'two events are swapped'(lines, draw) {
    const at = upTo(draw, lines.length - 1);
    lines.splice(at, 2, lines[at + 1] as Buffer, lines[at] as Buffer);
    return at + 1;
  },
};

/** What only a reader of text, and not of bytes, could miss. */
const byteEdits: Readonly<Record<string, Edit>> = {
  'a space is put into a line'(lines, draw) {
    const at = upTo(draw, lines.length);
    lines[at] = Buffer.from((lines[at] as Buffer).toString().replace('{', '{ '));
    return at + 1;
  },
  'a line ends with a carriage return'(lines, draw) {
    const at = upTo(draw, lines.length);
    lines[at] = Buffer.concat([lines[at] as Buffer, Buffer.from('\r')]);
    return at + 1;
  },
  'an empty line is put between two'(lines, draw) {
    const at = 1 + upTo(draw, lines.length - 1);
    lines.splice(at, 0, Buffer.alloc(0));
    return at + 1;
  },
  'a byte order mark is put before the first line'(lines) {
    lines[0] = Buffer.concat([Buffer.from('\uFEFF'), lines[0] as Buffer]);
    return 1;
  },
  'a character that stands for a wrong byte becomes a wrong byte'(lines) {
    const at = lines.findIndex((each) => each.includes(replacement));
    const line = lines[at] as Buffer;
    const place = line.indexOf(replacement);
    const [before, after] = [line.subarray(0, place), line.subarray(place + 3)];
    lines[at] = Buffer.concat([before, Buffer.from([0xff]), after]);
    return at + 1;
  },
};

/** What a forger does with the rest of the folder after a line. */
interface Cover {
  readonly name: string;
  readonly shownBy: Forging['shownBy'];
  /** Whether what says which line it is was left as it was. */
  readonly names: 'line' | 'file' | 'nothing';
  readonly cover: (archive: ArchiveFiles, at: number, scene: Scene) => void;
}

const redone = (scene: Scene, signers: readonly Signer[]): void => {
  redoLog(scene.archive, { origin: scene.origin, signers });
};

const covers: readonly Cover[] = [
  { name: 'nothing else', shownBy: 'folder', names: 'line', cover: () => {} },
  {
    name: 'the sums made anew',
    shownBy: 'folder',
    names: 'line',
    cover: (archive, at) => archive.redoSums(at),
  },
  {
    name: 'the sums made anew and .leaves removed',
    shownBy: 'folder',
    names: 'file',
    cover(archive, at) {
      archive.redoSums(at);
      archive.dropLeaves(at);
    },
  },
  {
    name: 'the record and .leaves made anew, but for the checkpoint',
    shownBy: 'folder',
    names: 'file',
    cover(archive, at) {
      archive.redoSums(at);
      archive.redoRange(at);
      redoSidecars(archive, at);
    },
  },
  {
    name: 'everything made anew but the signatures',
    shownBy: 'folder',
    names: 'nothing',
    cover: (_archive, _at, scene) => redone(scene, []),
  },
  {
    name: 'everything made anew and signed with another key',
    shownBy: 'folder',
    names: 'nothing',
    cover: (_archive, _at, scene) => redone(scene, [scene.stranger]),
  },
  {
    name: 'everything made anew and signed with another key, which is put into keys',
    shownBy: 'key',
    names: 'nothing',
    cover(archive, _at, scene) {
      redone(scene, [scene.stranger]);
      archive.set('keys', `${scene.stranger.vkey}\n`);
    },
  },
  {
    name: 'everything made anew and signed with the stolen key',
    shownBy: 'anchor',
    names: 'nothing',
    cover: (_archive, _at, scene) => redone(scene, [scene.owner]),
  },
];

function forgeLine(
  edit: Edit,
  { names, cover }: Cover,
  scene: Scene,
): ReturnType<Forging['forge']> {
  const { archive, draw } = scene;
  const at = pickFrom(draw, [...archive.recordPaths.keys()]);
  const { file } = archive.record(at);
  const lines = archive.lines(at);
  const line = edit(lines, draw, scene);
  archive.setLines(at, lines);
  cover(archive, at, scene);
  if (names === 'nothing') return undefined;
  return names === 'line' && line > 0 ? { file, line } : { file };
}

const forgings = (
  table: Readonly<Record<string, Edit>>,
  suitable: readonly Cover[],
): readonly Forging[] =>
  Object.entries(table).flatMap(([name, edit]) =>
    suitable.map((cover) => ({
      name: `${name}, and ${cover.name}`,
      shownBy: cover.shownBy,
      forge: (scene: Scene) => forgeLine(edit, cover, scene),
    })),
  );

/** Each way to change lines, with each way to cover it up. */
export const lineForgings: readonly Forging[] = [
  ...forgings(edits, covers),
  ...forgings(
    byteEdits,
    covers.filter(({ names }) => names !== 'nothing'),
  ),
];
