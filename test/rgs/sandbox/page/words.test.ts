import { describe, expect, test } from '@jest/globals';

import type { Html } from '../../../../lib/platform/html';
import { amountWords, inMoney } from '../../../../lib/rgs/sandbox/wire/amounts';
import { latestCalls, wirePage } from '../../../../lib/rgs/sandbox/page/calls';
import { lanes } from '../../../../lib/rgs/sandbox/page/lanes';
import { attentionPart } from '../../../../lib/rgs/sandbox/page/rounds';
import { booksVerdict } from '../../../../lib/rgs/sandbox/page/verdict';
import type { BooksView } from '../../../../lib/rgs/sandbox/view/books';
import type { StateView } from '../../../../lib/rgs/sandbox/view/state';
import type { WireCall } from '../../../../lib/rgs/sandbox/view/wire';
import { FixedSource, wireCall } from './fixture';

/** Markup as a reader sees it: without tags, spaces as one. */
function plain(markup: Html | string): string {
  return String(markup)
    .replace(/<(?:[^>"]|"[^"]*")*>/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replace(/\s+/g, ' ');
}

function inEuro(text: string): string {
  return inMoney(text, 'EUR').replaceAll('\u00a0', ' ');
}

describe('an amount on a page', () => {
  test.each([
    ['250', 'EUR', '2.50 EUR'],
    ['-5', 'EUR', '−0.05 EUR'],
    ['100', 'JPY', '1 JPY'],
    ['150', 'JPY', '1.5 JPY'],
    ['1234567', 'BHD', '12,345.670 BHD'],
    ['9007199254740991', 'EUR', '90,071,992,547,409.91 EUR'],
    ['250', null, '2.50'],
    ['-50', null, '−0.50'],
    ['0', null, '0.00'],
  ])('%s units of %s are %s: a unit is 1/100 (E4.1)', (units, currency, text) => {
    expect(amountWords(units, currency).replaceAll('\u00a0', ' ')).toBe(text);
  });

  test('every amount of a text of the books is written so, and no other word', () => {
    expect(inEuro('100 or 200')).toBe('1.00 EUR or 2.00 EUR');
    expect(inEuro('-5 to 0')).toBe('−0.05 EUR to 0.00 EUR');
    expect(inEuro('taken')).toBe('taken');
  });
});

/** A call of the wallet with these transactions. */
function transactionCall(transactions: unknown, change: Partial<WireCall> = {}): WireCall {
  const text = JSON.stringify({ transactions });
  const body = { text, encoding: 'utf8', bytes: text.length } as const;
  return wireCall({ n: 2, line: 'rgs-wallet', call: 'doTransactions', body, ...change });
}

const credit = { type: 'CREDIT', amount: 250, currency: 'EUR', hash: 'c1' };

describe('a call in the list of calls', () => {
  test('says what it moves in its currency, and that the same transactions are sent again', () => {
    const calls = [
      transactionCall([credit, { type: 'END', hash: 'e1' }]),
      transactionCall([credit, { type: 'END', hash: 'e1' }], { n: 3 }),
      transactionCall([{ ...credit, hash: 'c2' }], { n: 4 }),
    ];
    const text = plain(latestCalls(calls, () => null));
    expect(text.match(/credit 2\.50 EUR(?: \+ end)?(?:, sent again)?/g)).toEqual([
      'credit 2.50 EUR + end',
      'credit 2.50 EUR + end, sent again',
      'credit 2.50 EUR',
    ]);
  });

  test.each<[string, unknown, string]>([
    ['a list of null', [null], 'doTransactions'],
    ['no list', 'x', 'doTransactions'],
    ['an amount with decimals', [{ ...credit, amount: 2.5 }], 'credit 2.5'],
    ['an amount that is a list', [{ ...credit, amount: [1] }], 'credit'],
    ['an amount above 2^53', [{ ...credit, amount: 1e300 }], 'credit above 2^53-1'],
  ])('with %s is shown without a guess', (_, transactions, words) => {
    const text = plain(latestCalls([transactionCall(transactions)], () => 'EUR'));
    expect(text).toContain(`RGS → wallet ${words} 200`);
  });

  test.each<[Partial<WireCall>, string]>([
    [{ fault: 'loseReply' }, 'reply lost'],
    [{ fault: 'cut' }, 'reply cut'],
    [{ fault: 'late' }, '200, late'],
    [{ state: 'lost', status: null }, 'no reply'],
    [{ state: 'underway', status: null }, 'pending'],
    [{ state: 'lost', status: null, fault: 'loseRequest' }, 'request lost'],
  ])('%j is answered by %s', (change, words) => {
    expect(plain(latestCalls([wireCall(change)], () => null))).toContain(` ${words} `);
  });

  test('of many, the latest are shown, with a link to those before them', () => {
    const calls = Array.from({ length: 200 }, (_, at) => wireCall({ n: at + 1 }));
    const filter = { line: '', round: '', status: '' };
    const page = String(wirePage({ latest: 200, oldest: 1, calls }, filter, () => null));
    expect(page.match(/href="\/call\?n=\d+"/g)).toHaveLength(60);
    expect(page).toContain('before=141');
  });
});

describe('the lanes between game, RGS and wallet', () => {
  test('are in the order in which requests and replies went, with amounts on the arrows', () => {
    const start = wireCall({ body: bodyOf({ debitInformation: { debitAmount: '100' } }) });
    const debit = transactionCall([{ ...credit, type: 'DEBIT', amount: 100 }], { cause: 1 });
    const drawn = lanes({ calls: [start, debit], currencyOf: () => 'EUR', all: null });
    const ways = [...String(drawn).matchAll(/role="img" aria-label="([^"]+)"/g)].map(
      ([, way]) => way,
    );
    expect(ways).toEqual(['game → RGS', 'RGS → wallet', 'wallet → RGS', 'RGS → game']);
    expect(plain(drawn)).toMatch(/startGameRound, stake 1\.00 EUR .*debit 1\.00 EUR /);
  });

  test('are broken where a request or a reply is lost, and a silence of minutes is said', () => {
    const calls = [
      wireCall({ fault: 'loseReply' }),
      wireCall({ n: 2, at: '2026-03-01T12:07:36.000Z', fault: 'loseRequest' }),
    ];
    const drawn = String(lanes({ calls, currencyOf: () => null, all: null }));
    expect([...drawn.matchAll(/class="arrow( b)?"/g)].map(([, broken]) => broken ?? '')).toEqual([
      '',
      ' b',
      ' b',
      ' b',
    ]);
    expect(drawn).toContain('7 min later');
  });

  test('of more than forty calls are the first and the last ones, unless all are asked for', () => {
    const calls = Array.from({ length: 100 }, (_, at) => wireCall({ n: at + 1 }));
    const arrows = (all: string | null): number =>
      String(lanes({ calls, currencyOf: () => null, all })).match(/role="img"/g)?.length ?? 0;
    expect([arrows('/round?id=r&all=1'), arrows(null)]).toEqual([80, 200]);
  });
});

function bodyOf(value: object): WireCall['body'] {
  const text = JSON.stringify(value);
  return { text, encoding: 'utf8', bytes: text.length };
}

const nothing: BooksView = {
  agree: true,
  differences: [],
  notes: [],
  doubts: [],
  players: [],
  rounds: [],
};

async function said(
  change: (books: BooksView) => BooksView | null,
  stateChange: Partial<StateView> = {},
): Promise<string> {
  const source = new FixedSource();
  const state = { ...(await source.state()), due: [], attention: [], ...stateChange };
  const { tone, title, text } = booksVerdict(change(await source.books()), state);
  return plain(`${tone}: ${String(title)}. ${String(text)}`);
}

function agreeing(books: BooksView): BooksView {
  return { ...books, agree: true, differences: [], doubts: [] };
}

function withoutGame({ rounds, players }: BooksView): BooksView {
  return { ...nothing, players, rounds: rounds.map((round) => ({ ...round, provider: null })) };
}

test('a round that the RGS can do nothing more for says where it is settled', async () => {
  const state = await new FixedSource().state();
  const waiting = state.attention.map((one) => ({ ...one, ways: [] }));
  const drawn = plain(attentionPart({ ...state, attention: waiting }) ?? '');
  expect(drawn).toContain('Nothing more at the RGS: settle it at the wallet.');
});

describe('the verdict of the books', () => {
  test('names the first difference with its amounts, and counts the others', async () => {
    expect(await said((books) => books)).toMatch(
      /^bad: The three books differ\. Round .* win: RGS 2\.50 EUR, wallet 5\.00 EUR, game 2\.50 EUR\.$/,
    );
  });

  test('says that nothing is due, or what is', async () => {
    expect(await said(agreeing)).toBe(
      'good: The three books agree. 1 round, 0 differences, 0 doubts. Nothing is due.',
    );
    const attention = [{ gameRound: 'r', why: '', ways: [] }];
    expect(await said(agreeing, { attention })).toContain('1 round waits for a person.');
    expect(await said(agreeing, { attention })).toMatch(/^warn/);
  });

  test('names two books where the game has none here', async () => {
    expect(await said(withoutGame)).toContain('The books of RGS and wallet agree');
  });

  test('is not given for more rounds than are compared, for an empty book, and after a failure of the journal', async () => {
    expect(await said(() => null)).toMatch(/^note: The books are not compared here/);
    expect(await said(() => nothing, { rounds: [] })).toMatch(/^note: Nothing has been played yet/);
    expect(await said(() => nothing, { isReadOnly: true })).toMatch(/^bad: The journal has failed/);
  });
});
