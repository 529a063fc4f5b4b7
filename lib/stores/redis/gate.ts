import { StoreUnavailableError, StoreUnsafeError } from '../../errors';
import type { Logger } from '../../wallet';
import { within } from './executor';
import { mastersOf, type RedisClient } from './redis-client';
import { checkDataSettings, findDangers } from './safety-check';

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
 * Lets commands through once the servers were found safe to keep money. Every new connection
 * closes it until they were checked again: after a failover it is another server.
 */
export class Gate {
  #isOpen = false;
  #isClosed = false;
  #passing: Promise<void>;
  private readonly recheck = () => this.check();

  constructor(
    private readonly client: RedisClient,
    private readonly options: GateOptions,
  ) {
    this.#passing = this.pass();
    this.#passing.catch(() => {});
    client.on('ready', this.recheck);
    client.on('+node', this.recheck);
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
    if (this.#isOpen) return;
    try {
      await within(withinMs, this.#passing);
    } catch (error) {
      if (error instanceof StoreUnsafeError || error instanceof StoreUnavailableError) throw error;
      throw new StoreUnavailableError('Redis did not answer in time.', { cause: error });
    }
  }

  /** Ends every check. */
  close(): void {
    this.#isClosed = true;
    this.#isOpen = false;
    this.client.off('ready', this.recheck);
    this.client.off('+node', this.recheck);
  }

  private check(): void {
    this.#isOpen = false;
    const passing = this.pass();
    this.#passing = passing;
    passing.catch((error: unknown) => {
      if (this.#isClosed) return;
      this.options.logger.error({ err: error }, 'the Redis store keeps its gate closed');
    });
  }

  private async pass(): Promise<void> {
    const deadline = Date.now() + this.options.connectTimeoutMs;
    for (;;) {
      const error = await this.tryToPass();
      if (error === null) return;
      if (error instanceof StoreUnsafeError || this.#isClosed) throw error;
      if (Date.now() >= deadline) {
        throw new StoreUnavailableError(`Redis does not answer: ${error.message}`, {
          cause: error,
        });
      }
      await new Promise((resolve) => setTimeout(resolve, retryPauseMs));
    }
  }

  private async tryToPass(): Promise<Error | null> {
    const { decimals, settingsKey, acceptLoss, connectTimeoutMs, logger } = this.options;
    try {
      const checks = mastersOf(this.client).map((server) =>
        within(connectTimeoutMs, findDangers(server)),
      );
      const dangers = [...new Set((await Promise.all(checks)).flat())];
      if (dangers.length > 0 && !acceptLoss) throw new StoreUnsafeError(dangers.join(' '));
      if (checks.length === 0) throw new Error('the cluster has no master yet');
      await within(connectTimeoutMs, checkDataSettings(this.client, settingsKey, decimals));
      for (const danger of dangers) logger.warn({ danger }, 'money may be lost: acceptLoss is set');
      this.#isOpen = true;
      return null;
    } catch (error) {
      return error instanceof Error ? error : new Error('an unknown error');
    }
  }
}
