import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { afterEach, describe, expect, test } from '@jest/globals';

import type { CallEvent } from '../../../lib/operator/http/outcome-hook';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { aroundRounds } from '../../../lib/operator/wallet';

import { systemClock } from '../../../lib/platform';
import { fullLogs } from '../../platform/full-logger';
import { LeapingClock } from '../../platform/leaping-clock';
import { unhandledIn } from '../../support/unhandled';
import { until } from '../../servers/until';
import { createRig, credit, debit, operatorId, playerId, type Rig, secret } from './rig';

const escaped = 'rig-secret\u0085-0123456789';

let rig: Rig;
let lines: object[] = [];

afterEach(() => rig.close());

/** A rig with something before the wallet that treats each response. */
async function rigAfter(
  treat: (response: ServerResponse, request: IncomingMessage) => void,
  options = {},
): Promise<void> {
  lines = [];
  const write = (fields: object): void => void lines.push(fields);
  const logger = { info: write, warn: write, error: write };
  rig = await createRig({ logger, ...options });
  const [listener] = rig.server.listeners('request') as ((...given: unknown[]) => void)[];
  rig.server.removeAllListeners('request');
  rig.server.on('request', (request, response) => {
    treat(response, request);
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

/** What can take the place of a reply, and the status that is then reported for a debit. */
const replacements: readonly (readonly [string, (response: ServerResponse) => unknown, number])[] =
  [
    ['the caller was gone', gone, 503],
    ['a middleware had answered 503', (response) => response.writeHead(503).end('{}'), 503],
    ['a middleware had answered 408', (response) => response.writeHead(408).end('{}'), 408],
    ['a middleware had answered 200', (response) => response.writeHead(200).end('{}'), 200],
  ];

async function state(): Promise<string | undefined> {
  const round = { operatorId, playerId, gameRound: 'round-1' };
  return (await rig.store.rounds.readRound(round))?.head.state;
}

function gone(response: ServerResponse): Promise<unknown> {
  response.req.socket.destroy();
  return once(response, 'close');
}

describe.each(replacements)('a reply that never left, because %s', (_, replace, status) => {
  let events: CallEvent[];

  /** A rig with `replace` between the work and the reply. */
  async function rigReplaced(): Promise<void> {
    const kept = createMemoryStore();
    events = [];
    let response: ServerResponse | null = null;
    const rounds = aroundRounds(kept.rounds, async (_operation, work) => {
      const result = await work();
      if (response !== null) await replace(response);
      response = null;
      return result;
    });
    const store = Object.assign(Object.create(kept) as typeof kept, { rounds });
    const session = (): unknown => response && replace(response);
    const onOutcome = (event: CallEvent): void => void events.push(event);
    await rigAfter((given) => (response = given), { store, session, onOutcome });
  }

  test('is reported as unknown, and a debit waits for its void unless a success was heard (D7)', async () => {
    await rigReplaced();
    await rig.call([debit()]).catch(() => {});
    await until('the report', () => events.length > 0);
    expect(lines).toEqual([expect.objectContaining({ outcome: 'unknown', status })]);
    expect(events).toMatchObject([{ status, transactions: [{ outcome: 'unknown' }] }]);
    const waits = status !== 200;
    await until('the mark', async () => (await state()) === (waits ? 'cancelled' : 'open'));
    await rig.close();
    expect(await state()).toBe(waits ? 'cancelled' : 'open');
  });

  test('marks no round of a call without a debit (D7)', async () => {
    await rigReplaced();
    await rig.call([credit()]).catch(() => {});
    await until('the report', () => events.length > 0);
    expect(events).toMatchObject([{ status: status === 503 && replace === gone ? 400 : status }]);
    await rig.close();
    expect(await state()).toBe('none');
  });

  test('of getBalance is not reported as a balance', async () => {
    await rigReplaced();
    const asked = rig.signer.getBalance({ playerId, currency: 'EUR' });
    await rig.send(asked).catch(() => {});
    await until('the report', () => lines.length > 0);
    expect(lines).toEqual([expect.objectContaining({ outcome: 'unknown', status })]);
  });
});

test('a store whose decimals cannot be read any more is answered as before', async () => {
  await rigAfter(() => {});
  Object.defineProperty(rig.store, 'decimals', {
    get() {
      throw new Error('no decimals');
    },
  });
  expect((await rig.call([debit()])).status).toBe(200);
});

test('a request that a middleware has paused is read and answered', async () => {
  await rigAfter((_response, request) => void request.pause());
  expect((await rig.call([debit()])).status).toBe(200);
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
