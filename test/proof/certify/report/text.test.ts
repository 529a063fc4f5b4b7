import { describe, expect, test } from '@jest/globals';

import { badgeLine, findReportFault, jsonReport } from '../../../../lib/proof/certify/report/json';
import { htmlReport } from '../../../../lib/proof/certify/report/page/document';
import { junitReport } from '../../../../lib/proof/certify/report/junit';
import { summaryTable } from '../../../../lib/proof/certify/report/terminal';
import {
  caseOf,
  everyCase,
  exchangeWith,
  hostile,
  openCase,
  passedSample,
  reply,
  sample,
  signature,
  unrunSample,
} from './sample';
import { withoutSignatures } from '../../../../lib/proof/certify/report/cleaned';
import { faultOfXml } from './xml';

const plain = (text: string): string => text;
const noStyle = { good: plain, bad: plain, warn: plain, dim: plain };
const samples = [
  ['failed', sample()],
  ['passed', passedSample()],
  ['not run', unrunSample()],
] as const;

test('the JSON report holds every character of a reply, and none that steers a terminal or turns a line', () => {
  const steering = 'a\u009b31m\u0085\u202eb\u2028\u200d\ufeff\u{e0041}\u007f';
  const answer = reply(500, steering);
  const text = jsonReport(
    sample({ cases: [openCase('failed', 'required', { exchange: exchangeWith(answer) })] }),
  );
  expect(text).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u);
  const { cases } = JSON.parse(text) as {
    cases: { exchange: { reply: { body: { content: string } } } }[];
  };
  expect(cases[0]?.exchange.reply.body.content).toBe(steering);
});

describe('the HTML report', () => {
  const page = htmlReport(sample());

  test('shows of each case that did not pass the rule, the sentence, the call, the answer and the curl line', () => {
    for (const text of [
      'Operator API 3, rule 2',
      'The debit must be answered 200, but got 500 without a JSON object.',
      'POST https://wallet.example/rgs/doTransactions',
      'X-H-AUTH-SIG: (signature)',
      '500 after 12 ms',
      'curl -sS -i -X POST',
      'history 17, shrunk from 31 calls to 3',
      'no reply within 10.0 s',
      'socket hang up',
      'the void is refused with 4xx',
    ]) {
      expect(page).toContain(text.replaceAll("'", '&#39;'));
    }
  });

  test('indents JSON and leaves its numbers and strings as the wallet wrote them', () => {
    const expected =
      '{\n  "note": 1.10,\n  "list": [\n    1,\n    {}\n  ],\n  "text": "a \\" b: {"\n}';
    expect(page).toContain(expected.replaceAll('"', '&quot;'));
  });

  test('shows exceptions openly, with the reason', () => {
    expect(page).toContain('Exceptions (1)');
    expect(page).toContain('CAS-2311: fixed in release 7, due in December');
  });

  test('says what was run, the money and the hash of the results', () => {
    for (const text of [
      'wallet-2.example',
      '989.5',
      '\u221210.5',
      'not known',
      'at any time: <span class="nw">300 ',
      '42',
      'full',
    ]) {
      expect(page).toContain(text);
    }
    expect(page).toContain('5f2b'.repeat(16));
    expect(page).toContain('>22 Nov 2026, 11:24:43</time> UTC');
  });

  test('cuts a long body and says how long it is', () => {
    expect(page).toContain('cut; the body has 9000 bytes');
    expect(page).not.toContain('x'.repeat(4097));
  });

  test('loads nothing and runs nothing: its policy allows its own style alone', () => {
    expect(page).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-[\w+/=]+&#39;; form-action &#39;none&#39;; base-uri &#39;none&#39;">/,
    );
    expect(
      /<(?:script|link|iframe|img|object|form)|<[^>]* (?:src|style|on\w+)=/.exec(page),
    ).toBeNull();
  });

  test('says that nothing failed when nothing did', () => {
    const passed = htmlReport(passedSample());
    expect(passed).toContain('Nothing. Every case that was tried passed.');
    expect(passed).toContain('None: every case that was tried counts as it ended.');
  });
});

describe('JUnit XML', () => {
  test.each(samples)('of a run that is %s is well-formed', (_, result) => {
    expect(faultOfXml(junitReport(result))).toBeNull();
  });

  test('has a suite for each group and a case for each case, with counts that add up', () => {
    const text = junitReport(sample());
    expect(text.match(/<testsuite /g)).toHaveLength(3);
    expect(text.match(/<testcase /g)).toHaveLength(everyCase.length);
    expect(text).toMatch(
      /<testsuite name="idempotency" [^>]* tests="7" failures="3" errors="1" skipped="3" time="0\.589">/,
    );
    expect(text).toContain('timestamp="2026-11-22T11:24:44" hostname="wallet.example"');
    expect(text).toContain('classname="rgs-wallet.certify.basics" time="0.084"></testcase>');
  });

  test.each([
    ['failed', 'required', null, 'failure'],
    ['inconclusive', 'required', null, 'error'],
    ['failed', 'advisory', null, 'skipped'],
    ['inconclusive', 'advisory', null, 'skipped'],
    ['failed', 'required', 'known', 'skipped'],
    ['inconclusive', 'required', 'known', 'skipped'],
  ] as const)('%s, %s, exception %j is %s', (verdict, level, exception, tag) => {
    const cases = [openCase(verdict, level, { exception })];
    const found = junitReport(sample({ cases, outcome: tag === 'skipped' ? 'passed' : 'failed' }));
    const tags = [...found.matchAll(/<(failure|error|skipped) message="([^"]*)/g)];
    expect(tags.map(([, name]) => name)).toEqual([tag]);
    expect(tags[0]?.[2]).toContain(exception ?? 'the debit must be answered 200');
  });

  test('a required case that was not tried is skipped, with the option that it needs', () => {
    const cases = [openCase('inconclusive', 'required', { needs: '--use-balance' })];
    const found = junitReport(sample({ cases, outcome: 'passed' }));
    expect(found).toContain('<skipped message="not tried: it needs --use-balance">');
    expect(found).not.toMatch(/<(?:failure|error) /);
  });

  test.each(samples)(
    'has a failure or an error exactly if the run is not passed: %s',
    (outcome, result) => {
      expect(/<(?:failure|error) /.test(junitReport(result))).toBe(outcome !== 'passed');
    },
  );
});

describe('JSON', () => {
  test.each(samples)('of a run that is %s fits its schema', (_, result) => {
    expect(findReportFault(JSON.parse(jsonReport(result)))).toBeNull();
  });

  test('has amounts as decimal texts in the unit of the wire', () => {
    const { money, mostAtRisk } = JSON.parse(jsonReport(sample())) as Record<string, unknown>;
    expect(mostAtRisk).toBe('300');
    expect(money).toEqual([
      { playerId: 'ann', start: '1000', end: '989.5', difference: '-10.5' },
      { playerId: 'bob', start: '1000', end: null, difference: null },
    ]);
  });

  test('has each body to the byte: as text, or as base64 if it is not UTF-8', () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x00]);
    const cases = [reply(200, '{"a": 1.10}'), reply(200, bytes)].map((answer) =>
      openCase('failed', 'required', { exchange: exchangeWith(answer) }),
    );
    const read = JSON.parse(jsonReport(sample({ cases }))) as {
      cases: { exchange: { reply: { body: unknown } } }[];
    };
    expect(read.cases.map(({ exchange }) => exchange.reply.body)).toEqual([
      { encoding: 'utf8', content: '{"a": 1.10}' },
      { encoding: 'base64', content: bytes.toString('base64') },
    ]);
  });

  test('the schema refuses a report with an amount that is a number', () => {
    const read = JSON.parse(jsonReport(sample())) as object;
    expect(findReportFault({ ...read, mostAtRisk: 300 })).toBe('mostAtRisk must be string');
  });
});

test('the summary for a terminal counts each group, and shows what failed with its curl line', () => {
  const lines = summaryTable(sample(), noStyle);
  expect(lines.slice(0, 5)).toEqual([
    'group          passed  failed  inconclusive  not tried  excepted',
    'basics              2       0             0          0         0',
    'idempotency         0       4             2          0         1',
    'tenancy             0       0             0          1         0',
    'all                 2       4             2          1         1',
  ]);
  expect(lines).toEqual(
    expect.arrayContaining([
      'failed  idempotency/required-failed (required)',
      '  the debit must be answered 200, but got 500 without a JSON object',
      expect.stringMatching(/^ {2}curl -sS -i -X POST /),
      '  failed, excepted: CAS-2311: fixed in release 7, due in December',
      'money    ann: 1000 at the start, 989.5 at the end (-10.5), in EUR as on the wire',
      'money    bob: 1000 at the start, the end is not known, in EUR as on the wire',
      'not tried, without --second-operator-id: other-operator',
      'not tried, without --load: rules-under-load',
      'left     ann -10.5, bob not known',
      'at risk  300 at most',
      `results  ${'5f2b'.repeat(16)}`,
    ]),
  );
  expect(lines.at(-1)).toBe('failed: 3 required cases failed and 1 stayed undecided. (3 min 21 s)');
});

describe('a pass with required cases that were not tried', () => {
  const whole = passedSample();
  const partial = passedSample({ leftOut: sample().leftOut });

  test.each([
    ['warn', 'Passed, 1 required case not tried', partial],
    ['warn', 'Passed, 1 exception', passedSample({ cases: everyCase.slice(-1) })],
    ['good', 'Passed', whole],
    ['bad', 'Not passed: 3 required cases failed, 1 inconclusive', sample()],
    ['warn', 'Could not be run', unrunSample()],
  ])('is %s in HTML where the headline is %s', (tone, title, result) => {
    const found = /<div class="state (\w+)" role="status"><b><svg.*?<\/svg><span>(.*?)<\/span>/;
    expect(found.exec(htmlReport(result))?.slice(1)).toEqual([tone, title]);
  });

  test('has another colour in the terminal', () => {
    const style = {
      ...noStyle,
      good: (text: string) => `g(${text})`,
      warn: (text: string) => `w(${text})`,
    };
    expect(summaryTable(partial, style).at(-1)).toMatch(/^w\(passed\): /);
    expect(summaryTable(whole, style).at(-1)).toMatch(/^g\(passed\): /);
  });

  test('is not whole in JSON, where a case that was not tried has a verdict of its own', () => {
    const read = (result: typeof whole) =>
      JSON.parse(jsonReport(result)) as {
        isWhole: boolean;
        requiredCounts: object;
        cases: { id: string; verdict: string }[];
      };
    expect([read(whole).isWhole, read(partial).isWhole]).toEqual([true, false]);
    expect(read(partial).requiredCounts).toMatchObject({ total: 3, passed: 2, notTried: 1 });
    const untried = read(sample()).cases.find(({ id }) => id === 'other-operator');
    expect(untried?.verdict).toBe('not tried');
  });
});

describe('what led to a failure', () => {
  const before = exchangeWith(reply(200, '{"step": 1}'));
  const steps = ['the wallet is killed and started', before, before];
  const exchange = exchangeWith(reply(500, '{"shown": 2}'));
  const result = sample({ cases: [openCase('failed', 'required', { steps, exchange })] });

  test('is a curl line for each call in the terminal, with what was answered', () => {
    const lines = summaryTable(result, noStyle).map((line) => line.trim());
    const from = lines.indexOf('# the wallet is killed and started');
    expect(lines.slice(from, from + 8)).toEqual([
      '# the wallet is killed and started',
      expect.stringMatching(/^curl -sS -i -X POST .*doTransactions'$/),
      '#   200 after 12 ms { "step": 1 }',
      expect.stringMatching(/^curl /),
      '#   200 after 12 ms { "step": 1 }',
      '# the call that shows it',
      expect.stringMatching(/^curl /),
      '#   500 after 12 ms { "shown": 2 }',
    ]);
  });

  test('is in every report', () => {
    expect(htmlReport(result)).toContain('<h4>What led there</h4>');
    expect(junitReport(result)).toContain('What led there:');
    const { cases } = JSON.parse(jsonReport(result)) as { cases: { steps: unknown[] }[] };
    expect(cases[0]?.steps).toEqual([
      'the wallet is killed and started',
      expect.objectContaining({ url: before.url }),
      expect.objectContaining({ url: before.url }),
    ]);
  });

  test('is not in the terminal for an advisory case, which comes after the required ones', () => {
    const advisory = openCase('failed', 'advisory', { steps, exchange });
    const both = sample({ cases: [advisory, openCase('failed', 'required', { exchange })] });
    const heads = summaryTable(both, noStyle).filter((line) => line.startsWith('failed  '));
    expect(heads).toEqual([
      'failed  idempotency/required-failed (required)',
      'failed  idempotency/advisory-failed (advisory)',
    ]);
    const alone = summaryTable(sample({ cases: [advisory] }), noStyle).join('\n');
    expect(alone).not.toContain('curl ');
  });
});

describe('the signature of a call', () => {
  const echoed = exchangeWith(reply(500, `{"debug": "${signature}"}`));
  const message = `came ${signature}`;
  const result = sample({
    cases: [openCase('failed', 'required', { exchange: echoed, steps: [echoed], message })],
  });

  test.each([
    ['HTML', htmlReport(result)],
    ['JUnit', junitReport(result)],
    ['JSON', jsonReport(result)],
    ['a log', summaryTable(withoutSignatures(result), noStyle).join('\n')],
  ])('is not in %s, even where the wallet answers with it', (_, text) => {
    expect(text).not.toContain(signature);
    expect(text).toContain('(signature)');
  });

  test('does not leave a part of it where a part was sent too', () => {
    const part = signature.slice(0, 16);
    const { request } = echoed;
    const headers = request.headers.map(([name, value]) => [name, value.slice(0, 16)] as const);
    const short = { ...echoed, request: { ...request, headers } };
    const cases = [openCase('failed', 'required', { exchange: echoed, steps: [short] })];
    const text = jsonReport(sample({ cases }));
    expect(text).not.toContain(part);
    expect(text).not.toContain(signature.slice(16));
  });
});

describe('many cases that follow from one that failed', () => {
  const message = 'not played, since plain-void did not pass';
  const cases = [1, 2, 3].map((n) =>
    openCase('inconclusive', 'required', { id: `c-${n}`, message }),
  );

  test('are one line of the summary, and a table of the HTML report', () => {
    const lines = summaryTable(sample({ cases }), noStyle);
    expect(lines.filter((line) => line.includes('inconclusive'))).toHaveLength(2);
    expect(lines.join('\n')).toContain(`inconclusive  3 cases\n  ${message}\n`);
    const page = htmlReport(sample({ cases }));
    expect(page).not.toContain('<article');
    expect(page).toContain('<span id="case-c-3">c-3</span>');
  });
});

/** What the report says beside its headline. */
function saidOf(result: ReturnType<typeof sample>): string {
  const said = /role="status"><b>.*?<\/b><span>(.*)<\/span><\/div>/.exec(htmlReport(result));
  return (said?.[1] ?? '').replaceAll(/<[^>]*>/g, '');
}

describe('the verdict of the HTML report', () => {
  test('names what failed, the money, and what to do', () => {
    expect(saidOf(sample())).toBe(
      'required-failed: The debit must be answered 200, but got 500 without a JSON object. Also hostile-answer, not-utf-8, required-inconclusive. The annex has each with its calls. A known difference can be named by --except. Balances were not restored: ann \u221210.5 EUR, bob not known.',
    );
  });

  test('cuts a long message, and counts the cases that it does not name', () => {
    const cases = [1, 2, 3, 4, 5, 6].map((n) =>
      openCase('failed', 'required', { id: `c-${n}`, message: 'm'.repeat(300) }),
    );
    const text = saidOf(sample({ cases }));
    expect(text).toMatch(/^c-1: Mm{199}… Also c-2, c-3, c-4 and 2 more\. /);
  });

  test('says of a whole pass how many cases that were, and that balances are as before', () => {
    const money = [{ playerId: 'ann', start: 5n, end: 5n }];
    expect(saidOf(passedSample({ money }))).toBe(
      'All required cases passed: 2. Every balance was restored.',
    );
  });

  test('does not call a balance that is not known one that was not restored', () => {
    const money = [{ playerId: 'ann', start: 5n, end: null }];
    expect(saidOf(sample({ money }))).toMatch(
      / Whether balances were restored is open: ann not known\.$/,
    );
  });

  test('is the sentence of the run where that could not go on', () => {
    const summary = 'The wallet does not do the basics, so nothing else was tried.';
    const cases = [openCase('failed', 'required', { group: 'basics' })];
    expect(saidOf(unrunSample())).toBe('The wallet did not answer getBalance.');
    expect(saidOf(sample({ cases, summary }))).toBe(summary);
  });
});

describe('the money of the HTML report', () => {
  test('has the digits of the wire, since a wallet may count in hundredths', () => {
    const money = [{ playerId: 'ann', start: 12_345_678_900n, end: 12_345_677_950n }];
    const page = htmlReport(sample({ money }));
    for (const text of ['1,234,567.89', '1,234,567.795', '\u22120.095']) {
      expect(page).toMatch(new RegExp(`>${text.replaceAll('.', '\\.')} ?<`));
    }
  });

  test('names the cases after which it was another, also those that passed', () => {
    const left = [{ playerId: 'ann', units: -1_000_000n }];
    const cases = ['one', 'two', 'three', 'four', 'five'].map((id) =>
      caseOf(id, 'credits', { left }),
    );
    const page = htmlReport(passedSample({ cases }));
    expect(
      page.match(/<li><code>\w+<\/code>: ann has 100 less than before it<\/li>/g),
    ).toHaveLength(4);
    expect(page).toContain('<li>1 more, each in the annex</li>');
    expect(page.match(/<b>Ann has 100 less than before it\.<\/b>/g)).toHaveLength(5);
  });
});

test.each([
  [sample(), 'not passed (full, 0.1.0)', 'not%20passed%20%28full%2C%200.1.0%29-a3231c'],
  [passedSample(), 'passed (full, 0.1.0)', 'passed%20%28full%2C%200.1.0%29-2e7d4f'],
  [
    passedSample({ version: '1.0.0-rc_1', cases: everyCase.slice(-1) }),
    'passed, 1 exception (full, 1.0.0-rc_1)',
    'passed%2C%201%20exception%20%28full%2C%201.0.0--rc__1%29-a07a1c',
  ],
  [
    passedSample({ leftOut: sample().leftOut }),
    'passed 2 of 3, 1 not tried (full, 0.1.0)',
    'passed%202%20of%203%2C%201%20not%20tried%20%28full%2C%200.1.0%29-a07a1c',
  ],
  [unrunSample(), 'not run (full, 0.1.0)', 'not%20run%20%28full%2C%200.1.0%29-6b7280'],
])('the badge %# is a line of Markdown that shields.io draws', (result, message, path) => {
  expect(badgeLine(result)).toBe(
    `![wallet certification: ${message}](https://img.shields.io/badge/wallet%20certification-${path})`,
  );
});

describe('what a wallet answers', () => {
  const written = {
    html: htmlReport(sample()),
    junit: junitReport(sample()),
    terminal: summaryTable(sample(), noStyle).join('\n'),
  };

  test.each(['html', 'junit'] as const)('is no markup in %s', (kind) => {
    expect(/<script|<img |\]\]>/.exec(written[kind])).toBeNull();
  });

  test.each(Object.entries(written))('has no control character left in %s', (_, text) => {
    // oxlint-disable-next-line no-control-regex
    expect(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e\ufffe]/.exec(text)).toBeNull();
    expect(text.isWellFormed()).toBe(true);
    expect(text).toContain('[U+001B][31m[U+202E][U+D800][U+FFFE]');
  });

  test('is in the JSON report to the character', () => {
    const read = JSON.parse(jsonReport(sample())) as { cases: { id: string; details: string[] }[] };
    expect(read.cases.find(({ id }) => id === 'hostile-answer')?.details).toEqual([hostile]);
  });
});

test('no report repeats the login of an address', () => {
  const url = 'https://casino:at-least-16-bytes@wallet.example/rgs/';
  const exchange = { ...exchangeWith(reply(500, '')), url };
  const curl = `curl 'https://casino:at-least-16-bytes@wallet.example/rgs/doTransactions'`;
  const cases = [openCase('failed', 'required', { exchange, curl, message: `${url} is wrong` })];
  const result = sample({ urls: [url], cases });
  const reports = [htmlReport, junitReport, jsonReport].map((write) => write(result));
  for (const text of [...reports, summaryTable(result, noStyle).join('\n')]) {
    expect(text).toContain('https://wallet.example/rgs');
    expect(text).not.toContain('at-least-16-bytes');
  }
});
