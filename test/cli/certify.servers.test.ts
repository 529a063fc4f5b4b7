import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { CertifyFlags } from '../../lib/cli/certify/flags';
import { createWalletCommands } from '../../lib/cli/certify/wallet-commands';
import { temporaryFolder } from '../servers/reaper';
import {
  type CliResult,
  OPERATOR,
  OPERATOR_ID,
  runCli,
  SECRET,
  type Service,
  startService,
  temporaryFile,
} from './cli';

const player = (playerId: string) => {
  return { playerId, currency: 'EUR', balances: { real: '100000' } };
};

let service: Service;

beforeAll(async () => {
  const players = await temporaryFile('players.json', [player('ann'), player('bob')]);
  service = await startService(['--players', players], OPERATOR);
});

afterAll(() => service.stop());

const who = ['--operator-id', OPERATOR_ID, '--secret-env', 'WALLET_SECRET'];
const players = ['--player', 'ann', '--player', 'bob', '--currency', 'EUR'];
const env = { WALLET_SECRET: SECRET };

function certify(...args: readonly string[]): Promise<CliResult> {
  return runCli(['certify', '--url', service.url, ...who, ...players, ...args], { env });
}

describe('rgs-wallet certify', () => {
  test('plays a group, writes the three reports, and ends with 0', async () => {
    const folder = await temporaryFolder('certify');
    const [html, xml, json] = ['r.html', 'r.xml', 'r.json'].map((name) => join(folder, name));
    const files = ['--report', html ?? '', '--junit', xml ?? '', '--json', json ?? ''];
    // One that is there keeps its mode where nobody changes it.
    await writeFile(xml ?? '', '', { mode: 0o644 });
    const result = await certify('--yes', '--only', 'idempotency', '--badge', ...files);
    expect(result).toMatchObject({ code: 0 });
    // Its signatures are valid for five minutes.
    for (const file of [html, xml, json]) {
      expect((await stat(file ?? '')).mode & 0o777).toBe(0o600);
    }
    expect(result.stdout).toMatch(/^passed: \d+ of \d+ required cases passed, \d+ not tried \(/m);
    expect(result.stdout).toMatch(/^!\[wallet certification: passed/m);
    expect(result.stderr).toContain('It voids what it stakes,');
    const texts = await Promise.all([html, xml, json].map((file) => readFile(file ?? '', 'utf8')));
    expect(texts[0]).toMatch(/^<!doctype html>/i);
    expect(texts[1]).toMatch(/^<\?xml /);
    expect(JSON.parse(texts[2] ?? '')).toMatchObject({ outcome: 'passed' });
    for (const text of [...texts, result.stdout, result.stderr]) expect(text).not.toContain(SECRET);
  });

  test('signs the report, and --check tells it from one that was altered or signed by another', async () => {
    const folder = await temporaryFolder('certify');
    const [json, mine, other] = ['r.json', 'mine', 'other'].map((name) => join(folder, name));
    const file = json ?? '';
    const made = [mine, other].map((out) =>
      runCli(['archive', 'key', 'new', '--out', out ?? '', '--origin', 'casino.example/certify']),
    );
    const [key = '', another = ''] = (await Promise.all(made)).map(({ stdout }) => stdout.trim());
    const said = ['--wallet-name', 'Casino wallet', '--wallet-version', '7.1', '--run-by', 'Ann'];
    const sealed = ['--json', file, '--sign-key', mine ?? ''];
    const run = await certify(
      '--yes',
      '--only',
      'basics',
      '--quiet',
      '--strict',
      ...sealed,
      ...said,
    );
    // It passed, and most cases were not tried.
    expect(run).toMatchObject({ code: 3 });
    const text = await readFile(file, 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      wallet: { name: 'Casino wallet', version: '7.1', sent: [] },
      runBy: 'Ann',
      isWhole: false,
    });
    expect(text).not.toContain(SECRET);
    const check = (by: string) => runCli(['certify', '--check', file, '--key', by]);
    for (const by of [key, mine ?? '']) {
      const { code, stdout } = await check(by);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^signed by casino\.example\/certify .*\n(?:.*\n)*passed: 4 of /);
    }
    const told = async (by: string): Promise<unknown> => {
      const args = ['certify', '--check', file, '--key', by, '--json'];
      return JSON.parse((await runCli(args)).stdout);
    };
    expect(await told(key)).toMatchObject({
      signed: true,
      by: { name: 'casino.example/certify' },
      outcome: 'passed',
    });
    expect(await check(another)).toMatchObject({ code: 1 });
    expect(await told(another)).toMatchObject({ signed: false, fault: expect.any(String) });
    await writeFile(file, text.replace('Casino wallet', 'Casino Wallet'));
    const altered = await check(key);
    expect(altered).toMatchObject({ code: 1 });
    expect(altered.stdout).toBe(
      'not signed by casino.example/certify: it was altered: it has another digest\n',
    );
    expect(await check('no+such+key')).toMatchObject({ code: 2 });
  });

  test.each([
    ['a wrong secret', ['--player', 'ann'], 'another secret, long enough', /with a wrong secret/],
    ['an unknown player', ['--player', 'nobody'], SECRET, /no balance of player nobody in EUR/],
    ['too little money', ['--player', 'ann', '--stake', '1000000'], SECRET, /deposit \d+ or more/],
  ])('%s is no failed wallet: ends with 2 and says what to do', async (_, args, secret, what) => {
    const all = ['certify', '--url', service.url, ...who, '--currency', 'EUR', ...args, '--yes'];
    const { code, stderr } = await runCli(all, { env: { WALLET_SECRET: secret } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(what) });
  });

  test('a load has three cases; --memory says what the wallet takes', async () => {
    const load = ['--only', 'load', '--load', '60', '2', '--memory', 'echo 2048 1024'];
    // Without a file the report is all that is on stdout, as one line.
    const { code, stdout } = await certify('--yes', '--quiet', ...load, '--json');
    expect(stdout).toMatch(/^\{.*\}\n$/);
    const { cases } = JSON.parse(stdout) as { cases: object[] };
    const [fixed, times, memory] = cases.slice(-3);
    expect(fixed).toMatchObject({ id: 'fixed-rate', verdict: 'passed' });
    expect(times).toMatchObject({ id: 'load-answers-in-the-same-time' });
    expect(memory).toMatchObject({ id: 'load-leaves-memory-as-it-was', verdict: 'passed' });
    expect(memory).toMatchObject({ message: expect.stringContaining('3 MiB') });
    expect(code).toBe(0);
  });

  test.each([
    ['echo many', 'must print whole numbers of KiB'],
    ['true', 'must print whole numbers of KiB'],
    ['false', 'ended with exit code 1'],
  ])('--memory %j: an error that says why', async (memory, why) => {
    const flags = { memory, profile: 'full', histories: 1, kills: 1 } as CertifyFlags;
    await expect(createWalletCommands(flags).memoryBytes?.()).rejects.toThrow(why);
  });

  test('the block of a player is not tried without its commands, and is lifted after each case', async () => {
    const file = await temporaryFile('blocks.json', {});
    const acts = `${file}.acts`;
    const run = async (...flags: readonly string[]) => {
      const { code } = await certify(
        '--yes',
        '--quiet',
        '--only',
        'blocks',
        ...flags,
        '--json',
        file,
      );
      expect(code).toBe(0);
      const report = JSON.parse(await readFile(file, 'utf8')) as { cases: { group: string }[] };
      return report.cases.filter(({ group }) => group === 'blocks');
    };
    for (const one of await run()) expect(one).toMatchObject({ needs: '--block and --unblock' });
    const by = (act: string) => [`--${act}`, `echo ${act} >> '${acts}'`];
    const [first] = await run(...by('block'), ...by('unblock'));
    // Nothing was blocked.
    expect(first).toMatchObject({ id: 'blocked-debit-is-refused', verdict: 'failed' });
    expect(await readFile(acts, 'utf8')).toBe('block\nunblock\n');
  });

  test('nobody listens: ends with 2 and one line', async () => {
    const url = 'http://127.0.0.1:1';
    const args = ['certify', '--url', url, ...who, ...players, '--yes', '--quiet'];
    const { code, stderr } = await runCli(args, { env });
    expect(code).toBe(2);
    expect(stderr).toContain('error: The wallet at http://127.0.0.1:1 does not answer');
  });

  test('a wallet that has gone: ends with 2, and its reports hold what was played', async () => {
    const balances = [{ type: 'real', currency: 'EUR', amount: 100_000 }];
    let answers = 0;
    const server = createServer((_, response) => {
      answers += 1;
      // One for each player, before the first case.
      if (answers === 2) server.close();
      response.setHeader('Connection', 'close');
      response.end(JSON.stringify({ balances }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const file = join(await temporaryFolder('certify'), 'r.json');
    const run = ['certify', '--url', url, ...who, ...players, '--only', 'basics', '--json', file];
    const { code, stdout, stderr } = await runCli([...run, '--yes', '--quiet'], { env });
    expect(code).toBe(2);
    expect(stderr).toContain('took no connection from balance-is-reported on');
    expect(stdout).toMatch(/^broken off: 0 of \d+ required cases passed/m);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      outcome: 'broken off',
      cases: expect.arrayContaining([
        expect.objectContaining({ id: 'balance-is-reported', verdict: 'inconclusive' }),
      ]),
    });
  });

  test('without --yes and without a terminal it sends nothing and ends with 2', async () => {
    const { code, stderr } = await certify();
    expect(code).toBe(2);
    expect(stderr).toContain('error: without a terminal to ask, certify needs --yes');
  });

  test('--list prints the cases and needs no wallet', async () => {
    const { code, stdout } = await runCli(['certify', '--list', '--only', 'voids']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^voids {2}[a-z-]+ {2}required {2}/m);
    expect(stdout).not.toMatch(/^states /m);
    const told = await runCli(['certify', '--list', '--only', 'voids', '--json']);
    const cases = JSON.parse(told.stdout) as { id: string }[];
    const printed = [...stdout.matchAll(/^\w\S* {2}([\w-]+) /gm)].map(([, id]) => id);
    expect(cases.map(({ id }) => id)).toEqual(printed);
    for (const flag of ['json', 'report', 'junit', 'sign-key']) {
      const intoFile = await runCli(['certify', '--list', `--${flag}`, '/tmp/list']);
      const why = `error: --${flag} with a file is for a run: --check and --list write none\n`;
      expect(intoFile).toEqual({ code: 2, stdout: '', stderr: why });
    }
  });

  test('a known difference is a case with a reason; a file without reasons is refused', async () => {
    const file = await temporaryFile('except.json', { 'plain-void': '' });
    const { code, stderr } = await certify('--yes', '--except', file);
    expect(code).toBe(2);
    expect(stderr).toContain('--except must hold JSON {"case-id": "reason"}');
    const unknown = await temporaryFile('except.json', { 'no-such-case': 'we know' });
    expect((await certify('--yes', '--except', unknown)).stderr).toContain(
      'there is no case "no-such-case"',
    );
  });

  test.each<[readonly string[], string]>([
    [['--only', 'viods'], 'there is no group and no case "viods"'],
    [['--profile', 'half'], '--profile must be specification or full'],
    [['--load', '20'], '--load needs two whole numbers'],
    [['--stake', '5'], '--stake must be even'],
    [['--kill', 'true'], '--kill and --start need each other'],
    [['--unblock', 'true'], '--block and --unblock need each other'],
    [['--second-operator-id', 'x'], '--second-secret-env is missing'],
    [['--other-secret-env', 'NOT_SET'], '--other-secret-env names a variable that is not set'],
    [['--url', 'wallet.example'], '--url must be an http or https address'],
    [['--url', 'http://user:pass@127.0.0.1'], '--url must not hold a user name or a password'],
    [['--report', '/no/such/folder/r.html'], '--report: cannot write'],
    [['--sign-key', '/no/such/key'], '--sign-key signs the JSON report: name its file with --json'],
    [
      ['--sign-key', '/no/such/key', '--json', '/tmp/r.json'],
      '--sign-key /no/such/key cannot be read: no such file',
    ],
    [['--wallet-name', 'a\u001bb'], 'It must be 1 to 100 printable characters.'],
    [['--check', '/no/such/report'], '--key is missing'],
    [['--check', '/dev/zero', '--key', '/dev/zero'], '/dev/zero cannot be read'],
    [['--currency', 'euro'], '--currency must be three capital letters'],
  ])('%j is refused before anything is sent', async (args, message) => {
    const { code, stderr } = await certify('--yes', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
