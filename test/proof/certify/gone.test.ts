import { afterEach, describe, expect, test } from '@jest/globals';

import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { systemClock } from '../../../lib/platform';
import {
  type CaseResult,
  type CertificationOptions,
  type CertificationResult,
  certify,
} from '../../../lib/proof/certify';
import { Cleanup } from '../../servers/cleanup';
import { createWallet, OPERATORS } from './wallets/plain-wallet.cjs';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

/** A wallet that can go: it takes no connection until it is back on the same port. */
interface Leaving {
  readonly url: string;
  go(): void;
  comeBack(): Promise<void>;
}

async function leaving(
  plants: readonly string[] = [],
  around: (listener: RequestListener, go: () => void) => RequestListener = (listener) => listener,
): Promise<Leaving> {
  let server: Server | null = null;
  const go = (): void => {
    server?.close();
    server?.closeAllConnections();
    server = null;
  };
  const { listener } = createWallet({ plants: new Set(plants), onCrash: go });
  const start = async (port: number): Promise<Server> => {
    const started = createServer(around(listener, go)).listen(port, '127.0.0.1');
    await once(started, 'listening');
    return started;
  };
  server = await start(0);
  const { port } = server.address() as AddressInfo;
  cleanup.after(go, (stop) => stop());
  const comeBack = async (): Promise<void> => {
    server ??= await start(port);
  };
  return { url: `http://127.0.0.1:${port}`, go, comeBack };
}

function run(
  url: string,
  options: Partial<CertificationOptions> = {},
  pause = (): Promise<void> => Promise.resolve(),
): Promise<CertificationResult> {
  const [first] = OPERATORS;
  return certify({
    urls: [url],
    operator: { operatorId: first?.id ?? '', secret: first?.secrets[0] ?? '' },
    playerIds: ['p1', 'p2'],
    currency: 'EUR',
    only: ['basics', 'idempotency'],
    clock: { ...systemClock, pause },
    ...options,
  });
}

/** Progress that does something behind one case. */
function behind(id: string, act: () => void) {
  const ended = (one: CaseResult): void => (one.id === id ? act() : undefined);
  return { begins: () => undefined, ended, note: () => undefined };
}

function ofVerdict({ cases }: CertificationResult, verdict: string): string[] {
  return cases.filter((one) => one.verdict === verdict).map(({ id }) => id);
}

const unplayed = 'not played: the wallet took no connection any more';

describe('a wallet that goes between two cases', () => {
  test('the run is broken off after three cases that found none, and accuses it of nothing', async () => {
    const wallet = await leaving();
    const progress = behind('hashes-are-listed', () => wallet.go());
    const result = await run(wallet.url, { progress });
    expect(ofVerdict(result, 'failed')).toEqual([]);
    expect(ofVerdict(result, 'passed')).toHaveLength(4);
    const [first, ...others] = result.cases.slice(4);
    const played = result.cases.slice(4).filter(({ message }) => message !== unplayed);
    expect(played.map(({ message }) => message)).toEqual(
      Array(3).fill(
        expect.stringMatching(/^there was no connection to the wallet: .*ECONNREFUSED/),
      ),
    );
    expect(others.length).toBeGreaterThan(10);
    expect(result.outcome).toBe('broken off');
    expect(result.summary).toContain(`The wallet took no connection from ${first?.id} on.`);
    expect(result.money.map(({ end }) => end)).toEqual([null, null]);
  });

  test('one that has gone within the basics does not lack the basics', async () => {
    const wallet = await leaving();
    const progress = behind('balance-is-reported', () => wallet.go());
    const { outcome, summary } = await run(wallet.url, { progress });
    expect(outcome).toBe('broken off');
    expect(summary).not.toContain('basics');
  });

  test('one that is back before the third case is tried further', async () => {
    const wallet = await leaving();
    const progress = behind('hashes-are-listed', () => wallet.go());
    let pauses = 0;
    const result = await run(wallet.url, { progress }, async () => {
      pauses += 1;
      if (pauses === 8) await wallet.comeBack();
    });
    expect(result.cases.filter(({ message }) => message === unplayed)).toEqual([]);
    expect(ofVerdict(result, 'passed').length).toBeGreaterThan(8);
    expect(result.outcome).toBe('failed');
    expect(result.summary).not.toContain('took no connection');
  });
});

/** Goes when so many calls of doTransactions are answered. */
function goneAfter(most: number) {
  let answered = 0;
  return (listener: RequestListener, go: () => void): RequestListener =>
    (request: IncomingMessage, response) => {
      if (request.method === 'POST') {
        answered += 1;
        if (answered === most) response.on('finish', () => setImmediate(go));
      }
      listener(request, response);
    };
}

describe('a wallet that goes within a case', () => {
  test('between two calls: the case is undecided, and names what it may have left', async () => {
    const wallet = await leaving([], goneAfter(1));
    const result = await run(wallet.url, { only: ['plain-round'] });
    expect(ofVerdict(result, 'failed')).toEqual([]);
    const case1 = result.cases.find(({ id }) => id === 'plain-round');
    expect(case1).toMatchObject({
      verdict: 'inconclusive',
      left: [{ playerId: 'p1', units: -1_000_000n, isUnread: true }],
      details: ['p1 may have 100 less than before it'],
    });
    expect(result.outcome).toBe('broken off');
    expect(result.summary).toContain('plain-round (p1 may have 100 less than before it)');
  });

  test('by a call: the case fails, and so does the run, which ends there', async () => {
    const wallet = await leaving(['bad-json-crash']);
    const result = await run(wallet.url, { only: ['request-form', 'robustness'] });
    expect(ofVerdict(result, 'failed')).toEqual(['not-a-message']);
    expect(result.cases.filter(({ message }) => message === unplayed).length).toBeGreaterThan(0);
    expect(result.outcome).toBe('failed');
    expect(result.summary).toContain('1 failed');
    expect(result.summary).toContain('The wallet took no connection from');
  });
});
