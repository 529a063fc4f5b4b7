import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, test } from '@jest/globals';

import { until } from '../servers/until';
import { type Habits, startCarelessWallet } from './careless-wallet';
import { MAIN, runCli, start, temporaryFile } from './cli';
import { type StartedSandbox, startSandbox } from './sandbox-rig';
import { cleanupAfterEach } from '../support/each-test';

const cleanup = cleanupAfterEach();
/** The address of a wallet with these habits. */
async function walletWith(habits: Habits): Promise<string> {
  const wallet = await startCarelessWallet(habits);
  return cleanup.after(wallet).url;
}

interface Played {
  readonly isOk: boolean;
  readonly lines: readonly string[];
}

async function sandboxAt(wallet: string): Promise<StartedSandbox> {
  const sandbox = await startSandbox(['--wallet', wallet, '--seed', '7']);
  return cleanup.after(sandbox);
}

async function play(sandbox: StartedSandbox, name: string): Promise<Played> {
  return (await sandbox.post('play', { name })) as Played;
}

describe('scenarios at a wallet of your own, with its players in turn', () => {
  test('what a scenario left in the books is no matter of the next ones of the same player', async () => {
    const sandbox = await sandboxAt(await walletWith({}));
    // Twice each: ann and bob take turns.
    for (const name of ['blind-retry', 'blind-retry', 'spin', 'silence', 'void', 'lost-win']) {
      const { isOk, lines } = await play(sandbox, name);
      expect([name, isOk, isOk ? [] : lines]).toEqual([name, true, []]);
    }
  });

  test('a wallet that pays a known hash again fails lost-win alone, in words of money (D3.1)', async () => {
    const sandbox = await sandboxAt(await walletWith({ forgetsHashes: true }));
    const { isOk, lines } = await play(sandbox, 'lost-win');
    expect(isOk).toBe(false);
    expect(lines.at(-1)).toBe(
      'lost-win: FAILED. it was paid once: the credit of 2.50 EUR was sent 6 times with the same hash, and the wallet paid it 6 times: a known hash moves nothing (D3.1)',
    );
    for (const name of ['spin', 'poor', 'silence', 'pending', 'blackjack', 'gamble', 'crash']) {
      const next = await play(sandbox, name);
      expect([name, next.isOk, next.isOk ? [] : next.lines]).toEqual([name, true, []]);
    }
  });

  test('a failed scenario closes its round, so that the player can start the next one', async () => {
    const wallet = await walletWith({ firstBalanceIsWrong: true });
    const ann = { playerId: 'ann', currency: 'EUR', balances: { real: '100000' } };
    const players = await temporaryFile('players.json', [ann]);
    const sandbox = await startSandbox(['--wallet', wallet, '--players', players]);
    cleanup.after(sandbox);
    expect(await play(sandbox, 'spin')).toMatchObject({ isOk: false });
    await expect(sandbox.get('state')).resolves.toMatchObject({
      rounds: [{ state: 'closed', due: [] }],
      faults: [],
    });
    expect(await play(sandbox, 'spin')).toMatchObject({ isOk: true });
  });

  test.each([
    ['poor', { tooLowId: 21 }],
    ['declined-double', { tooLowId: 21 }],
    ['declined-double', { paysAfterDecline: true }],
  ])(
    '%s is proved by a wallet that has an error id of its own, or pays: %j (E3, W12)',
    async (name, habits) => {
      const flags = ['--wallet', await walletWith(habits)];
      const { code, stdout } = await runCli(['sandbox', 'play', name, ...flags]);
      expect(stdout).toContain(`${name}: proved.`);
      expect(stdout).toContain("the wallet's own error id reaches the game (E3)");
      const isPaid = 'paysAfterDecline' in habits;
      if (name === 'declined-double') {
        expect(stdout).toContain(isPaid ? 'a wallet that pays it is as right.' : 'stranded');
      }
      expect(stdout).toContain('\nThe books agree.\n');
      expect(code).toBe(0);
    },
  );
});

describe('a wallet that does not tell a balance', () => {
  test.each<[string, Habits['getBalance'] & object]>([
    [
      'the wallet answered 404 on getBalance; is the path of --wallet right?',
      (response) => response.writeHead(404).end('not here'),
    ],
    [
      'the wallet answered 200 with text/html on getBalance, not a JSON object; is the path of --wallet right?',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome'),
    ],
    [
      'the wallet answered 400, error 1 on getBalance: does the wallet have ann in EUR? --players names others',
      (response) => response.writeHead(400).end('{"errorCode": {"id": 1, "msg": "who?"}}'),
    ],
    ['the wallet answered 500 on getBalance', (response) => response.writeHead(500).end()],
  ])('connect fails, and the line says why: %s', async (why, getBalance) => {
    const flags = ['--wallet', await walletWith({ getBalance })];
    const { code, stdout } = await runCli(['sandbox', 'play', 'spin', ...flags]);
    expect(stdout).toMatch(/spin: FAILED\. connect was refused: \d+, error \d+; /);
    expect(stdout).toContain(`; ${why}\n`);
    expect(stdout).toContain(
      '\nThe books cannot be compared: the wallet does not return the balance of ann in EUR.\n',
    );
    expect(stdout).not.toContain('The books agree');
    expect(stdout).not.toContain('round -');
    expect(code).toBe(1);
  });

  test('launch, which comes first in --exit, says it as well', async () => {
    const wallet = await walletWith({ getBalance: (response) => response.writeHead(404).end() });
    const { stdout } = await runCli(['sandbox', 'play', 'launch', '--wallet', wallet]);
    expect(stdout).toContain('the wallet answered 404 on getBalance; is the path of --wallet');
  });
});

describe('rgs-wallet sandbox play', () => {
  test('blind-retry names its difference as made on purpose, and the verdict leaves it out', async () => {
    const { code, stdout } = await runCli(['sandbox', 'play', 'blind-retry']);
    expect(stdout).toMatch(
      /on purpose: round \w{8} player-1, win: RGS 1\.00 EUR, provider 0\.50 EUR\n/,
    );
    expect(stdout).toContain('\nThe books agree, except for what a scenario did on purpose.\n');
    expect(stdout).not.toContain('NOT agree');
    expect(code).toBe(0);
  });

  test('--players names who plays, at the built-in wallet as well', async () => {
    const balances = { real: '5000' };
    const file = await temporaryFile('players.json', [
      { playerId: 'zoe', currency: 'SEK', balances },
    ]);
    const { code, stdout } = await runCli(['sandbox', 'play', 'spin', '--players', file]);
    expect(stdout).toMatch(/^ {2}zoe +SEK +50\.00 +51\.50 +51\.50 +51\.50 {2}agree$/m);
    expect(code).toBe(0);
  });

  test.each([
    ['--data', 'x'],
    ['--script', 'x'],
    ['--exit'],
    ['--port', '9000'],
    ['--host', '::1'],
    ['--stats-zone', 'Europe/Malta'],
  ])('%s is refused: it is of the sandbox alone', async (...flag) => {
    const { code, stderr } = await runCli(['sandbox', 'play', 'spin', ...flag]);
    expect(stderr).toContain(`${flag[0]} is of`);
    expect(code).toBe(2);
  });

  test('a provider that answers 401 proves nothing (E23.1)', async () => {
    const server = createServer((_request, response) => void response.writeHead(401).end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    cleanup.after(server);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rgs`;
    // A long scenario: the provider is asked beside it, and its answer must be there before the end.
    const { code, stdout } = await runCli(['sandbox', 'play', 'crash', '--provider', url]);
    expect(stdout).toContain(
      'crash: FAILED. the game provider answered 401 on getGameConfiguration:',
    );
    expect(code).toBe(1);
  });

  test('Ctrl-C during storm prints how far it was and the books so far, and ends with 130', async () => {
    const child = start(['sandbox', 'play', 'storm', '--seed', '7'], {}, MAIN);
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    const exit = once(child, 'close');
    await until('a line of progress', () => /\d+ of 1000 rounds/.exec(text) ?? undefined);
    child.kill('SIGINT');
    const [code] = (await exit) as [number | null];
    expect(text).toContain('SIGINT: stopped. The books so far:');
    expect(text).toMatch(/^The books$/m);
    expect(text).not.toContain('rgs->wallet');
    expect(code).toBe(130);
  });
});
