import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { temporaryFolder } from '../servers/reaper';
import { type CliOptions, OPERATOR, runCli, SECRET, temporaryFile } from './cli';

/** Their text is the product: a document of JSON, and SQL. */
const withoutFlag = ['money-functions', 'openapi'];

/** Every command that does something, by its words: those that only hold others are left out. */
async function commands(words: readonly string[] = []): Promise<[string, string][]> {
  const { stdout } = await runCli([...words, '--help']);
  const [, list = ''] = /\nCommands:\n((?: {2}.*\n?)+)/.exec(stdout) ?? [];
  const names = [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = '']) => name);
  const found: [string, string][] = [];
  for (const name of names.filter((one) => one !== 'help')) {
    found.push(...(await commands([...words, name])));
  }
  const isGroup = found.length > 0 && words.join() !== 'sandbox';
  return isGroup || words.length === 0 ? found : [[words.join(' '), stdout], ...found];
}

/** What the command printed: values of JSON, a line each, and nothing on stderr. */
async function linesOf(args: readonly string[], options: CliOptions = {}): Promise<unknown[]> {
  const { stdout, stderr } = await runCli([...args, '--json'], options);
  expect(stderr).toBe('');
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('every command has --json, but those whose text is the product', async () => {
  const all = await commands();
  expect(all.length).toBeGreaterThan(40);
  const without = all.filter(([, help]) => !/^ {2}--json /m.test(help)).map(([words]) => words);
  expect(without).toEqual(withoutFlag);
});

test('the demo is one document of decimal texts, whose movements add up to all balances', async () => {
  const [played, ...rest] = (await linesOf(['demo'])) as [
    {
      start: string;
      entries: { scene: number; type: string; effect: string }[];
      end: Record<string, string>;
    },
  ];
  expect(rest).toEqual([]);
  const { start, entries, end } = played;
  const sum = entries.reduce((total, { effect }) => total + Number(effect), Number(start));
  expect(Object.values(end).map(Number)).toEqual([sum, sum, sum, sum]);
  expect(entries[0]).toMatchObject({ scene: 1, type: 'debit', amount: '100', effect: '-100' });
  const amount = expect.stringMatching(/^\d+(\.\d+)?$/);
  const wholeRound = { byWallet: amount, byRgs: amount, byGame: amount, agree: true };
  expect(played).toMatchObject({
    agree: true,
    currency: 'EUR',
    faults: [],
    dangers: [],
    wholeRound,
  });
});

test('a scenario is lines that each have a kind; the last ones are the books and how to repeat it', async () => {
  const env = { OPERATOR_ID: 'casino-7', OPERATOR_SECRET: SECRET };
  const lines = (await linesOf(['sandbox', 'play', 'lost-win', '--verbose'], { env })) as {
    kind: string;
  }[];
  const kinds = lines.map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(['start', 'text', 'call', 'scenario', 'books', 'end']));
  expect([kinds[0], ...kinds.slice(-2)]).toEqual(['start', 'books', 'end']);
  expect(lines[0]).toEqual({
    kind: 'start',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    walletUrl: expect.stringMatching(/^http:/),
    providerUrl: expect.stringMatching(/\/rgs$/),
    data: null,
    isOpenToOthers: false,
    operatorId: 'casino-7',
    providerId: 'studio-1',
    players: expect.arrayContaining([{ playerId: 'ann', currency: 'EUR' }]),
    seed: (lines.at(-1) as { seed?: number }).seed,
  });
  const cut = lines.filter((line) => 'fault' in line && line.fault === 'cut');
  expect(cut).toHaveLength(5);
  expect(cut[0]).toMatchObject({ line: 'rgs-wallet', call: 'doTransactions', method: 'POST' });
  const { rounds } = lines.at(-2) as { rounds?: { gameRound: string }[] };
  const played = (rounds ?? []).map(({ gameRound }) => gameRound);
  expect(played).toHaveLength(1);
  expect(lines).toContainEqual({
    kind: 'scenario',
    name: 'lost-win',
    proved: true,
    rounds: played,
  });
  expect(lines.at(-2)).toMatchObject({ verdict: 'agree', agree: true, due: [] });
  expect(lines.at(-1)).toMatchObject({ proved: true, again: expect.stringMatching(/ --json$/) });
  expect(JSON.stringify(lines)).not.toContain(SECRET);
});

test('a sandbox begins with a line of addresses and ids, and prints no secret, also none it made up', async () => {
  const script = await temporaryFile('script.json', {
    steps: [{ expect: { balance: { ann: 1 } } }],
  });
  const args = ['sandbox', '--port', '0', '--exit', '--script', script, '--json'];
  const { code, stdout } = await runCli(args, { env: { OPERATOR_SECRET: SECRET } });
  const lines = stdout.trimEnd().split('\n');
  expect(code).toBe(1);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    kind: 'start',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    walletUrl: expect.stringMatching(/^http:/),
    providerUrl: expect.stringMatching(/\/rgs$/),
    data: null,
    isOpenToOthers: false,
    operatorId: 'casino',
    providerId: 'studio-1',
    players: [
      { playerId: 'ann', currency: 'EUR' },
      { playerId: 'bob', currency: 'EUR' },
    ],
    seed: expect.any(Number),
  });
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ kind: 'end', proved: false });
  expect(stdout).not.toContain(SECRET);
});

test('sandbox play --list is one list of names', async () => {
  const [list] = (await linesOf(['sandbox', 'play', '--list'])) as [{ name: string }[]];
  expect(list.map(({ name }) => name)).toContain('lost-win');
});

test('a signed call is its headers, the signed string with its secret masked, and the curl command', async () => {
  const call = ['sign', '--operation', 'getBalance', '--param', 'playerId=ann'];
  const at = '2024-05-06T07:08:09.120Z';
  const args = [...call, '--param', 'currency=EUR', '--timestamp', at];
  const [made] = (await linesOf([...args, '--explain', '--curl', 'http://h'], {
    env: OPERATOR,
  })) as [{ headers: Record<string, string> }];
  const signature = made.headers['X-H-AUTH-SIG'] ?? '';
  expect(made).toEqual({
    headers: { 'X-H-AUTH-ID': 'casino', 'X-H-TIMESTAMP': at, 'X-H-AUTH-SIG': signature },
    signed: `[secret]#casino#${at}#ann#EUR`,
    curl: expect.stringContaining("'http://h/getBalance?playerId=ann&currency=EUR'"),
  });
  const check = async (given: string): Promise<unknown> => {
    const { code, stdout } = await runCli([...args, '--signature', given, '--json'], {
      env: OPERATOR,
    });
    return [code, JSON.parse(stdout)];
  };
  const right = { kind: 'explained', deviations: [], secretIndex: 0 };
  const strict = { isTimestampStrict: true };
  expect(await check(signature)).toEqual([0, { ...right, accepted: true, ...strict }]);
  const other = signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
  const unknown = { kind: 'unexplained', accepted: false, ...strict };
  expect(await check(other)).toEqual([1, { ...unknown, variantsTried: expect.any(Number) }]);
});

test('a person and a key are told without the password, its hash, and the private key', async () => {
  const folder = await temporaryFolder('json');
  const [file, key] = [join(folder, 'users.json'), join(folder, 'key')];
  const add = ['admin-user', 'add', '--file', file, '--id', 'maria', '--may', 'look,block'];
  const stdin = 'a long password\n';
  const person = { file, id: 'maria', name: null, may: ['look', 'block'] };
  expect(await linesOf(add, { stdin })).toEqual([{ ...person, replaced: false }]);
  expect(await linesOf([...add, '--replace'], { stdin })).toEqual([{ ...person, replaced: true }]);
  const made = ['archive', 'key', 'new', '--out', key, '--origin', 'casino.example/op'];
  const printed = await linesOf(made);
  const [vkey] = (await readFile(key, 'utf8')).split('\n');
  expect(printed).toEqual([{ origin: 'casino.example/op', vkey }]);
});

test('what fails with --json is one line on stderr and the same exit code, with nothing on stdout', async () => {
  expect(await runCli(['init', '--store', 'memory:', '--json'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: --store must be a Redis address; for PostgreSQL use rgs-wallet migrate\n',
  });
});
