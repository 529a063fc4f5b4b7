/**
 * `npm run bench:instructions -- b c d`: how many instructions a contestant on Redis takes for a call [debit, credit,
 * end] of a new round, at 32 connections, by Linux' `perf stat`. Other work on the machine changes the count by a
 * hundredth or two, where it doubles the processor time: so two checkouts can be held against each other.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startRedis } from '../test/servers/redis/server';
import { chosenNames } from './arguments';
import type { Contestant } from './contestants/contestant';
import { contestants } from './contestants/list';
import { LoadProcess } from './run-load';
import { startContestant } from './start-contestant';
import { players } from './terms';

const connections = 32;
/** Of each connection: before it is counted, as V8 compiles what is hot, and counted. */
const callsEach = { before: 2_500, counted: 1_000 } as const;

/** Counts what a process does in user mode, until it is asked how much that was. */
function countInstructions(pid: number): () => Promise<number> {
  const args = ['stat', '-x,', '-e', 'instructions:u', '-p', String(pid)];
  const child = spawn('perf', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  child.stderr.on('data', (piece: Buffer) => (text += piece.toString()));
  return async () => {
    const exit = once(child, 'exit');
    child.kill('SIGINT');
    await exit;
    const count = Number(text.trim().split(',')[0]);
    if (!(count > 0)) throw new Error(`perf stat counted nothing: ${text}`);
    return count;
  };
}

/** Thousands of instructions of a call, and microseconds of processor. */
async function measure(letter: string, contestant: Contestant) {
  const server = await startRedis();
  const load = new LoadProcess();
  try {
    await contestant.prepare(server.url, players);
    const running = await startContestant(letter, contestant, server.url);
    const play = async (calls: number) => {
      const pace = { kind: 'counted', callsEach: calls } as const;
      const order = {
        ports: [running.port],
        connections,
        calls: 'round',
        warmupSeconds: 0,
        pace,
      } as const;
      const { result, cpu } = await load.run(order, { pids: [[running.pid]], commands: null });
      const [fault] = result.faults;
      if (fault !== undefined) throw new Error(fault);
      return { calls: result.calls, seconds: cpu[0] ?? Number.NaN };
    };
    try {
      await play(callsEach.before);
      const count = countInstructions(running.pid);
      const { calls, seconds } = await play(callsEach.counted);
      return { thousands: (await count()) / calls / 1000, micros: (seconds * 1e6) / calls };
    } finally {
      await running.abandon();
    }
  } finally {
    load.stop();
    await server.stop();
  }
}

async function main(): Promise<void> {
  const onRedis = Object.entries(contestants).filter(([, { server }]) => server === 'redis');
  const does =
    'Counts the instructions of a call [debit, credit, end] of contestants on Redis, with perf stat (Linux).';
  const titles = new Map(onRedis.map(([letter, { title }]) => [letter, title]));
  for (const letter of chosenNames({ command: 'npm run bench:instructions', does }, titles)) {
    const contestant = contestants[letter];
    if (contestant === undefined) continue;
    const { thousands, micros } = await measure(letter, contestant);
    const figures = `${thousands.toFixed(1)} thousand instructions, ${micros.toFixed(1)} us`;
    process.stdout.write(`${letter} ${contestant.title}: ${figures} a call\n`);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : 'the count failed'}\n`);
  process.exitCode = 1;
});
