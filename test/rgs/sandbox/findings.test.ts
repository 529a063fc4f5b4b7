import { describe, expect, test } from '@jest/globals';

import { virtualClock } from '../../../lib/platform/virtual-clock';
import type { RequestListener } from '../../../lib/platform/http';
import type { FaultKind } from '../../../lib/rgs/sandbox/view/state';
import { createWallet, noon, rig } from './rig';

/** The kit's wallet, in whose place `answer` may answer instead; it returns whether it did. */
async function walletWith(answer: (...given: Parameters<RequestListener>) => boolean) {
  const wallet = await createWallet(virtualClock({ startedAt: noon }));
  const listener: RequestListener = (request, response) => {
    if (!answer(request, response)) wallet(request, response);
  };
  return listener;
}

describe('findings about a wallet', () => {
  test.each<FaultKind>(['503', '429', 'html', 'cut', 'loseReply', 'loseRequest'])(
    'a reply that the fault %s kept back is no finding: the wallet did not say it (E1.5)',
    async (kind) => {
      const { run, sandbox, game, connect } = await rig();
      const token = await run(connect());
      const round = await run(game.openRound({ token, stake: 100, currency: 'EUR' }));
      sandbox.faults.set({ line: 'rgs-wallet', kind, probability: 1 });
      await run(round.addWin({ rngCallId: 'r1', winAmount: 250, collect: true }));
      await run(game.getBalance({ token })).catch(() => null);
      expect(sandbox.findings()).toEqual([]);
    },
  );

  test('the same reply of the wallet itself is one, with the number of its call (E1.5)', async () => {
    let isDown = false;
    const wallet = await walletWith((_request, response) => {
      if (isDown) response.writeHead(503).end();
      return isDown;
    });
    const { run, sandbox, game, connect } = await rig({}, wallet);
    const token = await run(connect());
    const round = await run(game.openRound({ token, stake: 100, currency: 'EUR' }));
    isDown = true;
    await run(round.addWin({ rngCallId: 'r1', winAmount: 250, collect: true }));
    const [first] = sandbox.findings();
    expect(first).toMatchObject({ id: 'creditAnswered5xx', round: round.id });
    const call = sandbox.wire((first?.wire ?? 0) - 1).calls[0];
    expect(call).toMatchObject({ call: 'doTransactions', status: 503, fault: null });
  });

  test('a finding about a call of the provider has the number of that call (E1.5)', async () => {
    const { run, sandbox, game, connect } = await rig();
    const token = await run(connect());
    await run(game.openRound({ token, stake: 77, currency: 'EUR' }));
    const found = sandbox.findings().find(({ id }) => id === 'stakeNotOffered');
    const call = sandbox.wire((found?.wire ?? 0) - 1).calls[0];
    expect(call).toMatchObject({ line: 'provider-rgs', call: 'startGameRound' });
  });
});
