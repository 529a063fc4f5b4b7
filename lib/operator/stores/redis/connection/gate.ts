import { setMaxListeners } from 'node:events';
import { type CheckedSetting, StoreUnavailableError, StoreUnsafeError } from '../../../wallet';
import type { Clock } from '../../../../platform';
import type { Events } from '../../../events';
import { renewalIntervalMs } from '../../lineage';
import type { Acknowledged } from './acknowledged';
import type { DataSettings } from './data-settings';
import { FindingsReport, Inspector } from './inspector';
import type { InspectedFor } from './safety-check';
import { isCluster, isNotConnected, reasonOf, type RedisClient } from '../client/port';
import { within, type WithinOptions } from '../../../../platform/within';

/** What the gate checks against. */
interface GateOptions extends InspectedFor {
  readonly dataSettings: DataSettings;
  /** The commits to look for after a new connection; null if the process does not serve. */
  readonly acknowledged: Acknowledged | null;
  /** Accept settings that can lose money. */
  readonly acceptLoss: boolean;
  /** Replicas that acknowledge a write before the store does. */
  readonly waitReplicas: number;
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
  readonly events: Events;
}

/** Pause between attempts to check a server that does not answer yet. */
const retryPauseMs = 20;

/** How often the servers are checked while the gate is open, in milliseconds. */
export const watchIntervalMs = renewalIntervalMs;

/**
 * Lets commands through once the servers have passed the server check. A lost connection closes the gate,
 * and it opens once the server of the new one has passed the check: after a failover that is another server.
 * While it is open the servers are checked periodically, because settings can change and data can be
 * deleted at any time. Any command retries a closed gate.
 */
export class Gate {
  #isOpen = false;
  #hasHistory = false;
  /** Increases when a running check no longer applies to the current connection. */
  #connectionEpoch = 0;
  #passing: Promise<void> | null = null;
  #connectionFault: string | null = null;
  #checkFault = 'no answer in time';
  #lastReported = '';
  #looking: Promise<void> | null = null;
  #stopWatch = (): void => {};
  readonly #closing = new AbortController();
  readonly #untilClosed: WithinOptions<never> = { signal: this.#closing.signal };
  readonly #inspector: Inspector;
  readonly #report: FindingsReport;
  readonly #listeners: readonly (readonly [string, (...args: unknown[]) => void])[];

  constructor(
    private readonly client: RedisClient,
    private readonly options: GateOptions,
  ) {
    const { connectTimeoutMs: timeoutMs } = options;
    const { signal } = this.#closing;
    setMaxListeners(0, signal); // every waiting command listens to it
    this.#inspector = new Inspector(client, { ...options, timeoutMs, signal });
    this.#report = new FindingsReport(options);
    const lookAgain = () => void this.lookAgain();
    this.#listeners = [
      ['ready', () => this.reopen()],
      ['close', () => this.shut()],
      ['error', (error) => this.noteFault(error)],
      // A cluster reports a new connection, and a replica that has become a master.
      ...(isCluster(client) ? (['+node', 'refresh'] as const) : []).map(
        (event) => [event, lookAgain] as const,
      ),
    ];
    for (const [event, listener] of this.#listeners) client.on(event, listener);
    if (client.status === 'ready') this.reopen();
    this.watch();
  }

  /** Whether commands may pass now. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** What tells the store from any other, once the gate was open; empty for a store that is older than ids. */
  get storeId(): string {
    return this.options.dataSettings.id;
  }

  /** The settings of the servers that money depends on, as of the last check. */
  get settings(): readonly CheckedSetting[] {
    return this.#inspector.settings;
  }

  /** Whether some process keeps a history in the store, as of the last check. */
  get hasHistory(): boolean {
    return this.#hasHistory;
  }

  /**
   * Resolves when commands may pass.
   * @throws StoreUnsafeError, or StoreUnavailableError if no server answers in time.
   */
  async passed(withinMs: number = this.options.connectTimeoutMs): Promise<void> {
    const deadline = this.options.clock.monotonicMs() + withinMs;
    while (!this.#isOpen) {
      const leftMs = deadline - this.options.clock.monotonicMs();
      if (leftMs <= 0 || this.#closing.signal.aborted) throw this.unavailable();
      try {
        await within(this.options.clock, leftMs, this.pass(), this.#untilClosed);
      } catch (error) {
        if (error instanceof StoreUnsafeError) throw error;
        throw this.unavailable();
      }
    }
  }

  /**
   * The same; if the gate is open, checks the servers again.
   * @throws StoreUnsafeError, after which nothing passes; StoreUnavailableError.
   */
  async verify(): Promise<void> {
    if (!this.#isOpen) return this.passed();
    this.#looking ??= this.lookThrough(() => this.inspect()).finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /**
   * Resolves if the store is still the same one. For callers that found nothing: an empty Redis must not
   * pass for a player or a round that never existed.
   * @throws StoreUnsafeError, after which nothing passes; StoreUnavailableError.
   */
  async confirmStore(): Promise<void> {
    if (!this.#isOpen) return this.passed();
    const { dataSettings } = this.options;
    return this.lookThrough(() => this.inTime(dataSettings.check()));
  }

  /** Ends every check; nothing passes any more. */
  close(): void {
    this.shut();
    this.#stopWatch();
    this.#closing.abort();
    for (const [event, listener] of this.#listeners) this.client.off(event, listener);
  }

  private shut(): void {
    this.#isOpen = false;
    this.#connectionEpoch++;
  }

  private reopen(): void {
    this.shut();
    this.#connectionFault = null;
    this.pass().catch(() => {}); // pass reports it itself
  }

  private noteFault(error: unknown): void {
    const reason = reasonOf(error);
    this.#connectionFault = reason;
    this.options.events.emit({ kind: 'storeDisconnected', store: 'Redis', reason });
  }

  private watch(): void {
    const look = (): void => {
      const looked = this.#isOpen ? this.verify().then(() => this.renew()) : Promise.resolve();
      const goOn = (): void => {
        if (!this.#closing.signal.aborted) this.watch();
      };
      looked.then(goOn, goOn); // the check reports it itself
    };
    this.#stopWatch = this.options.clock.after(watchIntervalMs, look, 'background');
  }

  private renew(): Promise<void> {
    const { dataSettings } = this.options;
    return this.lookThrough(() => this.inTime(dataSettings.renew()));
  }

  /** A check while commands pass; a danger that it finds closes the gate. */
  private async lookThrough(look: () => Promise<void>): Promise<void> {
    const epoch = this.#connectionEpoch;
    try {
      await look();
    } catch (error) {
      if (!(error instanceof StoreUnsafeError)) {
        if (this.#closing.signal.aborted) throw this.unavailable();
        throw new StoreUnavailableError(`Redis does not answer: ${reasonOf(error)}`);
      }
      if (epoch === this.#connectionEpoch) {
        this.shut();
        this.reportOnce(error);
      }
      throw error;
    }
  }

  /** One check at a time, however many ask for it. */
  private pass(): Promise<void> {
    this.#passing ??= this.check()
      .catch((error: unknown) => {
        this.reportOnce(error);
        throw error;
      })
      .finally(() => {
        this.#passing = null;
      });
    return this.#passing;
  }

  private async check(): Promise<void> {
    const deadline = this.options.clock.monotonicMs() + this.options.connectTimeoutMs;
    for (;;) {
      const epoch = this.#connectionEpoch;
      const fault = await this.attempt();
      if (this.#closing.signal.aborted) throw this.unavailable();
      if (epoch === this.#connectionEpoch && fault === null) {
        this.#isOpen = true;
        this.#lastReported = '';
        this.renew().catch(() => {}); // reported there; a Redis may refuse writes
        return;
      }
      if (epoch === this.#connectionEpoch && fault instanceof StoreUnsafeError) throw fault;
      this.#checkFault = fault === null ? 'the connection was lost' : this.describe(fault);
      if (this.options.clock.monotonicMs() >= deadline) throw this.unavailable();
      await this.options.clock.pause(retryPauseMs);
    }
  }

  /** What prevents opening now; null if nothing does. */
  private async attempt(): Promise<unknown> {
    try {
      await this.inspect();
      await this.lookForCommits();
      return null;
    } catch (error) {
      return error;
    }
  }

  private async inspect(): Promise<void> {
    const { dataSettings } = this.options;
    let findings = await this.#inspector.inspectAll();
    await this.inTime(dataSettings.check());
    // Its commits write the history from now on, which needs more rights.
    if (dataSettings.hasHistory !== this.#hasHistory) findings = await this.#inspector.inspectAll();
    this.#hasHistory = dataSettings.hasHistory;
    this.#report.say(findings);
  }

  private async lookForCommits(): Promise<void> {
    const { acknowledged } = this.options;
    if (acknowledged !== null) await this.inTime(acknowledged.look());
  }

  private inTime<T>(work: Promise<T>): Promise<T> {
    const { clock, connectTimeoutMs } = this.options;
    return within(clock, connectTimeoutMs, work, this.#untilClosed);
  }

  /** Commands continue meanwhile, for the players of the other masters. */
  private async lookAgain(): Promise<void> {
    if (!this.#isOpen) return;
    try {
      if (await this.#inspector.inspectNew()) await this.lookForCommits();
    } catch (error) {
      if (error instanceof StoreUnsafeError) this.reopen();
    }
  }

  private reportOnce(error: unknown): void {
    const reason = reasonOf(error);
    if (this.#closing.signal.aborted || reason === this.#lastReported) return;
    this.#lastReported = reason;
    this.options.events.emit({ kind: 'storeUnsafe', store: 'Redis', reason });
  }

  /** A server that closes a TLS handshake without a word causes no error of the connection. */
  private describe(fault: unknown): string {
    if (!isNotConnected(fault)) return reasonOf(fault);
    const { tls } = Object(this.client.options) as { readonly tls?: unknown };
    return tls === undefined ? 'no connection' : 'no connection; does its port take TLS?';
  }

  private unavailable(): StoreUnavailableError {
    if (this.#closing.signal.aborted) return new StoreUnavailableError('The store is closed.');
    const reason = this.#connectionFault ?? this.#checkFault;
    return new StoreUnavailableError(`Redis does not answer: ${reason}`);
  }
}
