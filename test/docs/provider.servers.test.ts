import { beforeEach, expect, test } from '@jest/globals';

import { ListeningRgs } from '../provider/listening-rgs';
import { freePort } from '../servers/ports';
import { type Block, blockOf, blocksOf, isProgram } from './blocks';
import { runProgram, startProgram } from './process';
import { userFolder, writeProgram } from './program';
import { cleanupAfterEach } from '../support/each-test';

const page = 'docs/provider.md';
const cleanup = cleanupAfterEach();
let rgs: ListeningRgs;

beforeEach(async () => {
  rgs = cleanup.after(await ListeningRgs.start());
});

/** Runs a block of the page to its end; what it prints. */
async function run(block: Block): Promise<string> {
  const folder = await userFolder();
  const path = await writeProgram(folder, block);
  return runProgram(process.execPath, [path], { cwd: folder, env: rgs.environment });
}

const programs = blocksOf(page).filter((block) => isProgram(block) && block.name !== 'router');

test.each(programs.map((block) => [block.name, block]))(
  'the block %s of docs/provider.md runs unchanged',
  async (_, block) => {
    rgs.rgs.answers.set('testPing', [[200, { testDataReceived: 'hello' }]]);
    rgs.rgs.book.answer('startGameRound', {
      externalGameProviderRoundId: 'round-0002',
      debitInformation: { debitAmount: 100 },
    });
    if ((block as Block).name !== 'abandoned') rgs.rgs.book.rounds.clear();
    expect(await run(block as Block)).not.toMatch(/error/i);
  },
);

test('the round of docs/provider.md is played and paid', async () => {
  expect(await run(blockOf(page, 'round'))).toMatch(/^closed /);
  expect([rgs.rgs.names, rgs.rgs.book.net]).toEqual([['startGameRound', 'addWin'], 150]);
});

test('the recovery of docs/provider.md finds the win whose reply is lost, and pays it once', async () => {
  rgs.failNext('none', 'replyLost');
  expect(await run(blockOf(page, 'recover'))).toBe('done\n');
  expect(rgs.rgs.book.net).toBe(150);
});

test('a round in the book of docs/provider.md is played on after a crash; one that was never taken is named', async () => {
  const start = {
    externalGameProviderRoundId: 'round-0003',
    debitInformation: { debitAmount: 100 },
  };
  rgs.rgs.book.answer('startGameRound', start);
  expect(await run(blockOf(page, 'resume'))).toBe('');
  expect([rgs.rgs.book.net, rgs.rgs.book.only.status]).toEqual([150, 'closed']);
  rgs.rgs.book.rounds.clear();
  expect(await run(blockOf(page, 'resume'))).toBe('round-0003 was never taken\n');
});

test('the errors of docs/provider.md say what the operator said', async () => {
  rgs.rgs.book.declines = true;
  const printed = await run(blockOf(page, 'errors'));
  expect(printed).toBe('BALANCETOOLOW Your balance is too low.\nrefused ref-1\n');
});

test('the router of docs/provider.md verifies the calls of the RGS', async () => {
  const port = String(await freePort());
  const folder = await userFolder();
  const path = await writeProgram(folder, blockOf(page, 'router'), { 8082: port });
  const env = rgs.environment;
  const running = cleanup.after(startProgram(process.execPath, [path], { cwd: folder, env }));
  const url = `http://127.0.0.1:${port}/rgs/getGameConfiguration?currency=EUR`;
  expect((await running.answers(url)).status).toBe(401);
});
