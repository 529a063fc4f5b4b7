import { describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryFolder } from '../servers/reaper';
import {
  type Environment,
  OPERATOR,
  runCli,
  type Service,
  signer,
  startService,
  temporaryFile,
} from './cli';
import { cleanupAfterEach } from '../support/each-test';

const MEMORY = ['--store', 'memory:', '--accept-loss'];
const cleanup = cleanupAfterEach();

/** A service that is stopped after the test. */
async function serve(args: readonly string[], env: Environment = {}): Promise<Service> {
  const service = await startService(args, { ...OPERATOR, ...env });
  return cleanup.after(service);
}

async function failureOf(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(['serve', ...args], { env: OPERATOR });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
  return stderr.slice('error: '.length, -1);
}

describe('the file of a ledger', () => {
  const ledger = ledgerOf(
    777n,
    'close() { require("node:fs").writeFileSync(process.env.MARK, "closed"); }',
  );
  const importing =
    'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);\n';
  test.each([
    ['a module that exports a ledger', 'l.mjs', `${importing}export default ${ledger};`],
    ['a module that exports a function', 'l.mjs', `${importing}export default () => (${ledger});`],
    [
      'a module that exports an async function',
      'l.mjs',
      `${importing}export default async () => (${ledger});`,
    ],
    ['CommonJS that exports a ledger', 'l.cjs', `module.exports = ${ledger};`],
    ['CommonJS that exports a function', 'l.cjs', `module.exports = async () => (${ledger});`],
    ['CommonJS with exports.default', 'l.cjs', `exports.default = () => (${ledger});`],
    [
      'CommonJS as compilers make it of a module',
      'l.js',
      `Object.defineProperty(exports, "__esModule", { value: true });\nexports.default = ${ledger};`,
    ],
  ])('may be %s; what it holds is closed on SIGTERM', async (_, name, source) => {
    const file = await temporaryFile(name, source);
    const mark = join(await temporaryFolder('mark'), 'closed');
    const service = await serve(MEMORY, { LEDGER_FILE: file, MARK: mark });
    const { text } = await service.call(signer.getBalance({ playerId: 'ann', currency: 'EUR' }));
    expect(text).toContain('"amount":0.0777,');
    expect(await service.stop()).toBe(0);
    expect(await readFile(mark, 'utf8')).toBe('closed');
  });

  test('exits with 0 although the ledger never finishes closing', async () => {
    const source = `setInterval(() => {}, 1000);\nexport default ${ledgerOf(1n, 'close: () => new Promise(() => {})')};`;
    const file = await temporaryFile('ledger.mjs', source);
    const service = await serve([...MEMORY, '--grace-ms', '0', '--ledger', file]);
    expect(await service.stop()).toBe(0);
    const line = 'the store, the ledger or the tracer did not close in time';
    expect(await service.line(line)).toMatchObject({
      level: 40,
    });
  });

  test.each([
    ['that throws', 'throw new Error("no database\\nat hand")', 'no database at hand'],
    ['whose function rejects', 'module.exports = async () => { throw new Error("no") }', 'no'],
    [
      'without a method',
      'module.exports = { debit() {}, credit() {} }',
      'ledger must have a method reverse',
    ],
    ['that exports nothing useful', 'exports.ledger = {}', 'ledger must have a method debit'],
    ['that makes nothing', 'module.exports = () => {}', 'ledger must have a method debit'],
    ['that is no JavaScript', 'money', 'money is not defined'],
  ])('%s is reported in one line', async (_, source, reason) => {
    const file = await temporaryFile('ledger.cjs', source);
    expect(await failureOf(...MEMORY, '--ledger', file)).toBe(`--ledger ${file}: ${reason}`);
  });

  test('that is missing, or has no default export, is reported in one line', async () => {
    const file = await temporaryFile('ledger.mjs', 'export const ledger = {};');
    expect(await failureOf(...MEMORY, '--ledger', file)).toBe(
      `--ledger ${file}: it has no default export`,
    );
    expect(await failureOf(...MEMORY, '--ledger', `${file}.gone`)).toBe(
      `--ledger ${file}.gone: no such file`,
    );
  });

  test('that holds something open does not keep a command that failed from ending', async () => {
    const file = await temporaryFile(
      'ledger.cjs',
      'setInterval(() => {}, 1000); module.exports = {};',
    );
    expect(await failureOf(...MEMORY, '--ledger', file)).toContain('must have a method debit');
  });
});

describe('flags that cannot be combined with a ledger are reported before anything is opened', () => {
  const nowhere = ['--store', 'postgres://127.0.0.1:1/none'];
  test.each<[string[], string]>([
    [
      [...nowhere, '--ledger', 'l.mjs', '--players', 'p.json'],
      '--players cannot be combined with --ledger: open the players in the ledger',
    ],
    [
      ['--ledger', 'l.mjs'],
      '--ledger needs a store that outlives the process, to remember what it posted: --store postgres://... or redis://...; for development, --accept-loss allows memory:',
    ],
  ])('%j', async (args, line) => {
    const players = await temporaryFile('p.json', []);
    expect(await failureOf(...args.map((arg) => (arg === 'p.json' ? players : arg)))).toBe(line);
  });
});

/** The source of a ledger that has ann with so many units, and moves none. */
function ledgerOf(real: bigint, more: string): string {
  const refusal = "async () => ({ kind: 'refused', reason: 'refused' })";
  const accounts = `async () => [{ currency: 'EUR', real: ${real}n, bonus: null }]`;
  return `{ debit: ${refusal}, credit: ${refusal}, reverse: ${refusal}, balances: ${accounts}, ${more} }`;
}
