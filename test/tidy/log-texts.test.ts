import { describe, expect, test } from '@jest/globals';

import {
  logTexts,
  logTextsOf,
  patternOf,
  stringsOfLib,
  textsInDoc,
  textsInDocs,
} from './log-texts';

/** The texts that a source logs. */
function textsOf(source: string): string[] {
  return logTextsOf(source, 'x').map(({ text }) => text);
}

/** The texts that a document names. */
function namedIn(source: string): string[] {
  return textsInDoc(source, 'x').map(({ text }) => text);
}

describe('the documentation', () => {
  const logged = logTexts();
  const isLogged = (text: string): boolean => logged.some((log) => patternOf(log.text).test(text));

  test('names no log text that lib does not log, and each one whole', () => {
    // Error messages begin with a capital letter, log texts do not, but for names such as Redis.
    const strings = stringsOfLib();
    const isKnown = (text: string): boolean =>
      isLogged(text) || (/^[A-Z]/.test(text) && strings.some((string) => string.test(text)));
    expect(textsInDocs().filter(({ text }) => !isKnown(text))).toEqual([]);
  });

  test.each([
    ['docs/operations/monitoring.md', 'call answered'],
    ['docs/operations/monitoring.md', 'call refused'],
    ['docs/operations/service.md', 'connections refused: --max-connections reached'],
    ['docs/ledger.md', 'round still unfinished: the sweeper will retry'],
  ])('%s is held to log texts such as "%s"', (path, text) => {
    expect(isLogged(text)).toBe(true);
    expect(textsInDocs()).toContainEqual({ text, place: expect.stringContaining(path) });
  });

  test('is held to many texts', () => {
    expect(logged.length).toBeGreaterThan(25);
  });
});

describe('the wallet', () => {
  test('writes to a log in one place, a listener of events', () => {
    const files = logTexts().map(({ place }) => place.split(':')[0] ?? '');
    const inOperator = files.filter((file) => file.startsWith('lib/operator/'));
    expect([...new Set(inOperator)]).toEqual(['lib/operator/events/log.ts']);
  });
});

describe('log texts in a source', () => {
  test('are the last argument, a constant of the file, or one of two', () => {
    expect(
      textsOf("logger.warn({ a: 'no', b: f(',') }, 'a text'); // logger.warn({}, 'no')"),
    ).toEqual(['a text']);
    expect(textsOf("this.options.logger.error(\n  {},\n  'a text',\n);")).toEqual(['a text']);
    expect(textsOf("const deaf = 'a text';\nlogger[level]({}, deaf);")).toEqual(['a text']);
    expect(textsOf("log.info(fields, is ? 'one text' : 'other text')")).toEqual([
      'one text',
      'other text',
    ]);
    expect(textsOf('log.info({}, `of ${a} and ${b}`)')).toEqual(['of ${a} and ${b}']);
  });

  test('that cannot be read are an error, so that none is forgotten', () => {
    expect(() => textsOf('logger.warn({}, made())')).toThrow('must be a literal');
  });

  test('with something put in stand for all that they can be', () => {
    const pattern = patternOf('the schema ${name} is at ${a}, not (yet) ${b}');
    expect(pattern.test('the schema rgs_wallet is at 4, not (yet) 5')).toBe(true);
    expect(pattern.test('the schema rgs_wallet is at 4')).toBe(false);
  });
});

describe('texts in a document', () => {
  test('are what stands between backticks and reads as a sentence, also over a line', () => {
    expect(namedIn('See `the ledger\nfails: it is down` and `a round cannot wait`.')).toEqual([
      'the ledger fails: it is down',
      'a round cannot wait',
    ]);
  });

  test('are no code, no command, no SQL, no names, and nothing in a block of code', () => {
    const code = ['npm run bench fast', 'await store.close() and so on', 'GRANT ALL ON TABLES'];
    const names = ['maxmemory-policy', 'tls: { ca }', 'outcome: "unknown"', '--accept-loss'];
    const block = '```sh\nSee `the ledger fails again`\n```\n';
    expect(namedIn([...code, ...names].map((text) => `\`${text}\``).join(' ') + block)).toEqual([]);
  });
});
