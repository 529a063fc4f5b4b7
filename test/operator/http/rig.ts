import { createHmac } from 'node:crypto';
import {
  Agent,
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  request as httpRequest,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import express4 from 'express4';
import { createOperatorHandler } from '../../../lib/operator/http/handler';
import type { OperatorOptions } from '../../../lib/operator/http/options';
import { createServer } from '../../../lib/operator/express/create-server';
import { createOperatorRouter } from '../../../lib/operator/express/router';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createRequestSigner, type RequestSigner, type SignedRequest } from '../../../lib/proof';
import type { AccountStore } from '../../../lib/operator/wallet';
import { LeapingClock } from '../../platform/leaping-clock';
import { FaultyStore } from '../../proof/faults/store';
import { firstOf } from '../../support/runs';
import { stopServer } from '../../network/listening';

/** Who calls in these tests. */
export const operatorId = 'acme';
export const secret = 'rig-secret-0123456789-4711';
export const playerId = 'player-1';

/** Every way to mount the wallet: the first three are each way once, and both releases of Express. */
const allMounts = [
  'Express 5',
  'Express 4 on createServer',
  'node:http',
  'Express 4',
  'Express 5 on createServer',
] as const;

/** One of them. */
export type Mount = (typeof allMounts)[number];

/** Those that a test is tried behind: all of them in the soak tier, each way once in the others. */
export const mounts: readonly Mount[] = firstOf<Mount>(allMounts, 3);

/** An answer of the rig's server. */
export interface Answer {
  readonly status: number;
  /** The content type, without its parameters. */
  readonly type: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The text as JSON; an empty object where it is none. */
  readonly body: unknown;
}

/** The wallet of a test: a player with 100 EUR, and everything to call it with. */
export interface Rig {
  readonly store: FaultyStore;
  readonly signer: RequestSigner;
  readonly server: Server;
  /** Sends a signed request, its headers changed where asked; undefined leaves one out. */
  send(
    request: SignedRequest,
    headers?: Readonly<Record<string, string | undefined>>,
  ): Promise<Answer>;
  /** Signs and sends a doTransactions call of these transactions. */
  call(transactions: readonly object[], more?: object): Promise<Answer>;
  /** The player's real balance in EUR, as the store has it. */
  balance(): Promise<bigint>;
  /** Ends all that hangs and closes the server. */
  close(): Promise<void>;
}

type RigOptions = Partial<Omit<OperatorOptions, 'store'>> & {
  readonly store?: AccountStore;
  /** Whether calls that only add to a running round take one trip. */
  readonly follows?: boolean;
};

/** Makes a rig; close it in the end. */
export async function createRig(
  { follows = false, ...options }: RigOptions = {},
  mount: Mount = 'node:http',
): Promise<Rig> {
  const kept = options.store ?? createMemoryStore();
  await kept.players.openPlayer({
    operatorId,
    playerId,
    currency: 'EUR',
    balances: { real: '100' },
  });
  const store = new FaultyStore(kept, { follows });
  const operators = [{ operatorId, secrets: [secret] }];
  // Of 100,000, its own number, the memory is what takes most of a rig's time; of less it warns in its log.
  const rememberedSignatures = options.logger === undefined ? 1000 : 100_000;
  // No machine is so slow that a call of a test without a clock ends in unknown.
  const patience = options.clock === undefined ? { deadlineMs: 60_000 } : {};
  const own = { operators, rememberedSignatures, ...patience };
  const { server, close } = mountOn(mount, { ...own, ...options, store });
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
      const result = await kept.rounds.accounts({ operatorId, playerId });
      if (result.kind === 'unknown') throw result.cause;
      return result.accounts?.[0]?.real ?? 0n;
    },
    close: async () => {
      store.heal();
      await stopServer(server);
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

/** Kept open: a connection for each call would cost more than the call. */
const agent = new Agent({ keepAlive: true });

function sendTo(
  server: Server,
  { method, path, headers: signed, body }: SignedRequest,
  changed: Readonly<Record<string, string | undefined>>,
): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  const given = Object.entries({ ...signed, ...changed }).filter(
    ([, value]) => value !== undefined,
  );
  const headers = Object.fromEntries(given) as Record<string, string>;
  // As bytes: Node writes the headers as UTF-8 together with a text, and as latin1 without one.
  const bytes = body === undefined ? null : Buffer.from(body);
  if (bytes !== null) headers['Content-Length'] = String(bytes.length);
  return new Promise((resolve, reject) => {
    const asked = httpRequest(
      { agent, host: '127.0.0.1', port, method, path, headers },
      (heard) => {
        const chunks: Buffer[] = [];
        heard.on('data', (chunk: Buffer) => chunks.push(chunk));
        heard.on('error', reject);
        heard.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const [type = ''] = (heard.headers['content-type'] ?? '').split(';');
          const parsed: unknown = type === 'application/json' ? JSON.parse(text) : {};
          resolve({
            status: heard.statusCode ?? 0,
            type,
            headers: heard.headers,
            text,
            body: parsed,
          });
        });
      },
    );
    asked.on('error', reject);
    asked.end(bytes);
  });
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
