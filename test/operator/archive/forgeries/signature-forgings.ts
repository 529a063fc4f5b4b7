import type { ArchiveFiles } from './archive-files';
import { pickFrom, upTo } from './events';
import { type Forging, plain, type Scene } from './forging';
import { checkpointOf, notesIn, signatureLine, type Signer, sizeOf, textOfNotes } from './notes';
import { leavesOf, redoLog } from './redo';
import { rootOf } from './tree';

const rootAt = (archive: ArchiveFiles, size: number): Buffer =>
  rootOf(leavesOf(archive).slice(0, size));

/** A checkpoint of the log as it is, as this signer would make it. */
const checkpointBy = (
  { archive, origin }: Scene,
  size: number,
  signers: readonly Signer[],
  name = origin,
): string => checkpointOf(name, size, rootAt(archive, size), signers);

/** One of the checkpoints is another. */
const inCheckpoints = (name: string, change: (note: string, scene: Scene) => string): Forging =>
  plain(`a checkpoint ${name}`, (scene) => {
    const notes = notesIn(scene.archive.text('checkpoints'));
    // Of the last one a writer that was killed could have left a part.
    const at = upTo(scene.draw, notes.length - 1);
    notes[at] = change(notes[at] as string, scene);
    scene.archive.setNotes(notes);
    return { file: 'checkpoints' };
  });

/** The checkpoint of a segment is another. */
const inRecord = (name: string, change: (note: string, scene: Scene) => string): Forging =>
  plain(`the checkpoint of a record ${name}`, (scene) => {
    const at = upTo(scene.draw, scene.archive.recordPaths.length);
    const note = String(scene.archive.record(at)['checkpoint']);
    scene.archive.setRecord(at, { checkpoint: change(note, scene) });
    return { file: scene.archive.recordPath(at) };
  });

/** Another letter in the middle of the signature. */
function otherSignature(note: string): string {
  const at = note.length - 30;
  return note.slice(0, at) + (note[at] === 'A' ? 'B' : 'A') + note.slice(at + 1);
}

const foreignRoot = (note: string, { origin, owner }: Scene): string =>
  checkpointOf(origin, sizeOf(note), Buffer.alloc(32, 1), [owner]);

/** Sizes that are numbers to a careless reader, and a root that decodes in two ways. */
function spelledOtherwise(note: string, { draw, origin, owner }: Scene): string {
  const size = sizeOf(note);
  const hex = `0x${size.toString(16)}`;
  const wrong = pickFrom(draw, [`0${size}`, `+${size}`, ` ${size}`, `${size}.0`, `${size}e0`, hex]);
  const [, , root] = note.split('\n');
  return checkpointOf(origin, wrong, Buffer.from(root as string, 'base64'), [owner]);
}

const bothWays = [inCheckpoints, inRecord].flatMap((into) => [
  into('has a wrong signature', otherSignature),
  into('has no signature', (note) => note.slice(0, note.lastIndexOf('\n\n') + 2)),
  into('is of another key', (note, scene) => checkpointBy(scene, sizeOf(note), [scene.stranger])),
  into('is of another origin, by the same key', (note, scene) =>
    checkpointBy(scene, sizeOf(note), [scene.owner], 'other.example/log'),
  ),
  into('has another root, signed by the stolen key', foreignRoot),
  into('has another size, and the root of the former', (note, { origin, owner }) => {
    const root = Buffer.from(note.split('\n')[2] as string, 'base64');
    return checkpointOf(origin, sizeOf(note) + 1, root, [owner]);
  }),
  into('has its size spelled otherwise', spelledOtherwise),
]);

/** An event is removed, and from a size before it on everything is signed by the forger's key, which `keys` has with that size. */
function forgeRotation(scene: Scene, handOver: (size: number) => string | undefined): void {
  const { archive, draw, origin, stranger, owner } = scene;
  const last = archive.recordPaths.length - 1;
  const size = archive.record(1 + upTo(draw, last - 1)).from;
  archive.setLines(last, archive.lines(last).slice(1));
  redoLog(archive, { origin, signers: [stranger] });
  for (const at of archive.recordPaths.keys()) {
    const end = archive.record(at).from + archive.record(at).count;
    const signers = end < size ? [owner] : [stranger];
    archive.setRecord(at, { checkpoint: checkpointBy(scene, end, signers) });
  }
  const notes = notesIn(archive.text('checkpoints')).map((note) =>
    checkpointBy(scene, sizeOf(note), sizeOf(note) < size ? [owner] : [stranger]),
  );
  const both = handOver(size);
  if (both !== undefined) notes.push(both);
  archive.setNotes(notes);
  archive.set('keys', `${owner.vkey}\n${stranger.vkey} ${size}\n`);
}

const rotations: readonly Forging[] = [
  plain('a rotation is claimed that the former key did not sign', (scene) => {
    forgeRotation(scene, () => undefined);
  }),
  plain('a rotation is claimed with the signature of another checkpoint', (scene) => {
    forgeRotation(scene, (size) => {
      const note = checkpointBy(scene, size, [scene.stranger]);
      const other = checkpointBy(scene, size - 1, [scene.owner]);
      return note + (other.split('\n').at(-2) as string) + '\n';
    });
  }),
  plain(
    'a rotation is claimed with a checkpoint of the former key that the forger signs too',
    (scene) => {
      // The former key signed this one when the log had that size; to sign it too, a forger needs the folder alone.
      forgeRotation(scene, (size) => checkpointBy(scene, size, [scene.owner, scene.stranger]));
    },
  ),
  plain('a key is put into keys that never signed', ({ archive, stranger, draw }) => {
    const { from } = archive.record(1 + upTo(draw, archive.recordPaths.length - 1));
    archive.set('keys', `${archive.text('keys')}${stranger.vkey} ${from}\n`);
  }),
];

export const signatureForgings: readonly Forging[] = [
  ...bothWays,
  ...rotations,
  plain('keys has another key', ({ archive, stranger }) => {
    archive.set('keys', `${stranger.vkey}\n`);
  }),
  plain('keys is empty', ({ archive }) => archive.set('keys', '')),
  plain('keys is gone', ({ archive }) => void archive.files.delete('keys')),
  plain('keys has a key whose hash is another’s', ({ archive, stranger, owner }) => {
    const [name, , key] = stranger.vkey.split('+') as [string, string, string];
    archive.set('keys', `${name}+${owner.id.toString('hex')}+${key}\n`);
  }),
  plain('two checkpoints of one size contradict, both signed', (scene) => {
    const notes = notesIn(scene.archive.text('checkpoints'));
    const note = pickFrom(scene.draw, notes);
    scene.archive.setNotes([...notes, foreignRoot(note, scene)]);
    return { file: 'checkpoints' };
  }),
  plain('a checkpoint is ahead of the log, signed by the stolen key', (scene) => {
    const notes = notesIn(scene.archive.text('checkpoints'));
    const ahead = sizeOf(notes.at(-1) as string) + 1 + upTo(scene.draw, 1000);
    notes.push(checkpointOf(scene.origin, ahead, Buffer.alloc(32, 3), [scene.owner]));
    scene.archive.setNotes(notes);
  }),
  plain('a checkpoint has a size that no log has, signed by the stolen key', (scene) => {
    const notes = notesIn(scene.archive.text('checkpoints'));
    const sizes = ['-1', '1e9', '99999999999999999999', '9007199254740993', 'NaN', '', 'Infinity'];
    const root = rootOf(leavesOf(scene.archive));
    notes.push(checkpointOf(scene.origin, pickFrom(scene.draw, sizes), root, [scene.owner]));
    scene.archive.setNotes(notes);
  }),
  plain('checkpoints is another operator’s', ({ archive, foreign }) => {
    archive.set('checkpoints', foreign.archive.bytes('checkpoints'));
  }),
  plain('a signature is under two keys of one name', (scene) => {
    // The first line is the forger's, of the same name: a reader that tries one line alone is misled.
    const at = upTo(scene.draw, scene.archive.recordPaths.length);
    const note = String(scene.archive.record(at)['checkpoint']);
    const text = note.slice(0, note.lastIndexOf('\n\n') + 1).replace(/^\S+/, 'other.example/log');
    scene.archive.setRecord(at, { checkpoint: `${text}\n${signatureLine(scene.stranger, text)}` });
  }),
];

/** The anchor is what was changed: the folder is as it was. */
const anchored = (name: string, forge: (scene: Scene, notes: string[]) => void): Forging => ({
  name,
  shownBy: 'anchor',
  forge(scene) {
    const notes = notesIn(scene.anchor.text('checkpoints'));
    forge(scene, notes);
    scene.anchor.set('checkpoints', textOfNotes(notes));
    return undefined;
  },
});

export const anchorForgings: readonly Forging[] = [
  anchored('the anchor has another root at a size of the log', ({ draw, origin, owner }, notes) => {
    const size = sizeOf(pickFrom(draw, notes));
    notes.push(checkpointOf(origin, size, Buffer.alloc(32, 9), [owner]));
  }),
  anchored('the anchor is ahead of the log', ({ origin, owner }, notes) => {
    const size = sizeOf(notes.at(-1) as string) + 1;
    notes.push(checkpointOf(origin, size, Buffer.alloc(32, 9), [owner]));
  }),
  anchored('the anchor has been trimmed, and its newest checkpoint is ahead', (scene, notes) => {
    const size = sizeOf(notes.at(-1) as string) + 1;
    notes.push(checkpointOf(scene.origin, size, Buffer.alloc(32, 9), [scene.owner]).trimEnd());
  }),
  plain('the log was made anew, and its former checkpoints are in the file', (scene) => {
    const former = notesIn(scene.archive.text('checkpoints'));
    const lines = scene.archive.lines(0);
    scene.archive.setLines(0, lines.slice(1));
    redoLog(scene.archive, { origin: scene.origin, signers: [scene.owner] });
    const redone = notesIn(scene.archive.text('checkpoints'));
    scene.archive.setNotes([...former, ...redone]);
  }),
];
