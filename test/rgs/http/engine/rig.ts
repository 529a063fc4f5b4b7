import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

import type { Mounted } from '../../../../lib/platform/http';
import { systemClock } from '../../../../lib/platform';
import type {
  ConnectReply,
  EngineReplies,
  RoundReply,
  TokenData,
} from '../../../../lib/protocol/engine-api/replies';
import type { EngineCall } from '../../../../lib/protocol/engine-api/requests';
import { createEngineHandler, type EngineHandlerOptions } from '../../../../lib/rgs/http/engine';
import type { EngineService } from '../../../../lib/rgs/http/engine-call';
import type { CallEvent, HttpFinding } from '../../../../lib/rgs/http/call-event';
import { exchange, type RawReply } from '../../../network/raw-http';
import { listen, stopServer } from '../../../network/listening';

export const gameProviderId = 'studio-1';
export const secret = 'studio-secret-0123456789';
export const otherSecret = 'rotated-secret-0123456789';

/** A call as the service got it. */
export interface Worked {
  readonly gameProviderId: string;
  readonly name: string;
  readonly request: unknown;
}

export type Lines = readonly (readonly [string, string])[];

/** What a request is made of; all but the path is that of a good call unless given. */
export interface Request {
  readonly method?: string;
  readonly path: string;
  readonly body?: string | Uint8Array;
  /** What is signed, before `#` and the timestamp; the body unless given. */
  readonly signedBody?: string | Uint8Array;
  /** Undefined leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly more?: Lines;
}

/** A handler on a port, over services that note what reaches them. */
export interface Rig {
  readonly port: number;
  readonly handler: Mounted;
  readonly worked: Worked[];
  readonly events: CallEvent[];
  readonly findings: HttpFinding[];
  /** Sends a signed request; its reply. */
  send(request: Request): Promise<RawReply>;
  /** The bytes of a signed request. */
  bytes(request: Request): Buffer;
  /** Sends bytes; the first reply. */
  raw(bytes: Uint8Array): Promise<RawReply>;
  close(): Promise<void>;
}

type RigOptions = Partial<EngineHandlerOptions> & {
  /** What the service does in place of its canned reply. */
  readonly answer?: (name: EngineCall) => Promise<never>;
};

export async function createRig({ answer, ...options }: RigOptions = {}): Promise<Rig> {
  const worked: Worked[] = [];
  const events: CallEvent[] = [];
  const findings: HttpFinding[] = [];
  const note = (name: string, token: string): void => {
    worked.push({ gameProviderId: '', name, request: token });
  };
  const service: EngineService = {
    async call(providerId, name, request) {
      worked.push({ gameProviderId: providerId, name, request });
      if (answer !== undefined) return answer(name);
      return replies[name];
    },
    connect: async (token) => {
      note('connect', token);
      return connected;
    },
    reconnect: async (token) => {
      note('reconnect', token);
      return connected;
    },
    disconnect: async (token) => note('disconnect', token),
  };
  const handler = createEngineHandler({
    service,
    providers: [{ gameProviderId, secrets: [secret, otherSecret] }],
    onCall: (event) => events.push(event),
    onFinding: (finding) => findings.push(finding),
    // Of 100,000, its own number, the memory is what takes most of a rig's time.
    rememberedSignatures: 1000,
    ...options,
  });
  const server = createServer((request, response) => handler.handle(request, response));
  const port = await listen(server);
  const now = risingNow(options.clock ?? systemClock);
  const bytes = (request: Request): Buffer => bytesOf(request, new Date(now()).toISOString());
  const raw = async (sent: Uint8Array): Promise<RawReply> => {
    const [reply] = (await exchange(port, sent)).replies;
    if (reply === undefined) throw new Error('no answer');
    return reply;
  };
  return {
    port,
    handler,
    worked,
    events,
    findings,
    bytes,
    raw,
    send: (request) => raw(bytes(request)),
    close: async () => {
      await stopServer(server);
      await handler.close();
    },
  };
}

/** X-H-AUTH-SIG of a body, by nothing but node:crypto (E2.2). */
export function signatureOf(body: string | Uint8Array, timestamp: string, key = secret): string {
  return createHmac('sha256', key).update(body).update(`#${timestamp}`).digest('base64');
}

function bytesOf(request: Request, now: string): Buffer {
  const { method = 'POST', path, body = '', more = [] } = request;
  const timestamp = request.headers?.['X-H-TIMESTAMP'] ?? now;
  const content = Buffer.from(body as string);
  const headers: Record<string, string | undefined> = {
    Host: 'rgs',
    'X-H-AUTH-ID': gameProviderId,
    'X-H-TIMESTAMP': timestamp,
    'X-H-AUTH-SIG': signatureOf(request.signedBody ?? content, timestamp),
    'X-Request-Id': randomUUID(),
    'Content-Type': method === 'POST' ? 'application/json' : undefined,
    'Content-Length':
      content.byteLength > 0 || method === 'POST' ? String(content.byteLength) : undefined,
    ...request.headers,
  };
  const lines = [...Object.entries(headers), ...more]
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), content]);
}

/** No two requests of one moment sign the same. */
function risingNow(clock: { now(): number }): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, clock.now());
    return last;
  };
}

const tokenData: TokenData = {
  operatorId: 'acme',
  playerId: 'ann',
  gameId: 'bells',
  mode: 'REAL',
  currency: 'EUR',
  currentToken: 'token-1',
  gameRound: 'round-1',
  walletMode: 'real',
  language: 'EN',
  currencyMultiplier: '1',
  device: 'desktop',
};

const round: RoundReply = {
  tokenData,
  balance: null,
  gameRoundInfo: {
    hash: 'round-1',
    status: 'open',
    stake: 100n,
    baseStake: '100',
    mode: 'REAL',
    currency: 'EUR',
    game: 'bells',
    currencyMultiplier: '1',
  },
  gameState: [],
  amountToCollect: 9007199254740991n,
  amountCredited: 0n,
  passThroughData: { outcome: 'open' },
  protectedInfo: null,
  spinsAvailable: null,
  freePlayInfo: null,
  freePlaysAvailable: [],
};

const balance = {
  totalBalance: 9900n,
  mode: 'REAL',
  currency: 'EUR',
  balances: [{ type: 'real', currency: 'EUR', amount: 9900n }],
  discountInfo: null,
  tickets: null,
  ticketInfo: null,
};

const replies = {
  startGameRound: round,
  startGameOrAddBet: round,
  addWin: round,
  endGameRound: round,
  voidGameRound: round,
  collectWin: round,
  wagerWin: round,
  addSpinCounterGameState: round,
  getGameRoundInfo: round,
  getGameRoundHistoryInfo: round,
  getUncollectedAmount: { tokenData, amountToCollect: 5n },
  getAvailableSpinCounter: { tokenData, amountToCollect: 5n, spinsAvailable: 3 },
  getTokenForGameRound: { tokenData },
  getBalance: balance,
  getTokenData: { tokenData },
  getLastGameRounds: { tokenData, gameRounds: [] },
  getPlayerData: { data: [] },
  setPlayerData: { data: [] },
  getRandomResult: { tokenData, values: [1, 2], rngRequestId: 'r1' },
  testPing: {
    testDataReceived: '"hello"',
    timestamp: null,
    gameProviderId: 'studio-1',
    signed: 'body',
  },
  getOperatorSettings: { autoplayEnabled: true },
} as EngineReplies;

const connected = {
  token: 'token-1',
  backendUrl: 'https://rgs.example',
  logoutUrl: null,
  refreshUrl: null,
  tokenData,
  balance,
  gameSettings: { autoplayEnabled: true },
  freePlayInfo: null,
  freePlaysAvailable: [],
} as ConnectReply;
