import { once } from 'node:events';
import { cpuSeconds } from './cpu-time';
import type { LoadMessage, LoadOrder, LoadResult } from './load/messages';
import type { RedisCommands } from './redis-commands';
import { forkTypeScript } from './start-contestant';

/** What is watched while a load runs. */
export interface Watched {
  /** Groups of processes. */
  readonly pids: readonly (readonly number[])[];
  readonly commands: RedisCommands | null;
}

/** A load's result, and what was seen between its start and its end. */
export interface WatchedLoad {
  readonly result: LoadResult;
  /** What each group of processes used, in seconds. */
  readonly cpu: readonly number[];
  /** Commands that Redis was given; null where they were not watched. */
  readonly counted: number | null;
}

/** Runs a load in a process of its own. */
export async function runLoad(order: LoadOrder, { pids, commands }: Watched): Promise<WatchedLoad> {
  const used = { started: [] as number[], ended: [] as number[] };
  const given: Promise<number>[] = [];
  let result: LoadResult | undefined;
  const child = forkTypeScript('load/process.ts', [JSON.stringify(order)]);
  child.on('message', (message: LoadMessage) => {
    if (message.kind === 'result') {
      result = message.result;
      return;
    }
    used[message.kind] = pids.map((group) => group.reduce((sum, pid) => sum + cpuSeconds(pid), 0));
    if (commands !== null) given.push(commands.count());
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (result === undefined) throw new Error(`the load ended with ${String(code)}`);
  const [before, after] = await Promise.all(given);
  const cpu = used.ended.map((seconds, at) => seconds - (used.started[at] ?? 0));
  const counted = before === undefined || after === undefined ? null : after - before;
  return { result, cpu, counted };
}
