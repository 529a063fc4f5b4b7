import { createHmac } from 'node:crypto';
import { createServer as createHttpServer, type Server } from 'node:http';
import express from 'express';
import express4 from 'express4';
import supertest, { type Test } from 'supertest';
import { createOperatorHandler } from '../../../lib/operator/http';
import type { OperatorOptions } from '../../../lib/operator/http/configuration';
import { createOperatorRouter, createServer } from '../../../lib/operator/express';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createRequestSigner, type RequestSigner, type SignedRequest } from '../../../lib/proof';
import type { AccountStore } from '../../../lib/operator/wallet';
import { LeapingClock } from '../../support/leaping-clock';
import { FaultyStore } from '../../support/faulty-store';

/** Who calls in these tests. */
export const operatorId = 'acme';
export const secret = 'rig-secret-0123456789-4711';
export const playerId = 'player-1';

/** The ways to put the endpoints behind a server. */
export const mounts = [
  'Express 5',
  'Express 4',
  'Express 5 on createServer',
  'Express 4 on createServer',
  'node:http',
] as const;

/** One of them. */
export type Mount = (typeof mounts)[number];

/** The wallet of a test: a player with 100 EUR, and everything to call it with. */
export interface Rig {
  readonly store: FaultyStore;
  readonly signer: RequestSigner;
  readonly server: Server;
  /** Sends a signed request, its headers changed where asked; undefined leaves one out. */
  send(request: SignedRequest, headers?: Readonly<Record<string, string | undefined>>): Test;
  /** Signs and sends a doTransactions call of these transactions. */
  call(transactions: readonly object[], more?: object): Test;
  /** The player's real balance in EUR, as the store has it. */
  balance(): Promise<bigint>;
  /** Ends all that hangs and closes the server. */
  close(): Promise<void>;
}

type RigOptions = Partial<Omit<OperatorOptions, 'store'>> & { readonly store?: AccountStore };

/** Makes a rig; close it in the end. */
export async function createRig(
  options: RigOptions = {},
  mount: Mount = 'node:http',
): Promise<Rig> {
  const kept = options.store ?? createMemoryStore();
  await kept.openPlayer({ operatorId, playerId, currency: 'EUR', balances: { real: '100' } });
  const store = new FaultyStore(kept);
  const operators = [{ operatorId, secrets: [secret] }];
  const { server, close } = mountOn(mount, { operators, ...options, store });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { clock } = options;
  const isLeaping = clock instanceof LeapingClock;
  if (isLeaping) store.onHang = clock.leapSoon;
  const now = clock === undefined || isLeaping ? risingNow() : () => clock.now();
  const signer = createRequestSigner({ operatorId, secret, now });
  const send: Rig['send'] = (request, headers = {}) => sendTo(server, request, headers);
  return {
    store,
    signer,
    server,
    send,
    call: (transactions, more) => send(signer.doTransactions(bodyOf(transactions, more))),
    balance: async () => {
      const result = await kept.accounts({ operatorId, playerId });
      if (result.kind === 'unknown') throw result.cause;
      return result.accounts?.[0]?.real ?? 0n;
    },
    close: async () => {
      store.heal();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await close();
    },
  };
}

function mountOn(
  mount: Mount,
  options: OperatorOptions,
): { server: Server; close: () => Promise<void> } {
  if (mount === 'node:http') {
    const { handle, close } = createOperatorHandler(options);
    return { server: createHttpServer(handle), close };
  }
  const router = createOperatorRouter(options);
  const app = (mount.startsWith('Express 5') ? express : express4)();
  app.use(router);
  const server = mount.endsWith('on createServer') ? createServer(app) : createHttpServer(app);
  return { server, close: router.close };
}

function sendTo(
  server: Server,
  request: SignedRequest,
  headers: Readonly<Record<string, string | undefined>>,
): Test {
  const agent = supertest(server);
  const test = request.method === 'GET' ? agent.get(request.path) : agent.post(request.path);
  for (const [name, value] of Object.entries({ ...request.headers, ...headers })) {
    if (value !== undefined) test.set(name, value);
  }
  // As bytes: Node writes the headers as UTF-8 together with a text, and as latin1 without one.
  if (request.body === undefined) return test;
  return test.serialize((bytes) => bytes as string).send(Buffer.from(request.body));
}

/** The body of a doTransactions call; what `more` has comes instead. */
export function bodyOf(transactions: readonly object[], more: object = {}): string {
  const transactionCount = transactions.length;
  const ids = { playerId, gameCode: 'bells', gameRound: 'round-1' };
  return JSON.stringify({ ...ids, transactions, transactionCount, ...more });
}

/** An initial debit whose hash is that of the round. */
export function debit(amount = 10, more: object = {}): object {
  return { type: 'debit', isFirstDebit: true, hash: 'round-1', currency: 'EUR', amount, ...more };
}

/** A credit. */
export function credit(amount = 20, more: object = {}): object {
  return { type: 'credit', hash: 'credit-1', currency: 'EUR', amount, ...more };
}

/** An end. */
export const end: object = { type: 'end', hash: 'end-1' };

/** The void of the initial debit. */
export const voidOfDebit: object = { type: 'void', hash: 'round-1' };

/** Of the headers below: two requests of one moment that sign the same are one to the replay guard (D1.8). */
const headerTime = risingNow();

/** The three headers over whatever is to be signed after the timestamp, made without lib. */
export function headersFor(
  rest: string,
  { id = operatorId, key = secret, timestamp = new Date(headerTime()).toISOString() } = {},
): Record<string, string> {
  const mac = createHmac('sha256', key).update(`${key}#${id}#${timestamp}${rest}`);
  return {
    'X-H-AUTH-ID': id,
    'X-H-TIMESTAMP': timestamp,
    'X-H-AUTH-SIG': mac.digest('base64'),
    'Content-Type': 'application/json',
  };
}

/** What a call of these transactions signs after the timestamp. */
export function signedRest(pairs: readonly (string | number)[]): string {
  return ['', playerId, 'bells', 'round-1', ...pairs].join('#');
}

/** A time that is never the same twice: a void signs what its debit did (D1.8). */
function risingNow(): () => number {
  let latest = 0;
  return () => {
    latest = Math.max(latest + 1, Date.now());
    return latest;
  };
}

/** Units of whole EUR with the store's four decimals. */
export function euros(amount: number): bigint {
  return BigInt(amount) * 10_000n;
}
