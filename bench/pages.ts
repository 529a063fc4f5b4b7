/**
 * `npm run bench:pages`: what each operations page costs the process that makes it, in milliseconds of processor, over
 * memory, Redis and PostgreSQL: while many rounds wait, and with the money of a month. The store's server is not in it.
 */
import { inspect } from 'node:util';

import { createOperationsHandler } from '../lib/operator/operations';
import { createMemoryStore } from '../lib/operator/stores/memory';
import { createPostgresStore } from '../lib/operator/stores/postgres';
import { createRedisStore } from '../lib/operator/stores/redis';
import {
  doTransactions,
  type FullStore,
  type RoundKey,
  type TotalsRow,
} from '../lib/operator/wallet';
import { quarterOf } from '../lib/platform/time/zone-days';
import { type Clock, systemClock } from '../lib/platform';
import { createMemoryExchange, type MemoryExchange } from '../lib/platform/http/memory-server';
import type { Transaction } from '../lib/protocol/operator-api/transaction';
import { startPostgres } from '../test/servers/postgres/server';
import { startRedis } from '../test/servers/redis/server';
import { countOfRounds } from './arguments';
import { currency, gameCode, operatorId, patience, players } from './terms';

/** Turns of each page; the least counts, as V8 compiles meanwhile. */
const turns = 40;
/** What a page has read is read anew after so long, in milliseconds. */
const freshMs = 5000;
let passedMs = 0;
const clock: Clock = {
  now: () => systemClock.now(),
  monotonicMs: () => systemClock.monotonicMs() + passedMs,
  pause: (ms, ...more) => systemClock.pause(ms, ...more),
  after: (ms, ...more) => systemClock.after(ms, ...more),
};
const [roundsAtOnce, eventsAtOnce] = [64, 500];
/** Rounds of the player whose page is asked for. */
const playedRounds = 450;
/** Games of each quarter of an hour. */
const games = 30;
const days = 31;
const dayMs = 86_400_000;

interface Started {
  readonly store: FullStore;
  readonly stop: () => Promise<void>;
}

const events = ['totals'];

const stores: Readonly<Record<string, () => Promise<Started>>> = {
  async memory() {
    const store = createMemoryStore({ events });
    return { store, stop: () => store.close() };
  },
  async Redis() {
    const server = await startRedis();
    const store = createRedisStore({
      ...patience,
      events,
      history: true,
      init: true,
      url: server.url,
    });
    return { store, stop: () => store.close().then(() => server.stop()) };
  },
  async PostgreSQL() {
    const server = await startPostgres();
    const url = await server.createDatabase();
    const store = createPostgresStore({ ...patience, events, init: true, url });
    return { store, stop: () => store.close().then(() => server.stop()) };
  },
};

const today = Math.floor(Date.now() / dayMs) * dayMs;
const firstDay = today - (days - 1) * dayMs;

/** Totals of 31 days: rounds, bets and wins of each game in each quarter of an hour, by start and by end. */
async function fillTotals({ totals, players: accounts }: FullStore): Promise<void> {
  for (let day = firstDay; day <= today; day += dayMs) {
    const account = { operatorId, playerId: `of day ${day}`, currency, balances: { real: '0' } };
    await accounts.openPlayer(account);
    for await (const batch of totals.batches({ operatorId })) {
      const change = { rows: rowsOf(day), rounds: [], gaps: [], since: firstDay };
      if (!(await batch.add(change))) throw new Error('the totals were counted elsewhere');
      break;
    }
  }
}

function rowsOf(day: number): TotalsRow[] {
  const first = quarterOf(day);
  return Array.from({ length: 96 * games * 2 }, (_, at) => ({
    quarter: first + Math.floor(at / (games * 2)),
    by: at % 2 === 0 ? 'start' : 'end',
    game: `game-of-usual-length-${(at >> 1) % games}`,
    currency,
    sums: { games: 412n, bet: 2_060_000n, win: 1_954_321n + BigInt(at) },
  }));
}

/** Rounds whose win is refused, because the player has no account in its currency. */
async function strand(store: FullStore, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, at) => from + at);
  for (let at = 0; at < numbers.length; at += roundsAtOnce) {
    await Promise.all(numbers.slice(at, at + roundsAtOnce).map((one) => strandOne(store, one)));
  }
}

async function strandOne(store: FullStore, number: number): Promise<void> {
  const playerId = players[number % players.length] ?? '';
  const key = { operatorId, playerId, gameRound: `round-of-usual-length-${number}` };
  const state = await playOne(store, key, 'USD');
  if (state !== 'stranded') throw new Error(`a round is ${state}`);
}

/** Rounds of one player whose bet and win are done: more than a page sums. */
async function play(store: FullStore): Promise<void> {
  for (let at = 0; at < playedRounds; at++) {
    const key = {
      operatorId,
      playerId: players[1] ?? '',
      gameRound: `played-of-usual-length-${at}`,
    };
    const state = await playOne(store, key, currency);
    if (state !== 'open') throw new Error(`a round is ${state}`);
  }
}

/** A round of a bet and a win in a currency; resolves to its state. */
async function playOne({ rounds }: FullStore, key: RoundKey, ofWin: string): Promise<string> {
  const { gameRound } = key;
  const options = {
    rounds,
    clock: systemClock,
    policy: { useBonusFirst: false, creditTo: 'real' },
    deadlineMs: patience.commandTimeoutMs,
  } as const;
  const debit = { discount: 0n, isFirstDebit: true, serial: null };
  const calls: readonly Transaction[] = [
    { type: 'debit', hash: gameRound, currency, amount: 10_000n, ...debit },
    { type: 'credit', hash: `${gameRound}-win`, currency: ofWin, amount: 250_000n, serial: null },
  ];
  let state = '';
  for (const [at, transaction] of calls.entries()) {
    const call = { ...key, gameCode, transactions: [transaction] };
    const delivery = { id: 'Ab-_', fingerprint: `Ab+/cd01EF2${at}`, isOtherBody: false };
    state = (await doTransactions(key, call, delivery, options)).state ?? 'unknown';
  }
  return state;
}

/** Counts all events, as `serve --totals` does within a second of them. */
async function countEvents({ totals, events: source }: FullStore): Promise<void> {
  for await (const batch of totals.batches({ operatorId, atMost: eventsAtOnce })) {
    await batch.add({ rows: [], rounds: [], gaps: [], since: firstDay });
    const [lag] = await source.lag(operatorId);
    if (lag?.waiting === 0) return;
  }
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** By name, their address. */
const pages: Readonly<Record<string, string>> = {
  overview: '/',
  waiting: '/waiting',
  'waiting, by amount': '/waiting?sort=amount&min=1',
  'no end': '/open',
  pending: '/pending',
  'to decide': '/repairs',
  repairs: '/repair-log',
  search: '/search?q=nobody',
  player: `/player?player=${players[1]}`,
  round: `/round?player=${players[1]}&round=round-of-usual-length-1`,
  changes: '/changes',
  reconciliation: '/reconciliation',
  'money of a day': `/money?day=${dayOf(today - dayMs)}`,
  'money of a month': `/money?day=${dayOf(today)}&span=month`,
};

/** Milliseconds of processor of a page that reads everything, and of one within five seconds of it, and KB: the least of many turns. */
async function costOf(ask: MemoryExchange, target: string): Promise<string> {
  const [first, bytes] = await leastOf(ask, target, freshMs);
  const [next] = await leastOf(ask, target, 0);
  return `${first.toFixed(1).padStart(7)} ms ${next.toFixed(1).padStart(7)} ms ${(bytes / 1024).toFixed(0).padStart(4)} KB`;
}

async function leastOf(
  ask: MemoryExchange,
  target: string,
  apartMs: number,
): Promise<[milliseconds: number, bytes: number]> {
  let [least, bytes] = [Number.POSITIVE_INFINITY, 0];
  for (let turn = 0; turn < turns; turn++) {
    passedMs += apartMs;
    const before = process.cpuUsage();
    const reply = await ask({ method: 'GET', target, rawHeaders: ['host', 'x'], body: empty });
    const { user, system } = process.cpuUsage(before);
    if (reply.status !== 200 && !target.startsWith('/search'))
      throw new Error(`${target} was answered ${reply.status}`);
    least = Math.min(least, (user + system) / 1000);
    bytes = reply.body.length;
  }
  return [least, bytes];
}

const empty = Buffer.alloc(0);

function print(fields: object, text: string): void {
  process.stderr.write(`${text} ${inspect(fields)}\n`);
}

async function measure(name: string, start: () => Promise<Started>, most: number): Promise<void> {
  const { store, stop } = await start();
  try {
    await store.ready();
    for (const playerId of players) {
      const account = { operatorId, playerId, currency, balances: { real: '1000000' } };
      await store.players.openPlayer(account);
    }
    await fillTotals(store);
    await play(store);
    const person = { id: 'maria', name: 'Maria', may: ['look', 'propose', 'approve'] } as const;
    const { handle } = createOperationsHandler({
      store,
      operators: [operatorId],
      clock,
      authorize: () => person,
      logger: { info: () => {}, warn: print, error: print },
    });
    const ask = createMemoryExchange(handle);
    let waiting = 0;
    for (const count of new Set([7, most])) {
      await strand(store, waiting, count);
      await countEvents(store);
      waiting = count;
      process.stdout.write(`\n${name}, ${count} rounds wait\n`);
      for (const [page, target] of Object.entries(pages)) {
        process.stdout.write(`  ${page.padEnd(19)} ${await costOf(ask, target)}\n`);
      }
    }
  } finally {
    await stop();
  }
}

async function main(): Promise<void> {
  const most = countOfRounds({
    command: 'npm run bench:pages',
    does: 'Measures what each operations page costs its process, while 7 rounds wait, and while many do.',
    usual: 10_000,
    least: 7,
  });
  for (const [name, start] of Object.entries(stores)) await measure(name, start, most);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : 'it failed'}\n`);
  process.exitCode = 1;
});
