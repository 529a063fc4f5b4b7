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

/** Runs loads, one after the other, in one process: only its first one has to wait until V8 has compiled it. */
export class LoadProcess {
  private readonly child = forkTypeScript('load/process.ts', []);

  async run(order: LoadOrder, { pids, commands }: Watched): Promise<WatchedLoad> {
    const used = { started: [] as number[], ended: [] as number[] };
    const given: Promise<number>[] = [];
    const result = await this.send(order, (kind) => {
      used[kind] = pids.map((group) => group.reduce((sum, pid) => sum + cpuSeconds(pid), 0));
      if (commands !== null) given.push(commands.count());
    });
    const [before, after] = await Promise.all(given);
    const cpu = used.ended.map((seconds, at) => seconds - (used.started[at] ?? 0));
    const counted = before === undefined || after === undefined ? null : after - before;
    return { result, cpu, counted };
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }

  private send(
    order: LoadOrder,
    onMoment: (kind: 'started' | 'ended') => void,
  ): Promise<LoadResult> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null) => {
        reject(new Error(`the load ended with ${String(code)}`));
      };
      const onMessage = (message: LoadMessage) => {
        if (message.kind !== 'result') return onMoment(message.kind);
        child.off('message', onMessage).off('exit', onExit);
        resolve(message.result);
      };
      child.on('message', onMessage).on('exit', onExit);
      child.send(order);
    });
  }
}
