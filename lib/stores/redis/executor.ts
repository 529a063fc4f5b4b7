import { StoreUnavailableError } from '../../errors';
import type { Clock } from '../../wallet';
import {
  isScriptUnknown,
  type RedisArgument,
  type RedisClient,
  wasNotExecuted,
} from './redis-client';
import type { Script } from './scripts';

/** How the executor runs commands. */
export interface ExecutorOptions {
  readonly clock: Clock;
  /** Longest wait for an answer, in milliseconds. */
  readonly commandTimeoutMs: number;
  /** Replicas that must have a write before it is acknowledged; 0 for none. */
  readonly waitReplicas: number;
}

/** Pause before a command that did not happen is sent again. */
const repeatPauseMs = 10;

/** Runs the store's scripts, each with a deadline of its own, whatever the client's settings. */
export class Executor {
  constructor(
    private readonly client: RedisClient,
    private readonly options: ExecutorOptions,
  ) {}

  /**
   * Runs a script. An answer that the script did not run is repeated within the deadline.
   * @throws StoreUnavailableError where it may or may not have run.
   */
  async run(
    script: Script,
    keys: readonly string[],
    args: readonly RedisArgument[],
  ): Promise<unknown> {
    const { clock, commandTimeoutMs } = this.options;
    const deadline = clock.now() + commandTimeoutMs;
    for (;;) {
      try {
        return await within(deadline - clock.now(), this.evaluate(script, keys, args));
      } catch (error) {
        if (!wasNotExecuted(error) || clock.now() + repeatPauseMs >= deadline) {
          throw unavailable(script.name, error);
        }
      }
      await clock.pause(repeatPauseMs);
    }
  }

  private async evaluate(
    script: Script,
    keys: readonly string[],
    args: readonly RedisArgument[],
  ): Promise<unknown> {
    const rest = [keys.length, ...keys, ...args];
    const waits = script.acknowledges && this.options.waitReplicas > 0;
    const send = (command: 'EVALSHA' | 'EVAL', text: string) =>
      waits
        ? this.sendAndWait([command, text, ...rest], keys[0] ?? '')
        : this.client.call(command, text, ...rest);
    try {
      return await send('EVALSHA', script.sha);
    } catch (error) {
      if (!isScriptUnknown(error)) throw error;
      return await send('EVAL', script.source);
    }
  }

  /**
   * WAIT asks for the connection's own latest write, so a write goes before it: then also an
   * answer that only read what another connection wrote is known to the replicas.
   */
  private async sendAndWait(
    [command, ...args]: readonly [string, ...RedisArgument[]],
    key: string,
  ): Promise<unknown> {
    const { waitReplicas, commandTimeoutMs } = this.options;
    const pipeline = this.client.pipeline();
    pipeline.call(command, ...args);
    pipeline.call('SET', `${key.slice(0, key.indexOf('}') + 1)}:barrier`, 1, 'PX', 1000);
    pipeline.call('WAIT', waitReplicas, Math.max(1, Math.floor(commandTimeoutMs / 2)));
    const replies = (await pipeline.exec()) ?? [];
    for (const [error] of replies) if (error !== null) throw error;
    if (Number(replies[2]?.[1] ?? 0) < waitReplicas) {
      throw new Error('fewer replicas than asked have acknowledged the write');
    }
    return replies[0]?.[1];
  }
}

/** The promise's outcome, or an error once the time is over; the promise may go on unheard. */
export function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer in time')), Math.max(1, ms));
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function unavailable(name: string, error: unknown): StoreUnavailableError {
  const reason = error instanceof Error ? error.message : 'an unknown error';
  return new StoreUnavailableError(`Redis did not complete ${name}: ${reason}`, { cause: error });
}
