import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreUnavailableError, StoreUnsafeError } from '../../errors';
import type { Logger } from '../../wallet';
import { Inspector } from './inspector';
import { isCluster, reasonOf, type RedisClient } from './redis-client';
import { checkDataSettings } from './safety-check';
import { within } from '../within';

/** What the gate checks against. */
export interface GateOptions {
  readonly decimals: number;
  readonly settingsKey: string;
  /** Go on in spite of settings that lose money. */
  readonly acceptLoss: boolean;
  readonly connectTimeoutMs: number;
  readonly logger: Logger;
}

/** Pause between attempts to check a server that does not answer yet. */
const retryPauseMs = 20;

/**
 * Lets commands through once the servers were found safe to keep money. A connection that is lost
 * shuts it, and it opens when the server behind the new one was checked: after a failover that is
 * another. A gate that stayed shut is tried again whenever a command comes.
 */
export class Gate {
  #isOpen = false;
  /** Grows when a check that is under way can no longer speak for what is connected. */
  #era = 0;
  #passing: Promise<void> | null = null;
  #connectionFault: string | null = null;
  #checkFault = 'no answer in time';
  #lastTold = '';
  readonly #closing = new AbortController();
  readonly #inspector: Inspector;
  readonly #listeners: readonly (readonly [string, (...args: unknown[]) => void])[];

  constructor(
    private readonly client: RedisClient,
    private readonly options: GateOptions,
  ) {
    const { acceptLoss, connectTimeoutMs: timeoutMs } = options;
    const { signal } = this.#closing;
    setMaxListeners(0, signal); // every command that waits listens to it
    this.#inspector = new Inspector(client, { acceptLoss, timeoutMs, signal });
    const lookAgain = () => void this.lookAgain();
    this.#listeners = [
      ['ready', () => this.reopen()],
      ['close', () => this.shut()],
      ['error', (error) => this.noteFault(error)],
      // A cluster tells of a new connection, and of a replica that has become a master.
      ...(isCluster(client) ? (['+node', 'refresh'] as const) : []).map(
        (event) => [event, lookAgain] as const,
      ),
    ];
    for (const [event, listener] of this.#listeners) client.on(event, listener);
    if (client.status === 'ready') this.reopen();
  }

  /** Whether commands may go through now. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Resolves when commands may go through.
   * @throws StoreUnsafeError, or StoreUnavailableError where no server answers in time.
   */
  async passed(withinMs: number = this.options.connectTimeoutMs): Promise<void> {
    const deadline = Date.now() + withinMs;
    while (!this.#isOpen) {
      const leftMs = deadline - Date.now();
      if (leftMs <= 0 || this.#closing.signal.aborted) throw this.unavailable();
      try {
        await within(leftMs, this.pass(), this.#closing.signal);
      } catch (error) {
        if (error instanceof StoreUnsafeError) throw error;
        throw this.unavailable();
      }
    }
  }

  /** Ends every check; nothing passes any more. */
  close(): void {
    this.shut();
    this.#closing.abort();
    for (const [event, listener] of this.#listeners) this.client.off(event, listener);
  }

  private shut(): void {
    this.#isOpen = false;
    this.#era++;
  }

  private reopen(): void {
    this.shut();
    this.#connectionFault = null;
    this.pass().catch(() => {}); // told by pass itself
  }

  private noteFault(error: unknown): void {
    this.#connectionFault = reasonOf(error);
    this.options.logger.warn({ reason: this.#connectionFault }, 'the connection to Redis failed');
  }

  /** One check at a time, whoever asks for it. */
  private pass(): Promise<void> {
    this.#passing ??= this.check()
      .catch((error: unknown) => {
        this.tellOnce(error);
        throw error;
      })
      .finally(() => {
        this.#passing = null;
      });
    return this.#passing;
  }

  private async check(): Promise<void> {
    const deadline = Date.now() + this.options.connectTimeoutMs;
    for (;;) {
      const era = this.#era;
      const fault = await this.attempt();
      if (this.#closing.signal.aborted) throw this.unavailable();
      if (era === this.#era && fault === null) {
        this.#isOpen = true;
        this.#lastTold = '';
        return;
      }
      if (era === this.#era && fault instanceof StoreUnsafeError) throw fault;
      this.#checkFault = fault === null ? 'the connection was lost' : reasonOf(fault);
      if (Date.now() >= deadline) throw this.unavailable();
      await delay(retryPauseMs);
    }
  }

  /** What stands against opening now; null where nothing does. */
  private async attempt(): Promise<unknown> {
    const { decimals, settingsKey, connectTimeoutMs, logger } = this.options;
    try {
      const dangers = await this.#inspector.inspectAll();
      const agreement = checkDataSettings(this.client, settingsKey, decimals);
      await within(connectTimeoutMs, agreement, this.#closing.signal);
      for (const danger of dangers) logger.warn({ danger }, 'money may be lost: acceptLoss is set');
      return null;
    } catch (error) {
      return error;
    }
  }

  /** Commands go on meanwhile, for the players of the other masters. */
  private async lookAgain(): Promise<void> {
    if (!this.#isOpen) return;
    try {
      await this.#inspector.inspectNew();
    } catch (error) {
      if (error instanceof StoreUnsafeError) this.reopen();
    }
  }

  private tellOnce(error: unknown): void {
    const reason = reasonOf(error);
    if (this.#closing.signal.aborted || reason === this.#lastTold) return;
    this.#lastTold = reason;
    this.options.logger.error({ reason }, 'the Redis store keeps its gate shut');
  }

  private unavailable(): StoreUnavailableError {
    if (this.#closing.signal.aborted) return new StoreUnavailableError('The store is closed.');
    const reason = this.#connectionFault ?? this.#checkFault;
    return new StoreUnavailableError(`Redis does not answer: ${reason}`);
  }
}
