import { setMaxListeners } from 'node:events';
import { StoreUnavailableError, StoreUnsafeError } from '../../../wallet';
import type { Clock } from '../../../../platform';
import type { Events } from '../../../events';
import type { DataSettings } from './data-settings';
import { Inspector } from './inspector';
import { isCluster, reasonOf, type RedisClient } from '../client/port';
import type { Findings } from './safety-check';
import { within, type WithinOptions } from '../../../../platform/within';

/** What the gate checks against. */
export interface GateOptions {
  readonly dataSettings: DataSettings;
  /** Go on in spite of settings that lose money. */
  readonly acceptLoss: boolean;
  /** Use a server that does not permit CONFIG GET: its service guarantees durability. */
  readonly assumeDurable: boolean;
  /** Replicas that confirm a write before it is acknowledged. */
  readonly waitReplicas: number;
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
  readonly events: Events;
}

/** Pause between attempts to check a server that does not answer yet. */
const retryPauseMs = 20;

/** How often the servers are looked at while commands go through, in milliseconds. */
export const watchIntervalMs = 30_000;

/**
 * Lets commands through once the servers were found safe to keep money. A connection that is lost
 * shuts it, and it opens when the server behind the new one was checked: after a failover that is
 * another. While it is open the servers are looked at again now and then, since settings can be changed
 * and data deleted at any time. A gate that stayed shut is tried again whenever a command comes.
 */
export class Gate {
  #isOpen = false;
  /** Grows when a check that is under way can no longer speak for what is connected. */
  #era = 0;
  #passing: Promise<void> | null = null;
  #connectionFault: string | null = null;
  #checkFault = 'no answer in time';
  #lastTold = '';
  #lastFindings = '';
  #looking: Promise<void> | null = null;
  #stopWatch = (): void => {};
  readonly #closing = new AbortController();
  readonly #untilClosed: WithinOptions<never> = { signal: this.#closing.signal };
  readonly #inspector: Inspector;
  readonly #listeners: readonly (readonly [string, (...args: unknown[]) => void])[];

  constructor(
    private readonly client: RedisClient,
    private readonly options: GateOptions,
  ) {
    const { acceptLoss, assumeDurable, connectTimeoutMs: timeoutMs, clock } = options;
    const { signal } = this.#closing;
    setMaxListeners(0, signal); // every command that waits listens to it
    this.#inspector = new Inspector(client, {
      acceptLoss,
      assumeDurable,
      timeoutMs,
      clock,
      signal,
    });
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
    this.watch();
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
   * The same, and where commands go through already the servers are looked at again.
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
   * Resolves where the store is still the one that was there: for who has found nothing, since an
   * empty Redis must not be taken for a player or a round that never was.
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
    this.#era++;
  }

  private reopen(): void {
    this.shut();
    this.#connectionFault = null;
    this.pass().catch(() => {}); // told by pass itself
  }

  private noteFault(error: unknown): void {
    const reason = reasonOf(error);
    this.#connectionFault = reason;
    this.options.events.tell({ kind: 'storeDisconnected', store: 'Redis', reason });
  }

  private watch(): void {
    const look = (): void => {
      const looked = this.#isOpen ? this.verify() : Promise.resolve();
      const goOn = (): void => {
        if (!this.#closing.signal.aborted) this.watch();
      };
      looked.then(goOn, goOn); // told by the look itself
    };
    this.#stopWatch = this.options.clock.after(watchIntervalMs, look, 'background');
  }

  /** A look while commands go through; what it finds unsafe shuts the gate. */
  private async lookThrough(look: () => Promise<void>): Promise<void> {
    const era = this.#era;
    try {
      await look();
    } catch (error) {
      if (!(error instanceof StoreUnsafeError)) {
        if (this.#closing.signal.aborted) throw this.unavailable();
        throw new StoreUnavailableError(`Redis does not answer: ${reasonOf(error)}`);
      }
      if (era === this.#era) {
        this.shut();
        this.tellOnce(error);
      }
      throw error;
    }
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
    const deadline = this.options.clock.monotonicMs() + this.options.connectTimeoutMs;
    for (;;) {
      const era = this.#era;
      const fault = await this.attempt();
      if (this.#closing.signal.aborted) throw this.unavailable();
      if (era === this.#era && fault === null) {
        this.#isOpen = true;
        this.#lastTold = '';
        void this.options.dataSettings.noteOpening();
        return;
      }
      if (era === this.#era && fault instanceof StoreUnsafeError) throw fault;
      this.#checkFault = fault === null ? 'the connection was lost' : reasonOf(fault);
      if (this.options.clock.monotonicMs() >= deadline) throw this.unavailable();
      await this.options.clock.pause(retryPauseMs);
    }
  }

  /** What stands against opening now; null where nothing does. */
  private async attempt(): Promise<unknown> {
    try {
      await this.inspect();
      return null;
    } catch (error) {
      return error;
    }
  }

  private async inspect(): Promise<void> {
    const findings = await this.#inspector.inspectAll();
    await this.inTime(this.options.dataSettings.check());
    this.tellFindings(findings);
  }

  private inTime<T>(work: Promise<T>): Promise<T> {
    const { clock, connectTimeoutMs } = this.options;
    return within(clock, connectTimeoutMs, work, this.#untilClosed);
  }

  /** Logs what puts money at stake and is accepted, once as long as it stays. */
  private tellFindings({ dangers, replicas, assumed }: Findings): void {
    const { events, waitReplicas } = this.options;
    const isUnconfirmed = replicas > 0 && waitReplicas === 0;
    const found = [...dangers, isUnconfirmed, assumed !== null].join('|');
    if (found === this.#lastFindings) return;
    this.#lastFindings = found;
    for (const danger of dangers) events.tell({ kind: 'lossAccepted', store: 'Redis', danger });
    if (assumed !== null) events.tell({ kind: 'durabilityAssumed', ...assumed });
    if (isUnconfirmed) {
      const cure = 'Set waitReplicas (--wait-replicas) to 1 or more.';
      events.tell({ kind: 'replicasUnconfirmed', replicas, cure });
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
    this.options.events.tell({ kind: 'storeUnsafe', store: 'Redis', reason });
  }

  private unavailable(): StoreUnavailableError {
    if (this.#closing.signal.aborted) return new StoreUnavailableError('The store is closed.');
    const reason = this.#connectionFault ?? this.#checkFault;
    return new StoreUnavailableError(`Redis does not answer: ${reason}`);
  }
}
