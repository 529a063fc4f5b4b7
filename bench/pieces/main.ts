/**
 * `npm run bench:pieces`: the cost of each piece of a call [debit, credit, end], in microseconds of CPU
 * time: no network, no server. Each is timed in batches of fresh calls, and the best batch counts:
 * anything above it is caused by the machine, not by the code. At last whole calls, by hand and by the kit,
 * what the metrics of a call cost of one, and what it costs to load the package.
 * `npm run bench:pieces -- --transactions 100`: the pieces of a call of so many.
 */
import { parseArgs } from 'node:util';
import { Command } from 'ioredis';
import type { RoundChange } from '../../lib/operator/gameround';
import type { RoundKey, WalletStore } from '../../lib/operator/wallet';
import { doTransactions } from '../../lib/operator/wallet';
import { systemClock } from '../../lib/platform';
import type { Call } from '../../lib/protocol/operator-api/transaction';
import { messageSchemas } from '../../lib/protocol/operator-api/schemas';
import { readCall } from '../../lib/protocol/operator-api/read-call';
import { parseJson } from '../../lib/protocol/json/parse';
import { readSignedParts, Secret, verifySignature } from '../../lib/protocol/signature';
import { commitCall } from '../../lib/operator/stores/redis/codec/commit';
import { Keys } from '../../lib/operator/stores/redis/codec/keys';
import { scripts } from '../../lib/operator/stores/redis/commands/scripts';
import { checkCall } from '../hand-written/check-call';
import { loadCost } from './load-cost';
import { metricsCost } from './metrics-cost';
import { newRound, signedRequest } from '../load/signed-call';
import { operatorId, retentionMs, secret } from '../terms';
import { wholeCall } from './whole-call';

const transactionsInBatch = 15_000;
const batches = 12;
/** Of a call [debit, credit, end]. */
const usualTransactions = 3;
const decimals = 4;

/** A request taken apart, as node:http gives it. */
interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function newRequest(credits: number): Request {
  const [head = '', body = ''] = signedRequest(newRound('player-1', credits))
    .toString()
    .split('\r\n\r\n');
  const lines = head.split('\r\n').slice(1);
  const headers = lines.map((line) => line.split(': ') as [string, string]);
  const named = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  return { headers: Object.fromEntries(named), body };
}

const known = new Secret(secret);

function verify({ headers, body }: Request): void {
  const signed = readSignedParts('doTransactions', parseJson(body));
  const timestamp = headers['x-h-timestamp'] ?? '';
  const signature = headers['x-h-auth-sig'] ?? '';
  const parts = signed.parts ?? [];
  if (!verifySignature([known], { authId: operatorId, timestamp, signature, parts })) {
    throw new Error('a signature is not right');
  }
}

function read({ body }: Request): Call {
  const document = parseJson(body);
  if (messageSchemas.findFault('do-transactions', document.value) !== null)
    throw new Error('a call is not valid');
  return readCall(document, decimals);
}

const notAsked = async () => ({ kind: 'unknown', cause: new Error('not asked') }) as const;

const keys = new Keys('rgs');

function encode(round: RoundKey, change: RoundChange) {
  return scripts.open.sent(commitCall(keys, round, change, retentionMs));
}

/** The bytes that ioredis sends. */
function write(round: RoundKey, change: RoundChange): Buffer {
  const args = [scripts.open.sha, ...encode(round, change)];
  return Buffer.from(new Command('evalsha', args).toWritable({}));
}

/** Answers at once that all was written, after what a store does before it is; Redis' own part is left out. */
function storeThatAnswers(prepare: (round: RoundKey, change: RoundChange) => unknown): WalletStore {
  const accounts = [{ currency: 'EUR', real: 10_000n, bonus: null }];
  return {
    decimals,
    rounds: {
      commit: async (round: RoundKey, change: RoundChange) => {
        prepare(round, change);
        return { kind: 'committed', accounts };
      },
      load: notAsked,
      accounts: notAsked,
      readRound: async () => null,
    },
    ready: async () => {},
    close: async () => {},
  } as Partial<WalletStore> as WalletStore;
}

function settle(store: WalletStore): (request: Request) => Promise<unknown> {
  const policy = { useBonusFirst: true, creditTo: 'real' } as const;
  const ports = { rounds: store.rounds, clock: systemClock, policy, deadlineMs: 5000 };
  const delivery = { id: 'Ab-_', fingerprint: 'Ab+/cd01EF23', isOtherBody: false };
  return async (request) => {
    const call = read(request);
    const { playerId, gameRound } = call;
    const { unknown } = await doTransactions(
      { operatorId, playerId, gameRound },
      call,
      delivery,
      ports,
    );
    if (unknown !== null) throw unknown.cause;
  };
}

/** Microseconds of processor for each call, in the best batch. */
async function time(work: (request: Request) => unknown, transactions: number): Promise<number> {
  const callsInBatch = Math.ceil(transactionsInBatch / transactions);
  let best = Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < batches; batch += 1) {
    const requests = Array.from({ length: callsInBatch }, () => newRequest(transactions - 2));
    const before = process.cpuUsage();
    for (const request of requests) {
      const pending = work(request);
      if (pending instanceof Promise) await pending;
    }
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / callsInBatch);
  }
  return best;
}

const pieces: readonly (readonly [string, (request: Request) => unknown])[] = [
  [
    'by hand: JSON.parse, schema, signature',
    ({ headers, body }) => checkCall(headers, JSON.parse(body)),
  ],
  ['JSON.parse', ({ body }) => JSON.parse(body) as unknown],
  ['parsed, with the text of each number', ({ body }) => parseJson(body)],
  ['parsed, signature verified', verify],
  ['parsed, schema checked, in exact terms', read],
  ['the same, and decided and settled', settle(storeThatAnswers(() => null))],
  ['the same, and encoded for Redis', settle(storeThatAnswers(encode))],
  ['the same, and written by ioredis', settle(storeThatAnswers(write))],
];

async function main(): Promise<void> {
  const transactions = readTransactions();
  if (transactions === null) {
    process.stdout.write(help);
    return;
  }
  for (const [name, work] of pieces) print(name, await time(work, transactions));
  if (transactions !== usualTransactions) return;
  const { byHand, kit, refused } = await wholeCall();
  print('a whole call by hand, Redis canned', byHand);
  print(
    'a whole call of the handler, Redis canned',
    kit,
    ` ${(kit / byHand).toFixed(2)} of by hand`,
  );
  print('a wrong signature, refused', refused, ` ${(refused / kit).toFixed(2)} of a whole call`);
  const ofMetrics = await metricsCost(read(newRequest(1)));
  print(
    'metrics of a call',
    ofMetrics,
    ` ${((ofMetrics / kit) * 100).toFixed(2)} % of a whole call`,
  );
  const { bare, root } = loadCost();
  process.stdout.write(
    `require('rgs-wallet-kit'): ${(root - bare).toFixed(0)} ms of processor, beside ${bare.toFixed(0)} of Node\n`,
  );
}

const help = `npm run bench:pieces -- [options]

Measures each piece of a call [debit, credit, end], in microseconds of processor: no network, no server.

  --transactions N   of a call of N transactions: a whole number from ${usualTransactions} to 1000 (default: ${usualTransactions})
  --help             print this
`;

/** Null for the help. @throws TypeError naming the option that is wrong. */
function readTransactions(): number | null {
  const options = { transactions: { type: 'string' }, help: { type: 'boolean' } } as const;
  const { values } = parseArgs({ options });
  if (values.help === true) return null;
  const { transactions = String(usualTransactions) } = values;
  const value = /^\d+$/.test(transactions) ? Number(transactions) : Number.NaN;
  if (value >= usualTransactions && value <= 1000) return value;
  throw new TypeError(
    `--transactions: "${transactions}" is no whole number from ${usualTransactions} to 1000`,
  );
}

function print(name: string, micros: number, more = ''): void {
  const digits = micros < 1 ? 2 : 1;
  process.stdout.write(`${name.padEnd(42)} ${micros.toFixed(digits).padStart(6)} us${more}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'it failed'}\n`);
  process.exitCode = error instanceof TypeError ? 2 : 1;
});
