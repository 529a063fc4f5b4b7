import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { MAIN } from '../cli/cli';
import { freePort } from '../servers/ports';
import { textOf } from '../tidy/source';
import { blockOf } from './blocks';
import { runProgram, startProgram } from './process';
import { userFolder, writeProgram } from './program';
import { cleanupAfterEach } from '../support/each-test';

const page = 'docs/sandbox.md';
const cleanup = cleanupAfterEach();
let folder: string;

beforeEach(async () => {
  folder = await userFolder();
});

/** The command of a block, by what was built. */
function commandOf(name: string): string {
  const { code } = blockOf(page, name);
  return code.trim().replace(/npx rgs-wallet/, `${process.execPath} ${MAIN}`);
}

describe('the commands of docs/sandbox.md', () => {
  test.each([
    ['play-spin', 'spin: proved.'],
    ['play-lost-win', 'lost-win: proved.'],
    ['play-declined-double', 'refusedAfterDeclinedDebit'],
  ])('%s proves what the page says, and its books agree', async (name, said) => {
    const output = await runProgram('sh', ['-c', commandOf(name)], { cwd: folder });
    expect(output).toContain(said);
    expect(output).toContain('The books agree.');
  });

  test('the server answers, and a fault is set by curl', async () => {
    const port = String(await freePort());
    const command = commandOf('sandbox').replace('8090', port);
    const running = startProgram('sh', ['-c', `exec ${command}`], { cwd: folder });
    cleanup.after(running, ({ stop }) => stop());
    await running.answers(`http://127.0.0.1:${port}/sandbox/state`);
    expect(running.output()).toContain(`open http://127.0.0.1:${port}/`);
    const fault = commandOf('fault').replace('8090', port);
    const [, url = '', body = ''] = /POST (\S+) -d '([^']+)'/.exec(fault) ?? [];
    const answer = await fetch(url, { method: 'POST', body });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ line: 'rgs-wallet', kind: 'loseReply', left: 2 }),
    ]);
  });

  test('the library is the program that stands there', async () => {
    const path = await writeProgram(folder, blockOf(page, 'library'), {});
    expect(await runProgram(process.execPath, [path], { cwd: folder })).toBe('true 0 11700\n');
  });

  test('a wallet of the reader’s own is put into the place of the built-in one', async () => {
    const port = String(await freePort());
    const wallet = `serve --store memory: --players players.json --base-path /wallet --port ${port}`;
    await writeFile(join(folder, 'players.json'), blockOf(page, 'sandbox-players').code);
    const env = { OPERATOR_ID: 'my-casino', OPERATOR_SECRET: 'at-least-16-bytes-of-secret' };
    const running = startProgram(process.execPath, [MAIN, ...wallet.split(' ')], {
      cwd: folder,
      env,
    });
    cleanup.after(running, ({ stop }) => stop());
    await running.answers(`http://127.0.0.1:${port}/healthz`);
    const command = commandOf('own-wallet').replace('8080', port);
    expect(command).toContain(
      Object.entries(env)
        .flatMap((one) => one.join('='))
        .join(' '),
    );
    const output = await runProgram('sh', ['-c', command], { cwd: folder });
    expect(output).toContain('lost-win: proved.');
  });

  test('a script is played, and its books agree', async () => {
    await writeFile(join(folder, 'script.json'), blockOf(page, 'script').code);
    const output = await runProgram('sh', ['-c', commandOf('script-run')], { cwd: folder });
    expect(output).toContain('The books agree.');
  });

  test('on a virtual clock a day passes at once', async () => {
    const path = await writeProgram(folder, blockOf(page, 'virtual'), {});
    expect(await runProgram(process.execPath, [path], { cwd: folder })).toBe(
      'ServiceError\ncancelled closed\ntrue 10200\n',
    );
  });

  test('the scenarios of the table are those of the command', async () => {
    const listed = await runProgram(process.execPath, [MAIN, 'sandbox', 'play', '--list']);
    const names = [...textOf(page).matchAll(/^\| `([a-z-]+)` \| .* \| [A-Z]/gm)].map(
      ([, name]) => name,
    );
    expect(names).toHaveLength(17);
    for (const name of names) expect(listed).toMatch(new RegExp(`^ *${name} `, 'm'));
  });
});
