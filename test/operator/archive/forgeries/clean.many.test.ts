import { gzipSync } from 'node:zlib';

import { expect, test } from '@jest/globals';

import { runs } from '../../../support/runs';
import { testSeed } from '../../../support/seed';

import { joinLines, splitLines } from './archive-files';
import { upTo } from './events';
import type { Scene } from './forging';
import { grounds, reportOn, sceneOf } from './judge';
import { notesIn, signatureLine, sizeOf } from './notes';

const PLACES = runs(46, 1);

/** The lines of the session, whose first ones are the holder and `whole`. */
const sessionOf = ({ archive }: Scene): Buffer[] => splitLines(archive.bytes(archive.sessionPath));

const asText = (lines: readonly (string | Buffer)[]): Buffer =>
  joinLines(lines.map((line) => Buffer.from(line)));

/** What a writer leaves behind that died, was paused, or is just writing; and what may be lost. */
const states: Readonly<Record<string, (scene: Scene) => void>> = {
  'nobody touched': () => {},
  'has no sidecars'({ archive }) {
    for (const path of archive.files.keys())
      if (/\.(?:leaves|find)$/.test(path)) archive.files.delete(path);
  },
  'has no SHA256SUMS': ({ archive }) => void archive.files.delete('SHA256SUMS'),
  'lacks the last lines of SHA256SUMS'({ archive }) {
    const text = archive.text('SHA256SUMS');
    archive.set('SHA256SUMS', text.slice(0, text.indexOf('\n') + 1));
  },
  'lacks the last checkpoints'({ archive }) {
    archive.setNotes(notesIn(archive.text('checkpoints')).slice(0, -3));
  },
  'has a checkpoint that is half written'({ archive, draw }) {
    const notes = notesIn(archive.text('checkpoints'));
    const bytes = Buffer.from(archive.bytes('checkpoints'));
    const last = Buffer.byteLength(notes.at(-1) as string);
    archive.set('checkpoints', bytes.subarray(0, bytes.length - 1 - upTo(draw, last - 1)));
  },
  'has a checkpoint twice, with a witness'({ archive, stranger }) {
    const notes = notesIn(archive.text('checkpoints'));
    const note = notes.at(-1) as string;
    const text = note.slice(0, note.lastIndexOf('\n\n') + 1);
    const witness = { ...stranger, name: 'witness.example/w' };
    archive.setNotes([...notes, note + signatureLine(witness, text)]);
  },
  'has a checkpoint again that is smaller'({ archive, draw }) {
    const notes = notesIn(archive.text('checkpoints'));
    archive.setNotes([...notes, notes[upTo(draw, notes.length - 1)] as string]);
  },
  'has events of a batch that is not whole'(scene) {
    scene.archive.set(
      scene.archive.sessionPath,
      asText([...sessionOf(scene), scene.source.line()]),
    );
  },
  'has a line that is not whole'(scene) {
    const line = scene.source.line();
    const part = line.subarray(0, 1 + upTo(scene.draw, line.length - 1));
    const bytes = scene.archive.bytes(scene.archive.sessionPath);
    scene.archive.set(scene.archive.sessionPath, Buffer.concat([bytes, part]));
  },
  'has a new session that is not whole'(scene) {
    const lines = sessionOf(scene);
    const kept = lines.slice(2, 2 + upTo(scene.draw, lines.length - 2));
    const holder = '{"session":2,"host":"there","pid":2,"place":"b"}';
    scene.archive.set('sessions/0000000002.jsonl', asText([holder, ...kept]));
  },
  'has a new session that is empty': ({ archive }) =>
    archive.set('sessions/0000000002.jsonl', '{"session":2,"host":"there","pid":2,"place":"b"}\n'),
  'has a new session that is whole, and the old one'(scene) {
    const [, , ...lines] = sessionOf(scene);
    const holder = '{"session":2,"host":"there","pid":2,"place":"b"}';
    scene.archive.set('sessions/0000000002.jsonl', asText([holder, ...lines, '{"whole":true}']));
  },
  'has a new session that goes on, and the old one, which was cut'(scene) {
    const [first, second, ...lines] = sessionOf(scene);
    const { archive } = scene;
    const holder = '{"session":2,"host":"there","pid":2,"place":"b"}';
    archive.set('sessions/0000000002.jsonl', asText([holder, ...lines, '{"whole":true}']));
    archive.set(
      'sessions/0000000001.jsonl',
      asText([first as Buffer, second as Buffer, ...lines, scene.source.line()]),
    );
  },
  'has a segment whose lines are in the session too'(scene) {
    const { archive } = scene;
    const at = archive.recordPaths.length - 1;
    const record = archive.record(at);
    const sealed = archive.lines(at);
    const root = JSON.stringify(String(record['checkpoint']).split('\n')[2]);
    const size = record.from + record.count;
    const [holder, whole, ...lines] = sessionOf(scene);
    archive.set(
      archive.sessionPath,
      asText([
        holder as Buffer,
        whole as Buffer,
        ...sealed,
        `{"batch":${sealed.length},"size":${size},"root":${root}}`,
        ...lines,
      ]),
    );
  },
  'has what a seal left that did not end'({ archive, source }) {
    const size = archive.record(archive.recordPaths.length - 1);
    const from = String(size.from + size.count).padStart(12, '0');
    archive.set(`2026-11-25/${from}-deadbeef.jsonl.gz`, gzipSync(joinLines([source.line()])));
    archive.set(`2026-11-25/${from}-deadbeef.leaves`, Buffer.alloc(4));
    archive.set(`2026-11-25/${from}-deadbeef.jsonl.gz.tmp`, 'half');
    archive.set('segments/x.tmp', '{"fi');
  },
  'has another seal of a segment, which came too late'({ archive, draw }) {
    const { file } = archive.record(upTo(draw, archive.recordPaths.length));
    archive.set(file.replace(/-[0-9a-f]{8}/, '-deadbeef'), archive.bytes(file));
  },
  'has a session without a batch'(scene) {
    const { archive } = scene;
    const at = archive.record(archive.recordPaths.length - 1);
    const [holder, whole] = sessionOf(scene);
    archive.set(archive.sessionPath, asText([holder as Buffer, whole as Buffer]));
    const notes = notesIn(archive.text('checkpoints'));
    archive.setNotes(notes.filter((note) => sizeOf(note) <= at.from + at.count));
    scene.anchor.set('checkpoints', archive.bytes('checkpoints'));
  },
  'has an anchor that is behind'({ anchor, draw }) {
    const notes = notesIn(anchor.text('checkpoints'));
    anchor.set('checkpoints', notes.slice(0, 1 + upTo(draw, notes.length - 1)).join('\n'));
  },
};

test.each(Object.entries(states))(
  'no fault is found in an archive that %s',
  async (_name, make) => {
    for (let place = 0; place < PLACES; place++) {
      const scene = sceneOf(grounds(testSeed + place), testSeed + place);
      make(scene);
      const auditor = { hasKey: true, hasAnchor: true, accounts: true };
      const { faults, anchored, events } = await reportOn(scene, auditor);
      expect(faults).toEqual([]);
      expect(anchored?.size).toBeGreaterThan(0);
      expect(events).toBeGreaterThanOrEqual(anchored?.size ?? Infinity);
      expect((await reportOn(scene, {})).faults).toEqual([]);
    }
  },
);
