import type { ServerResponse } from 'node:http';

import { afterEach, describe, expect, test } from '@jest/globals';

import { systemClock } from '../../../lib/platform';
import { fullLogs } from '../../platform/full-logger';
import { LeapingClock } from '../../platform/leaping-clock';
import { unhandledIn } from '../../support/unhandled';
import { createRig, debit, operatorId, playerId, type Rig, secret } from './rig';

const escaped = 'rig-secret\u0085-0123456789';

let rig: Rig;
let lines: object[] = [];

afterEach(() => rig.close());

/** A rig with something before the wallet that treats each response. */
async function rigAfter(treat: (response: ServerResponse) => void, options = {}): Promise<void> {
  lines = [];
  const write = (fields: object): void => void lines.push(fields);
  const logger = { info: write, warn: write, error: write };
  rig = await createRig({ logger, ...options });
  const [listener] = rig.server.listeners('request') as ((...given: unknown[]) => void)[];
  rig.server.removeAllListeners('request');
  rig.server.on('request', (request, response) => {
    treat(response);
    listener?.(request, response);
  });
}

const calls = {
  doTransactions: () => rig.call([debit()]),
  getBalance: () => rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' })),
};

describe.each(Object.entries(calls))('%s', (_, call) => {
  test('whose reply fails after its head is cut, not left open (D7)', async () => {
    await rigAfter((response) => {
      response.end = () => {
        throw new Error('the end is broken');
      };
    });
    await expect(call()).rejects.toThrow('socket hang up');
  });

  test('before which a middleware sent a head without an end is cut, and not logged as processed (D7)', async () => {
    await rigAfter((response) => response.flushHeaders());
    await expect(call()).rejects.toThrow();
    expect(lines).toEqual([expect.objectContaining({ outcome: 'unknown' })]);
  });
});

test('a request for another path or method ends no process, whatever fails in answering it', async () => {
  let isBroken = false;
  const monotonicMs = (): number => {
    if (isBroken) throw new Error('the clock is broken');
    return systemClock.monotonicMs();
  };
  await rigAfter(() => {}, { clock: { ...systemClock, monotonicMs } });
  const thrown: unknown[] = [];
  const [listener] = rig.server.listeners('request') as ((...given: unknown[]) => void)[];
  rig.server.removeAllListeners('request');
  rig.server.on('request', (request, response) => {
    try {
      listener?.(request, response);
    } catch (error) {
      thrown.push(error);
    }
    response.destroy();
  });
  isBroken = true;
  for (const path of ['/nothing', '/doTransactions']) {
    const request = { ...rig.signer.getBalance({ playerId, currency: 'EUR' }), path };
    await expect(rig.send(request)).rejects.toThrow();
  }
  expect(thrown).toEqual([]);
});

test.each(fullLogs)('a call is answered whose logger %ss at every line', async (_, logger) => {
  await rigAfter(() => {}, { logger });
  const unhandled = await unhandledIn(async () => {
    expect((await rig.call([debit()])).status).toBe(200);
    expect((await rig.call([debit(30)])).status).toBe(400);
    expect(
      (await rig.send({ ...rig.signer.getBalance({ playerId, currency: 'EUR' }), path: '/' }))
        .status,
    ).toBe(404);
  });
  expect(unhandled).toEqual([]);
});

test('a secret with a control character that came in as an id is not in the log', async () => {
  const operators = [{ operatorId, secrets: [secret, escaped] }];
  await rigAfter(() => {}, { operators });
  const request = rig.signer.getBalance({ playerId, currency: 'EUR' });
  const inHeader = Buffer.from(escaped).toString('latin1');
  expect((await rig.send(request, { 'x-h-auth-id': inHeader })).status).toBe(401);
  expect(lines).toEqual([expect.objectContaining({ claimedOperatorId: '[secret]' })]);
});

test('a round is marked once if its call is unknown and its reply then fails', async () => {
  const clock = new LeapingClock();
  await rigAfter(
    (response) => {
      const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
      response.writeHead = () => {
        response.writeHead = writeHead;
        throw new Error('the head is broken');
      };
    },
    { clock },
  );
  rig.store.fail('commit', 'throw', 'before');
  expect((await rig.call([debit()])).status).toBe(503);
  rig.store.heal = () => {}; // what marks the round ends without success, and says so
  await rig.close();
  const marks = lines.filter((line) => 'err' in line && !('status' in line));
  expect(marks).toHaveLength(1);
});
