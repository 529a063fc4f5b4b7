import { createOperatorHandler, type OperatorHandler } from '../../../lib/operator/http/handler';
import { createLedgerStore, type LedgerStore, startSweeper } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createRequestSigner, type SignedRequest } from '../../../lib/proof';
import type { AccountStore } from '../../../lib/operator/wallet';
import { createSeededRandom, type Random } from '../../../lib/platform';
import { type Fault, FaultPoints, type Life, type Others } from '../../proof/faults/points';
import { faultyJournal, faultyLedger, IntentWatch } from '../../proof/faults/parts';
import { callInProcess } from '../http/in-process-call';
import { ProtocolRgs, type WalletAccess, type WireItem } from '../../rgs/load/protocol-rgs';
import type { ServiceReply } from '../../rgs/load/call';
import { StrictLedger } from './strict-ledger';
import { VirtualClock } from '../../../lib/platform/virtual-clock';

const operatorId = 'acme';
const secret = 'fault-walk-secret-4711';
const playerId = 'player-1';
const deadlineMs = 5000;
const startedAt = Date.UTC(2026, 2, 1);
/** Longer than any work in the background. */
const quietMs = 200_000;
/** Answers that an outage spoils before it ends. */
const spoiltAnswers = 2;

/** The one round that is played. */
export const round = { operatorId, playerId, gameRound: 'd1' };

/** What is played, and with what. */
export interface Scenario {
  readonly name: string;
  /** What the player begins with, in whole EUR. */
  readonly start: { readonly real: number; readonly bonus: number };
  readonly creditTo?: 'real' | 'stakeShares';
  /** Hashes that the ledger refuses. */
  readonly refuses?: readonly string[];
  readonly play: (rgs: ProtocolRgs) => Promise<unknown>;
}

/** One process of the wallet: a router over a ledger store. */
class WalletProcess implements Life {
  isAlive = true;
  readonly died: Promise<void>;
  readonly store: LedgerStore;
  readonly handler: OperatorHandler;
  private readonly clock: VirtualClock;
  private readonly random: Random;
  die: () => void = () => {};

  constructor(run: FaultRun) {
    this.died = new Promise((resolve) => {
      this.die = () => {
        this.isAlive = false;
        resolve();
      };
    });
    const { points, watch, clock, random } = run;
    this.clock = clock;
    this.random = random;
    this.store = createLedgerStore({
      ledger: faultyLedger(run.ledger, points, this, watch),
      journal: faultyJournal(run.journal, points, this, watch),
      breakAfter: 4,
      clock,
      random,
    });
    const { creditTo = 'real' } = run.scenario;
    const operators = [{ operatorId, secrets: [secret] }];
    const { store } = this;
    this.handler = createOperatorHandler({ store, operators, creditTo, deadlineMs, clock });
  }

  /** Sweeps once, taking nothing for too young. */
  async sweep(): Promise<void> {
    const sweeper = startSweeper({
      store: this.store,
      operatorIds: [operatorId],
      intervalMs: 2 ** 31 - 1,
      graceMs: 0,
      giveUpAfterMs: 0,
      clock: this.clock,
      random: this.random,
    });
    await sweeper.sweep();
    await sweeper.stop();
  }
}

/** A scenario played with faults, up to its end. */
export class FaultRun implements WalletAccess, Others {
  /** Its own: no run hears of the timers of another. */
  readonly clock = new VirtualClock(startedAt);
  /** Of the jitter of pauses: a run that is played again must be the same run. */
  readonly random = createSeededRandom(1);
  readonly journal: AccountStore = createMemoryStore({ clock: this.clock });
  readonly ledger: StrictLedger;
  readonly watch = new IntentWatch();
  readonly points: FaultPoints;
  readonly rgs: ProtocolRgs;
  readonly violations: string[] = [];
  /** Points up to the end of play; after it no void is sent any more. */
  pointsPlayed = 0;
  private readonly signer = createRequestSigner({
    operatorId,
    secret,
    // Never the same twice: a void signs what its debit did (D1.8).
    now: () => (this.signedAt = Math.max(this.signedAt + 1, this.clock.now())),
  });
  private process: WalletProcess;
  private request: SignedRequest | null = null;
  private twins: Promise<ServiceReply>[] = [];
  private broken: Promise<ServiceReply> = new Promise(() => {});
  private breakConnections: () => void = () => {};
  private recovery: (() => void)[] = [];
  private spoilt = 0;
  private signedAt = 0;

  constructor(
    readonly scenario: Scenario,
    faults: readonly Fault[],
    /** Where each call comes to two processes at once, beside a sweeper: what is drawn. */
    private crowd: (() => number) | null = null,
  ) {
    const { real, bonus } = scenario.start;
    this.ledger = new StrictLedger({ real: units(real), bonus: units(bonus) }, playerId);
    for (const hash of scenario.refuses ?? []) this.ledger.refusals.set(hash, 'refused');
    this.points = new FaultPoints(faults, this, () => this.latency());
    this.process = new WalletProcess(this);
    this.rgs = new ProtocolRgs(this);
  }

  /** Plays, lets the faults end, and finishes what they left pending. */
  async play(): Promise<void> {
    await this.scenario.play(this.rgs);
    this.crowd = null;
    await this.settle();
    this.points.allSettled();
    await this.settle();
    this.pointsPlayed = this.points.names.length;
    this.points.end();
  }

  async send(transactions: readonly WireItem[]): Promise<readonly ServiceReply[]> {
    if (!this.process.isAlive) this.process = new WalletProcess(this);
    const { process } = this;
    const transactionCount = transactions.length;
    const { gameRound } = round;
    const body = { playerId, gameCode: 'bells', gameRound, transactions, transactionCount };
    this.request = this.signer.doTransactions(body);
    this.twins = [];
    this.broken = new Promise((resolve) => {
      this.breakConnections = () => resolve({ kind: 'lost' });
    });
    const sentAt = this.clock.monotonicMs();
    const answering = this.sendTo(process, this.request);
    if (this.crowd !== null) this.beCrowded(this.crowd);
    const reply = await answering;
    this.request = null;
    const tookMs = this.clock.monotonicMs() - sentAt;
    if (tookMs > deadlineMs + 300) this.violations.push(`an answer took ${tookMs} ms`);
    if (this.points.isOut && ++this.spoilt >= spoiltAnswers) this.heal();
    this.points.callAnswered();
    const replies = [reply];
    for (let twin = this.twins.shift(); twin !== undefined; twin = this.twins.shift()) {
      replies.push(await twin);
    }
    return replies;
  }

  recovered(): void {
    for (const done of this.recovery.splice(0)) done();
  }

  async loseReply(): Promise<void> {
    if (this.request === null) return;
    this.process = new WalletProcess(this);
    const recovered = new Promise<void>((resolve) => {
      this.recovery.push(resolve);
    });
    this.breakConnections();
    await recovered;
  }

  async sendTwice(): Promise<void> {
    if (this.request === null) return;
    const reply = this.sendTo(new WalletProcess(this), this.request);
    this.twins.push(reply);
    await reply;
  }

  async sweep(): Promise<void> {
    await new WalletProcess(this).sweep();
  }

  /** The rounds with pending work. */
  async unfinished(): Promise<string[]> {
    const found: string[] = [];
    for await (const { gameRound } of this.journal.lists.unfinished(operatorId))
      found.push(gameRound);
    return found;
  }

  private sendTo(process: WalletProcess, request: SignedRequest): Promise<ServiceReply> {
    const lost: ServiceReply = { kind: 'lost' };
    return Promise.race([
      callInProcess(process.handler.handle, request),
      process.died.then(() => lost),
      this.broken,
    ]);
  }

  /** The same call at another process, a sweep, and now and then connections that break. */
  private beCrowded(random: () => number): void {
    const soon = (): Promise<void> => this.clock.pause(200 * random());
    const isLost = random() < 0.3;
    void soon().then(() => this.sendTwice());
    void soon().then(() => this.sweep());
    if (isLost) void soon().then(() => this.loseReply());
  }

  /** Mostly short; now and then longer than anybody waits. */
  private async latency(): Promise<void> {
    if (this.crowd === null) return;
    const longestMs = this.crowd() < 0.05 ? 3 * deadlineMs : 40;
    await this.clock.pause(longestMs * this.crowd());
  }

  private heal(): void {
    this.points.heal();
    this.spoilt = 0;
  }

  private async settle(): Promise<void> {
    this.heal();
    await this.clock.pause(quietMs);
    for (let sweeps = 0; (await this.unfinished()).length > 0; sweeps++) {
      if (sweeps === 5) {
        this.violations.push('sweeps do not finish the round (O9)');
        return;
      }
      await this.sweep();
      this.heal();
    }
  }
}

/** Units of whole EUR. */
export function units(amount: number): bigint {
  return BigInt(amount) * 10_000n;
}
