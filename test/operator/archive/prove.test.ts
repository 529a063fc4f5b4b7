import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect, test } from '@jest/globals';

import { createMemoryStore } from '../../../lib/index';
import { names } from '../../../lib/operator/archive/format';
import {
  compareWithStore,
  type EventProofs,
  findEvents,
  proveEvents,
  writeProofFolder,
} from '../../../lib/operator/archive/reading';
import {
  isIncluded,
  leafHash,
  openNote,
  parseCheckpoint,
  parseProof,
  parseVkey,
} from '../../../lib/operator/archive/tlog';
import { BuiltFolder, eventLine } from './folder';
import { temporaryFolders } from './temporary';

const temporary = temporaryFolders();

function built(segments = [20, 20], batches = [6]): BuiltFolder {
  return new BuiltFolder(join(temporary(), 'archive'), { segments, batches });
}

/** The indexes of the events whose proofs hold, as a stranger with the key finds them. */
function proved({ events }: EventProofs, vkey: string): number[] {
  return events.map(({ text, proof }) => {
    const { index, path, checkpoint } = parseProof(proof);
    openNote(checkpoint, [parseVkey(vkey)]);
    const head = parseCheckpoint(checkpoint);
    expect(isIncluded(leafHash(text), index, path, head)).toBe(true);
    expect(isIncluded(leafHash(`${text} `), index, path, head)).toBe(false);
    return index;
  });
}

async function allOf<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

test('every event of a round is proved by the newest checkpoint of the archive', async () => {
  const folder = built();
  const proofs = await proveEvents(folder.path, { gameRound: 'round-7' });
  expect(proved(proofs, folder.key.vkey)).toEqual([14, 15]);
  expect([proofs.size, proofs.vkey]).toEqual([40, folder.key.vkey]);
  folder.checkpoint();
  const later = await proveEvents(folder.path, { gameRound: 'round-7' });
  expect([proved(later, folder.key.vkey), later.size]).toEqual([[14, 15], 46]);
  const unsealed = await proveEvents(folder.path, { gameRound: 'round-21' });
  expect(proved(unsealed, folder.key.vkey)).toEqual([42, 43]);
});

test('events that are not sealed are proved by a checkpoint in their middle', async () => {
  const folder = built([1500], [1000, 2000]);
  const whole = new BuiltFolder(join(temporary(), 'archive'), {
    segments: [1500],
    batches: [1000],
    key: folder.key,
  });
  folder.write(names.checkpointsName, `${whole.checkpoint()}\n`);
  const proofs = await proveEvents(folder.path, { gameRound: 'round-1200' });
  expect([proved(proofs, folder.key.vkey), proofs.size]).toEqual([[2400, 2401], 2500]);
  const beyond = proveEvents(folder.path, { gameRound: 'round-1250' });
  await expect(beyond).rejects.toThrow('no checkpoint has this event yet');
});

test('an event that no checkpoint has yet is not proved', async () => {
  const proving = proveEvents(built().path, { gameRound: 'round-21' });
  await expect(proving).rejects.toThrow('no checkpoint has this event yet');
});

test('a proof needs the blocks beside a segment as little as it trusts them', async () => {
  const folder = built([1500, 3000, 5], []);
  const file = folder.files[1] ?? '';
  const leaves = readFileSync(join(folder.path, names.leavesName(file)));
  const query = { playerId: 'p4', gameRound: 'round-1747' };
  expect(proved(await proveEvents(folder.path, query), folder.key.vkey)).toEqual([3494]);
  const forged = Buffer.from(leaves);
  forged[forged.length - 1] = 1 ^ (forged.at(-1) ?? 0);
  folder.write(names.leavesName(file), forged);
  expect(proved(await proveEvents(folder.path, query), folder.key.vkey)).toEqual([3494]);
  rmSync(join(folder.path, names.leavesName(file)));
  expect(proved(await proveEvents(folder.path, query), folder.key.vkey)).toEqual([3494]);
});

test('a forged segment proves nothing', async () => {
  const folder = built();
  const lines = folder.lines.slice(0, 20).with(14, eventLine(14, { state: 'forged' }));
  folder.write(folder.files[0] ?? '', gzipSync(lines.map((line) => `${line}\n`).join('')));
  const proving = proveEvents(folder.path, { gameRound: 'round-7' });
  await expect(proving).rejects.toThrow('is not what its record says: verify the archive');
});

test('an archive that was signed with more events than it has is no ground for an answer', async () => {
  const folder = built();
  folder.checkpoint();
  for (const session of readdirSync(join(folder.path, names.sessionsFolder))) {
    rmSync(join(folder.path, names.sessionsFolder, session));
  }
  const why = 'the log was signed at 46 events, and has 40: verify the archive';
  const query = { gameRound: 'round-7' };
  await expect(proveEvents(folder.path, query)).rejects.toThrow(why);
  await expect(allOf(findEvents(folder.path, query))).rejects.toThrow(why);
  await expect(compareWithStore(folder.path, createMemoryStore())).rejects.toThrow(why);
});

test('what the archive does not have is not proved', async () => {
  const proving = proveEvents(built().path, { gameRound: 'round-70' });
  await expect(proving).rejects.toThrow('the archive has no such event');
});

test('the folder for an auditor has the events, their proofs, the key and a verifier, and is not written twice', async () => {
  const folder = built();
  const proofs = await proveEvents(folder.path, { gameRound: 'round-7' });
  const to = join(temporary(), 'proof');
  await writeProofFolder(proofs, { archive: folder.path, to });
  expect(readdirSync(to).toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
    'README.txt',
    'checkpoint',
    'event.1.tlog-proof',
    'event.2.tlog-proof',
    'event.json',
    'verify_proof.py',
    'vkey',
  ]);
  const read = (name: string): string => readFileSync(join(to, name), 'utf8');
  expect(read('event.json')).toBe(`${folder.lines[14]}\n${folder.lines[15]}\n`);
  expect(read('vkey')).toBe(`${folder.key.vkey}\n`);
  const again = writeProofFolder(proofs, { archive: folder.path, to });
  await expect(again).rejects.toThrow('it exists already');
  expect(existsSync(join(to, 'event.3.tlog-proof'))).toBe(false);
});
