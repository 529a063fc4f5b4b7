/**
 * Plays calls to several wallet processes over a Redis Cluster, and prints how the work spreads over its masters.
 * `npm run bench:cluster`, or `npm run bench:cluster -- 30000` for another number of rounds.
 */
import { Redis } from 'ioredis';
import { startRedisCluster } from '../test/servers/redis/cluster';
import type { RedisServer } from '../test/servers/redis/server';
import { checkBooks } from './books';
import { serveRedis } from './contestants/kit-redis';
import { countOfRounds } from './arguments';
import { cpuSeconds } from './cpu-time';
import { callMakers } from './load/calls';
import { Connection } from './load/connection';
import { type RunningContestant, startContestant } from './start-contestant';
import { players } from './terms';

const processes = 3;
const connectionsOfEach = 8;

/** What one master did. */
interface Work {
  readonly scripts: number;
  readonly commands: number;
  /** Commands of clients that did not know where the slot is, and scripts whose keys were in several slots. */
  readonly misplaced: number;
  readonly cpu: number;
}

async function main(): Promise<void> {
  const rounds = countOfRounds({
    command: 'npm run bench:cluster',
    does: `Plays [debit, credit, end] to ${processes} processes of rgs-wallet serve over a Redis Cluster of three masters, and prints what each did.`,
    usual: 30_000,
    least: 1000,
  });
  const cluster = await startRedisCluster();
  const nodes = cluster.startupNodes.map(({ host, port }) => `${host}:${port}`).join(',');
  const url = `redis+cluster://${nodes}`;
  await serveRedis.prepare(url, players);
  const wallets: RunningContestant[] = [];
  for (let at = 0; at < processes; at++) {
    wallets.push(await startContestant(`d${at}`, serveRedis, url));
  }
  const moved = players.map(() => 0);
  await play(wallets, Math.ceil(rounds / 10), moved); // the first tenth warms up, and counts in no figure
  const before = await Promise.all(cluster.nodes.map(workOf));
  const cpuBefore = wallets.map(({ pid }) => cpuSeconds(pid));
  const startedAt = performance.now();
  await play(wallets, rounds, moved);
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await Promise.all(cluster.nodes.map(workOf));
  say(`${rounds} rounds in ${seconds.toFixed(1)} s: ${(rounds / seconds).toFixed(0)} a second`);
  wallets.forEach(({ pid }, at) => {
    const micros = ((cpuSeconds(pid) - (cpuBefore[at] ?? 0)) * 1e6 * processes) / rounds;
    say(`  wallet ${at + 1}: ${micros.toFixed(0)} µs of processor a round of its own`);
  });
  tellMasters(before, after, rounds);
  for (const wallet of wallets) await wallet.kill9();
  checkBooks(players, moved, await serveRedis.balances(url, players));
  say('after kill -9 of the wallets every balance is what the answered calls moved');
  await cluster.stop();
}

function tellMasters(before: readonly Work[], after: readonly Work[], rounds: number): void {
  after.forEach((work, at) => {
    const old = before[at] ?? work;
    const scripts = work.scripts - old.scripts;
    const share = ((100 * scripts) / rounds).toFixed(1);
    const micros = (((work.cpu - old.cpu) * 1e6) / scripts).toFixed(0);
    say(
      `  master ${at + 1}: ${scripts} scripts (${share} % of the rounds), ${work.commands - old.commands} commands, ${micros} µs of processor a script, misplaced ${work.misplaced - old.misplaced}`,
    );
  });
}

/** Each connection sends its next call when the last is answered, until all rounds are played. */
async function play(
  wallets: readonly RunningContestant[],
  rounds: number,
  moved: number[],
): Promise<void> {
  let left = rounds;
  const worker = async ({ port }: RunningContestant): Promise<void> => {
    const connection = await Connection.open(port);
    const make = callMakers.round();
    while (left-- > 0) {
      const { request, player, centsMoved, status, text } = make();
      const answer = await connection.call(request);
      if (answer.status !== status || !answer.body.includes(text)) {
        throw new Error(`a wrong answer: ${answer.status} ${answer.body}`);
      }
      moved[player] = (moved[player] ?? 0) + centsMoved;
    }
    connection.close();
  };
  const each = wallets.flatMap((wallet) =>
    Array.from({ length: connectionsOfEach }, () => worker(wallet)),
  );
  await Promise.all(each);
}

async function workOf({ clientOptions, pid }: RedisServer): Promise<Work> {
  const client = new Redis(clientOptions);
  const commands = await client.info('commandstats');
  const errors = await client.info('errorstats');
  await client.quit();
  const calls = (name: string): number =>
    sum(commands, new RegExp(`^cmdstat_${name}:calls=(\\d+)`, 'gm'));
  return {
    scripts: calls('evalsha') + calls('eval'),
    commands: calls('[^:]+'),
    misplaced: sum(errors, /^errorstat_(?:MOVED|ASK|CROSSSLOT|TRYAGAIN):count=(\d+)/gm),
    cpu: cpuSeconds(pid),
  };
}

function sum(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((all, match) => all + Number(match[1]), 0);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : 'it failed'}\n`);
    process.exit(1);
  },
);
