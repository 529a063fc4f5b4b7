import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { unsignedDelivery } from '../../lib/operator/gameround';
import { createLedgerStore } from '../../lib/operator/ledger';
import { createRedisStore } from '../../lib/operator/stores/redis';
import { doTransactions, type Ledger } from '../../lib/operator/wallet';
import { systemClock } from '../../lib/platform';
import { openingOf, take } from '../../lib/proof/contracts/changes';
import type { Transaction } from '../../lib/protocol/operator-api/transaction';
import {
  debitCall,
  OPERATOR,
  OPERATOR_ID,
  runCli,
  type Service,
  signer,
  signerFor,
  startService,
  temporaryFile,
} from '../cli/cli';
import { Cleanup } from '../servers/cleanup';
import { findJq } from '../servers/jq/binary';
import { temporaryFolder } from '../servers/reaper';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { until } from '../servers/until';
import { patience } from '../support/patience';
import { textOf } from '../tidy/source';
import { alertRules } from './shipped';

const cleanup = new Cleanup();

/** A line of the log, or of `rgs-wallet events lag`. */
type Line = Readonly<Record<string, unknown>>;

/** What a wallet wrote that had every trouble, and one that is well. */
let troubled: readonly Line[];
let well: readonly Line[];

beforeAll(async () => {
  well = await linesOfAWalletThatIsWell();
  troubled = await linesOfATroubledWallet();
});

afterAll(() => cleanup.run());

/** Rounds and hashes tell the ledger what to do: it is slow, silent, or refuses. */
const LEDGER = `
const done = async () => ({ kind: 'done' });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
module.exports = {
  debit: async ({ gameRound }) => {
    if (gameRound.startsWith('slow')) await pause(1300);
    if (gameRound === 'dark') throw new Error('The ledger is away.');
    return done();
  },
  credit: async ({ hash }) => {
    if (hash.startsWith('lost')) throw new Error('The ledger is away.');
    return hash === 'never' ? { kind: 'refused', reason: 'refused' } : done();
  },
  reverse: async () => ({ kind: 'refused', reason: 'refused' }),
  balances: async () => [{ currency: 'EUR', real: 1000000n, bonus: null }],
};`;

async function serve(...args: string[]): Promise<Service> {
  const file = await temporaryFile('ledger.cjs', LEDGER);
  const service = await startService(['--ledger', file, ...args], OPERATOR);
  return cleanup.after(service);
}

async function linesOfAWalletThatIsWell(): Promise<readonly Line[]> {
  const service = await serve('--store', 'memory:', '--accept-loss');
  await service.call(debitCall('ann', 'r-1'));
  await service.call(creditCall('r-1', 'win'));
  await service.call(signer.getBalance({ playerId: 'ann', currency: 'EUR' }));
  await service.stop();
  return service.lines;
}

async function linesOfATroubledWallet(): Promise<readonly Line[]> {
  const redis = cleanup.after(await startRedis());
  await leavePendingWin(redis);
  const lag = await linesOfLag(redis);
  const service = await serve('--store', redis.url, '--max-in-flight', '1');
  await service.line('round still unfinished: the sweeper will retry');
  await service.call(debitCall('ann', 'denied', { by: signerFor('another secret, of the past') }));
  await Promise.all(['slow-1', 'slow-2', 'slow-3'].map((r) => service.call(debitCall('ann', r))));
  await service.call(
    callOf('old', {
      type: 'debit',
      hash: 'old',
      amount: 1,
      currency: 'EUR',
      timestamp: '2020-01-21T14:48:04Z',
    }),
  );
  await service.call(debitCall('ann', 'r-1'));
  await service.call(creditCall('r-1', 'never'));
  await service.call(callOf('r-1', { type: 'void', hash: 'r-1' }));
  await service.line('the ledger refused a reversal: it stays pending');
  await service.call(debitCall('ann', 'dark'));
  for (const round of ['l-1', 'l-2', 'l-3', 'l-4', 'l-5']) {
    await service.call(debitCall('ann', round));
    await service.call(creditCall(round, `lost-${round}`));
  }
  await service.line('ledger circuit breaker open');
  await redis.stop();
  await until('the line that Redis is away', () =>
    service.lines.find(({ msg }) => msg === 'the connection to Redis failed'),
  );
  await service.stop();
  return [...service.lines, ...lag, ...(await linesOfReconciliations())];
}

const done = () => Promise.resolve({ kind: 'done' } as const);

/** A process that died a minute ago left a win that its ledger has not paid. */
async function leavePendingWin(redis: RedisServer): Promise<void> {
  const journal = createRedisStore({ url: redis.url, init: true, ...patience });
  await journal.ready();
  const ledger: Ledger = {
    debit: done,
    credit: () => Promise.reject(new Error('The ledger is away.')),
    reverse: done,
    balances: () => Promise.resolve([]),
  };
  const clock = { ...systemClock, now: () => Date.now() - 60_000 };
  const store = createLedgerStore({ ledger, journal, clock, attempts: 1 });
  const transactions: Transaction[] = [
    { ...money('left', 10n), type: 'debit', discount: 0n, isFirstDebit: true },
    { ...money('lost', 7n), type: 'credit' },
  ];
  const round = { operatorId: OPERATOR_ID, playerId: 'ann', gameRound: 'left' };
  const call = { playerId: 'ann', gameRound: 'left', gameCode: 'bells', transactions };
  await doTransactions(round, call, unsignedDelivery('d'), {
    rounds: store.rounds,
    clock: systemClock,
    deadlineMs: 60_000,
    policy: { useBonusFirst: true, creditTo: 'real' },
  });
  await store.close();
}

function money(hash: string, amount: bigint) {
  return { hash, amount, currency: 'EUR', serial: null };
}

/** What `rgs-wallet events lag` prints of a consumer that does not come. */
async function linesOfLag(redis: RedisServer): Promise<readonly Line[]> {
  const options = { url: redis.url, namespace: 'lag', init: true, events: ['bridge'] };
  const store = createRedisStore({ ...options, ...patience });
  await store.ready();
  const account = { operatorId: OPERATOR_ID, playerId: 'ann', currency: 'EUR' };
  await store.players.openPlayer({ ...account, balances: { real: '1' } });
  const round = { operatorId: OPERATOR_ID, playerId: 'ann', gameRound: 'r' };
  await store.rounds.commit(round, openingOf([take('d', 0n)]));
  await store.close();
  const place = ['--store', redis.url, '--namespace', 'lag', '--operator', OPERATOR_ID];
  const { stdout } = await runCli(['events', 'lag', ...place]);
  return [...linesIn(stdout), ...(await linesOfArchive(place))];
}

/** What an archive logs whose anchor is away. */
async function linesOfArchive(place: readonly string[]): Promise<readonly Line[]> {
  const folder = await temporaryFolder('archive');
  const key = join(folder, 'key');
  await runCli(['archive', 'key', 'new', '--out', key, '--origin', 'casino.example/op']);
  const to = ['--to', join(folder, 'to'), '--key', key, '--anchor', 'http://127.0.0.1:1/'];
  const run = ['archive', 'run', ...place, '--consumer', 'bridge', '--once', ...to];
  return linesIn((await runCli(run)).stdout);
}

/** What comparisons print of a day whose round the RGS does not have, and of events that contradict each other. */
async function linesOfReconciliations(): Promise<readonly Line[]> {
  const names = { operatorId: OPERATOR_ID, playerId: 'ann' };
  const span = ['2026-03-01T12:00:00.000Z', '2026-03-04T12:00:00.000Z'];
  // The second balance does not follow from the first.
  const cash = span.map((at, id) => {
    const accounts = [{ currency: 'EUR', real: `${1 + 5 * id}`, bonus: null }];
    const movements = [{ currency: 'EUR', real: '1', bonus: '0' }];
    return JSON.stringify({ type: 'cash', id: `c-${id}`, ...names, at, accounts, movements });
  });
  const files = [
    await temporaryFile('events.jsonl', cash.join('\n')),
    await temporaryFile('rounds.csv', 'round,currency,bet,win\nr-1,EUR,1,0\n'),
    await temporaryFile('map.json', {
      round: 'round',
      currency: 'currency',
      bet: 'bet',
      win: 'win',
    }),
  ] as const;
  const [events, rows, map] = files;
  const args = ['--from', '2026-03-02', '--zone', 'UTC', '--export', rows, '--map', map, '--json'];
  const found: Line[] = [];
  for (const more of [['--no-own-check'], []]) {
    const run = await runCli(['reconcile', '--events', events, ...args, ...more], {
      env: OPERATOR,
    });
    found.push(...linesIn(run.stdout));
  }
  return found;
}

function linesIn(text: string): readonly Line[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

function callOf(gameRound: string, transaction: SentTransaction) {
  const names = { playerId: 'ann', gameCode: 'bells', gameRound, transactionCount: 1 };
  return signer.doTransactions({ ...names, transactions: [transaction] });
}

interface SentTransaction {
  readonly type: string;
  readonly hash: string;
  readonly [field: string]: string | number;
}

function creditCall(gameRound: string, hash: string) {
  return callOf(gameRound, { type: 'credit', hash, amount: 1, currency: 'EUR' });
}

/** The query of each alert, as docs/operations/alerts.md has it. */
function queries(): Map<string, string> {
  const rows = textOf('docs/operations/alerts.md').matchAll(
    /^\| `(RgsWallet\w+)` \| `(select\(.*)` \|$/gm,
  );
  return new Map(
    [...rows].map(([, alert = '', query = '']) => [alert, query.replaceAll('\\|', '|')]),
  );
}

/** What jq finds in lines. */
async function ask(query: string, lines: readonly Line[]): Promise<Line[]> {
  const child = spawn(await findJq(), ['-c', query], { stdio: ['pipe', 'pipe', 'pipe'] });
  let [found, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (piece: string) => void (found += piece));
  child.stderr.setEncoding('utf8').on('data', (piece: string) => void (errors += piece));
  child.stdin.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const [code] = (await once(child, 'close')) as [number];
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return found
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

/** The lines as they read two hours later: what is compared with now is older. */
function twoHoursOld(lines: readonly Line[]): Line[] {
  return lines.map(({ time, oldest, ...line }) => ({
    ...line,
    ...(typeof time === 'number' ? { time: time - 7_200_000 } : {}),
    ...(typeof oldest === 'string'
      ? { oldest: new Date(Date.parse(oldest) - 7_200_000).toISOString() }
      : {}),
  }));
}

/** What each query must find in the log of the troubled wallet, by round or by text. */
const found: Readonly<Record<string, readonly string[]>> = {
  RgsWalletUnknownOutcomes: ['dark', 'l-1'],
  RgsWalletNothingProcessed: ['dark', 'call refused'],
  RgsWalletShedsCalls: ['slow-1|slow-2|slow-3'],
  RgsWalletSlowCalls: ['slow-1|slow-2|slow-3'],
  RgsWalletUnauthenticatedCalls: ['call refused'],
  RgsWalletDebitsExpired: ['old'],
  RgsWalletRoundsStranded: ['r-1'],
  RgsWalletVoidIsMissing: ['dark'],
  RgsWalletReconciliationDiffers: ['different', 'contradictory'],
  RgsWalletReconciliationLate: ['contradictory'],
  RgsWalletAttentionUnread: ['the connection to Redis failed'],
  RgsWalletLedgerBreakerOpen: ['ledger circuit breaker open: calls answered as unknown (D7)'],
  RgsWalletReversalRefused: ['the ledger refused a reversal: it stays pending'],
  RgsWalletSweeperFails: ['left'],
  RgsWalletEventsLag: ['bridge'],
  RgsWalletArchiveUnanchored: ['an anchor has not taken the checkpoint'],
  RgsWalletEventLoopLate: ['slow-1|slow-2|slow-3'],
};

test('docs/operations/alerts.md has a query of the log for each alert', () => {
  const alerts = alertRules().map(({ place }) => place);
  expect([...queries().keys()].toSorted()).toEqual(alerts.toSorted());
  expect(Object.keys(found).toSorted()).toEqual(alerts.toSorted());
});

test.each(Object.entries(found))(
  'the query of %s finds its lines in the log of a troubled wallet',
  async (alert, names) => {
    const lines = await ask(queries().get(alert) ?? '', twoHoursOld(troubled));
    const told = lines.map(({ gameRound, msg, consumer, verdict }) =>
      [gameRound, msg, consumer, verdict].join(' '),
    );
    for (const name of names) {
      const isNamed = told.some((line) => name.split('|').some((one) => line.includes(one)));
      expect([name, isNamed, told]).toEqual([name, true, told]);
    }
  },
);

test.each(Object.keys(found))('the query of %s finds nothing where all is well', async (alert) => {
  // How fast this machine is today is not what is tried here.
  const quick = well.map((line) => ('durationMs' in line ? { ...line, durationMs: 1 } : line));
  expect(await ask(queries().get(alert) ?? '', twoHoursOld(quick))).toEqual([]);
});

test.each(['RgsWalletVoidIsMissing', 'RgsWalletEventsLag'])(
  'the query of %s asks for what is old',
  async (alert) => {
    expect(await ask(queries().get(alert) ?? '', troubled)).toEqual([]);
  },
);
