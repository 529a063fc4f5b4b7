import { writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

import { expect, test } from '@jest/globals';
import { findCurl } from '../servers/curl';
import { freePort } from '../servers/ports';
import { startPostgres } from '../servers/postgres/server';
import { temporaryFolder } from '../servers/reaper';
import { findRedisServer } from '../servers/redis/binary';
import { until } from '../servers/until';
import { packInto } from '../tidy/pack';
import { textOf } from '../tidy/source';
import { type Block, blockOf, blocksOf } from './blocks';
import { runProgram, type Running, startProgram } from './process';
import { type Replacements, withReplaced } from './program';
import { cleanupAfterEach } from '../support/each-test';

const cleanup = cleanupAfterEach();

/** The pages that a reader types in this order; each builds on the ones before. */
const typed = [
  'README.md',
  'docs/certification.md',
  'docs/operators.md',
  'docs/command-line.md',
  'docs/sandbox.md',
];

/** The block of the first of these pages that has it. */
function blockNamed(name: string): Block {
  const page = typed.find((one) => blocksOf(one).some((block) => block.name === name));
  return blockOf(page ?? 'README.md', name);
}

/** Has an empty folder and the packed file, and types the pages block after block. */
class Reader {
  /** What the blocks have exported so far. */
  readonly #env: Record<string, string>;
  readonly #folder: string;
  /** The ports and addresses of the page, and those of this test. */
  readonly #places: Replacements;
  #serving: Running | null = null;

  constructor(folder: string, places: Replacements, curl: string) {
    const bin = join(folder, 'node_modules/.bin');
    const path = [bin, dirname(curl), process.env.PATH].join(delimiter);
    const port = places['8080'] ?? '';
    this.#env = { npm_config_prefer_offline: 'true', PATH: path, PORT: port };
    this.#folder = folder;
    this.#places = places;
  }

  /** A block as it is printed, at the places of this test. */
  #codeOf(name: string): string {
    const { code } = blockNamed(name);
    const here = Object.entries(this.#places).filter(([place]) => code.includes(place));
    return withReplaced(code, Object.fromEntries(here));
  }

  /** Lines of shell, and keeps what they export. */
  shell(lines: string): Promise<string> {
    for (const [, exported = ''] of lines.matchAll(/^export (.*)$/gm)) {
      for (const [, name = '', value = ''] of exported.matchAll(/(\w+)=(\S+)/g)) {
        this.#env[name] = value;
      }
    }
    return runProgram('sh', ['-ec', lines], { cwd: this.#folder, env: this.#env });
  }

  /** Runs a block of shell to its end, with more flags if they are given; what it printed. */
  run(name: string, flags = ''): Promise<string> {
    return this.shell(this.#codeOf(name).trim() + flags);
  }

  /** Starts a block of shell or a program in the place of what serves, until its port answers. */
  async serve(name: string, url: string): Promise<void> {
    await this.#serving?.stop();
    const { language } = blockNamed(name);
    this.#serving =
      language === 'ts' ? await this.#program(name) : this.start(this.#codeOf(name).trim());
    await this.#serving.answers(url);
  }

  async #program(name: string): Promise<Running> {
    await this.save(name, `${name}.mjs`);
    return this.start(`node ${name}.mjs`);
  }

  /** Writes a block into a file. */
  save(name: string, file: string): Promise<void> {
    return writeFile(join(this.#folder, file), this.#codeOf(name));
  }

  /** Starts lines of shell, of which the last one stays: without npx, which would keep the signal that ends it. */
  start(lines: string): Running {
    const [last = '', ...before] = lines.replace(/^npx /m, '').split('\n').toReversed();
    const script = [...before.toReversed(), `exec ${last}`].join('\n');
    const running = startProgram('sh', ['-ec', script], { cwd: this.#folder, env: this.#env });
    return cleanup.after(running, ({ stop }) => stop());
  }

  /** Starts the redis-server of the page: the one that the tests have. */
  async startRedis(): Promise<void> {
    const found = await findRedisServer();
    this.start(
      this.#codeOf('redis-server').trim().replace('&& ', '\n').replace('redis-server', found),
    );
  }
}

async function emptyFolder(): Promise<string> {
  const folder = await temporaryFolder('reader');
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  return folder;
}

test('the blocks of README.md and its next pages, typed one after the other into an empty folder with the packed file, do what they say', async () => {
  const folder = await emptyFolder();
  const { tarball } = await packInto(await temporaryFolder('packed'));
  const postgres = cleanup.after(await startPostgres());
  const [wallet, redis] = [String(await freePort()), String(await freePort())];
  const database = 'postgres://wallet@127.0.0.1:5432/casino';
  const places = { 8080: wallet, 6379: redis, [database]: await postgres.createDatabase() };
  const reader = new Reader(folder, places, await findCurl());
  const at = `http://127.0.0.1:${wallet}`;
  const [install] = blocksOf('README.md');
  await reader.shell(withReplaced(install?.code ?? '', { 'rgs-wallet-kit': tarball }));

  await reader.serve('mount', at);
  const [balance = ''] = /\{.*\}$/.exec(await reader.run('try')) ?? [];
  expect(JSON.parse(balance)).toEqual(JSON.parse(blockOf('README.md', 'balance').code));
  const won = JSON.parse(blockOf('README.md', 'won').code);
  for (const time of ['first', 'again']) {
    const answers = await reader.run('bet');
    const last = answers.slice(answers.lastIndexOf('{"balances"'));
    expect([time, JSON.parse(last)]).toEqual([time, won]);
  }
  expect(await reader.run('first-run', ' --yes')).toMatch(/^passed: \d+ of \d+ required cases/m);

  await reader.startRedis();
  await until('the store', () => reader.run('init').then(() => true));
  await reader.serve('redis', at);
  const acts = await reader.run('player');
  expect(acts).toContain(
    'Opened. Balance: 0.00 EUR\nDone. Balance: 25.00 EUR\nDone. Balance: 22.50 EUR\n',
  );
  expect(acts).toContain(' maria  typed twice: psp-7782\n');
  expect(acts).toContain('No rounds of player bea');
  await reader.run('migrate');
  await reader.serve('postgres', at);

  await reader.save('players', 'players.json');
  await reader.serve('serve', `${at}/healthz`);
  expect(await reader.run('first-run', ' --yes --only basics')).toContain('passed: 4 of ');
  expect((await fetch(`${at}/wallet/healthz`)).status).toBe(404);

  const played = await reader.run('play-lost-win');
  for (const line of ['the credit was sent six times (W3)', 'it was paid once']) {
    expect(textOf('docs/sandbox.md')).toContain(`  ok  ${line}\n`);
    expect(played).toContain(`  ok  ${line}\n`);
  }
  expect(played).toContain('The books agree.');
});
