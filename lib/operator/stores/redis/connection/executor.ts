import { StoreUnavailableError } from '../../../wallet';
import type { Clock } from '../../../../platform';
import type { Gate } from './gate';
import {
  isRedirection,
  isScriptUnknown,
  mastersOf,
  reasonOf,
  type RedisArgument,
  type RedisClient,
  type RedisStream,
  wasNotExecuted,
} from '../client/port';
import type { Call, Script, ScriptNames } from '../commands/script';
import { TimeUpError, within } from '../../../../platform/within';
import { afterThisTurn } from '../../../../platform/turn';

/** Options of the executor. */
interface ExecutorOptions {
  readonly clock: Clock;
  /** Time limit of an answer, in milliseconds. */
  readonly commandTimeoutMs: number;
  /** Replicas that must acknowledge a write before the store does; 0 for none. */
  readonly waitReplicas: number;
}

type Sendable = Pick<Script, 'name' | 'sha' | 'source' | 'acknowledges'>;

/** A key, and whether it has no time to live. */
interface ScannedKey {
  readonly key: string;
  readonly isKept: boolean;
}

/** Keys that one SCAN looks at. */
const scannedAtOnce = 1_000;

/** Pause before a command that did not happen is retried. */
const repeatPauseMs = 10;

/**
 * Runs the store's scripts, each with its own deadline, whatever the client's settings. Command names are
 * in lower case: ioredis before 5.9 finds no keys for another spelling, and would ask any node of a
 * cluster.
 */
export class Executor {
  readonly #gathering: WriteGathering;

  constructor(
    private readonly client: RedisClient,
    private readonly gate: Gate,
    private readonly options: ExecutorOptions,
  ) {
    this.#gathering = new WriteGathering(client);
  }

  /**
   * Runs a script. If it certainly did not run, it is retried within the deadline.
   * @throws StoreUnavailableError if it may or may not have run; StoreUnsafeError.
   */
  run<N extends ScriptNames>(script: Script<N>, call: Call<N>): Promise<unknown> {
    const sent = script.sent(call);
    const { clock, commandTimeoutMs } = this.options;
    const deadline = clock.monotonicMs() + commandTimeoutMs;
    if (!this.gate.isOpen) return this.repeat(script, sent, deadline);
    // Not by the loop of `repeat`: it would cost every call.
    return within(clock, commandTimeoutMs, this.evaluate('evalsha', script, sent), {
      late: () => this.repeat(script, sent, deadline, new TimeUpError()),
      failed: (error) => this.repeat(script, sent, deadline, error),
    });
  }

  /** @param failure Why the first attempt gave no answer; undefined if there was none. */
  private async repeat(
    script: Sendable,
    sent: readonly RedisArgument[],
    deadline: number,
    failure?: unknown,
  ): Promise<unknown> {
    const { clock } = this.options;
    let command: 'evalsha' | 'eval' = 'evalsha';
    let earlier = '';
    for (let error = failure; ; ) {
      if (command === 'evalsha' && isScriptUnknown(error)) command = 'eval';
      else if (error !== undefined) {
        // Only its message: the error that answers a login holds the password.
        const reason = reasonOf(error);
        if (!wasNotExecuted(error) || clock.monotonicMs() + repeatPauseMs >= deadline) {
          const before = earlier === '' || earlier === reason ? '' : `, after ${earlier}`;
          throw new StoreUnavailableError(
            `Redis did not complete ${script.name}: ${reason}${before}`,
          );
        }
        earlier = reason;
        await clock.pause(repeatPauseMs);
      }
      if (!this.gate.isOpen) await this.gate.passed(deadline - clock.monotonicMs());
      try {
        const answer = this.evaluate(command, script, sent);
        return await within(clock, deadline - clock.monotonicMs(), answer);
      } catch (caught) {
        error = caught;
      }
    }
  }

  /**
   * The names of all keys that match and are wanted, of every server that holds data, in pieces; each with
   * whether it is kept for ever. A name may come twice.
   * @throws StoreUnavailableError
   */
  async *scan(
    pattern: string,
    isWanted: (key: string) => boolean,
  ): AsyncGenerator<readonly ScannedKey[]> {
    if (!this.gate.isOpen) await this.gate.passed(this.options.commandTimeoutMs);
    for (const server of mastersOf(this.client)) {
      let cursor = '0';
      do {
        const reply = server.call('scan', cursor, 'MATCH', pattern, 'COUNT', scannedAtOnce);
        const [next, found] = (await this.inTime(reply, 'scan')) as [string, string[]];
        cursor = next;
        const names = found.filter(isWanted);
        if (names.length === 0) continue;
        const pipeline = server.pipeline();
        for (const name of names) pipeline.call('pttl', name);
        const replies = (await this.inTime(pipeline.exec(), 'scan')) ?? [];
        yield names.map((key, at) => ({ key, isKept: replies[at]?.[1] === -1 }));
      } while (cursor !== '0');
    }
  }

  /**
   * The wall clock of a server, in milliseconds since 1970; null if TIME is not permitted.
   * @throws StoreUnavailableError
   */
  async time(): Promise<number | null> {
    if (!this.gate.isOpen) await this.gate.passed(this.options.commandTimeoutMs);
    const reply = await this.inTime(this.client.call('time').catch(nullIfRefused), 'time');
    if (reply === null) return null;
    const [seconds, microseconds] = reply as readonly [string, string];
    return Number(seconds) * 1000 + Math.trunc(Number(microseconds) / 1000);
  }

  private async inTime<T>(answer: Promise<T>, name: string): Promise<T> {
    const { clock, commandTimeoutMs } = this.options;
    try {
      return await within(clock, commandTimeoutMs, answer);
    } catch (error) {
      throw new StoreUnavailableError(`Redis did not complete ${name}: ${reasonOf(error)}`);
    }
  }

  private evaluate(
    command: 'evalsha' | 'eval',
    { sha, source, acknowledges }: Sendable,
    sent: readonly RedisArgument[],
  ): Promise<unknown> {
    this.#gathering.add();
    const text = command === 'eval' ? source : sha;
    if (acknowledges && this.options.waitReplicas > 0)
      return this.sendAndWait([command, text, ...sent], String(sent[1]));
    return this.client.call(command, text, ...sent);
  }

  /**
   * WAIT covers the connection's own latest write, so a write precedes it: then replicas also have what an
   * answer only read and another connection wrote.
   */
  private async sendAndWait(
    [command, ...args]: readonly [string, ...RedisArgument[]],
    key: string,
  ): Promise<unknown> {
    const { waitReplicas, commandTimeoutMs } = this.options;
    const pipeline = this.client.pipeline();
    pipeline.call(command, ...args);
    pipeline.call('set', `${key.slice(0, key.indexOf('}') + 1)}:barrier`, 1, 'PX', 1000);
    pipeline.call('wait', waitReplicas, Math.max(1, Math.floor(commandTimeoutMs / 2)));
    const replies = (await pipeline.exec()) ?? [];
    const [answer, barrier, wait] = replies;
    if (answer === undefined) throw new Error('a pipeline was not sent');
    if (answer[0] !== null) {
      if (isRedirection(answer[0])) await this.client.call('exists', key);
      throw answer[0];
    }
    // The script has run: a later failure leaves open whether its writes will last.
    const failure = barrier?.[0] ?? wait?.[0];
    if (failure) throw new Error(`replicas did not confirm the write: ${failure.message}`);
    if (Number(wait?.[1] ?? 0) < waitReplicas) {
      throw new Error('fewer replicas than waitReplicas acknowledged the write');
    }
    return answer[1];
  }
}

/** Null for a command that the user may not send. */
function nullIfRefused(error: unknown): null {
  if (/^NOPERM\b/.test(reasonOf(error))) return null;
  throw error;
}

/** Most commands that leave together: then the server works while the next ones are prepared. */
const maxGathered = 16;

/**
 * Sends the commands of one turn of the event loop in one write. Each alone would cost a system call here,
 * and at the server its own turn with its own fsync. No command waits for a later call: the gathered
 * commands leave after the current events, and those of a request or a reply before any timer.
 */
class WriteGathering {
  #held: readonly RedisStream[] = [];
  #gathered = 0;
  #isHolding = false;

  constructor(private readonly client: RedisClient) {}

  /** Call it before each command. */
  add(): void {
    if (this.#gathered === maxGathered) this.release();
    this.#gathered++;
    if (this.#gathered > 1) return;
    this.#held = streamsOf(this.client);
    for (const stream of this.#held) stream.cork();
    if (this.#isHolding) return;
    this.#isHolding = true;
    afterThisTurn(() => {
      this.#isHolding = false;
      this.release();
    });
  }

  private release(): void {
    this.#gathered = 0;
    for (const stream of this.#held) stream.uncork();
  }
}

/** The connections that commands leave by. One that opens later in the turn is not held. */
function streamsOf(client: RedisClient): RedisStream[] {
  const streams: RedisStream[] = [];
  for (const { stream } of mastersOf(client)) {
    if (typeof stream?.cork === 'function') streams.push(stream);
  }
  return streams;
}
