import { describe, expect, test } from '@jest/globals';

import { jsonOf, textLines } from '../../../lib/cli/reconcile/report';
import { csvCell, CsvReader, csvText } from '../../../lib/operator/reconciliation/by-round/csv';
import { readExportMap } from '../../../lib/operator/reconciliation/by-round/export-rows';
import { verdictOf } from '../../../lib/operator/reconciliation/counting/result';
import { eventLines, type History, playedEvents, type RgsRound } from './histories';
import { compareRounds } from './runs';

const noon = Date.parse('2026-10-21T12:00:00Z');
const frame = [noon - 86_400_000, noon + 3 * 86_400_000];
const period = ['2026-10-21', '2026-10-21'] as const;
const map = {
  round: 'id',
  currency: 'cur',
  bet: 'bet',
  win: 'win',
  state: 'state',
  voided: ['VOID'],
};

/** One round: bet 100, win 2.50. */
function lines(round = 'r1'): string[] {
  const one: RgsRound = {
    round,
    player: 'ann',
    game: 'bells',
    currency: 'EUR',
    start: noon,
    end: noon + 1,
    bet: 10_000,
    win: 250,
    state: 'DONE',
    isFree: false,
  };
  const history: History = {
    rounds: new Map(),
    events: new Map([[round, playedEvents(one, [10_000], [250])]]),
  };
  return eventLines(history, frame);
}

async function verdict(text: string, format: 'csv' | 'ndjson' = 'csv', round = 'r1') {
  const result = await compareRounds(lines(round), text, period, { zones: ['UTC'], map }, format);
  return [verdictOf(result), ...result.faults];
}

describe('an export', () => {
  test.each([
    ['plain', 'id,cur,bet,win,state\nr1,EUR,100.00,2.5,DONE\n'],
    ['with a byte order mark', '\uFEFFid,cur,bet,win,state\nr1,EUR,100,2.5,DONE\n'],
    ['with semicolons, and commas in a cell', 'id;cur;bet;win;state\nr1;EUR;100;2.5;"a,b"\n'],
    ['with tabs', 'id\tcur\tbet\twin\tstate\nr1\tEUR\t100\t2.5\tDONE'],
    [
      'with quotes, doubled quotes and line breaks in a cell',
      '"id","cur","bet","win","state"\r\n"r1","EUR","100","2.5","say ""yes"",\r\n twice"\r\n',
    ],
    ['with 1e2', 'id,cur,bet,win,state\nr1,EUR,1e2,25e-1,DONE\n'],
    ['with empty lines and other columns', 'x,win,id,cur,bet,state\n\n,2.5,r1,EUR,100,\n\n'],
  ])('%s is read', async (_, text) => {
    expect(await verdict(text)).toEqual(['equal']);
  });

  test.each([
    ['numbers', '{"id":"r1","cur":"EUR","bet":1e2,"win":2.50,"state":null}\n'],
    ['texts, without a last line break', '{"id":"r1","cur":"EUR","bet":"100","win":"2.5"}'],
  ])('JSON lines with %s are read', async (_, text) => {
    expect(await verdict(text, 'ndjson')).toEqual(['equal']);
  });

  test.each(['10.00001', '-1', '1,50', '', 'NaN', '0x10', '1e999', '9'.repeat(50)])(
    'the amount %j is a fault of its row, and is not rounded',
    async (amount) => {
      const text = `id;cur;bet;win;state\nr1;EUR;${amount};2.5;DONE\n`;
      expect(await verdict(text)).toEqual([
        'unreadable',
        'row 1: its bet is not an amount with at most 4 decimals',
      ]);
    },
  );

  test('of many rows that cannot be read the first ten are named, all are counted, and the others are compared', async () => {
    const wrong = Array.from({ length: 12 }, (_, at) => `x${at},EUR,1;0,2.5,DONE\n`).join('');
    const text = `id,cur,bet,win,state\n${wrong}r1,EUR,100.00,2.6,DONE\n`;
    const result = await compareRounds(lines(), text, period, { zones: ['UTC'], map }, 'csv');
    const why = 'its bet is not an amount with at most 4 decimals';
    const named = Array.from({ length: 10 }, (_, at) => `row ${at + 1}: ${why}`);
    expect([verdictOf(result), result.faults, result.faulty]).toEqual(['unreadable', named, 12]);
    const rounds = result.differences.flatMap((one) => one.rounds.map(({ round }) => round));
    expect(rounds).toEqual(['r1']);
    const text10 = textLines(result, 4);
    expect(text10).toContain('export: 12 rows in all');
    expect(text10.at(-1)).toBe(
      'Not whole: 12 rows of the export cannot be read. Of 1 compared 1 differs.',
    );
    expect(jsonOf(result, 4)).toMatchObject({ verdict: 'unreadable', faults: named, faulty: 12 });
  });

  test('a row that is 0.0001 away differs', async () => {
    expect(await verdict('id,cur,bet,win,state\nr1,EUR,100,2.5001,DONE\n')).toEqual(['different']);
  });

  test.each([
    ['', 'the export is empty: it has no header'],
    ['id,cur,bet\n', "the export has no column for the map's win"],
    ['id,cur,bet,win,win,state\n', "the export has two columns for the map's win"],
    ['id,cur,bet,win,state\n"r1', "the export's line 2: a quote is not closed"],
    ['id,cur,bet,win,state\n"r1"x,EUR', "the export's line 2: text follows a closing quote"],
    [`id,cur,bet,win,state\n${'x'.repeat(70_000)},EUR`, "the export's line 2: a cell is too long"],
    [`id,cur,bet,win,state\n${','.repeat(2_000)}`, "the export's line 2: a row has too many cells"],
  ])('%# cannot be read as a whole: one line says why', async (text, reason) => {
    await expect(verdict(text)).rejects.toThrow(reason);
  });

  test('an export without rows is different from a day with a round', async () => {
    expect(await verdict('id,cur,bet,win,state\n')).toEqual(['different']);
  });

  test.each([
    [{ ...map, bonus: 'x' }, /not known/],
    [{ round: 'id', currency: 'c', bet: 'b' }, /has no win/],
    [{ ...map, voided: 'VOID' }, /voided is not a list/],
    [[], /not an object/],
  ])('a map that is wrong is refused', (wrong, reason) => {
    expect(() => readExportMap(JSON.parse(JSON.stringify(wrong)))).toThrow(reason);
  });

  test('CSV is read the same whatever the pieces in which it comes', () => {
    const text = '\uFEFFa;b\r\n"x;""y""\n";2\r\n;"";\n"",\n';
    const rows = (size: number): string[][] => {
      const reader = new CsvReader();
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      return [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.end()];
    };
    const whole = [
      ['a', 'b'],
      ['x;"y"\n', '2'],
      ['', '', ''],
    ];
    const valid = text.replace('"",\n', '');
    expect(valid).not.toBe(text);
    for (let size = 1; size < valid.length; size++) {
      const reader = new CsvReader();
      const pieces = valid.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      expect([...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.end()]).toEqual(
        whole,
      );
    }
    expect(() => rows(3)).toThrow('text follows a closing quote');
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['+1', "'+1"],
    ['-1', '-1'],
    ['-1+1', "'-1+1"],
    ['=a,"b"', '"\'=a,""b"""'],
    ['plain', 'plain'],
  ])('%j is written to CSV as %j', (text, cell) => expect(csvCell(text)).toBe(cell));

  test('a text of CSV never begins as a formula, whatever stands before it', () => {
    const signs = ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20'];
    const before = ['', ' ', '\u00a0\u2003 ', '\u200b', '\ufeff', '\u202e', '\n', '\t', '\r'];
    for (const sign of signs) {
      for (const space of before) {
        const text = `${space}${sign}1`;
        expect(csvText(text).replace(/^"/, '')).toBe(`'${text}${/[\n\t\r]/.test(text) ? '"' : ''}`);
      }
    }
    expect(['\tx', '\rx'].map(csvText)).toEqual(['"\'\tx"', '"\'\rx"']);
    expect(['-5', '5', 'a=b', "'=1"].map(csvText)).toEqual(["'-5", '5', 'a=b', "'=1"]);
  });
});
