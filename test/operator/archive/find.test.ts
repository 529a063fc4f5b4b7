import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect, test } from '@jest/globals';

import { names } from '../../../lib/operator/archive/format';
import { type EventQuery, findEvents, type LogLine } from '../../../lib/operator/archive/reading';
import { BuiltFolder, eventLine } from './folder';
import { temporaryFolders } from './temporary';

const temporary = temporaryFolders();

function built(event = eventLine): BuiltFolder {
  const plan = { segments: [20, 20], batches: [6], event };
  return new BuiltFolder(join(temporary(), 'archive'), plan);
}

async function found(folder: BuiltFolder, query: EventQuery): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for await (const line of findEvents(folder.path, query)) lines.push(line);
  return lines;
}

async function indexes(folder: BuiltFolder, query: EventQuery): Promise<number[]> {
  return (await found(folder, query)).map(({ index }) => index);
}

test('events are found by player, round, hash and reference, sealed or not, in the order of the log', async () => {
  const folder = built((n) => eventLine(n, n === 44 ? { type: 'cash', reference: 'ref 44' } : {}));
  const ofPlayer = [3, 8, 13, 18, 23, 28, 33, 38, 43];
  expect(await indexes(folder, { playerId: 'p3' })).toEqual(ofPlayer);
  expect(await indexes(folder, { gameRound: 'round-10' })).toEqual([20, 21]);
  expect(await indexes(folder, { playerId: 'p1', gameRound: 'round-10' })).toEqual([21]);
  expect(await indexes(folder, { hash: 'hash-7' })).toEqual([7]);
  expect(await indexes(folder, { playerId: 'p2', hash: 'hash-7' })).toEqual([7]);
  expect(await indexes(folder, { playerId: 'p3', hash: 'hash-7' })).toEqual([]);
  expect(await indexes(folder, { reference: 'ref 44' })).toEqual([44]);
  const from = '2026-11-24T10:00:19Z';
  expect(await indexes(folder, { playerId: 'p3', from })).toEqual(ofPlayer.slice(4));
  expect(await indexes(folder, { playerId: 'p3', to: from })).toEqual(ofPlayer.slice(0, 4));
});

test('an event is found with its place and its text', async () => {
  const folder = built();
  expect(await found(folder, { gameRound: 'round-11', playerId: 'p2' })).toEqual([
    {
      index: 22,
      file: '2026-11-24/000000000020-1f3a9c02.jsonl.gz',
      line: 3,
      text: folder.lines[22],
    },
  ]);
});

test('a text that only looks like the id is not found', async () => {
  const folder = built((n) => eventLine(n, n === 5 ? { note: 'round-10', gameCode: '"p3"' } : {}));
  expect(await indexes(folder, { gameRound: 'round-10' })).toEqual([20, 21]);
  expect(await indexes(folder, { gameRound: 'round-1' })).toEqual([2, 3]);
});

test('a segment whose filter says no is not read, and one without a filter is', async () => {
  const folder = built();
  const [first = '', second = ''] = folder.files;
  folder.write(first, 'damaged');
  expect(await indexes(folder, { gameRound: 'round-10' })).toEqual([20, 21]);
  rmSync(join(folder.path, names.findName(first)));
  await expect(indexes(folder, { gameRound: 'round-10' })).rejects.toThrow(
    'is damaged after line 0',
  );
  rmSync(join(folder.path, names.findName(second)));
  const filter = readFileSync(join(folder.path, names.leavesName(second)));
  folder.write(names.findName(second), filter);
  folder.write(first, readFileSync(join(built().path, first)));
  expect(await indexes(folder, { gameRound: 'round-10' })).toEqual([20, 21]);
});

test('a file that is not the one that was sealed is named to whoever asks', async () => {
  const folder = built();
  const [first = '', second = ''] = folder.files;
  folder.write(
    first,
    gzipSync(
      folder.lines
        .slice(0, 20)
        .map((line) => `${line} \n`)
        .join(''),
    ),
  );
  const changed: string[] = [];
  const query = { playerId: 'p3' };
  for await (const { line } of findEvents(folder.path, query, (file) => changed.push(file))) {
    expect(line).toBeGreaterThan(0);
  }
  expect([changed, second]).toEqual([[first], second]);
});

test('a query without anything to find is wrong use', async () => {
  await expect(indexes(built(), {})).rejects.toThrow(TypeError);
  await expect(indexes(built(), { playerId: 'a', from: 'x' })).rejects.toThrow(TypeError);
});

test('a gap in the records is named', async () => {
  const folder = built();
  rmSync(join(folder.path, names.recordName(0)));
  await expect(indexes(folder, { gameRound: 'round-10' })).rejects.toThrow(
    'segments/000000000020.json does not begin at 0',
  );
});
