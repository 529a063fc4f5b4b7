import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createExpiredRig, DAY_MS, edgeMs, type ExpiredRig, lineOf } from './expired-rig';
import { debit, end, euros } from './rig';

const taken = '200: round-1';
const refused = '400 9010: round-1 9010';

let rig: ExpiredRig;

beforeEach(async () => {
  rig = await createExpiredRig();
});

afterEach(() => rig.close());

/** A time so long ago, written in a zone so many hours from UTC. */
function zoned(agoMs: number, hours: number, zone: string): string {
  return new Date(Date.parse(rig.ago(agoMs)) + hours * 3_600_000).toISOString().replace('Z', zone);
}

/** How a first debit of an unknown round with this timestamp is answered. */
async function answerTo(timestamp: string | null | undefined): Promise<string> {
  return lineOf(await rig.call([debit(10, { timestamp })]));
}

describe('D10.2 a first debit of an unknown round is refused if its timestamp is a date-time that is too old', () => {
  test.each([
    '2020-01-21T14:48:04Z',
    '2020-01-21T14:48:04.123Z',
    '2020-01-21T14:48:04.123456Z',
    '2020-01-21T14:48:04+02:00',
    '2020-01-21T14:48:04.5-11:30',
    '2020-01-21T14:48:04',
    '2024-02-29T00:00:00Z',
    '1970-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '0099-12-31T23:59:59Z',
    '0001-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '0000-01-01T00:00:00Z',
  ])('as %s is', async (timestamp) => {
    expect(await answerTo(timestamp)).toBe(refused);
    expect([await rig.state(), await rig.balance()]).toEqual([null, euros(100)]);
  });
});

describe('D10.2 a first debit without a timestamp, or with one that is no date-time, is taken', () => {
  test.each([
    undefined,
    null,
    '',
    ' ',
    'yesterday',
    '0',
    '1579618084',
    '1579618084000',
    '2020',
    '2020-01-21',
    '2020-02-30T00:00:00Z',
    '2019-02-29T00:00:00Z',
    '2020-13-01T00:00:00Z',
    '2020-01-21T25:00:00Z',
    '2020-01-21T14:60:00Z',
    '2020-00-21T14:48:04Z',
    'Tue, 21 Jan 2020 14:48:04 GMT',
    '21.01.2020 14:48:04',
    '2020-01-21T14:48:04Zulu',
    'x2020-01-21T14:48:04Z',
    '2020-01-21T14:48:04Z\u0000',
    '2020-01-21T14:48:04Z'.repeat(1000),
  ])('as with %p', async (timestamp) => {
    expect(await answerTo(timestamp)).toBe(taken);
  });
});

describe('D10.2 a first debit that lies ahead is taken', () => {
  test.each(['9999-12-31T23:59:59Z', '9999-12-31T23:59:59-12:00', '2126-01-01T00:00:00.000Z'])(
    'as %s is',
    async (timestamp) => {
      expect(await answerTo(timestamp)).toBe(taken);
    },
  );

  test('by one millisecond, or by less than the tolerance', async () => {
    for (const aheadMs of [1, 299_999, 300_001]) {
      const gameRound = `ahead-${aheadMs}`;
      const young = debit(1, { hash: gameRound, timestamp: rig.ago(-aheadMs) });
      expect((await rig.call([young], { gameRound })).status).toBe(200);
    }
  });
});

describe('D10.2 the age is the retention less the tolerance of clocks', () => {
  test('exactly: older by one millisecond is refused', async () => {
    expect(await answerTo(rig.ago(edgeMs + 1))).toBe(refused);
  });

  test('exactly: younger by one millisecond is taken', async () => {
    expect(await answerTo(rig.ago(edgeMs - 1))).toBe(taken);
  });

  test('as the offset of the timestamp has it', async () => {
    expect(await answerTo(zoned(edgeMs + 1, -11, '-11:00'))).toBe(refused);
    expect(await answerTo(zoned(edgeMs + 1, 14, '+14:00'))).toBe(refused);
    expect(await answerTo(zoned(edgeMs - 1, 14, '+14:00'))).toBe(taken);
  });

  test('and a timestamp without a zone is UTC, wherever the process runs (D1.3)', async () => {
    const { TZ } = process.env;
    try {
      for (const zone of ['America/New_York', 'Asia/Tokyo']) {
        process.env['TZ'] = zone;
        const gameRound = zone;
        const answer = async (agoMs: number): Promise<number> => {
          const timestamp = rig.ago(agoMs).replace('Z', '');
          return (await rig.call([debit(1, { hash: zone, timestamp })], { gameRound })).status;
        };
        expect([await answer(edgeMs + 1), await answer(edgeMs - 1)]).toEqual([400, 200]);
      }
    } finally {
      if (TZ === undefined) delete process.env['TZ'];
      else process.env['TZ'] = TZ;
    }
  });

  test('so a round is either known or refused while its retention ends', async () => {
    const rounds = Array.from({ length: 40 }, (_, at) => ({ gameRound: `r-${at}` }));
    const played = [debit(1, { timestamp: rig.ago() })];
    for (const round of rounds) await rig.call(played, round);
    for (const round of rounds) await rig.call([end], round);
    const seen: string[] = [];
    rig.pass(edgeMs - 100);
    // Each of them once: a repeat that is signed anew is noted with its round, which is then kept for longer.
    for (const [at, round] of rounds.entries()) {
      seen.push(lineOf(await rig.call(played, round)));
      rig.pass(at < 20 ? 10 : 30_000);
    }
    expect(seen).toEqual([...Array(30).fill(taken), ...Array(10).fill(refused)]);
    expect(await rig.balance()).toBe(euros(60));
  });
});

test('a timestamp that is a number is no call: 400, id 19', async () => {
  const call = [debit(10, { timestamp: 1_579_618_084_000 })];
  expect(lineOf(await rig.call(call))).toBe('400 19: ');
});

test('D10.3 a timestamp is not signed: a call whose timestamp was made younger is judged by that one', async () => {
  expect(await answerTo(rig.ago(400 * DAY_MS))).toBe(refused);
  expect(await answerTo(rig.ago())).toBe(taken);
});
