import { pickFrom, upTo } from './events';
import { type Forging, plain, type Scene } from './forging';
import { checkpointOf, notesIn, sizeOf, textOfNotes } from './notes';
import { redoLog } from './redo';

/** The magic of a filter. */
const headOfFilter = 8;

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
  plain('the filter of a segment is emptied, so that find passes it by', ({ archive, draw }) => {
    const at = upTo(draw, archive.recordPaths.length);
    const path = archive.sidecar(at, 'find');
    const filter = Buffer.from(archive.bytes(path));
    archive.set(path, filter.fill(0, headOfFilter));
    return { file: path };
  }),
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
