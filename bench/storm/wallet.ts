import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPostgresStore } from '../../lib/operator/stores/postgres';
import { createRedisStore } from '../../lib/operator/stores/redis';
import { startPostgres } from '../../test/servers/postgres/server';
import { temporaryFolder } from '../../test/servers/reaper';
import { startRedis } from '../../test/servers/redis/server';
import { balancesInStore, openInStore } from '../contestants/kit-accounts';
import { startProgram } from '../start-contestant';
import { players, secret, startCents } from '../terms';
import type { StormOptions } from './options';
import type { Book } from './tally';

const main = join(__dirname, '../../dist/cli/main.js');

/** `rgs-wallet serve` over a server of its own. */
export interface StormWallet {
  readonly port: number;
  /** Of the wallet, and of its store. */
  readonly pids: readonly number[];
  /** How many cents each player of an operator has beyond what the book says. */
  check(caller: string, book: Book): Promise<number[]>;
  stop(): Promise<void>;
}

/** Starts it with the players of each operator. */
export async function startWallet(
  { store, flags }: StormOptions,
  callers: readonly string[],
): Promise<StormWallet> {
  const server = store === 'redis' ? await startRedis() : await startPostgres();
  const { url } = server;
  const open = (init: boolean) =>
    store === 'redis' ? createRedisStore({ url, init }) : createPostgresStore({ url, init });
  for (const caller of callers) await openInStore(open(true), players, caller);
  const credentials = join(await temporaryFolder('storm'), 'credentials.json');
  const operators = callers.map((operatorId) => ({ operatorId, secrets: [secret] }));
  await writeFile(credentials, JSON.stringify(operators), { mode: 0o600 });
  const serve = (at: string, port: number) => {
    // Its deadlines go by the wall clock, which a busy machine makes run ahead.
    const usual = ['--credentials', credentials, '--log-level', 'fatal', '--deadline-ms', '60000'];
    return [main, 'serve', '--store', at, '--port', String(port), ...usual, ...flags];
  };
  const running = await startProgram({ command: serve, env: {} }, url);
  return {
    port: running.port,
    pids: [running.pid, server.pid],
    async check(caller, { moved }) {
      const found = await balancesInStore(open(false), players, caller);
      return found.map((cents, at) => cents - startCents - (moved[at] ?? 0));
    },
    async stop() {
      await running.abandon();
      await server.stop();
    },
  };
}
