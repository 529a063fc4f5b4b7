import { expect, test } from '@jest/globals';

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { createRequestSigner, type SignedRequest } from '../../../lib/proof';
import { reapWithThisProcess } from '../../servers/reaper';
import { ServiceConnections } from '../../rgs/load/call';
import type { AllocationMessage } from './allocating-services';
import { cleanupAfterEach } from '../../support/each-test';

const [OPERATOR_ID, SECRET, PLAYER] = ['op', 'a secret of the tests, long enough', 'p'];
const YOUNG_GENERATION_MB = 256;
const CALLS = 1_500;
/**
 * Seen: 24,800 to 25,600, and 29,400 on Node 24, whose own objects are larger. Of them 3,000 are what guards a
 * signature in every process, and who wrote a debit (D1.8, D7). Look at what grows before it is let through.
 */
const BUDGET_BYTES = Number(process.versions.node.split('.')[0]) >= 24 ? 32_500 : 28_500;

const cleanup = cleanupAfterEach();
const signer = createRequestSigner({ operatorId: OPERATOR_ID, secret: SECRET });

/** A call of a new round: [debit, credit, end]. */
function newRound(number: number): SignedRequest {
  const name = `round-${number}-of-the-allocations`;
  const common = { currency: 'EUR', amount: 12.34 };
  const transactions = [
    { type: 'debit', hash: name, isFirstDebit: true, ...common },
    { type: 'credit', hash: `${name}-credit`, ...common },
    { type: 'end', hash: `${name}-end` },
  ];
  const round = { playerId: PLAYER, gameCode: 'bells', gameRound: name };
  return signer.doTransactions({ ...round, transactions, transactionCount: 3 });
}

async function startServices() {
  const child = fork(join(__dirname, 'allocating-services.ts'), [OPERATOR_ID, SECRET, PLAYER], {
    execArgv: [
      '--require',
      join(__dirname, '../../../bench/register.cjs'),
      '--expose-gc',
      `--min-semi-space-size=${YOUNG_GENERATION_MB}`,
      `--max-semi-space-size=${YOUNG_GENERATION_MB}`,
    ],
  });
  reapWithThisProcess(child);
  cleanup.after(child, async (started) => {
    const exit = once(started, 'exit');
    started.kill('SIGKILL');
    await exit;
  });
  const message = async (): Promise<AllocationMessage> => {
    const [told] = (await once(child, 'message')) as [AllocationMessage];
    return told;
  };
  const listening = await message();
  const heap = async (asked: 'collect' | 'tell') => {
    child.send(asked);
    const told = await message();
    if (told.kind !== 'heap') throw new Error('the services told something else');
    return told;
  };
  if (listening.kind !== 'listening') throw new Error('the services do not listen');
  return { ports: listening, heap };
}

test('a call takes no more heap than its budget above a bare service, whether it is free again at once or not', async () => {
  const { ports, heap } = await startServices();
  const allocatedBy = async (port: number): Promise<number> => {
    const origin = `http://127.0.0.1:${port}`;
    const service = cleanup.after(new ServiceConnections([origin], 1, 10_000));
    let number = port * CALLS * 10;
    const play = async (calls: number) => {
      for (let call = 0; call < calls; call += 1) {
        const reply = await service.send(newRound((number += 1)));
        if (reply.kind === 'lost' || reply.status !== 200) throw new Error('a call went wrong');
      }
    };
    await play(CALLS); // as V8 compiles it, it allocates less
    const before = await heap('collect');
    await play(CALLS);
    const after = await heap('tell');
    expect(after.collections - before.collections).toBeLessThanOrEqual(1); // the one that was asked for
    return (after.bytes - before.bytes) / CALLS;
  };
  const bare = await allocatedBy(ports.bare);
  const kit = await allocatedBy(ports.kit);
  process.stdout.write(`heap of a call above a bare service: ${Math.round(kit - bare)} bytes\n`);
  expect(kit - bare).toBeLessThan(BUDGET_BYTES);
});
