import { describe, expect, test } from '@jest/globals';

import { bodiesOf, callCli, done, useRgs } from './call-rig';
import { temporaryFile } from './cli';

const rgs = useRgs();
const reply =
  '{"records":[' +
  '{"DAY":"2026-03-01","currency":"EUR","games":12,"player":3,"bet":"120.50","win":"110.25","betInEuro":"120.50","winInEuro":"110.25","RTP":91.49},' +
  '{"DAY":"2026-03-02","currency":"EUR","games":8,"player":2,"bet":"9007199254740993.015","win":"0","betInEuro":"9007199254740993.015","winInEuro":"0","RTP":0.0},' +
  '{"DAY":"2026-03-02","currency":"SEK","games":1,"player":1,"bet":"11","win":"22","betInEuro":"1.00","winInEuro":"2.00","RTP":200}' +
  ']}';
const table = `
DAY         currency  games  player                        bet     win     RTP                  betInEuro  winInEuro
----------  --------  -----  ------  -------------------------  ------  ------  -------------------------  ---------
2026-03-01  EUR          12       3                     120.50  110.25   91.49                     120.50     110.25
2026-03-02  EUR           8       2  9,007,199,254,740,993.015    0.00     0.0  9,007,199,254,740,993.015       0.00
2026-03-02  SEK           1       1                      11.00   22.00     200                       1.00       2.00
----------  --------  -----  ------  -------------------------  ------  ------  -------------------------  ---------
total       EUR          20          9,007,199,254,741,113.515  110.25    0.00  9,007,199,254,741,113.515     110.25
total       SEK           1                              11.00   22.00  200.00                       1.00       2.00
total       all          21                                               0.00  9,007,199,254,741,114.515     112.25
`.trimStart();

/** Makes stdout say that it is a terminal, as it is where a person runs the command. */
async function onTerminal(): Promise<{ env: { NODE_OPTIONS: string } }> {
  const preload = await temporaryFile('terminal.cjs', 'process.stdout.isTTY = true;');
  return { env: { NODE_OPTIONS: `--require ${preload}` } };
}

describe('the reply', () => {
  test('is JSON where it is not for a terminal, every digit as it came', async () => {
    rgs().replies.getStats = reply;
    expect(await callCli(rgs(), ['stats'])).toEqual(done(`${reply}\n`));
  });

  test('is a table on a terminal, with totals of each currency and of all in EUR', async () => {
    rgs().replies.getStats = reply;
    expect(await callCli(rgs(), ['stats'], await onTerminal())).toEqual(done(table));
  });

  test('is what it is asked to be', async () => {
    rgs().replies.getStats = reply;
    expect(await callCli(rgs(), ['stats', '--table'])).toEqual(done(table));
    expect(await callCli(rgs(), ['stats', '--json'], await onTerminal())).toEqual(
      done(`${reply}\n`),
    );
    const both = await callCli(rgs(), ['stats', '--json', '--table']);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('cannot be used with')]);
  });

  test('is not totalled again where the service was asked for totals', async () => {
    rgs().replies.getStats = reply;
    const byFlag = await callCli(rgs(), ['stats', '--table', '--show-totals']);
    expect(byFlag.stdout.match(/^2026-03-0/gm)).toHaveLength(3);
    expect(byFlag.stdout).not.toContain('total');
    const stdin = '{"showTotals":true}';
    const byBody = await callCli(rgs(), ['stats', '--table', '--body', '-'], { stdin });
    expect(byBody).toEqual(byFlag);
  });

  test('without records says so', async () => {
    expect(await callCli(rgs(), ['stats', '--table'])).toEqual(done('There are no records.\n'));
  });

  test('has no total of what is no amount, a column for each key it was grouped by, and no control characters', async () => {
    rgs().replies.getStats =
      '{"records":[{"game":"be\\u001bls","currency":"EUR","bet":"1,5","win":"2.0"},{"game":"b","currency":"EUR","bet":"2","win":null}]}';
    const { stdout } = await callCli(rgs(), ['stats', '--table']);
    expect(stdout.split('\n')).toEqual([
      'DAY    game   currency   bet   win',
      '-----  -----  --------  ----  ----',
      '       be?ls  EUR        1,5  2.00',
      '       b      EUR       2.00',
      '-----  -----  --------  ----  ----',
      'total         EUR',
      '',
    ]);
  });
});

describe('the request', () => {
  test('holds what the flags say', async () => {
    const flags =
      '--from 2026-03-01 --to 2026-03-31 --group-by DAY --group-by game --filter game=bells --player-id ann --show-totals';
    expect((await callCli(rgs(), ['stats', ...flags.split(' ')])).code).toBe(0);
    expect(bodiesOf(rgs())).toEqual([
      {
        groupBy: ['DAY', 'game'],
        filterBy: { dateFrom: '2026-03-01', dateToIncluding: '2026-03-31', game: 'bells' },
        showTotals: true,
        playerId: 'ann',
      },
    ]);
  });

  test('is empty without flags', async () => {
    expect((await callCli(rgs(), ['stats'])).code).toBe(0);
    expect(bodiesOf(rgs())).toEqual([{}]);
  });

  test('is a body as it stands, with keys of filterBy that the kit does not know', async () => {
    const body =
      '{"groupBy":["game"],"filterBy":{"least":1.50,"games":["a","b"]},"showTotals":false}';
    expect((await callCli(rgs(), ['stats', '--body', '-'], { stdin: body })).code).toBe(0);
    expect(rgs().requests.map((request) => request.body)).toEqual([body]);
  });
});
