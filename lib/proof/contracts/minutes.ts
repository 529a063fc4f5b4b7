import assert from 'node:assert/strict';
import {
  type KeptMinute,
  longestMinute,
  type Minutes,
  mostMinuteRows,
  mostMinutes,
} from '../../operator/wallet';
import { systemClock } from '../../platform';
import { makeContractWallet } from '../subject/one-operator';
import type { StoreSuiteOptions } from '../subject/players';
import { freshId } from '../subject/runner';
import { inTurns } from './case';
import { type Case, defineSuite, faultOf, type Rules } from './suite';

/** Options of {@link minutesContract}. */
export type MinutesContractOptions = StoreSuiteOptions;

interface Subject {
  readonly minutes: Minutes;
  close(): Promise<void>;
}

const rules: Rules<Subject> = {
  'rows of minutes': rowRules,
  'what is refused': refusalRules,
};

/** Defines the cases of the part `minutes`. A store without it does without this suite. No case can be left out. */
export function minutesContract({ runner, createStore }: MinutesContractOptions): void {
  defineSuite(runner, 'a store with the minutes of its processes', rules, {
    make: async (options) => {
      const { store } = await makeContractWallet(createStore, options);
      assert.ok(store.minutes !== undefined, 'the store has no minutes');
      return { minutes: store.minutes, close: () => store.close() };
    },
    close: (subject) => subject.close(),
  });
}

let taken = 0;

/** The first of ten minutes that no other case uses. */
function freshMinute(): number {
  taken += 10;
  return Math.floor(systemClock.now() / 60_000) - taken;
}

/** A process that no other case uses. */
function freshProcess(): string {
  return freshId('process')
    .replaceAll(/[^\w-]/g, '')
    .slice(-32);
}

async function listed(minutes: Minutes, from: number, to: number): Promise<string[]> {
  const rows = await minutes.list(from, to);
  return rows.map(({ minute, process, text }) => `${minute - from} ${process} ${text}`).toSorted();
}

async function save(minutes: Minutes, row: KeptMinute): Promise<void> {
  assert.equal(await minutes.save(row), true, 'the row must be kept');
}

function rowRules(it: Case<Subject>): void {
  it('a row is read as it was saved, whatever its text', async ({ minutes }) => {
    const minute = freshMinute();
    const printable = Array.from({ length: 95 }, (_, at) => String.fromCodePoint(32 + at)).join('');
    for (const text of ['', '0', printable, `"'\\{}:;--`, 'x'.repeat(longestMinute)]) {
      const row = { minute, process: freshProcess(), text };
      await save(minutes, row);
      const rows = await minutes.list(minute, minute + 1);
      assert.deepEqual(
        rows.filter(({ process }) => process === row.process),
        [row],
      );
    }
  });

  it('each minute has a row of each process', async ({ minutes }) => {
    const first = freshMinute();
    for (const [at, process] of [
      [0, 'a'],
      [0, 'b'],
      [1, 'a'],
      [2, 'A'],
    ] as const) {
      await save(minutes, { minute: first + at, process, text: `${at}${process}` });
    }
    assert.deepEqual(await listed(minutes, first, first + 3), [
      '0 a 0a',
      '0 b 0b',
      '1 a 1a',
      '2 A 2A',
    ]);
  });

  it('a row takes the place of an earlier one of its minute and process', async ({ minutes }) => {
    const minute = freshMinute();
    for (const text of ['1', '22', '3', '3']) await save(minutes, { minute, process: 'p', text });
    await save(minutes, { minute, process: 'q', text: '4' });
    assert.deepEqual(await listed(minutes, minute, minute + 1), ['0 p 3', '0 q 4']);
  });

  it('the first minute asked for is listed, and the last one is not', async ({ minutes }) => {
    const minute = freshMinute();
    await save(minutes, { minute, process: 'p', text: '1' });
    assert.deepEqual(await listed(minutes, minute, minute), []);
    assert.deepEqual(await listed(minutes, minute - 1, minute), []);
    assert.deepEqual(await listed(minutes, minute, minute + 1), ['0 p 1']);
    const wide = await minutes.list(minute + 1 - mostMinutes, minute + 1);
    assert.equal(wide.filter((row) => row.minute === minute).length, 1);
  });

  it('rows that are saved at the same time are all kept', async ({ minutes }) => {
    const minute = freshMinute();
    const processes = Array.from({ length: mostMinuteRows }, (_, at) => `process-${at}`);
    await inTurns(processes, (process) => save(minutes, { minute, process, text: process }));
    const expected = processes.map((process) => `0 ${process} ${process}`).toSorted();
    assert.deepEqual(await listed(minutes, minute, minute + 1), expected);
  });

  it(`a minute has rows of ${mostMinuteRows} processes, and no more`, async ({ minutes }) => {
    const minute = freshMinute();
    const processes = Array.from({ length: mostMinuteRows }, (_, at) => `p${at}`);
    for (const process of processes) await save(minutes, { minute, process, text: '1' });
    assert.equal(await minutes.save({ minute, process: 'one-more', text: '1' }), false);
    await save(minutes, { minute, process: 'p0', text: '2' });
    await save(minutes, { minute: minute + 1, process: 'one-more', text: '1' });
    const rows = await listed(minutes, minute, minute + 2);
    assert.equal(rows.length, mostMinuteRows + 1);
    assert.ok(rows.includes('0 p0 2') && rows.includes('1 one-more 1'));
  });
}

const wrongRows: readonly Readonly<Record<string, unknown>>[] = [
  { minute: -1 },
  { minute: 1.5 },
  { minute: Number.NaN },
  { minute: '1' },
  { process: '' },
  { process: 'x'.repeat(33) },
  { process: 'a b' },
  { process: 'a:{b}' },
  { process: 'p\n' },
  { process: undefined },
  { text: 'x'.repeat(longestMinute + 1) },
  { text: 'tab\t' },
  { text: 'line\n' },
  { text: '\u0000' },
  { text: 'ä' },
  { text: undefined },
];

function refusalRules(it: Case<Subject>): void {
  it('a wrong row is refused by the name of its member, and not kept', async ({ minutes }) => {
    const right = { minute: freshMinute(), process: freshProcess(), text: '1' };
    for (const wrong of wrongRows) {
      const [member = ''] = Object.keys(wrong);
      await assert.rejects(minutes.save({ ...right, ...wrong }), {
        name: faultOf(member === 'minute' ? null : wrong[member]).name,
        message: new RegExp(`^${member} must be `),
      });
    }
    assert.deepEqual(await listed(minutes, right.minute, right.minute + 1), []);
  });

  it('a range of invalid or too many minutes is refused', async ({ minutes }) => {
    const minute = freshMinute();
    for (const [from, to] of [
      [minute, minute - 1],
      [minute, minute + mostMinutes + 1],
      [-1, 0],
      [0.5, 1],
      [Number.NaN, minute],
      ['0', '1'],
    ]) {
      await assert.rejects(minutes.list(from as number, to as number), { name: 'TypeError' });
    }
  });
}
