import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { temporaryFolder } from '../servers/reaper';
import {
  type CliOptions,
  OPERATOR,
  OPERATOR_ID,
  runCli,
  SECRET,
  type Service,
  startService,
  temporaryFile,
} from './cli';

const TIMESTAMP = '2024-05-06T07:08:09.120Z';
const BODY = `{ "playerId": "ann", "gameCode": "o'bells", "gameRound": "r-1", "transactionCount": 1,
  "transactions": [{ "type": "debit", "hash": "h", "amount": 10.50, "currency": "EUR", "isFirstDebit": true }] }
`;
const SIGNED = `${OPERATOR_ID}#${TIMESTAMP}#ann#o'bells#r-1#h#10.50`;

/** Base64 of HMAC-SHA256 over the secret and the rest, made without the code under test. */
function mac(rest: string, secret = SECRET): string {
  return createHmac('sha256', secret).update(`${secret}#${rest}`).digest('base64');
}

/** What `sign` printed, and its exit code; the secret is never in it. */
async function sign(
  args: readonly string[],
  options: CliOptions = {},
): Promise<{ code: number | null; lines: string[]; stderr: string }> {
  const { code, stdout, stderr } = await runCli(['sign', '--operation', ...args], {
    env: OPERATOR,
    ...options,
  });
  expect(stdout + stderr).not.toContain(SECRET);
  return { code, lines: stdout.split('\n').slice(0, -1), stderr };
}

async function failureOf(args: readonly string[], options: CliOptions = {}): Promise<string> {
  const { code, lines, stderr } = await sign(args, options);
  expect({ code, lines }).toEqual({ code: 2, lines: [] });
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
  return stderr.slice('error: '.length, -1);
}

describe('the headers', () => {
  const expected = [
    `X-H-AUTH-ID: ${OPERATOR_ID}`,
    `X-H-TIMESTAMP: ${TIMESTAMP}`,
    `X-H-AUTH-SIG: ${mac(SIGNED)}`,
    'Content-Type: application/json',
  ];

  test.each<[string, () => Promise<[string, string]>]>([
    ['on the command line', async () => [BODY, '']],
    ['in a file', async () => [await temporaryFile('call.json', BODY), '']],
    ['on stdin', async () => ['-', BODY]],
  ])('sign a body that is given %s', async (_, given) => {
    const [body, stdin] = await given();
    const { code, lines } = await sign(
      ['doTransactions', '--body', body, '--timestamp', TIMESTAMP],
      { stdin },
    );
    expect({ code, lines }).toEqual({ code: 0, lines: expected });
  });

  test.each<[string, string[], string]>([
    [
      'getBalance',
      ['--param', 'playerId=a=n n', '--param', 'currency=EUR', '--param', 'gameCode=g'],
      '#a=n n#EUR#g',
    ],
    [
      'assignPlayerFreerounds',
      [
        '--body',
        '{"playerId":"ann","gameCode":"g","serial":"s","currency":"EUR","stake":1.0,"count":5}',
      ],
      '#ann#g#s#EUR#1.0#5',
    ],
    ['getStats', ['--body', '{}'], ''],
    ['getGameConfiguration', ['--param', 'gameCode=g', '--param', 'currency=EUR'], '#g#EUR'],
    ['getGameList', [], ''],
  ])('sign %s by its own fields', async (operation, args, fields) => {
    const { lines } = await sign([operation, ...args, '--timestamp', TIMESTAMP]);
    expect(lines).toContain(`X-H-AUTH-SIG: ${mac(`${OPERATOR_ID}#${TIMESTAMP}${fields}`)}`);
  });

  test('bear the present time unless they are given one', async () => {
    const before = Date.now();
    const { lines } = await sign(['getGameList']);
    const timestamp = lines[1]?.replace('X-H-TIMESTAMP: ', '') ?? '';
    expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(timestamp)).toBeLessThanOrEqual(Date.now());
  });

  test('are of the operator that is chosen among the credentials', async () => {
    const credentials = await temporaryFile('credentials.json', [
      { operatorId: 'one', secrets: ['the-secret-of-operator-one'] },
      { operatorId: 'two', secrets: [SECRET, 'the-secret-of-last-year'] },
    ]);
    const args = ['getGameList', '--timestamp', TIMESTAMP, '--credentials', credentials];
    const signature = `X-H-AUTH-SIG: ${mac(`two#${TIMESTAMP}`)}`;
    expect((await sign([...args, '--operator', 'two'], { env: {} })).lines).toContain(signature);
    expect((await sign(args, { env: { OPERATOR_ID: 'two' } })).lines).toContain(signature);
    expect(await failureOf(args, { env: {} })).toBe(
      'There are several operators: choose one with --operator.',
    );
    expect(await failureOf([...args, '--operator', 'six'], { env: {} })).toBe(
      '--operator is not among the credentials.',
    );
  });

  test('come with the signed string, the secret masked, where it is to be explained', async () => {
    const args = ['doTransactions', '--body', BODY, '--timestamp', TIMESTAMP, '--explain'];
    expect((await sign(args)).lines).toEqual([`Signed: [secret]#${SIGNED}`, ...expected]);
  });
});

describe('the curl command', () => {
  let service: Service;
  let shim: string;

  beforeAll(async () => {
    const ann = [{ playerId: 'ann', currency: 'EUR', balances: { real: '100' } }];
    service = await startService(['--players', await temporaryFile('players.json', ann)]);
    shim = await temporaryFolder('bin');
    // Tells the words that the shell makes of the command, so that no curl is needed.
    const script = `#!${process.execPath}\nconsole.log(JSON.stringify(process.argv.slice(2)))\n`;
    await writeFile(join(shim, 'curl'), script);
    await chmod(join(shim, 'curl'), 0o755);
  });

  afterAll(() => service.stop());

  /** Sends what a shell hands to curl, and resolves to the status and the body of the answer. */
  async function run(command: string): Promise<[number, string]> {
    const env = { PATH: `${shim}:${process.env['PATH'] ?? ''}` };
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], { env });
    const [request, method = '', url = '', ...flags] = JSON.parse(stdout) as string[];
    expect(request).toBe('--request');
    const headers = new Headers();
    let body: string | null = null;
    for (let at = 0; at < flags.length; at += 2) {
      const [flag = '', value = ''] = flags.slice(at, at + 2);
      const [name = '', ...rest] = value.split(': ');
      if (flag === '--header') headers.set(name, rest.join(': '));
      else if (flag === '--data-binary') body = value;
      else throw new Error(`curl is given ${flag}`);
    }
    const answer = await fetch(url, { method, headers, body });
    return [answer.status, await answer.text()];
  }

  test('is a call that the wallet takes, quotes and line ends in it as they are', async () => {
    const args = ['doTransactions', '--body', BODY, '--curl', `${service.url}/`];
    const { lines } = await sign(args);
    const [status, text] = await run(lines.join('\n'));
    expect(status).toBe(200);
    expect(text).toContain('"amount":89.5,');
  });

  test('is a query that the wallet takes', async () => {
    const parameters = ['--param', 'playerId=a&b c', '--param', 'currency=EUR'];
    const { lines } = await sign(['getBalance', ...parameters, '--curl', service.url]);
    expect(lines).toHaveLength(1);
    const [status, text] = await run(lines.join('\n'));
    expect(status).toBe(400);
    expect(text).toContain('"id":1,'); // authentic: it is the player that is not known
  });
});

/** The explanation of a signature that came with the body. */
function received(signature: string, timestamp = TIMESTAMP): ReturnType<typeof sign> {
  const args = ['doTransactions', '--body', BODY, '--timestamp', timestamp];
  return sign([...args, '--signature', signature]);
}

describe('a signature that was received', () => {
  test('is right, which is exit code 0', async () => {
    const { code, lines } = await received(mac(SIGNED));
    expect({ code, lines }).toEqual({ code: 0, lines: ['The signature is correct.'] });
  });

  test('with shortest amounts is accepted, which is exit code 0', async () => {
    const { code, lines } = await received(mac(SIGNED.replace('10.50', '10.5')));
    expect({ code, lines }).toEqual({
      code: 0,
      lines: [
        'The signature was made in another way and is accepted (D1.5). Differences:',
        '- amounts in shortest form (10.5 for 10.50)',
      ],
    });
  });

  test.each<[string, string[]]>([
    [mac(SIGNED.replace("#o'bells", '')), ['gameCode missing']],
    [mac(SIGNED, `${SECRET}\n`), ['a newline at the end of the secret']],
    [
      Buffer.from(mac(SIGNED.replace('h#10.50', '10.50#h')), 'base64').toString('hex'),
      ['the signature in hex instead of base64', 'amount in the place of hash, and the reverse'],
    ],
  ])('%s is explained and refused, which is exit code 1', async (signature, deviations) => {
    const { code, lines } = await received(signature);
    expect({ code, lines }).toEqual({
      code: 1,
      lines: [
        'The signature was made in another way and is refused. Differences:',
        ...deviations.map((deviation) => `- ${deviation}`),
      ],
    });
  });

  test('that no variant gives is said to be so, which is exit code 1', async () => {
    const { code, lines } = await received(mac(SIGNED, 'another-secret-than-ours'));
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(
        /^The signature does not match, and neither does any of \d{4,} known variants\.$/,
      ),
      'It was made with another secret, or for another message.',
    ]);
  });

  test('that is no HMAC-SHA256 is said to be none, which is exit code 1', async () => {
    expect(await received('AAAA')).toMatchObject({
      code: 1,
      lines: ['The signature is malformed: it has 3 bytes in base64, and HMAC-SHA256 has 32.'],
    });
  });

  test('over a timestamp that is not strict is refused though it matches', async () => {
    const timestamp = '2024-05-06 07:08:09';
    const { code, lines } = await received(mac(SIGNED.replace(TIMESTAMP, timestamp)), timestamp);
    expect({ code, lines }).toEqual({
      code: 1,
      lines: [
        'The signature is correct.',
        'X-H-TIMESTAMP is not a strict ISO 8601 date-time: refused whatever the signature (D1.3).',
      ],
    });
  });

  test('tells which of several secrets made it, and shows what is signed', async () => {
    const credentials = await temporaryFile('credentials.json', [
      { operatorId: OPERATOR_ID, secrets: ['the-secret-of-last-year', SECRET] },
    ]);
    const args = ['doTransactions', '--body', BODY, '--timestamp', TIMESTAMP, '--explain'];
    const { lines } = await sign(
      [...args, '--signature', mac(SIGNED), '--credentials', credentials],
      { env: {} },
    );
    expect(lines).toEqual([
      `Signed: [secret]#${SIGNED}`,
      'The signature is correct. It was made with secret 2 of 2.',
    ]);
  });
});

describe('what cannot be signed is reported in one line, with exit code 2', () => {
  test.each<[string[], string]>([
    [['doTransactions'], 'doTransactions needs --body.'],
    [['doTransactions', '--param', 'a=b'], 'doTransactions takes --body, not --param.'],
    [['getBalance', '--body', '{}'], 'getBalance takes --param, not --body.'],
    [['getBalance', '--param', 'playerId'], '--param must be name=value.'],
    [['getGameList', '--param', 'a=1', '--param', 'a=2'], '--param a is given twice.'],
    [['getBalance', '--param', 'currency=EUR'], 'playerId is missing or cannot be signed.'],
    [
      ['doTransactions', '--body', BODY.replace('"h"', '"h#"')],
      'transactions/0/hash is missing or cannot be signed.',
    ],
    [
      ['doTransactions', '--body', '{"a":1,"a":2}'],
      '--body is not valid JSON. The body has a duplicate key at character 10.',
    ],
    [['doTransactions', '--body', '/no/file'], '/no/file cannot be read: no such file'],
    [
      ['getGameList', '--timestamp', 'yesterday'],
      '--timestamp must be a strict ISO 8601 date-time such as 2024-05-06T07:08:09.120Z (D1.3).',
    ],
    [
      ['getGameList', '--curl', 'localhost'],
      '--curl must be the address of the service, such as http://127.0.0.1:8080',
    ],
    [
      ['getGameList', '--signature', 'AAAA'],
      '--signature needs --timestamp: X-H-TIMESTAMP as received.',
    ],
    [
      ['getGameList', '--signature', 'AAAA', '--timestamp', TIMESTAMP, '--curl', 'http://h'],
      '--curl prints a new signature: leave --signature out.',
    ],
    [
      ['getBalance', '--signature', 'AAAA', '--timestamp', TIMESTAMP],
      'playerId is missing or cannot be signed.',
    ],
    [
      ['getMoney'],
      "option '--operation <name>' argument 'getMoney' is invalid. Allowed choices are doTransactions, getBalance, assignPlayerFreerounds, getStats, getGameConfiguration, getGameList, getGameURL. (see rgs-wallet sign --help)",
    ],
  ])('%j', async (args, line) => {
    expect(await failureOf(args)).toBe(line);
  });
});
