import { appendFile } from 'node:fs/promises';

import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { runCli, temporaryFile } from '../cli/cli';
import { refuse } from '../rgs/load/faults';
import { RgsService } from '../rgs/load/service';
import { type Block, blocksOf, isProgram } from './blocks';
import { runProgram } from './process';
import { userFolder, writeProgram } from './program';

const OPERATOR = { OPERATOR_ID: 'my-casino', OPERATOR_SECRET: 'at-least-16-bytes-of-secret' };
const gameUrl = {
  method: 'POST',
  path: '/getGameURL',
  signedFields: ['currency', 'gameCode'],
  reply: '{"url":"https://games.example/1"}',
} as const;
let service: RgsService;

beforeEach(async () => {
  const { OPERATOR_ID: operatorId, OPERATOR_SECRET: secret } = OPERATOR;
  service = await RgsService.start({ operatorId, secret, furtherCalls: [gameUrl] });
});

afterEach(() => service.close());

/** The files of the client certificate that the page reads, in a folder; nobody asks for it over plain HTTP. */
async function writeCertificate(folder: string): Promise<void> {
  const command = `req -x509 -newkey rsa:2048 -nodes -keyout operator.key -out operator.crt -days 2 -subj /CN=me`;
  await runProgram('openssl', command.split(' '), { cwd: folder });
}

const programs = blocksOf('docs/client.md').filter(isProgram);

test.each(programs.map((block) => [block.name, block]))(
  'the block %s of docs/client.md runs as it stands',
  async (_, block) => {
    service.replies.getStats =
      '{"records":[{"DAY":"2026-03-01","currency":"EUR","games":1,"bet":"1.5","win":"0.5","RTP":1}]}';
    const code = (block as Block).code;
    if (code.includes('no-such-game')) {
      service.failNext(refuse(400, 19), '/backoffice/getGameConfiguration');
    }
    const folder = await userFolder();
    if (code.includes('operator.crt')) await writeCertificate(folder);
    const path = await writeProgram(folder, block as Block);
    await appendFile(path, code.includes('const client') ? 'await client.getGameList();\n' : '');
    const env = { ...OPERATOR, RGS_URL: service.url };
    const output = await runProgram(process.execPath, [path], { cwd: folder, env });
    expect(output).not.toContain('Error');
    expect(service.requests.length).toBeGreaterThan(0);
    expect(service.requests.every(({ isAuthentic }) => isAuthentic)).toBe(true);
  },
);

const commands = blocksOf('docs/client.md').flatMap(({ language, code }) =>
  language === 'sh' ? (code.match(/^rgs-wallet call .*$/gm) ?? []) : [],
);

test('the pages have commands', () => {
  expect(commands.length).toBeGreaterThan(5);
});

test.each(commands)('%s', async (line) => {
  const gift =
    '{"playerId":"ann","gameCode":"bells","serial":"gift-2","currency":"EUR","stake":0.50,"count":5}';
  const file = await temporaryFile('package.json', gift);
  const [command = ''] = line.replace('package.json', file).split('#', 1);
  const args = command.trim().split(/\s+/).slice(1);
  const result = await runCli(args, { env: { ...OPERATOR, RGS_URL: service.url } });
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(service.requests).toMatchObject([{ isAuthentic: true }]);
});
