import { joinLines, type Json, splitLines } from './archive-files';
import { upTo } from './events';
import { type Forging, plain, type Scene } from './forging';
import { notesIn, sizeOf } from './notes';
import { redoLog, redoSession } from './redo';
import { leafHash } from './tree';

const isEvent = (line: Buffer): boolean => 'type' in (JSON.parse(line.toString()) as Json);

/** Changes the lines of the session, at one of its events that a checkpoint covers. */
function inSession(
  { archive, draw }: Scene,
  change: (lines: Buffer[], at: number) => void,
): { file: string; line: number } {
  const file = archive.sessionPath;
  const lines = splitLines(archive.bytes(file));
  const events = [...lines.keys()].filter((at) => isEvent(lines[at] as Buffer));
  const at = events[upTo(draw, events.length - 1)] as number;
  change(lines, at);
  archive.set(file, joinLines(lines));
  return { file, line: at + 1 };
}

const otherMoney = (line: Buffer): Buffer =>
  Buffer.from(line.toString().replace(/"real":"(\d)/, (_all, digit) => `"real":"1${digit}`));

function redoBatches({ archive }: Scene): void {
  const sealed = [...archive.recordPaths.keys()].flatMap((at) => archive.lines(at));
  redoSession(archive, sealed.map(leafHash));
}

/** Only what is sealed stays: no session, no checkpoint of what it held. */
function cutTail({ archive, draw }: Scene): void {
  const kept = 1 + upTo(draw, archive.recordPaths.length - 1);
  while (archive.recordPaths.length > kept) archive.removeSegment(archive.recordPaths.length - 1);
  const last = archive.record(kept - 1);
  const size = last.from + last.count;
  archive.files.delete(archive.sessionPath);
  archive.setNotes(notesIn(archive.text('checkpoints')).filter((note) => sizeOf(note) <= size));
}

/** The same, and the session begins behind what is left. */
function cutTailNeatly(scene: Scene): void {
  const path = scene.archive.sessionPath;
  const session = splitLines(scene.archive.bytes(path));
  cutTail(scene);
  const kept = session.filter((line) => !isEvent(line) && !line.includes('"batch"'));
  scene.archive.set(path, joinLines(kept));
}

const tails: readonly Forging[] = [
  {
    name: 'the tail is cut, with its checkpoints and its session',
    shownBy: 'anchor',
    forge: cutTail,
  },
  {
    name: 'the tail is cut, and the session left empty',
    shownBy: 'anchor',
    forge: cutTailNeatly,
  },
  {
    name: 'the tail is cut, and what is left signed anew with the stolen key',
    shownBy: 'anchor',
    forge(scene) {
      cutTailNeatly(scene);
      const at = scene.archive.recordPaths.length - 1;
      const lines = scene.archive.lines(at);
      if (lines.length > 1) scene.archive.setLines(at, lines.slice(0, -1));
      redoLog(scene.archive, { origin: scene.origin, signers: [scene.owner] });
      return undefined;
    },
  },
  {
    name: 'the tail is cut, and other events written in its place with the stolen key',
    shownBy: 'anchor',
    forge(scene) {
      const path = scene.archive.sessionPath;
      const session = splitLines(scene.archive.bytes(path));
      cutTail(scene);
      const others = session.map((line) => (isEvent(line) ? scene.source.line() : line));
      scene.archive.set(path, joinLines(others));
      redoLog(scene.archive, { origin: scene.origin, signers: [scene.owner] });
      return undefined;
    },
  },
];

export const sessionForgings: readonly Forging[] = [
  ...tails,
  plain('an event of the session is changed', (scene) => {
    const { file } = inSession(scene, (lines, at) => {
      lines[at] = otherMoney(lines[at] as Buffer);
    });
    return { file };
  }),
  plain('an event of the session is changed, and its batches made anew', (scene) => {
    inSession(scene, (lines, at) => {
      lines[at] = otherMoney(lines[at] as Buffer);
    });
    redoBatches(scene);
  }),
  plain('an event of the session is removed', (scene) => {
    const { file } = inSession(scene, (lines, at) => void lines.splice(at, 1));
    return { file };
  }),
  plain('an event of the session is removed, and its batches made anew', (scene) => {
    inSession(scene, (lines, at) => void lines.splice(at, 1));
    redoBatches(scene);
  }),
  plain('two events of the session are swapped, and its batches made anew', (scene) => {
    inSession(scene, (lines, at) => {
      const last = lines.findLastIndex(isEvent);
      const [one, other] = [lines[at] as Buffer, lines[last] as Buffer];
      lines.splice(at, 1, other);
      lines.splice(last, 1, one);
    });
    redoBatches(scene);
  }),
  plain('the session is cut at the end of a batch', ({ archive }) => {
    const lines = splitLines(archive.bytes(archive.sessionPath));
    const batches = [...lines.keys()].filter((at) => lines[at]?.includes('"batch":'));
    const kept = lines.slice(0, (batches.findLast((at) => at < lines.length - 1) as number) + 1);
    archive.set(archive.sessionPath, joinLines(kept));
  }),
  plain('the session is cut within a batch', ({ archive, draw }) => {
    const bytes = archive.bytes(archive.sessionPath);
    archive.set(archive.sessionPath, bytes.subarray(0, bytes.length - 2 - upTo(draw, 300)));
  }),
  plain('the root of a batch is another', (scene) => {
    const { archive } = scene;
    const root = Buffer.alloc(32, 1).toString('base64');
    const text = archive.text(archive.sessionPath).replace(/"root":"[^"]+"/, `"root":"${root}"`);
    archive.set(archive.sessionPath, text);
    return { file: archive.sessionPath };
  }),
  plain('the size of a batch is another', ({ archive }) => {
    const text = archive.text(archive.sessionPath);
    const changed = text.replace(/"size":(\d+)/, (_all, size) => `"size":${Number(size) + 1}`);
    archive.set(archive.sessionPath, changed);
  }),
  plain('the session is gone', ({ archive }) => void archive.files.delete(archive.sessionPath)),
  plain('the session is not whole', ({ archive }) => {
    const text = archive.text(archive.sessionPath).replace('{"whole":true}\n', '');
    archive.set(archive.sessionPath, text);
  }),
  plain('the session has a line that is neither event nor batch', ({ archive }) => {
    const text = archive.text(archive.sessionPath);
    archive.set(archive.sessionPath, text.replace('{"whole":true}\n', '{"whole":true}\n[]\n'));
    return { file: archive.sessionPath };
  }),
];
