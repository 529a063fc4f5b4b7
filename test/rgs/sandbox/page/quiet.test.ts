import { expect, test } from '@jest/globals';

import { rig } from '../rig';

test('a look at the overview makes no call, and takes no fault that is set for the next one', async () => {
  const { run, ask, sandbox, connect } = await rig();
  await run(connect());
  sandbox.faults.set({ line: 'rgs-wallet', kind: 'loseReply', next: 1 });
  const before = sandbox.wire().latest;
  const page = await run(ask('GET', '/'));
  expect(page.status).toBe(200);
  expect([sandbox.wire().latest, sandbox.faults.list()[0]?.left]).toEqual([before, 1]);
  await run(sandbox.close());
});

test('its verdict counts the rounds, and a wallet that is silent is a doubt and no difference', async () => {
  const { run, ask, sandbox, connect, game } = await rig();
  const token = await run(connect());
  await run(
    (async () => {
      const round = await game.openRound({ token, stake: 100n, currency: 'EUR' });
      await round.addWin({ rngCallId: 'r1', winAmount: 250n, collect: true });
    })(),
  );
  const { text } = await run(ask('GET', '/'));
  expect(text).toContain('The books of RGS and wallet agree');
  expect(text).toContain('1 round, 0 differences, 0 doubts. Nothing is due.');
  expect(text).toContain('101.50 <small>EUR</small>');
  expect(text).not.toMatch(/minor units/);
  sandbox.faults.set({ line: 'rgs-wallet', kind: 'loseRequest', probability: 1 });
  expect(await run(sandbox.books())).toMatchObject({
    agree: true,
    doubts: [{ text: 'the wallet does not return the balance of ann in EUR' }],
  });
  await run(sandbox.close());
});
