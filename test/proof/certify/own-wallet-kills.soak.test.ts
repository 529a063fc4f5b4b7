import { afterEach, describe, expect, test } from '@jest/globals';

import { certify } from '../../../lib/proof/certify';
import {
  type Environment,
  OPERATOR,
  OPERATOR_ID,
  runCli,
  SECRET,
  type Service,
  startService,
  temporaryFile,
} from '../../cli/cli';
import { exampleLedgerFile } from '../../operator/ledger/ledger-file';
import { Cleanup } from '../../servers/cleanup';
import { freePort } from '../../servers/ports';
import { openPostgresLedger } from '../../servers/postgres/ledger';
import { startPostgres } from '../../servers/postgres/server';
import { startRedis } from '../../servers/redis/server';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

const playerIds = ['ann', 'bob'];

/** Flags and variables of `serve` over a store that outlives it; the players are opened. */
interface Where {
  readonly flags: readonly string[];
  readonly env?: Environment;
  readonly setBlocked: (blocked: boolean) => Promise<unknown>;
}

async function playersFlag(): Promise<string[]> {
  const list = playerIds.map((playerId) => {
    return { playerId, currency: 'EUR', balances: { real: '100000' } };
  });
  return ['--players', await temporaryFile('players.json', list)];
}

/** By the command line over the store of a wallet that runs. */
function blockIn(store: string): Where['setBlocked'] {
  const flags = ['--store', store, '--operator', OPERATOR_ID, '--player', 'ann'];
  return async (blocked) => {
    const result = await runCli(['player', blocked ? 'block' : 'unblock', ...flags]);
    expect(result).toMatchObject({ code: 0 });
  };
}

const stores: Readonly<Record<string, () => Promise<Where>>> = {
  Redis: async () => {
    const { url } = cleanup.after(await startRedis(), (started) => started.stop());
    const flags = ['--store', url, '--init', ...(await playersFlag())];
    return { flags, setBlocked: blockIn(url) };
  },
  PostgreSQL: async () => {
    const server = cleanup.after(await startPostgres(), (started) => started.stop());
    const url = await server.createDatabase();
    const flags = ['--store', url, '--init', ...(await playersFlag())];
    return { flags, setBlocked: blockIn(url) };
  },
  'a ledger in PostgreSQL': async () => {
    const server = cleanup.after(await startPostgres(), (started) => started.stop());
    const money = cleanup.after(await openPostgresLedger(server), (opened) => opened.close());
    for (const playerId of playerIds) {
      const balances = { real: { units: 10_000_000n } };
      const player = { operatorId: OPERATOR_ID, playerId, currency: 'EUR', balances };
      await money.players.openPlayer(player);
    }
    const ledger = ['--ledger', await exampleLedgerFile(), '--decimals', '2'];
    const env = { LEDGER_DATABASE: money.pool.options.connectionString ?? '' };
    const flags = ['--store', await server.createDatabase(), '--init', ...ledger];
    const ann = { operatorId: OPERATOR_ID, playerId: 'ann' };
    return { flags, env, setBlocked: (blocked) => money.players.setBlocked(ann, blocked) };
  },
};

describe('the wallet of this library is killed with -9 between and during calls', () => {
  test.each(Object.entries(stores))('on %s: no acknowledged call is lost', async (_, open) => {
    const { flags, env = {}, setBlocked } = await open();
    const port = String(await freePort());
    const start = (): Promise<Service> => {
      return startService(['--port', port, ...flags], { ...OPERATOR, ...env });
    };
    let service = await start();
    cleanup.after(service, () => service.stop());
    const result = await certify({
      urls: [service.url],
      operator: { operatorId: OPERATOR_ID, secret: SECRET },
      playerIds,
      currency: 'EUR',
      only: ['retention', 'crashes', 'memory', 'blocks'],
      long: { seed: 20_261_122, kills: 8 },
      timeoutMs: 30_000,
      timeLimitMs: 1_100_000,
      block: async () => void (await setBlocked(true)),
      unblock: async () => void (await setBlocked(false)),
      async kill() {
        service.signal('SIGKILL');
        await service.exit;
      },
      async start() {
        service = await start();
      },
    });
    const others = result.cases.filter(({ verdict }) => verdict !== 'passed');
    expect(others.map(({ id, message }) => ({ id, message }))).toEqual([]);
    expect(result.money.map(({ start: had, end }) => had === end)).toEqual([true, true]);
  });
});
