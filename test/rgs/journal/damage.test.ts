import { describe, expect, test } from '@jest/globals';

import { JournalError } from '../../../lib/rgs/journal/port';
import { CrashingDisk } from './crashing-disk';
import { event, eventsOf, numbersOn, openOn, PATH } from './rig';

/** A closed journal with the events 1 to 4, a line each. */
async function fourLines(): Promise<Buffer> {
  const disk = new CrashingDisk();
  const journal = await openOn(disk);
  for (let number = 1; number <= 4; number++) await journal.append([event(number)]);
  await journal.close();
  return disk.contentOf(PATH);
}

function holding(bytes: Buffer | string): CrashingDisk {
  const disk = new CrashingDisk();
  disk.put(PATH, bytes);
  return disk;
}

/** The error of a start over these bytes, which must stay as they are. */
async function refusalOf(bytes: Buffer): Promise<JournalError> {
  const disk = holding(bytes);
  const error = await openOn(disk).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof JournalError)) throw new Error(`it must be refused: ${bytes.toString()}`);
  expect(error.code).toBe('DAMAGED');
  expect(disk.contentOf(PATH).equals(bytes)).toBe(true);
  expect(disk.paths()).toEqual([PATH]); // no lock is left
  return error;
}

const lineFeeds = (bytes: Buffer): number[] => [...bytes.keys()].filter((at) => bytes[at] === 0x0a);

/** What a byte may become: other by one bit, a zero, a line feed. */
const wrong = (byte: number): number[] => {
  return [byte ^ 0x01, byte ^ 0x80, 0x00, 0x0a].filter((other) => other !== byte);
};

test('a line is its number, a checksum and the events', async () => {
  const [first] = (await fourLines()).toString().split('\n');
  expect(first).toMatch(
    /^\{"n":1,"crc":"[0-9a-f]{8}","events":\[\{"type":"noted","number":1\}\]\}$/,
  );
});

describe('B4: a torn last line is dropped', () => {
  test('wherever it ends, and the events before it are there', async () => {
    const bytes = await fourLines();
    const start = (lineFeeds(bytes)[2] ?? 0) + 1;
    for (let length = start; length < bytes.length; length++) {
      for (const zeros of [0, 50]) {
        const disk = holding(Buffer.concat([bytes.subarray(0, length), Buffer.alloc(zeros)]));
        const log: object[] = [];
        const logger = {
          info: () => {},
          warn: (fields: object) => log.push(fields),
          error: () => {},
        };
        const journal = await openOn(disk, { logger });
        // A whole line that lacks its line feed alone is kept: nothing of it is missing.
        const isWhole = length === bytes.length - 1;
        const found = (await eventsOf(journal)).map(({ number }) => number);
        expect(found).toEqual(isWhole ? [1, 2, 3, 4] : [1, 2, 3]);
        const torn = isWhole ? 0 : length - start + zeros;
        expect(log).toEqual(torn === 0 ? [] : [{ path: PATH, line: 4, bytes: torn }]);
        await journal.append([event(5)]);
        await journal.close();
        expect(await numbersOn(disk)).toEqual([...found, 5]);
      }
    }
  });

  test('and nothing of it is left after a shorter line', async () => {
    const bytes = await fourLines();
    const disk = holding(
      `${bytes.toString()}{"n":5,"crc":"00000000","events":[${'"x",'.repeat(100)}`,
    );
    const journal = await openOn(disk);
    await journal.append([event(5)]);
    await journal.close();
    expect(await numbersOn(disk)).toEqual([1, 2, 3, 4, 5]);
  });

  test('a file of a single torn line is an empty journal, and so is one of zeros', async () => {
    expect(await numbersOn(holding('{"n":1,"crc":"00'))).toEqual([]);
    expect(await numbersOn(holding(Buffer.alloc(4096)))).toEqual([]);
  });
});

describe('B4: any other damage refuses to start, with the number of the line', () => {
  test('each byte of an earlier line, changed to anything', async () => {
    const bytes = await fourLines();
    const ends = lineFeeds(bytes);
    for (let at = ends[0] ?? 0; at <= (ends[2] ?? 0); at++) {
      const line = ends.filter((end) => end < at).length + 1;
      for (const byte of wrong(bytes[at] ?? 0)) {
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        const { message } = await refusalOf(changed);
        expect(message).toContain(`${PATH} is damaged in line ${line}: `);
      }
    }
  });

  test('each byte of a last line that was ended', async () => {
    const bytes = await fourLines();
    const start = (lineFeeds(bytes)[2] ?? 0) + 1;
    for (let at = start; at < bytes.length - 1; at++) {
      for (const byte of wrong(bytes[at] ?? 0)) {
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        expect((await refusalOf(changed)).message).toContain('is damaged in line 4: ');
      }
    }
  });

  test('another byte for the last line feed', async () => {
    const bytes = await fourLines();
    for (const byte of wrong(0x0a)) {
      const changed = Buffer.from(bytes);
      changed[bytes.length - 1] = byte;
      // A zero may be what a crash left of the line feed.
      if (byte === 0) expect(await numbersOn(holding(changed))).toEqual([1, 2, 3, 4]);
      else expect((await refusalOf(changed)).message).toContain('is damaged in line 4: ');
    }
  });

  test.each([
    [
      'a line that is missing',
      [1, 3, 4],
      2,
      'it says that it is line 3: lines are missing or doubled',
    ],
    [
      'the first line missing',
      [2, 3, 4],
      1,
      'it says that it is line 2: lines are missing or doubled',
    ],
    ['a line twice', [1, 2, 2, 3, 4], 3, 'it says that it is line 2: lines are missing or doubled'],
    [
      'two lines in the wrong order',
      [1, 3, 2, 4],
      2,
      'it says that it is line 3: lines are missing or doubled',
    ],
  ])('%s', async (_, order, line, damage) => {
    const lines = (await fourLines()).toString().split('\n');
    const text = order.map((n) => `${lines[n - 1]}\n`).join('');
    const { message } = await refusalOf(Buffer.from(text));
    expect(message).toContain(`is damaged in line ${line}: ${damage}. Nothing was changed.`);
  });

  test.each([
    ['an empty line', '\n', 'it is not a line of a journal'],
    ['text after the events', 'PAYLOAD \n', 'it is not a line of a journal'],
    [
      'bytes that are no beginning of a line',
      'x',
      'what follows the last line feed is not the beginning of a line',
    ],
    [
      'the beginning of another line',
      '{"n":7',
      'what follows the last line feed is not the beginning of a line',
    ],
    [
      'the beginning of a line with a wrong checksum',
      '{"n":5,"crc":"g',
      'what follows the last line feed is not',
    ],
    [
      'the beginning of a line with other names',
      '{"n":5,"crc":"00000000","evens"',
      'what follows the last line feed',
    ],
  ])('%s at the end', async (_, text, damage) => {
    const bytes = await fourLines();
    const { message } = await refusalOf(Buffer.concat([bytes, Buffer.from(text)]));
    expect(message).toContain(`is damaged in line 5: ${damage}`);
  });

  test.each(['precious notes', '{"a":1}', '{"n":1}', '\u0000precious', 'one\ntwo\n'])(
    'a file that never was a journal: %j',
    async (text) => {
      expect((await refusalOf(Buffer.from(text))).message).toContain('is damaged in line 1: ');
    },
  );

  test('the message says how to give up the damaged line, and doing so helps', async () => {
    const bytes = await fourLines();
    const changed = Buffer.from(bytes);
    const start = (lineFeeds(bytes)[1] ?? 0) + 1;
    changed.writeUInt8(changed.readUInt8(start + 30) ^ 1, start + 30);
    const { message } = await refusalOf(changed);
    expect(message).toBe(
      `The journal ${PATH} is damaged in line 3: its checksum does not fit. Nothing was changed. ` +
        `Restore the file from a copy, or give up this line and all after it: head -c ${start} FILE > NEW.`,
    );
    expect(await numbersOn(holding(changed.subarray(0, start)))).toEqual([1, 2]);
  });

  test('a disk that cannot read is not taken for an empty file', async () => {
    const disk = holding(await fourLines());
    disk.fault = ({ name }) => (name === 'read' ? 'fail' : 'none');
    await expect(openOn(disk)).rejects.toMatchObject({
      code: 'CANNOT_OPEN',
      message: `Cannot open the journal ${PATH}: the disk answered EIO.`,
    });
  });
});
