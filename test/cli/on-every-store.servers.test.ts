import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { unsignedDelivery } from '../../lib/operator/gameround';
import { createLedgerStore } from '../../lib/operator/ledger';
import { createPostgresStore } from '../../lib/operator/stores/postgres';
import { createRedisStore } from '../../lib/operator/stores/redis';
import { doTransactions, type WalletStore } from '../../lib/operator/wallet';
import { systemClock } from '../../lib/platform';
import { anotherRound, playerWith } from '../../lib/proof/contracts/case';
import type { ContractPlayers } from '../../lib/proof/subject/players';
import { credit, debit, RoundPlay } from '../../lib/proof/contracts/repairs/round-play';
import type { Transaction } from '../../lib/protocol/operator-api/transaction';
import { exampleLedgerFile } from '../operator/ledger/ledger-file';
import { Cleanup } from '../servers/cleanup';
import { openPostgresLedger } from '../servers/postgres/ledger';
import { type PostgresServer, startPostgres } from '../servers/postgres/server';
import { startRedisCluster } from '../servers/redis/cluster';
import { startRedis } from '../servers/redis/server';
import { patience } from '../support/patience';
import { type CliResult, type Environment, runCli } from './cli';

const cleanup = new Cleanup();
const events = ['bridge'];
let postgres: PostgresServer;

beforeAll(async () => {
  postgres = cleanup.after(await startPostgres());
});

afterAll(() => cleanup.run());

/** A wallet, and the commands on it. */
interface Place {
  readonly store: WalletStore;
  readonly players: ContractPlayers;
  /** The same wallet, with a ledger that does not pay; null without a ledger. */
  readonly silent: WalletStore | null;
  run(words: string, operatorId: string, ...more: string[]): Promise<CliResult>;
}

/** Where rounds, and money unless a ledger has it, are kept. */
const addresses: Readonly<Record<string, () => Promise<string>>> = {
  Redis: async () => cleanup.after(await startRedis()).url,
  'a Redis Cluster': async () => {
    const cluster = cleanup.after(await startRedisCluster());
    const hosts = cluster.startupNodes.map(({ host, port }) => `${host}:${port}`);
    return `redis+cluster://${hosts.join(',')}`;
  },
  PostgreSQL: () => postgres.createDatabase(),
};

async function openPlace(name: string): Promise<Place> {
  const [, isLedger, where = '', history] =
    /^(a ledger, its rounds in )?(.+?)( with a history)?$/.exec(name) ?? [];
  const url = (await addresses[where]?.()) ?? '';
  const kept = url.startsWith('postgres')
    ? createPostgresStore({ url, init: true, events, ...patience })
    : createRedisStore({ url, init: true, events, history: history !== undefined, ...patience });
  cleanup.after(kept);
  await kept.ready();
  const run =
    (env: Environment): Place['run'] =>
    (words, operatorId, ...more) => {
      const flags = ['--store', url, '--operator', operatorId, ...more];
      return runCli([...words.split(' '), ...flags], { env });
    };
  if (isLedger === undefined)
    return { store: kept, players: kept.players, silent: null, run: run({}) };
  const money = cleanup.after(await openPostgresLedger(postgres));
  const over = { journal: kept, attemptTimeoutMs: 60_000, deadlineMs: 120_000 };
  const silent = {
    ...money.ledger,
    credit: () => Promise.reject(new Error('The ledger is away.')),
  };
  return {
    store: createLedgerStore({ ...over, ledger: money.ledger }),
    players: money.players,
    silent: createLedgerStore({ ...over, ledger: silent, attempts: 1 }),
    run: run({
      LEDGER_FILE: await exampleLedgerFile(),
      LEDGER_DATABASE: money.pool.options.connectionString ?? '',
      LEDGER_TIMEOUT_MS: '60000',
    }),
  };
}

const nothing = (): void => {};

const why = ['--reason', 'the RGS confirms the win, ticket 4711'];

describe.each([
  'Redis',
  'Redis with a history',
  'a Redis Cluster with a history',
  'PostgreSQL',
  'a ledger, its rounds in Redis',
  'a ledger, its rounds in Redis with a history',
  'a ledger, its rounds in PostgreSQL',
])('in %s', (name) => {
  const hasIndex = name.endsWith('PostgreSQL') || name.endsWith('history');
  let place: Place;

  beforeAll(async () => {
    place = await openPlace(name);
  });

  test('a stranded round is listed, shown, repaired by two people, in the books and in the events', async () => {
    const { round } = await RoundPlay.stranded(place);
    const { operatorId, playerId, gameRound } = round;
    const names = ['--player', playerId, '--round', gameRound];
    const list = () => place.run('rounds attention', operatorId);
    expect((await list()).stdout).toMatch(/^stranded +20\S+ \S+ +\d+ \S+ +0\.0025 EUR /m);

    const order = [...names, '--kind', 'pay', ...why, '--by', 'anna'];
    const proposed = await place.run('rounds repair propose', operatorId, ...order);
    const id = proposed.stdout.split(/[ :]/)[1] ?? '';
    expect((await place.run('rounds repair list', operatorId)).stdout).toContain(id);
    const approve = (by: string) =>
      place.run('rounds repair approve', operatorId, ...names, '--id', id, '--by', by);
    expect(await approve('anna')).toMatchObject({ code: 1, stdout: '' });
    expect(await approve('bert')).toMatchObject({ code: 0 });
    expect((await place.run('rounds show', operatorId, ...names)).stdout).toMatch(
      /anna +pay +done .*bert/,
    );
    const note =
      'Rounds without an end are not listed: this store has no index of open rounds. In Redis set `history: true` (serve --history).\n';
    const none = `No round of operator ${operatorId} needs attention.\n`;
    expect((await list()).stdout).toBe(`${none}${hasIndex ? '' : note}`);

    const whole = / 0\.0025 +1(?: +0)?\nIn all: 1 \S+, the books are whole\./;
    const checked = await place.run('books --check', operatorId);
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringMatching(whole) });

    const lag = async () => {
      const { stdout } = await place.run('events lag', operatorId);
      return JSON.parse(stdout) as unknown;
    };
    expect(await lag()).toMatchObject({ consumer: 'bridge', waiting: expect.any(Number) });
    const tail = await place.run('events tail', operatorId, '--consumer', 'bridge', '--once');
    const told = tail.stdout.trim().split('\n');
    expect(told.map((line) => JSON.parse(line) as unknown).at(-1)).toMatchObject({
      gameRound,
      state: 'closed',
    });
    expect(await lag()).toEqual({ consumer: 'bridge', waiting: 0, oldest: null });
  });

  test('a round without an end is listed, or the command says that it cannot be', async () => {
    const play = await RoundPlay.open(place);
    await play.call(debit('d', 10n, true));
    const { operatorId } = play.round;
    const listed = await place.run('rounds attention', operatorId, '--open-hours', '0', '--json');
    if (hasIndex) {
      const line = { kind: 'round', state: 'open', gameCode: 'game', atStake: '0.001' };
      expect(JSON.parse(listed.stdout)).toMatchObject(line);
    } else {
      expect(listed).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'error: --open-hours: this store has no index of open rounds; in Redis set `history: true` (serve --history)\n',
      });
    }
  });

  // Without a ledger there is nothing to post.
  const testOverLedger = name.startsWith('a ledger') ? test : nothing;
  testOverLedger(
    'a posting that a ledger has not answered is listed, and no book is closed over it',
    async () => {
      const { round } = await RoundPlay.open(place);
      const { operatorId, playerId, gameRound } = round;
      const call = { playerId, gameRound, gameCode: 'game' };
      const play = async (transactions: Transaction[]) => {
        const store = place.silent ?? place.store;
        const policy = { useBonusFirst: false, creditTo: 'real' } as const;
        const ports = { rounds: store.rounds, clock: systemClock, deadlineMs: 60_000, policy };
        await doTransactions(round, { ...call, transactions }, unsignedDelivery('d'), ports);
      };
      await play([debit('d', 10n, true)]);
      await play([credit('c', 25n)]);
      const { stdout } = await place.run('rounds attention', operatorId);
      expect(stdout).toMatch(
        /\nPending at the ledger; the sweeper finishes them:\nsince .*\n20\S+ \S+ +\d+ \S+ +0\.0025 EUR +c +\S+ +game +\S+\n$/,
      );
      const lines = (await place.run('rounds attention', operatorId, '--json')).stdout;
      expect(JSON.parse(lines)).toMatchObject({
        kind: 'pending',
        operatorId,
        playerId,
        gameRound,
        gameCode: 'game',
        since: expect.stringMatching(/^20.*Z$/),
        posts: ['c'],
        amounts: { EUR: '0.0025' },
      });
      const books = await place.run('books --check', operatorId);
      expect(books).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('\n1 round not compared: a posting is pending'),
      });
    },
  );

  test('a check of the books while money moves finds no difference, and none when it rests', async () => {
    const first = await playerWith(place.players, 1_000_000n);
    const { operatorId } = first;
    const over = new AbortController();
    const play = async (): Promise<number> => {
      let rounds = 0;
      while (!over.signal.aborted) {
        const round = anotherRound(first);
        const { playerId, gameRound } = round;
        const hash = `d${rounds}`;
        const call = { playerId, gameRound, gameCode: 'game' };
        const transactions = [debit(hash, 3n, true), credit(`c${rounds}`, 2n)];
        await doTransactions(round, { ...call, transactions }, unsignedDelivery('d'), {
          rounds: place.store.rounds,
          clock: systemClock,
          deadlineMs: 60_000,
          policy: { useBonusFirst: false, creditTo: 'real' },
        });
        rounds += 1;
      }
      return rounds;
    };
    const playing = [play(), play()];
    const checked = await place.run('books --check', operatorId);
    over.abort();
    const rounds = (await Promise.all(playing)).reduce((sum, one) => sum + one, 0);
    expect(rounds).toBeGreaterThan(0);
    // A player who never rests may be reported as such, and as nothing else.
    expect(checked.stdout).not.toMatch(/^DIFFERS:|^DIFFERS \(the store/m);
    expect(checked.stderr).toBe('');
    expect(await place.run('books --check', operatorId)).toMatchObject({ code: 0 });
  });
});
