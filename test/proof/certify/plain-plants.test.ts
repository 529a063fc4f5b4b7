import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { type Difference, now, send, shown } from './plain-calls';
import { createWallet } from './wallets/plain-wallet.cjs';

type Step = string | readonly [string, Difference];

const forged = { forge: (right: string) => `A${right.slice(1)}` } as const;
const by = (count: number) => {
  return { forge: (right: string) => right.slice(0, count).padEnd(44, '0') };
};
const later = (seconds: number) => ({ later: seconds * 1000 });
const round = (gameRound: string) => ({ gameRound });
const zoned = {
  written: (date: Date) => date.toISOString().replace('T12', 'T14').replace('Z', '+02:00'),
};
const connection = {};
const first = 'debit! d1 100';
const long = 'x'.repeat(40);
const longer = 'x'.repeat(70);
const each = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join(', ');

/** Plays the steps, and answers what the last one was answered: status, balance, hashes, the error at the top. */
async function play(plants: readonly string[], steps: readonly Step[], file?: string) {
  let time = now;
  const options = { plants: new Set(plants), now: () => time, ...(file ? { file } : {}) };
  let wallet = createWallet(options);
  let last = '';
  for (const step of steps) {
    if (step === 'restart') {
      wallet.close();
      wallet = createWallet(options);
      continue;
    }
    const [lines, different] = typeof step === 'string' ? [step, {}] : step;
    time = now + (different.later ?? 0);
    const reply = await send(wallet, lines, different);
    last = `${shown(reply)} (${reply.body.errorCode?.id})`.replaceAll('undefined', 'none');
  }
  wallet.close();
  return last;
}

/** What the last step is answered by the right wallet, and by the planted one, and the steps. */
const TABLE: Record<string, readonly [right: string, wrong: string, ...steps: Step[]]> = {
  'credits-unsigned': ['401 none:', '200 999905:', first, ['credit c1 5', forged]],
  'ends-unsigned': ['401 none:', '200 999900:', first, ['end e1', forged]],
  'voids-unsigned': ['401 none:', '200 1000000:', first, ['void d1', forged]],
  'free-plays-unsigned': ['401 none:', '200 1000000:', ['free d1', forged]],
  'zero-debits-unsigned': ['401 none:', '200 1000000:', ['debit! d1 0', forged]],
  'connection-trusted': [
    '401 none:',
    '200 999905:',
    [first, { connection }],
    ['credit c1 5', { ...forged, connection }],
  ],
  'five-transactions-signed': [
    '401 none:',
    '200 999905:',
    [`${first}, ${each(5, (at) => `credit c${at} 1`)}`, { signed: 5 }],
  ],
  'signature-by-first-16': ['401 none:', '200 999900:', [first, by(16)]],
  'signature-by-first-32': ['401 none:', '200 999900:', [first, by(32)]],
  'timestamp-zone-ignored': ['200 999900:', '401 none:', [first, zoned]],
  'credit-repeat-shows-old-balances': [
    '200 999910:',
    '200 999905:',
    first,
    'credit c1 5',
    'credit c2 5',
    'credit c1 5',
  ],
  'hash-by-game': ['200 999800:', '200 999900:', first, [first, round('r2')]],
  'hash-cut-at-32': ['200 999905:', '400 999900:', `debit! ${long}1 100`, `credit ${long}2 5`],
  'hash-cut-at-64': ['200 999905:', '400 999900:', `debit! ${longer}1 100`, `credit ${longer}2 5`],
  'hash-normalised': ['200 999905:', '400 999900:', 'debit! %C3%A9 100', 'credit e%CC%81 5'],
  'round-by-game': ['200 999905:', '400 999900:', first, ['credit c1 5', { gameCode: 'game-2' }]],
  'rounds-shared-by-players': [
    '200 999900:',
    '400 1000000:',
    first,
    ['debit! d2 100', { playerId: 'p2' }],
  ],
  'round-case-folded': ['200 999800:', '400 999900:', first, ['debit! d2 100', round('R1')]],
  'round-trimmed': ['200 999800:', '400 999900:', first, ['debit! d2 100', round('r1 ')]],
  'round-cut-at-32': [
    '200 999800:',
    '400 999900:',
    [first, round(`${long}1`)],
    ['debit! d2 100', round(`${long}2`)],
  ],
  'round-cut-at-64': [
    '200 999800:',
    '400 999900:',
    [first, round(`${longer}1`)],
    ['debit! d2 100', round(`${longer}2`)],
  ],
  'round-normalised': [
    '200 999800:',
    '400 999900:',
    [first, round('\u00e9')],
    ['debit! d2 100', round('e\u0301')],
  ],
  'early-voids-kept-1-s': ['400 1000000:', '200 999900:', 'void d1', [first, later(2)]],
  'early-voids-kept-10-s': ['400 1000000:', '200 999900:', 'void d1', [first, later(11)]],
  'early-voids-kept-60-s': ['400 1000000:', '200 999900:', 'void d1', [first, later(61)]],
  '300-hashes-kept': [
    '200 1000205:',
    '200 1000210:',
    first,
    'credit c 5',
    each(300, (at) => `credit c${at} 1`),
    'credit c 5',
  ],
  '8-hashes-of-a-round-kept': [
    '200 999913:',
    '200 999918:',
    first,
    'credit c 5',
    each(8, (at) => `credit c${at} 1`),
    'credit c 5',
  ],
  'rounds-forgotten-at-the-next': [
    '200 999805:',
    '400 999800:',
    first,
    ['debit! d2 100', round('r2')],
    'credit c1 5',
  ],
  'closed-rounds-forgotten': ['200 999900:', '200 999800:', `${first}, end e1`, first],
  'hashes-of-closed-rounds-forgotten': [
    '200 999905:',
    '400 999905:',
    `${first}, credit c1 5, end e1`,
    'credit c1 5',
  ],
  'voided-rounds-forgotten': ['400 1000000:', '200 999900:', first, 'void d1', first],
  'early-voids-lost-at-restart': ['400 1000000:', '200 999900:', 'void d1', 'restart', first],
  'credit-hashes-lost-at-restart': [
    '200 999905:',
    '200 999910:',
    first,
    'credit c1 5',
    'restart',
    'credit c1 5',
  ],
  'refusals-lost-at-restart': [
    '400 1000399:',
    '200 399:',
    first,
    'debit d2 1000000',
    ['debit! d3 1, credit c3 500', round('r2')],
    'restart',
    'debit d2 1000000',
  ],
  'end-before-start-accepted': ['400 1000000:', '200 1000000:', 'end e1'],
  'decline-never-cleared': [
    '200 999904:',
    '400 999899:',
    first,
    'debit d2 1000000',
    'debit d3 1',
    'credit c1 5',
  ],
  'decline-not-cleared-by-void': [
    '200 999905:',
    '400 999900:',
    first,
    'debit d2 1000000',
    'void d2',
    'credit c1 5',
  ],
  'failure-forgotten-in-the-call': [
    '400 999900:',
    '400 999905:',
    first,
    'debit d2 1000000, credit c1 5',
  ],
  'failure-forgotten-behind-a-known-debit': [
    '400 999900:',
    '400 999905:',
    first,
    `debit d2 1000000, ${first}, credit c1 5`,
  ],
  'repeated-failure-not-counted': [
    '400 999900:',
    '400 999899:',
    first,
    'debit d2 1000000',
    'debit d2 1000000, debit d3 1',
  ],
  'end-after-failed-debit-accepted': [
    '400 999900: d2 9001, e1 9004 (9001)',
    '400 999900: d2 9001, e1 (9001)',
    first,
    'debit d2 1000000, end e1',
  ],
  'stops-at-first-failure': ['400 1000000:', '400 999900:', first, 'debit d2 1000000, void d1'],
  'follow-up-currency-unchecked': [
    '400 999900:',
    '200 999895:',
    first,
    ['debit d2 5', { currency: 'USD' }],
  ],
  'credit-currency-unchecked': [
    '400 999900:',
    '200 999905:',
    first,
    ['credit c1 5', { currency: 'USD' }],
  ],
  'void-without-effect-on-closed': ['200 1000000:', '200 999900:', `${first}, end e1`, 'void d1'],
  'void-below-zero-refused': [
    '200 -400:',
    '400 0:',
    `${first}, credit c1 500`,
    ['debit! d2 1000400', round('r2')],
    'void d1',
  ],
  'void-keeps-later-credits': ['200 1000000:', '200 1000005:', first, 'credit c1 5', 'void d1'],
  'upper-case-void-without-effect': ['200 1000000:', '200 999900:', first, 'VOID d1 100'],
  'upper-case-void-pays-again': ['200 1000000:', '200 1000100:', first, 'void d1', 'VOID d1 100'],
  'half-failure-answered-200': ['400 999900:', '200 999900:', `${first}, debit d2 1000000`],
  'refused-credit-answered-200': ['400 1000000:', '200 1000000:', 'credit c1 5'],
  'known-credit-500': ['200 999905:', '500 999905:', first, 'credit c1 5', 'credit c1 5'],
  'malformed-credit-500': ['400 none:', '500 none:', first, 'credit c1'],
  'processed-without-accepted': ['200 999900: d1 (none)', '200 999900:  (none)', first],
  'processed-without-known': ['200 999900: d1 (none)', '200 999900:  (none)', first, first],
  'processed-without-ends': [
    '200 999900: d1, e1 (none)',
    '200 999900: d1 (none)',
    `${first}, end e1`,
  ],
  'processed-with-first-alone': [
    '200 999900: d1, e1 (none)',
    '200 999900: d1 (none)',
    `${first}, end e1`,
  ],
  'refused-credit-listed-as-paid': [
    '400 1000000: c1 15 (15)',
    '400 1000000: c1 (15)',
    'credit c1 5',
  ],
  'top-error-code-missing': [
    '400 1000000: d1 9001 (9001)',
    '400 1000000: d1 9001 (none)',
    'debit! d1 1000001',
  ],
  'cents-cut-by-floats': ['200 999999.71:', '200 999999.72:', 'debit! d1 0.29'],
  'cents-rounded-half-up': ['200 999999.875:', '200 999999.87:', 'debit! d1 0.125'],
  'cents-by-to-fixed': ['200 999998.995:', '200 999999:', 'debit! d1 1.005'],
  'two-decimals-kept': ['200 999999.8701:', '200 999999.88:', 'debit! d1 0.1299'],
  'some-cents-lost': ['200 999999.97:', '200 999999.98:', 'debit! d1 0.03'],
  'amounts-in-single-floats': ['200 17777117:', '200 17777116:', first, 'credit c1 16777217'],
  'balance-cut-by-floats': [
    '200 999900.5:',
    '200 999900.4999:',
    first,
    each(5, (at) => `credit c${at} 0.1`),
  ],
  'balance-in-single-floats': ['200 999999.71:', '200 999999.6875:', 'debit! d1 0.29'],
  'balance-rounded-to-cents': ['200 999900.004:', '200 999900:', first, 'credit c1 0.004'],
  'twenty-first-credit-dropped': [
    '200 999921:',
    '200 999920:',
    `${first}, ${each(21, (at) => `credit c${at} 1`)}`,
  ],
  'calls-beyond-20-refused': [
    '200 999920:',
    '400 none:',
    `${first}, ${each(20, (at) => `credit c${at} 1`)}`,
  ],
  'calls-beyond-50-refused': [
    '200 999950:',
    '400 none:',
    `${first}, ${each(50, (at) => `credit c${at} 1`)}`,
  ],
  'hashes-beyond-36-refused': ['200 999999:', '400 none:', `debit! ${long} 1`],
  'hashes-beyond-64-refused': ['200 999999:', '400 none:', `debit! ${longer} 1`],
  'rounds-beyond-36-refused': ['200 999900:', '400 none:', [first, round(long)]],
  'rounds-beyond-64-refused': ['200 999900:', '400 none:', [first, round(longer)]],
  'games-beyond-32-refused': ['200 999900:', '400 none:', [first, { gameCode: long }]],
};
describe('a planted mistake shows, where the right wallet answers as it should', () => {
  test.each(Object.entries(TABLE))('%s', async (name, [right, wrong, ...steps]) => {
    const folder = mkdtempSync(join(tmpdir(), 'plain-'));
    const file = (of: string) => (steps.includes('restart') ? join(folder, of) : undefined);
    try {
      const answers = [await play([], steps, file('right')), await play([name], steps, file(name))];
      expect(answers.map((one, at) => one.slice(0, [right, wrong][at]?.length))).toEqual([
        right,
        wrong,
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
