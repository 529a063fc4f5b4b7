import { setMaxListeners } from 'node:events';
import {
  type CheckedSetting,
  OtherTermsError,
  StoreUnavailableError,
  StoreUnsafeError,
  type MoneyPlace,
} from '../../../wallet';
import type { Clock } from '../../../../platform';
import type { Events } from '../../../events';
import { within, type WithinOptions } from '../../../../platform/within';
import { AbandonedConnections } from './abandoned';
import { migratePatiently } from '../schema/migrate';
import { handleErrors, handleErrorsOf } from '../client/connection-errors';
import { type PostgresClient, type PostgresPool, reasonOf, wasNotExecuted } from '../client/port';
import { renewalIntervalMs } from '../../lineage';
import type { AmountTerms } from '../../../../protocol/money/amount';
import type { DataPast } from './data-past';
import { checkSchema, dangersOf, readSettings } from '../schema/safety-check';

/** What connections are checked against. */
interface ConnectionsOptions extends AmountTerms {
  readonly schema: string;
  /** Where the money is, unless a ledger has it. */
  readonly money: MoneyPlace;
  /** Notices older data; null for a process that does not serve. */
  readonly past: DataPast | null;
  /** Accept settings that can lose money. */
  readonly acceptLoss: boolean;
  /** Migrate a schema that exists to this version before the first check. */
  readonly migrate: boolean;
  /** Create the schema before the first check, if there is none. */
  readonly init: boolean;
  readonly connectTimeoutMs: number;
  /** How long an abandoned connection counts against the pool, in milliseconds; 0 for not at all. */
  readonly abandonedMs: number;
  readonly clock: Clock;
  readonly events: Events;
}

/** No statement was sent: there was no connection in time, or none that passed the server check. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

/** Pause between attempts to check a server that does not answer yet. */
const retryPauseMs = 20;

/**
 * Connections of the pool. Each passes the server check before it is used: a restarted server may have
 * other settings, and after a failover it is another server.
 */
export class Connections {
  #checked = new WeakSet<PostgresClient>();
  readonly #abandoned: AbandonedConnections;
  readonly #closing = new AbortController();
  readonly #untilClosed: WithinOptions<never> = { signal: this.#closing.signal };
  readonly #noteFault = (error: unknown): void => this.reportOnce(error);
  readonly #stopHandling: () => void;
  #isMigrated: boolean;
  #money: MoneyPlace;
  #inspections = 0;
  #isRenewing = false;
  #stopWatch: (() => void) | null = null;
  #lastReported = '';
  #lastDangers = '';
  #settings: readonly CheckedSetting[] = [];

  constructor(
    private readonly pool: PostgresPool,
    private readonly options: ConnectionsOptions,
  ) {
    this.#money = options.money;
    this.#isMigrated = !(options.migrate || options.init);
    this.#abandoned = new AbandonedConnections(options.abandonedMs, options.clock);
    setMaxListeners(0, this.#closing.signal); // every statement in flight listens to it
    pool.on('error', this.#noteFault); // otherwise a connection that is lost while idle ends the process
    this.#stopHandling = handleErrors(pool);
  }

  /** The settings of the server that money depends on, as of the last check. */
  get settings(): readonly CheckedSetting[] {
    return this.#settings;
  }

  /** A ledger has the money of the rounds: data of another kind are refused from now on. */
  keepForLedger(): void {
    this.#money = 'ledger';
  }

  /**
   * Resolves once a connection has passed the server check, now.
   * @throws StoreUnsafeError, or StoreUnavailableError if no server answers in time.
   */
  async passed(): Promise<void> {
    const { clock, connectTimeoutMs } = this.options;
    let deadline = clock.monotonicMs() + connectTimeoutMs;
    let reason = '';
    for (;;) {
      try {
        if (!this.#isMigrated) {
          await this.migrateOnce();
          deadline = clock.monotonicMs() + connectTimeoutMs; // tables may take longer to make than to reach
        }
        return await this.verify(deadline - clock.monotonicMs());
      } catch (error) {
        if (error instanceof StoreUnsafeError) throw error;
        if (this.#closing.signal.aborted) throw closed();
        // The last attempt was cut short by the deadline, which is all that is known of it.
        if (reason === '' || clock.monotonicMs() < deadline) reason = reasonOf(error);
        if (clock.monotonicMs() + retryPauseMs >= deadline) {
          throw new StoreUnavailableError(`PostgreSQL is not ready: ${reason}`);
        }
      }
      await clock.pause(retryPauseMs);
    }
  }

  /**
   * Does work on its own connection. After a time-out the connection is abandoned with its statement: see
   * {@link AbandonedConnections}.
   * @throws NotSentError, StoreUnsafeError, what the work throws.
   */
  async use<T>(withinMs: number, work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const deadline = this.options.clock.monotonicMs() + withinMs;
    const client = await this.take(withinMs);
    let [isSound, isAnswered] = [false, true];
    let statement: Promise<unknown> = Promise.resolve();
    try {
      await this.check(client, deadline);
      const leftMs = deadline - this.options.clock.monotonicMs();
      if (leftMs <= 0) throw new NotSentError('the check of a new connection took too long');
      const working = work(client);
      const note = (): void => void (isAnswered = true);
      isAnswered = false;
      statement = working.then(note, note);
      const result = await within(this.options.clock, leftMs, working, this.#untilClosed);
      isSound = true;
      return result;
    } catch (error) {
      isSound = wasNotExecuted(error);
      throw error;
    } finally {
      if (isAnswered || this.#closing.signal.aborted) client.release(!isSound);
      else this.abandon(client, statement);
    }
  }

  /** Ends the work in flight; gives out no more connections. */
  close(): void {
    this.#stopWatch?.();
    this.#closing.abort(closed());
    this.#abandoned.close();
    this.pool.off('error', this.#noteFault);
    this.#stopHandling();
  }

  /** An exhausted pool would hold a call for ever. */
  private async take(withinMs: number): Promise<PostgresClient> {
    if (this.#closing.signal.aborted) throw closed();
    this.options.past?.confirm();
    const connecting = this.pool.connect();
    try {
      const client = await within(this.options.clock, withinMs, connecting, this.#untilClosed);
      handleErrorsOf(client);
      return client;
    } catch (error) {
      connecting.then((client) => client.release()).catch(() => {});
      this.reportOnce(error);
      throw new NotSentError(`no connection: ${reasonOf(error)}`);
    }
  }

  private async check(client: PostgresClient, deadline: number): Promise<void> {
    if (this.#checked.has(client)) return;
    try {
      const { clock } = this.options;
      const inspecting = this.inspect(client);
      await within(clock, deadline - clock.monotonicMs(), inspecting, this.#untilClosed);
    } catch (error) {
      this.reportOnce(error);
      if (error instanceof StoreUnsafeError) throw error;
      throw new NotSentError(`a new connection failed the server check: ${reasonOf(error)}`);
    }
    this.#checked.add(client);
    this.#lastReported = '';
    if (this.options.past === null) return;
    void this.renew();
    if (this.#stopWatch === null) this.watch();
  }

  /** The server check of a connection, also of one that has passed it before. */
  private async verify(withinMs: number): Promise<void> {
    const before = this.#inspections;
    await this.use(withinMs, async (client) => {
      if (this.#inspections === before) await this.inspect(client);
    });
  }

  /** Data can be replaced, and settings changed, under connections that stay. */
  private watch(): void {
    const { clock, connectTimeoutMs } = this.options;
    const look = async (): Promise<void> => {
      try {
        await this.verify(connectTimeoutMs);
        await this.renew();
      } catch (error) {
        this.reportOnce(error);
      }
      if (!this.#closing.signal.aborted) this.watch();
    };
    this.#stopWatch = clock.after(renewalIntervalMs, () => void look(), 'background');
  }

  /** A server without its standbys does not confirm it: the next look tries again. */
  private async renew(): Promise<void> {
    const { past, connectTimeoutMs } = this.options;
    if (past === null || this.#isRenewing) return;
    this.#isRenewing = true;
    try {
      await this.use(connectTimeoutMs, (client) => past.renew(client));
    } catch (error) {
      this.reportOnce(error);
    } finally {
      this.#isRenewing = false;
    }
  }

  private async inspect(client: PostgresClient): Promise<void> {
    this.#inspections += 1;
    const { acceptLoss, events, schema, decimals, unit, past } = this.options;
    this.#settings = await readSettings(client);
    const dangers = dangersOf(this.#settings);
    if (dangers.length > 0 && !acceptLoss) throw new StoreUnsafeError(dangers.join(' '));
    try {
      await checkSchema(client, { schema, decimals, unit, money: this.#money });
    } catch (error) {
      // The data were replaced: money counts otherwise now, so no connection is used until one has passed again.
      if (error instanceof OtherTermsError) this.#checked = new WeakSet();
      throw error;
    }
    await past?.check(client);
    if (dangers.join() === this.#lastDangers) return;
    this.#lastDangers = dangers.join();
    for (const danger of dangers)
      events.emit({ kind: 'lossAccepted', store: 'PostgreSQL', danger });
  }

  private abandon(client: PostgresClient, statement: Promise<unknown>): void {
    this.#abandoned.hold(client, statement);
    const { size } = this.#abandoned;
    if (size !== 1) return; // further ones of the same outage are not news
    this.options.events.emit({ kind: 'statementsGivenUp' });
  }

  private async migrateOnce(): Promise<void> {
    if (this.#isMigrated) return;
    const { schema, events, clock, init: creates, migrate: upgrades } = this.options;
    const { signal } = this.#closing;
    await migratePatiently(this.pool, schema, { events, clock, signal, creates, upgrades });
    this.#isMigrated = true;
  }

  private reportOnce(error: unknown): void {
    const reason = reasonOf(error);
    if (this.#closing.signal.aborted || reason === this.#lastReported) return;
    this.#lastReported = reason;
    const kind = error instanceof StoreUnsafeError ? 'storeUnsafe' : 'storeDisconnected';
    this.options.events.emit({ kind, store: 'PostgreSQL', reason });
  }
}

function closed(): StoreUnavailableError {
  return new StoreUnavailableError('The store is closed.');
}
