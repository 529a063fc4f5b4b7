import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { runCli, temporaryFile } from '../cli/cli';
import { refuse } from '../support/rgs-faults';
import { RgsService } from '../support/rgs-service';
import { textOf } from '../tidy/source';

const ROOT = join(__dirname, '../..');
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

/** The blocks of the page in one language. */
function blocksOf(page: string, language: string): string[] {
  const blocks = textOf(page).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  return [...blocks].map(([, code = '']) => code);
}

/** What is above the block in the page, or said in it to be the reader's own. */
function withPrelude(code: string, [first = '']: readonly string[]): string {
  if (code.includes('import { createRgsClient }')) return code;
  if (!code.includes('const client')) return `${first}\n${code}`;
  return `import { createRgsClient } from 'rgs-wallet-kit/client';
    import pino from 'pino';
    const { RGS_URL: baseUrl, OPERATOR_ID: operatorId, OPERATOR_SECRET: secret } = process.env;
    const operator = { baseUrl, operatorId, secret };
    ${code}
    await client.getGameList();`;
}

// The block over undici needs a package that is not installed here, and certificates.
const blocks = blocksOf('docs/client.md', 'js');
const run = promisify(execFile);

test('the page has as many blocks of code as are run here, and one over undici', () => {
  expect(blocks.filter((code) => code.includes('undici'))).toHaveLength(1);
  expect(blocks.length).toBeGreaterThan(7);
});

test.each(
  blocks.filter((code) => !code.includes('undici')).map((code) => [code.split('\n', 1)[0], code]),
)('the block of docs/client.md that begins with %s runs as it stands', async (_, code = '') => {
  service.replies.getStats =
    '{"records":[{"DAY":"2026-03-01","currency":"EUR","games":1,"bet":"1.5","win":"0.5","RTP":1}]}';
  if (code.includes('no-such-game')) {
    service.failNext(refuse(400, 19), '/backoffice/getGameConfiguration');
  }
  const env = { PATH: process.env['PATH'] ?? '', ...OPERATOR, RGS_URL: service.url };
  const args = ['--input-type=module', '--eval', withPrelude(code, blocks)];
  const { stderr } = await run(process.execPath, args, { cwd: ROOT, env });
  expect(stderr).toBe('');
  expect(service.requests.every(({ isAuthentic }) => isAuthentic)).toBe(true);
});

const commands = ['docs/client.md', 'README.md'].flatMap((page) =>
  blocksOf(page, 'sh').flatMap((block) => block.match(/^rgs-wallet call .*$/gm) ?? []),
);

test('the pages have commands', () => {
  expect(commands.length).toBeGreaterThan(6);
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
