import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, test } from '@jest/globals';

import {
  type CaseResult,
  type CertificationOptions,
  type CertificationResult,
  casesOf,
  certify,
} from '../../../lib/proof/certify';
import { allCases } from '../../../lib/proof/certify/run/all-cases';
import { casesToKill } from '../../../lib/proof/certify/run/commands/kills';
import { CaseSteps } from '../../../lib/proof/certify/run/steps';
import { leftOutOf } from '../../../lib/proof/certify/run/untried';
import { Cleanup } from '../../servers/cleanup';
import { exchangeWith, reply } from './report/sample';
import { createWallet, OPERATORS } from './wallets/plain-wallet.cjs';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

/** A run against a wallet of this process; a listener that is put in its place answers from then on. */
async function run(
  wallet: { listener: RequestListener },
  options: Partial<CertificationOptions> = {},
): Promise<CertificationResult> {
  const server = createServer((request, response) => wallet.listener(request, response));
  server.listen(0, '127.0.0.1');
  cleanup.after(server, async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  await once(server, 'listening');
  return certify({
    urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
    operator: { operatorId: OPERATORS[0]?.id ?? '', secret: OPERATORS[0]?.secrets[0] ?? '' },
    playerIds: ['p1', 'p2'],
    currency: 'EUR',
    only: ['voids'],
    ...options,
  });
}

describe('a failure has the call that shows it, its answer and what led to it', () => {
  test('also where only a balance is wrong: the call is the getBalance that shows it', async () => {
    const plants = new Set(['void-without-effect']);
    const { cases } = await run(createWallet({ plants }), { only: ['basics'] });
    const failed = cases.find(({ id }) => id === 'plain-void');
    expect(failed).toMatchObject({ verdict: 'failed' });
    expect(failed?.message).toMatch(/^the balance must be /);
    expect(failed?.exchange?.request.path).toMatch(/^\/getBalance/);
    expect(failed?.curl).toContain('/getBalance');
    const sent = failed?.steps.map((step) =>
      typeof step === 'string' ? step : Buffer.from(step.request.body ?? '').toString(),
    );
    expect(sent?.filter((body) => body.includes('"void"'))).toHaveLength(1);
  });

  test('also where a call was answered wrongly', async () => {
    const wallet = createWallet({ plants: new Set(['known-credit-500']) });
    const { cases } = await run(wallet, { only: ['idempotency'] });
    const failed = cases.filter(({ verdict }) => verdict === 'failed');
    expect(failed).not.toEqual([]);
    expect(failed.filter(({ exchange, curl }) => exchange === null || curl === null)).toEqual([]);
  });
});

const call = (size: number) => exchangeWith(reply(200, 'x'.repeat(size)));

describe('the steps of a case', () => {
  test('are the last ones before the call that shows the failure, and say how many are not kept', () => {
    const steps = new CaseSteps();
    const calls = Array.from({ length: 25 }, () => call(1));
    for (const one of calls) steps.add(one);
    const [shown] = calls.slice(-1);
    if (shown === undefined) throw new Error('no call');
    expect(steps.before(shown)).toEqual(['4 earlier steps not kept', ...calls.slice(4, -1)]);
  });

  test('keep at most 256 KiB of bodies, and the last call whatever its size', () => {
    const steps = new CaseSteps();
    for (let at = 0; at < 10; at += 1) steps.add(call(100_000));
    const last = call(1_000_000);
    expect(steps.before(last)).toHaveLength(3);
    steps.add(last);
    expect(steps.last()).toBe(last);
    expect(steps.before(last)).toEqual(['10 earlier steps not kept']);
  });

  test('are forgotten at the next case', () => {
    const steps = new CaseSteps();
    steps.add(call(1));
    steps.begin();
    expect(steps.last()).toBeNull();
  });
});

describe('kills in every group that a restart could hurt', () => {
  test('a wallet that keeps all passes, and was killed in each of them', async () => {
    let kills = 0;
    const result = await run(createWallet(), {
      only: ['voids', 'states'],
      long: { kills: 16, seed: 3 },
      async kill() {
        kills += 1;
      },
      async start() {},
    });
    expect(result.outcome).toBe('passed');
    expect(kills).toBeGreaterThanOrEqual(3);
  });

  test('a wallet that forgets its voids at a kill fails a case of voids, whose steps tell of the kill', async () => {
    const { listener } = createWallet();
    const wallet = { listener };
    const found: CaseResult[] = [];
    for (const seed of [0, 5]) {
      wallet.listener = listener;
      const { cases } = await run(wallet, {
        long: { kills: 100, seed },
        async kill() {},
        async start() {
          wallet.listener = createWallet().listener;
        },
      });
      found.push(...cases.filter(({ verdict }) => verdict === 'failed'));
    }
    const killed = found.filter(({ steps }) => steps.includes('the wallet is killed and started'));
    expect(killed).not.toEqual([]);
  });

  test('are about as many as --kills, at least one in each group, and in other cases with another seed', () => {
    const few = casesToKill(allCases, { kills: 1, seed: 1 });
    expect(few.size).toBe(8);
    const [one, other] = [1, 2].map((seed) => casesToKill(allCases, { kills: 24, seed }));
    expect(one?.size).toBeGreaterThanOrEqual(20);
    expect(one).not.toEqual(other);
  });
});

test('what the wallet says of its version is in the result, also where it changes during the run', async () => {
  const { listener: answer } = createWallet();
  let calls = 0;
  const listener: RequestListener = (request, response) => {
    calls += 1;
    response.setHeader('X-Wallet-Version', calls < 5 ? 'casino/1.2' : 'casino/1.3');
    answer(request, response);
  };
  const facts = { walletName: 'Casino', walletVersion: '1.2', runBy: 'Ann' };
  const result = await run({ listener }, { only: ['basics'], ...facts });
  expect(result).toMatchObject({
    wallet: { name: 'Casino', version: '1.2', sent: ['casino/1.2', 'casino/1.3'] },
    runBy: 'Ann',
  });
});

test('what was left out is not tried, with the reason', async () => {
  const { leftOut, summary, outcome } = await run(createWallet(), { only: ['basics'] });
  expect(outcome).toBe('passed');
  expect(leftOut.length).toBeGreaterThan(200);
  expect(new Set(leftOut.map(({ why }) => why))).toEqual(new Set(['left out by --only']));
  expect(summary).toMatch(
    /^4 of \d+ required cases passed, \d+ not tried \(left out by --only\)\.$/,
  );
});

test.each([
  [
    '--profile specification',
    { profile: 'specification' },
    ['left out by --profile specification', 'without --load'],
  ],
  ['no option', {}, ['without --load']],
  ['--load', { long: { load: { rate: 1, seconds: 1 } } }, []],
] as const)('with %s, what is left out has its reason', (_, options, whys) => {
  const found = leftOutOf(allCases, casesOf(options), options);
  expect([...new Set(found.map(({ why }) => why))].toSorted()).toEqual(whys);
});
