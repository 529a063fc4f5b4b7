import { expect, test } from '@jest/globals';

import {
  batchLine,
  checkpointsEntry,
  decodeLeaves,
  FindFilter,
  identityText,
  isSignedOver,
  keysText,
  type LogKey,
  LeavesBuilder,
  names,
  parseIdentity,
  parseKeys,
  parseRecord,
  parseSessionLine,
  recordText,
  signOver,
  splitCheckpoints,
  wholeLine,
} from '../../../lib/operator/archive/format';
import {
  emptyRoot,
  leafHash,
  LogFormatError,
  rangeOf,
  signCheckpoint,
} from '../../../lib/operator/archive/tlog';
import { newKey, origin } from './folder';

const key = newKey();
const checkpoint = signCheckpoint({ origin, size: 8, root: emptyRoot }, [key]);
const at = '2026-11-24T10:00:00.000Z';
const record = {
  file: '2026-11-24/000000000005-1f3a9c02.jsonl.gz',
  from: 5,
  count: 3,
  bytes: 10,
  sha256: 'a'.repeat(64),
  first: at,
  last: at,
  sealedAt: at,
  session: 1,
  range: rangeOf(
    5,
    ['a', 'b', 'c'].map((text) => leafHash(text)),
  ),
  checkpoint,
};

test('every name is read as it was made', () => {
  const segment = {
    day: '2026-11-24',
    from: 12_345,
    token: '1f3a9c02',
    compression: 'zstd',
  } as const;
  const file = names.segmentName(segment);
  expect(file).toBe('2026-11-24/000000012345-1f3a9c02.jsonl.zst');
  expect(names.readName(file)).toEqual({ kind: 'segment', ...segment });
  const stem = '2026-11-24/000000012345-1f3a9c02';
  expect(names.readName(names.leavesName(file))).toEqual({ kind: 'leaves', segment: stem });
  expect(names.readName(names.findName(file))).toEqual({ kind: 'find', segment: stem });
  expect(names.readName(names.recordName(12_345))).toEqual({ kind: 'record', from: 12_345 });
  expect(names.readName(names.sessionName(7))).toMatchObject({ kind: 'session', number: 7 });
  expect(names.readName(names.timestampName(300))).toEqual({ kind: 'timestamp', size: 300 });
  expect(names.readName(names.unfinishedName(file))).toEqual({ kind: 'unfinished' });
});

test.each([
  '../000000012345-1f3a9c02.jsonl.gz',
  '/2026-11-24/000000012345-1f3a9c02.jsonl.gz',
  '2026-11-24/../keys',
  '2026-11-24/000000012345-1f3a9c02.jsonl.gz\n',
  '2026-11-24/00000001234-1f3a9c02.jsonl.gz',
  '2026-11-24\\000000012345-1f3a9c02.jsonl.gz',
  'segments/../keys',
  'keys/',
  '',
])('%j is no name of an archive', (path) => {
  expect(names.readName(path)).toBeNull();
});

test('a record is read as it was written, and in no other spelling', () => {
  const text = recordText(record);
  expect(parseRecord(text)).toEqual(record);
  const wrong = [
    text.trimEnd(),
    text.replace('{', '{ '),
    text.replace('"from":5', '"from":5.0'),
    text.replace('"session":1', '"session":1,"more":1'),
  ];
  for (const one of wrong) expect(() => parseRecord(one)).toThrow(LogFormatError);
});

test.each([
  ['a path out of the folder', { file: '../../000000000005-1f3a9c02.jsonl.gz' }],
  ['the file of another segment', { file: '2026-11-24/000000000006-1f3a9c02.jsonl.gz' }],
  ['no events', { count: 0 }],
  ['a fraction', { bytes: 1.5 }],
  ['a number below zero', { session: -1 }],
  ['a time that is none', { first: '2026-13-24T10:00:00.000Z' }],
  ['a day other than its folder', { sealedAt: '2026-11-25T10:00:00.000Z' }],
  ['its last event before the first', { last: '2026-11-24T09:00:00.000Z' }],
  ['a short sum', { sha256: 'aa' }],
  ['a range of other entries', { range: rangeOf(4, [emptyRoot, emptyRoot, emptyRoot]) }],
  ['a checkpoint that is no note', { checkpoint: 'x' }],
])('a record with %s is refused', (_, change) => {
  expect(() => parseRecord(recordText({ ...record, ...change }))).toThrow(LogFormatError);
});

test('archive.json and keys are read as they were written', () => {
  const identity = { operatorId: 'my-casino', origin };
  expect(parseIdentity(identityText(identity))).toEqual(identity);
  const next = newKey();
  const later = { vkey: next.vkey, signsFrom: 8 };
  const keys = parseKeys(
    keysText([
      { vkey: key.vkey, signsFrom: 0, signedOver: null },
      { vkey: next.vkey, signsFrom: 8, signedOver: signOver(key, later) },
    ]),
  );
  expect(keys.map(({ vkey, signsFrom }) => [vkey, signsFrom])).toEqual([
    [key.vkey, 0],
    [next.vkey, 8],
  ]);
  expect(keys.map((each) => isSignedOver(each, key))).toEqual([false, true]);
  // The signature is for this key and this size alone.
  for (const other of [{ vkey: newKey().vkey }, { signsFrom: 9 }]) {
    expect(isSignedOver({ ...(keys[1] as LogKey), ...other }, key)).toBe(false);
  }
  const wrong = [
    '',
    key.vkey,
    `${key.vkey} 0\n`,
    `${key.vkey}\n${next.vkey}\n`,
    `${key.vkey}\n${next.vkey} 9\n${newKey().vkey} 8\n`,
    `${key.vkey}\n${newKey('another.example').vkey} 8\n`,
    `${key.vkey}\n${next.vkey} 8 \n`,
    `${key.vkey}\n${next.vkey} 8 AAAA\n`,
  ];
  for (const text of wrong) expect(() => parseKeys(text)).toThrow(LogFormatError);
  const others = ['{}', '[]', 'null', '{"format":1}', identityText(identity).replace('2', '3')];
  for (const text of others) expect(() => parseIdentity(text)).toThrow(LogFormatError);
});

test('a line of a session is an event, a batch or the end of what was adopted', () => {
  const batch = { batch: 2, size: 7, root: emptyRoot };
  expect(parseSessionLine(Buffer.from(batchLine(batch)))).toEqual({ kind: 'batch', ...batch });
  expect(parseSessionLine(Buffer.from(wholeLine))).toEqual({ kind: 'whole' });
  expect(parseSessionLine(Buffer.from('{"type":"round"}'))).toEqual({ kind: 'event' });
  const wrong = [
    '',
    'x',
    '{"type":',
    batchLine({ ...batch, batch: 8 }),
    batchLine({ ...batch, root: Buffer.alloc(31) }),
    batchLine(batch).replace('2', '02'),
  ];
  for (const line of wrong) {
    expect(() => parseSessionLine(Buffer.from(line))).toThrow(LogFormatError);
  }
});

test('the notes of a file of checkpoints are told apart, and a torn end is none', () => {
  const entry = checkpointsEntry(checkpoint);
  const text = `${entry}${entry}${entry.slice(0, -1)}`;
  const found = [...splitCheckpoints(text)];
  expect(found).toEqual([
    { note: checkpoint, line: 1, end: entry.length },
    { note: checkpoint, line: 7, end: 2 * entry.length },
  ]);
  expect([...splitCheckpoints('')]).toEqual([]);
});

test('the leaves tell each line, and hold the hashes of the whole blocks', () => {
  const builder = new LeavesBuilder(5);
  const leaves = Array.from({ length: 3_000 }, (_, index) => leafHash(`line ${index}`));
  for (const leaf of leaves) builder.append(leaf);
  const read = decodeLeaves(builder.encode(), { from: 5, count: 3_000 });
  expect(leaves.every((leaf, place) => read.has(place, leaf))).toBe(true);
  expect(read.has(7, leaves[8] ?? emptyRoot)).toBe(false);
  // Of 5 to 3,004 only 1,024 to 2,047 is whole.
  const [block] = rangeOf(1024, leaves.slice(1024 - 5, 2048 - 5));
  expect(read.blocks).toEqual([block]);
  const file = builder.encode();
  for (const wrong of [file.subarray(1), Buffer.concat([file, file]), Buffer.alloc(0)]) {
    expect(() => decodeLeaves(wrong, { from: 5, count: 3_000 })).toThrow(LogFormatError);
  }
  expect(() => decodeLeaves(file, { from: 4, count: 3_000 })).toThrow(LogFormatError);
});

test('a filter never misses what was added, and lets little else through', () => {
  const filter = FindFilter.forEvents(2_000);
  for (let n = 0; n < 2_000; n++) filter.add({ playerId: `p-${n}`, gameRound: `round-${n}` });
  const read = FindFilter.decode(filter.encode(), 2_000);
  const has = (from: number) => {
    const asked = Array.from({ length: 2_000 }, (_, n) => ({ gameRound: `round-${from + n}` }));
    return asked.filter((keys) => read.mayHave(keys)).length;
  };
  expect(has(0)).toBe(2_000);
  // 17 of 100,000 are expected: of 2,000, more than 9 come once in 10^10 tries.
  expect(has(2_000)).toBeLessThan(10);
  expect(read.mayHave({ reference: 'round-1' })).toBe(false);
  expect(() => FindFilter.decode(filter.encode(), 1_999)).toThrow(LogFormatError);
});
