import { afterEach, describe, expect, test } from '@jest/globals';

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  type CaseResult,
  type CertificationOptions,
  type CertificationResult,
  certify,
} from '../../../lib/proof/certify';
import { Cleanup } from '../../servers/cleanup';
import { freePort } from '../../servers/ports';
import { createWallet, OPERATORS } from './wallets/plain-wallet.cjs';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

/** The address of a wallet of this process. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  cleanup.after(server, async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const SECRET = OPERATORS[0]?.secrets[0] ?? '';

function run(
  url: string,
  options: Partial<CertificationOptions> = {},
): Promise<CertificationResult> {
  return certify({
    urls: [url],
    operator: { operatorId: OPERATORS[0]?.id ?? '', secret: SECRET },
    playerIds: ['p1', 'p2'],
    currency: 'EUR',
    only: ['basics'],
    ...options,
  });
}

const verdicts = (result: CertificationResult): string[] => {
  return result.cases.map(({ id, verdict }) => `${id} ${verdict}`);
};

const find = ({ cases }: CertificationResult, id: string): CaseResult | undefined => {
  return cases.find((one) => one.id === id);
};

test.each<[string, object | undefined, string]>([
  ['no options', undefined, 'certify: the options are missing'],
  ['no operator', { urls: ['http://127.0.0.1:1'] }, 'certify: operator is missing'],
  ['a misspelt option', { playerids: ['p1'] }, 'did you mean playerIds?'],
])('%s: a TypeError that names the option', async (_, options, message) => {
  const wrong = options as CertificationOptions;
  await expect(certify(wrong)).rejects.toThrow(TypeError);
  await expect(certify(wrong)).rejects.toThrow(message);
});

describe('a wallet that cannot be tried ends the run at once', () => {
  test('nobody listens: the run does not begin', async () => {
    const result = await run(`http://127.0.0.1:${await freePort()}`);
    expect(result).toMatchObject({ outcome: 'not run', cases: [] });
    expect(result.summary).toMatch(/does not answer: no whole reply/);
  });

  test('it never answers: the run does not begin', async () => {
    const url = await serve(() => undefined);
    const result = await run(url, { timeoutMs: 200 });
    expect(result.outcome).toBe('not run');
    expect(result.summary).toMatch(/no reply within \d+ ms/);
  });

  test('it closes each connection: the run does not begin', async () => {
    const url = await serve((request) => void request.socket.destroy());
    expect(await run(url)).toMatchObject({ outcome: 'not run', cases: [] });
  });

  test('it answers HTML: the first case fails, and nothing else is played', async () => {
    let calls = 0;
    const url = await serve((_, response) => {
      calls++;
      response.setHeader('content-type', 'text/html');
      response.end('<h1>It works!</h1>');
    });
    const result = await run(url, { only: ['basics', 'voids'] });
    expect(result.outcome).toBe('failed');
    expect(result.summary).toBe(
      'The wallet does not do the basics, so nothing else was tried: balance-is-reported: getBalance must be answered 200, but got 200 without a JSON object.',
    );
    expect(verdicts(result).slice(0, 2)).toEqual([
      'balance-is-reported failed',
      'plain-round inconclusive',
    ]);
    expect(find(result, 'plain-round')?.message).toBe(
      'not played, since balance-is-reported did not pass',
    );
    expect(calls).toBeLessThan(8);
  });

  test.each([
    [
      2999,
      'Player p1 has 2999 in EUR and needs at least 3000, 30 stakes of 100: deposit 1 or more, or use a smaller stake (--stake 98).',
    ],
    [
      59,
      'Player p1 has 59 in EUR and needs at least 3000, 30 stakes of 100: deposit 2941 or more.',
    ],
  ])('a player with %s: the run does not begin, and says what to do', async (real, summary) => {
    const players = [{ id: 'p1', currency: 'EUR', real }];
    const url = await serve(createWallet({ players }).listener);
    expect(await run(url)).toMatchObject({ outcome: 'not run', summary });
  });

  test('one of two players has no account: the run does not begin, and names the player', async () => {
    const players = [{ id: 'p1', currency: 'EUR', real: 100_000 }];
    const url = await serve(createWallet({ players }).listener);
    expect(await run(url)).toMatchObject({
      outcome: 'not run',
      summary:
        'The wallet has no balance of player p2 in EUR (getBalance got 400 with error 1): open an account with money for this player, or name another.',
    });
  });
});

describe('a set-up that is wrong is no failed wallet', () => {
  test('a wrong secret: the run does not begin, and says what to look at', async () => {
    const url = await serve(createWallet().listener);
    const operator = { operatorId: OPERATORS[0]?.id ?? '', secret: 'another secret of the tests' };
    const result = await run(url, { operator });
    expect(result).toMatchObject({ outcome: 'not run', cases: [] });
    expect(result.summary).toMatch(/as it refuses one with a wrong secret \(401 .*--secret-env/);
  });

  test('a player that nobody knows: the run does not begin, and names the player', async () => {
    const url = await serve(createWallet().listener);
    const result = await run(url, { playerIds: ['nobody', 'p2'] });
    expect(result).toMatchObject({ outcome: 'not run', cases: [] });
    expect(result.summary).toMatch(/no balance of player nobody in EUR .*name another/);
  });

  test('an odd stake, of which half is no whole number, is a mistake of the caller', async () => {
    await expect(run('http://127.0.0.1:1', { stake: 5n })).rejects.toThrow('stake must be even');
  });
});

describe('the time of a run', () => {
  test('a wallet that is slow: what was not played in time is inconclusive, and stakes are given back', async () => {
    const { listener } = createWallet();
    const url = await serve((request, response) => {
      setTimeout(() => listener(request, response), 150);
    });
    const result = await run(url, { only: ['basics', 'idempotency'], timeLimitMs: 3000 });
    expect(result.outcome).toBe('failed');
    expect(result.durationMs).toBeLessThan(15_000);
    const late = result.cases.filter(({ verdict }) => verdict === 'inconclusive');
    expect(late.length).toBeGreaterThan(0);
    for (const { message } of late) expect(message).toMatch(/time of the run was over/);
    for (const { start, end } of result.money) expect(end ?? start).toBe(start);
  });

  test('a run that is stopped gives back what it staked and tells what it found so far', async () => {
    const url = await serve(createWallet().listener);
    const stop = new AbortController();
    const progress = {
      begins: () => undefined,
      ended: ({ id }: CaseResult) => (id === 'plain-round' ? stop.abort() : undefined),
      note: () => undefined,
    };
    const result = await run(url, { signal: stop.signal, progress });
    expect(verdicts(result)).toEqual([
      'balance-is-reported passed',
      'plain-round passed',
      'plain-void inconclusive',
      'hashes-are-listed inconclusive',
    ]);
    expect(find(result, 'plain-void')?.message).toBe('not played: the run was stopped');
    // It says so, and not that the wallet lacks the basics.
    expect(result.summary).toMatch(/^2 of \d+ required cases passed, .* The run was stopped\.$/);
  });
});

describe('the money of a run', () => {
  test('every stake is given back: the players have what they had', async () => {
    const url = await serve(createWallet().listener);
    const { money, mostAtRisk } = await run(url, { only: ['idempotency', 'voids', 'states'] });
    expect(money.map(({ playerId }) => playerId)).toEqual(['p1', 'p2']);
    for (const { start, end } of money) expect(end).toBe(start);
    expect(mostAtRisk).toBeGreaterThan(0n);
  });

  test('no case stakes more than the budget; one that would is inconclusive', async () => {
    const url = await serve(createWallet().listener);
    const result = await run(url, { stake: 100n, stakeBudget: 100n, only: ['concurrency'] });
    expect(result.mostAtRisk).toBeLessThanOrEqual(100n * 10_000n);
    const tooDear = result.cases.filter(({ message }) => message?.includes('--stake-budget'));
    expect(tooDear.length).toBeGreaterThan(0);
    for (const { verdict } of tooDear) expect(verdict).toBe('inconclusive');
  });

  test('what a wallet keeps for good counts against the budget until it is used up', async () => {
    // A void that is answered, and gives nothing back.
    const url = await serve(createWallet({ plants: new Set(['void-without-effect']) }).listener);
    const result = await run(url, { only: ['voids', 'idempotency'], stakeBudget: 300n });
    const [first] = result.money;
    expect((first?.start ?? 0n) - (first?.end ?? 0n)).toBeLessThanOrEqual(300n * 10_000n);
    expect(find(result, 'plain-void')?.verdict).toBe('failed');
  });
});

describe('what was taken although it should have been refused', () => {
  test.each([
    ['hash-sign-accepted', 'ambiguous-field-is-refused'],
    ['duplicate-keys-accepted', 'key-twice'],
    ['proto-keys-accepted', 'key-of-the-prototype'],
    ['headers-twice-accepted', 'signature-header-twice'],
    ['amounts-reformatted', 'amount-is-signed-in-short'],
    ['initial-repeat-is-12', 'repeats-after-hundreds-of-hashes'],
  ])('%s: what %s has moved is taken back', async (plant, id) => {
    const url = await serve(createWallet({ plants: new Set([plant]) }).listener);
    const { money, cases } = await run(url, { only: [id] });
    expect(cases.filter(({ left }) => left !== undefined)).toEqual([]);
    for (const { start, end } of money) expect(end).toBe(start);
  });

  test('a case after which money is missing names the player and the amount', async () => {
    const url = await serve(createWallet({ plants: new Set(['void-without-effect']) }).listener);
    const result = await run(url);
    expect(find(result, 'plain-void')).toMatchObject({
      left: [{ playerId: 'p1', units: -1_000_000n }],
      details: ['p1 has 100 less than before it'],
    });
    expect(result.summary).toContain(
      'Balances were not restored after plain-round (p1 has 50 less than before it), plain-void (p1 has 100 less than before it)',
    );
  });
});

describe('what counts', () => {
  test('a known difference is shown with its reason and does not count', async () => {
    const url = await serve(createWallet({ plants: new Set(['void-without-effect']) }).listener);
    const exceptions = new Map([['plain-void', 'fixed in our next release']]);
    const result = await run(url, { exceptions });
    expect(find(result, 'plain-void')).toMatchObject({
      verdict: 'failed',
      exception: 'fixed in our next release',
    });
    expect(result.summary).toMatch(/^3 of \d+ required cases passed, 1 excepted, /);
  });

  test('what stands on a known difference is tried all the same', async () => {
    const url = await serve(createWallet({ plants: new Set(['void-without-effect']) }).listener);
    const exceptions = new Map([['plain-void', 'fixed in our next release']]);
    const result = await run(url, { exceptions, only: ['voids'] });
    const unplayed = result.cases.filter(({ message }) => message?.startsWith('not played'));
    expect(unplayed.map(({ id }) => id)).toEqual([]);
  });

  test('a case that needs an option is not tried without it, and does not count', async () => {
    const url = await serve(createWallet().listener);
    const result = await run(url, { only: ['tenancy'], playerIds: ['p1'] });
    const untried = result.cases.filter(({ needs }) => needs !== null);
    expect(untried.length).toBeGreaterThan(0);
    for (const { verdict } of untried) expect(verdict).toBe('inconclusive');
    expect(result.outcome).toBe('passed');
  });

  test('a case that stands on one that was not tried is not tried either, and does not count', async () => {
    const url = await serve(createWallet().listener);
    const result = await run(url, { only: ['crashes'] });
    const needs = find(result, 'killed-between-calls')?.needs;
    expect(needs).toEqual(expect.stringContaining('--kill'));
    expect(find(result, 'killed-during-calls')).toMatchObject({ verdict: 'inconclusive', needs });
    expect(result.outcome).toBe('passed');
  });

  test('two runs that find the same have the same hash of the results', async () => {
    const url = await serve(createWallet().listener);
    const [one, other] = [await run(url), await run(url)];
    expect(one.resultsHash).toBe(other.resultsHash);
    expect(one.resultsHash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('a failure comes with the exact call, as a curl line without the secret', async () => {
    const url = await serve(createWallet({ plants: new Set(['void-without-effect']) }).listener);
    const result = await run(url, { only: ['voids'] });
    const shown = result.cases.filter(({ curl }) => curl !== null);
    for (const { curl } of shown) {
      expect(curl).toMatch(/^curl -sS -i -X (GET|POST) -H 'X-H-AUTH-ID: /);
      expect(curl).toContain(url);
    }
    expect(
      JSON.stringify(result, (_, value: unknown) =>
        typeof value === 'bigint' ? `${value}` : value,
      ),
    ).not.toContain(SECRET);
  });
});
