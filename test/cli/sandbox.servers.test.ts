import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { createGameEngineClient } from '../../lib/provider';
import { temporaryFolder } from '../servers/reaper';
import { runCli, temporaryFile } from './cli';
import { startSandbox } from './sandbox-rig';
import { listen } from '../network/listening';

const secrets = {
  OPERATOR_ID: 'casino-7',
  OPERATOR_SECRET: 'hush-hush-operator-secret',
  PROVIDER_ID: 'studio-7',
  PROVIDER_SECRET: 'hush-hush-provider-secret',
};

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** One line on stderr, exit code 2. */
async function refusal(args: readonly string[], env = {}): Promise<string> {
  const { code, stderr } = await runCli(['sandbox', ...args], { env });
  expect(code).toBe(2);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  return stderr.trim();
}

describe('the first lines of rgs-wallet sandbox', () => {
  test('have the addresses, the ids, where secrets are from, the page, a signed call and what to try', async () => {
    const sandbox = await startSandbox();
    const lines = sandbox.output().split('\n');
    expect(lines[0]).toContain(`remote game server ${sandbox.url} (engine /gameapi/v2`);
    expect(lines[1]).toMatch(
      /^wallet +http:\/\/127\.0\.0\.1:\d+, in memory; players ann \(EUR\), bob/,
    );
    expect(lines[2]).toMatch(
      /^game provider +http:\/\/127\.0\.0\.1:\d+\/rgs, built in: game-bells/,
    );
    expect(lines[3]).toMatch(
      /^operator id +casino, secret \S{32} \(made up for this run, of no use els/,
    );
    expect(lines[4]).toMatch(/^provider id +studio-1, secret \S{32} \(made up for this run/);
    expect(lines).toContain(`open ${sandbox.url}/`);
    expect(sandbox.output()).toContain('rgs-wallet sandbox play lost-win');
    expect(sandbox.output()).not.toContain('\u001b');
    expect(await sandbox.end()).toBe(0);
    const made = /secret (\S{32}) /.exec(sandbox.output())?.[1] ?? '';
    expect(sandbox.output().split(made)).toHaveLength(2);
  });

  test('the signed call can be pasted into a shell', async () => {
    const sandbox = await startSandbox();
    const line =
      sandbox
        .output()
        .split('\n')
        .find((one) => one.startsWith('  curl -s -H')) ?? '';
    const { stdout } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toMatchObject({ testDataReceived: 'hello', signed: 'body' });
    await sandbox.end();
  });

  test('secrets of the environment are named, and never printed', async () => {
    const sandbox = await startSandbox(['--verbose'], secrets);
    await sandbox.post('play', { name: 'spin' });
    await sandbox.end();
    const output = sandbox.output();
    expect(output).toContain('casino-7, secret from OPERATOR_SECRET');
    expect(output).toContain('studio-7, secret from PROVIDER_SECRET');
    expect(output).toContain('signed: [secret]#casino-7#');
    expect(output).not.toContain('hush-hush');
  });
});

describe('a sandbox at work', () => {
  test('prints a line a call, wallet calls indented under the call that made them', async () => {
    const sandbox = await startSandbox();
    await expect(sandbox.post('play', { name: 'spin' })).resolves.toMatchObject({ isOk: true });
    await sandbox.end();
    const lines = sandbox.output().split('\n');
    const at = lines.findIndex((line) => /game->rgs +addWin .* win 2\.50 EUR, collect;/.test(line));
    expect(lines[at]).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} game->rgs +addWin +[0-9a-f]{8} +200 +\d+ ms {2}win/,
    );
    expect(lines[at + 1]).toMatch(
      /^\S+ {3}rgs->wallet +doTransactions +[0-9a-f]{8} +200 +\d+ ms {2}credit 2\.50 EUR \+ end$/,
    );
  });

  test('names of any length stand apart from their figures, and turn no line around', async () => {
    const ids = ['a'.repeat(40), '\u754c\u754c', 'b\u202ec'];
    const balances = { real: '100000' };
    const file = await temporaryFile(
      'players.json',
      ids.map((playerId) => ({ playerId, currency: 'EUR', balances })),
    );
    const sandbox = await startSandbox(['--players', file]);
    for (let at = 0; at < ids.length; at++) await sandbox.post('play', { name: 'spin' });
    await sandbox.end('SIGINT');
    const rows = [...sandbox.output().matchAll(/^ {2}(\S+ +)EUR {7}1,000\.00 {2}/gm)];
    expect(rows.map(([, name]) => name)).toEqual([
      ids[0]?.padEnd(42),
      ids[1]?.padEnd(40),
      'b?c'.padEnd(42),
    ]);
    expect(sandbox.output()).not.toContain('\u202e');
  });

  test('Ctrl-C prints the three books, the seed and the command that repeats the run', async () => {
    const sandbox = await startSandbox(['--seed', '5', '--multiplier', 'SEK=10']);
    await sandbox.post('play', { name: 'spin' });
    expect(await sandbox.end('SIGINT')).toBe(0);
    const output = sandbox.output();
    expect(output).toMatch(/player-1 +EUR +1,000\.00 +1,001\.50 +1,001\.50 +1,001\.50 {2}agree/);
    expect(output).toContain('The books agree.');
    expect(output).toContain('Again: rgs-wallet sandbox --seed 5 --multiplier SEK=10');
  });

  test('books that differ end it with 1', async () => {
    const sandbox = await startSandbox();
    await sandbox.post('play', { name: 'blind-retry' });
    expect(await sandbox.end()).toBe(1);
    expect(sandbox.output()).toMatch(
      /difference: round \w{8} player-1, win: RGS 1\.00 EUR, provider 0\.50 EUR/,
    );
    expect(sandbox.output()).toContain('The books do NOT agree.');
  });

  test('the game is played in a browser without a script: launch, seat, spin', async () => {
    const sandbox = await startSandbox();
    const launched = await sandbox.post('launch', {
      playerId: 'ann',
      gameCode: 'game-bells',
      currency: 'EUR',
    });
    const { url } = launched as { url: string };
    const page = await fetch(url);
    const text = await page.text();
    expect(text).toContain('ann, your balance is 1000.00 EUR.');
    expect(text).not.toContain('<script');
    const seat = new URL(page.url).searchParams.get('seat') ?? '';
    const body = new URLSearchParams({ seat, stake: '100', force: 'bell bell bell' });
    const spun = await fetch(new URL('/spin', url), { method: 'POST', body });
    const after = await spun.text();
    expect(after).toContain('bell bell bell: you win 18.00');
    expect(after).toContain('ann, your balance is 1017.00 EUR.');
    const again = await fetch(url);
    expect(again.status).toBe(400);
    await sandbox.end();
  });

  test('--data keeps the rounds of the RGS; the books agree after a restart', async () => {
    const file = join(await temporaryFolder('sandbox'), 'sandbox.journal');
    const first = await startSandbox(['--data', file]);
    await first.post('play', { name: 'spin' });
    expect(await first.end()).toBe(0);
    const second = await startSandbox(['--data', file]);
    await expect(second.get('state')).resolves.toMatchObject({
      rounds: [{ state: 'closed', stake: '100', amountCredited: '250' }],
    });
    await second.post('play', { name: 'crash' });
    expect(await second.end()).toBe(0);
    expect(second.output()).toContain('crash: proved.');
    expect(second.output()).toContain('The books agree.');
  });

  test('it warns where other machines can reach it, and takes their Host', async () => {
    const sandbox = await startSandbox(['--host', '0.0.0.0']);
    expect((await fetch(`${sandbox.url}/sandbox/state`)).status).toBe(200);
    await sandbox.end();
    // Once both streams are read: the warning is on the other one.
    expect(sandbox.output()).toContain('Other machines can reach this sandbox');
  });
});

describe('rgs-wallet sandbox --script', () => {
  const spin = { spin: { player: 'ann', stake: 100, force: ['bell', 'bell', 'star'] } };
  const played = { winAmount: 100, wallet: ['debit 100', 'credit 100 + end'] };
  const cut = { fault: { line: 'rgs-wallet', call: 'doTransactions', kind: 'cut', next: 1 } };

  test('plays its steps, and --exit ends with 0 where all is as expected', async () => {
    const file = await temporaryFile('script.json', {
      steps: [
        { launch: 'ann' },
        { ...spin, expect: played },
        cut,
        { spin: { player: 'ann', stake: 100 }, expect: { error: 9100 } },
        { advance: '2h' },
        { janitor: true },
        { kill: true },
        { clearFaults: true },
        { launch: 'ann' },
        { expect: { balance: { ann: 100_000 }, books: 'agree', due: 0, findings: 0 } },
      ],
    });
    const { code, stdout } = await runCli(['sandbox', '--port', '0', '--exit', '--script', file]);
    expect(stdout).toContain('every step is as expected.');
    expect(code).toBe(0);
  });

  test('a step that is not as expected ends with 1, and is named by its number', async () => {
    const steps = [{ launch: 'ann' }, { ...spin, expect: { winAmount: 99 } }];
    const file = await temporaryFile('script.json', { steps });
    const { code, stdout } = await runCli(['sandbox', '--port', '0', '--exit', '--script', file]);
    expect(stdout).toContain('step 2 FAILED. the win of the spin: expected 99, found 100');
    expect(code).toBe(1);
  });

  test.each([
    [{ steps: [] }, 'must have at least 1 item'],
    [{ steps: [{ launch: 'ann' }, { spin: { player: 'ann', stake: 0 } }] }, 'step 2: '],
    [
      { steps: [{ launch: 'ann', kill: true }] },
      'step 1: has launch and kill; a step does one thing',
    ],
    [{ steps: [{ janitor: true, expect: { due: 0 } }] }, 'step 1: has expect beside janitor'],
    [
      { steps: [{ launch: 'a' }, { expect: { error: 15 } }] },
      'step 2: expects error without a spin',
    ],
    [
      { steps: [{ fault: { line: 'rgs-wallet', kind: 'late', next: 1, probability: 1 } }] },
      'step 1: fault',
    ],
    [{ steps: [{ advance: '2 hours' }] }, 'step 1: advance must'],
    [
      { steps: [{ lunch: 'ann' }] },
      /step 1: holds an unknown name "lunch"; the names are .*; did you mean launch\?$/,
    ],
    [
      { steps: [{ spin: { player: 'ann', stake: 1, force: ['bel', 'bell', 'bell'] } }] },
      'step 1: spin/force/0 must be one of bell, seven, star, clover, lemon, cherry',
    ],
    ['{', 'is not valid JSON'],
  ])('%j is refused before anything starts: %s', async (script, expected) => {
    const file = await temporaryFile('script.json', script);
    const refused = await refusal(['--port', '0', '--script', file]);
    expect(refused).toMatch(
      typeof expected === 'string' ? new RegExp(escaped(expected)) : expected,
    );
  });

  test('--provider is refused beside it before anything starts: it plays the built-in game', async () => {
    const file = await temporaryFile('script.json', { steps: [{ launch: 'ann' }] });
    const args = ['--port', '0', '--provider', 'http://127.0.0.1:1', '--script', file];
    const { code, stdout, stderr } = await runCli(['sandbox', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe('error: --script plays the built-in game: leave out --provider\n');
  });

  test('an unknown player is a wrong script', async () => {
    const file = await temporaryFile('script.json', { steps: [{ launch: 'nobody' }] });
    const { code, stderr } = await runCli(['sandbox', '--port', '0', '--exit', '--script', file]);
    expect(code).toBe(2);
    expect(stderr).toContain('the script names an unknown player: nobody');
  });
});

describe('what a sandbox cannot start with ends it with one line and 2', () => {
  test.each([
    [
      ['--wallet', 'http://127.0.0.1:1'],
      '--wallet: connection refused: nothing listens at http://127.0.0.1:1',
    ],
    [
      ['--provider', 'http://127.0.0.1:1'],
      '--provider: connection refused: nothing listens at http://127.0.0.1:1',
    ],
    [['--wallet', 'https://wallet.invalid'], 'no host of this name at https://wallet.invalid'],
    [['--provider', 'http://wallet.invalid'], '--provider must be https://, or on this host'],
    [['spin'], 'there is rgs-wallet sandbox play spin'],
    [['tea'], 'there is rgs-wallet sandbox play --list'],
    [['--wallet', 'ftp://wallet.example'], '--wallet must be an http or https address'],
    [['--multiplier', 'SEK'], 'such as SEK=10'],
    [['--multiplier', 'SEK=0'], 'such as SEK=10'],
    [['--settings', '/nowhere.json'], '/nowhere.json cannot be read'],
    [['--stats-by', 'middle'], 'Allowed choices are start, end.'],
    [['--stats-zone', 'Europe/Atlantis'], 'It must be a time zone, such as Europe/Malta.'],
    [['--stats-voids', 'both'], 'Allowed choices are restated, dated.'],
    [['--port', '70000'], 'whole number from 0 to 65535'],
    [['--players', '/nowhere.json'], '/nowhere.json cannot be read'],
    [['--data', '/nowhere/at/all.journal'], '/nowhere/at/all.journal'],
  ])('%j', async (args, expected) => {
    expect(await refusal(['--port', '0', ...args])).toContain(expected);
  });

  test('a wallet that answers nothing is no wallet that refuses: it hears no request, only a connection', async () => {
    const heard: string[] = [];
    const silent = createServer((socket) => {
      socket.on('data', (bytes) => heard.push(bytes.toString()));
      socket.on('error', () => {});
    });
    const port = await listen(silent);
    const sandbox = await startSandbox(['--wallet', `http://127.0.0.1:${port}`]);
    expect(sandbox.output()).toContain(
      `curl -s ${sandbox.url}/sandbox/play -d '{"name":"lost-win"}'`,
    );
    expect(await sandbox.end()).toBe(0);
    expect(heard).toEqual([]);
    silent.close();
  });

  test('a certificate that nobody signed, or none at all, is named', async () => {
    const plain = createServer((socket) => socket.end('no TLS here\n'));
    const port = await listen(plain);
    const line = await refusal(['--port', '0', '--wallet', `https://127.0.0.1:${port}`]);
    expect(line).toMatch(
      /--wallet: (?:no connection \(ERR_SSL_\w+\)|the connection was cut) at https/,
    );
    plain.close();
  });

  test.each([['100.00'], ['1.5']])(
    'a balance of %s is refused: the wallet in memory counts in minor units',
    async (real) => {
      const file = await temporaryFile('players.json', [
        { playerId: 'ann', currency: 'EUR', balances: { real } },
      ]);
      expect(await refusal(['--port', '0', '--players', file])).toContain(
        '0/balances/real must be whole minor units: "10000" is 100.00',
      );
    },
  );

  test('a misspelt name of a file is guessed, and a wrong character is found by its line', async () => {
    const misspelt = await temporaryFile('players.json', [
      { playerId: 'ann', curency: 'EUR', balances: { real: '1' } },
    ]);
    expect(await refusal(['--port', '0', '--players', misspelt])).toContain(
      '0/currency is missing; a name like it is there: did you mean currency?',
    );
    const broken = await temporaryFile('script.json', '{\n  "steps": [\n    {launch}\n  ]\n}');
    expect(await refusal(['--port', '0', '--script', broken])).toContain('at line 3, column 6.');
  });

  test('a port in use', async () => {
    const sandbox = await startSandbox();
    const { port } = new URL(sandbox.url);
    expect(await refusal(['--port', port])).toContain('the port is taken');
    await sandbox.end();
  });

  test.each([
    [{ OPERATOR_SECRET: 'short' }, 'OPERATOR_SECRET'],
    [{ PROVIDER_ID: 'a#b' }, 'PROVIDER_ID'],
  ])('%j', async (env, expected) => {
    const line = await refusal(['--port', '0'], env);
    expect(line).toContain(expected);
    expect(line).not.toContain('short');
  });
});

/** What GET /connect answers to ann in DEMO. */
async function connected(sandbox: Awaited<ReturnType<typeof startSandbox>>) {
  const launch = { playerId: 'ann', gameCode: 'game-bells', currency: 'EUR', mode: 'DEMO' };
  const { url } = (await sandbox.post('launch', launch)) as { url: string };
  const { searchParams } = new URL(url);
  const reply = await fetch(`${searchParams.get('login')}?token=${searchParams.get('token')}`);
  return (await reply.json()) as {
    token: string;
    gameSettings: Readonly<Record<string, unknown>>;
  };
}

describe('--settings', () => {
  test("sets the operator's settings, and how long player data of DEMO lives (E20.3, E21.1)", async () => {
    const content = {
      settings: { minStake: 20, rcEnabled: true, rcInterval: 60, jurisdiction: 'SE' },
      MAXLIFETIME_PLAYERDATA_INDEMOGAMES_SECONDS: 60,
    };
    const file = await temporaryFile('settings.json', JSON.stringify(content));
    const env = { PROVIDER_SECRET: 'hush-hush-provider-secret' };
    const sandbox = await startSandbox(['--settings', file], env);
    const { token, gameSettings } = await connected(sandbox);
    expect(gameSettings).toMatchObject(content.settings);
    const rgs = createGameEngineClient({
      baseUrl: `${sandbox.url}/gameapi/v2`,
      gameProviderId: 'studio-1',
      secret: env.PROVIDER_SECRET,
    });
    const { data } = await rgs.setPlayerData({ token, data: { data: { level: 3 } } });
    const [entry] = data;
    const livesMs = Date.parse(entry?.expires ?? '') - Date.parse(entry?.updated ?? '');
    expect(livesMs).toBe(60_000);
    expect(await sandbox.end()).toBe(0);
    expect(sandbox.output()).toContain(`--settings ${file}`);
  });

  test.each([
    [{ settings: { minStak: 20 } }, 'did you mean minStake?'],
    [{ settings: { rcEnabled: 'yes' } }, 'settings/rcEnabled must be boolean'],
    [{ MAXLIFETIME_PLAYERDATA_INDEMOGAMES_SECONDS: 0 }, 'must be >= 1'],
  ])('a file with %j is refused in one line', async (content, expected) => {
    const file = await temporaryFile('settings.json', JSON.stringify(content));
    expect(await refusal(['--port', '0', '--settings', file])).toContain(expected);
  });
});
