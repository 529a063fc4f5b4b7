import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { MAIN } from '../cli/cli';
import { canRun, type Language, languagesFolder } from '../examples/languages';
import { freePort } from '../servers/ports';
import { runs } from '../support/runs';
import { seeds } from '../support/seed';
import { blockOf } from './blocks';
import { runProgram, startProgram } from './process';
import { cleanupAfterEach } from '../support/each-test';

const cleanup = cleanupAfterEach();

const page = 'docs/languages.md';
const credentials = { OPERATOR_ID: 'my-casino', OPERATOR_SECRET: 'at-least-16-bytes-of-secret' };

/** Has the folder of the page and a wallet that serves, and types its blocks. */
class Reader {
  readonly #folder: string;
  readonly #port: string;

  constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = String(port);
  }

  /** A block with the port of this test, and this build in the place of the installed package. */
  codeOf(name: string): string {
    const { code } = blockOf(page, name);
    return code.replaceAll('8080', this.#port).replace('npx rgs-wallet', `node ${MAIN}`).trim();
  }

  run(name: string, flags = ''): Promise<string> {
    const options = { cwd: this.#folder, env: credentials };
    return runProgram('sh', ['-ec', this.codeOf(name) + flags], options);
  }

  /** Starts the wallet of a block until it answers. */
  async serve(name: string, command: string): Promise<void> {
    const code = this.codeOf(name).replace(command, `exec ${command}`);
    expect(code).toContain('exec ');
    const env = { PORT: this.#port };
    const running = startProgram('sh', ['-ec', code], { cwd: this.#folder, env });
    cleanup.after(running, ({ stop }) => stop());
    await running.answers(`http://127.0.0.1:${this.#port}/getBalance`);
  }

  async write(name: string, path: string): Promise<void> {
    await mkdir(join(this.#folder, path, '..'), { recursive: true });
    await writeFile(join(this.#folder, path), this.codeOf(name));
  }

  read(path: string): Promise<string> {
    return readFile(join(this.#folder, path), 'utf8');
  }
}

/** What a reply of the page says, and what the wallet answered. */
function shown(name: string): unknown {
  return JSON.parse(blockOf(page, name).code);
}

/** A language, the command that serves, the file of the page's program, and the blocks of the page. */
const wallets: readonly [Language, command: string, file: string, blocks: readonly string[]][] = [
  ['python', 'python3', 'call.py', ['start-python', 'call-python', 'run-call-python']],
  ['go', './wallet', 'call/main.go', ['start-go', 'call-go', 'run-call-go']],
];

test.each(wallets)(
  'a reader of docs/languages.md signs calls by hand and in %s, and the wallet is certified',
  async (language, command, file, [start = '', program = '', run = '']) => {
    if (!canRun(language)) return;
    const reader = new Reader(await languagesFolder(), await freePort());
    await reader.serve(start, command);
    expect(JSON.parse(await reader.run('balance-by-hand'))).toEqual(shown('balance-reply'));
    expect(JSON.parse(await reader.run('bet-by-hand'))).toEqual(shown('bet-reply'));
    expect(JSON.parse(await reader.run('bet-by-hand'))).toEqual(shown('bet-reply'));
    await reader.write(program, file);
    const reply = await reader.run(run);
    expect(JSON.parse(reply.slice(reply.indexOf('{')))).toEqual(shown('balance-reply'));

    for (const seed of seeds(runs(20, 1))) {
      const flags = ` --yes --seed ${seed} --histories 20 --timeout 60000 --time-limit 1200 --json certification.json`;
      const told = await reader.run('certify', flags);
      const [summary = ''] = /^passed: \d+ of \d+ required cases.*/m.exec(told) ?? [];
      process.stderr.write(`the wallet in ${language}, seed ${seed}: ${summary}\n`);
      expect(summary).not.toBe('');
      const { outcome, cases, money } = JSON.parse(
        await reader.read('certification.json'),
      ) as Certification;
      expect(outcome).toBe('passed');
      expect(cases.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(160);
      expect(money.map(({ difference }) => difference)).toEqual(['0', '0']);
    }
  },
);

interface Certification {
  readonly outcome: string;
  readonly cases: readonly { readonly verdict: string }[];
  readonly money: readonly { readonly difference: string }[];
}

test('certification fails a small wallet that pays a resent credit twice, so it can fail', async () => {
  if (!canRun('python')) return;
  const folder = await languagesFolder();
  const wallet = join(folder, 'examples/wallet/python/wallet.py');
  const right = 'known = self.state.records.get(one.hash)';
  const wrong = `${right} if one.type != "credit" else None`;
  const code = await readFile(wallet, 'utf8');
  expect(code).toContain(right);
  await writeFile(wallet, code.replace(right, wrong));
  const reader = new Reader(folder, await freePort());
  await reader.serve('start-python', 'python3');
  const run = reader.run('certify', ' --yes --only credit-again');
  await expect(run).rejects.toThrow(/^failed +idempotency\/credit-again/m);
});
