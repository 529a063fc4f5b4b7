import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { createSeededRandom, wholeBelow } from '../../../lib/platform/random';
import type { CallOutcome } from '../../../lib/operator/wallet';
import { credit, debit, end, first, Rig, startUnits, voidOf } from './rig';
import type { Method, Script } from './scripted-store';

/** How often each fault comes among a hundred trips; the rest is answered. */
const faults: readonly (readonly [number, Script])[] = [
  [4, 'unknown'],
  [4, 'done, unknown'],
  [4, 'unknown, done late'],
  [3, 'unknown, give up'],
  [3, 'throws'],
  [3, 'done, throws'],
  [3, 'hangs'],
  [3, 'done, hangs'],
  [4, 'late'],
];

/** Deliveries of one call during which trips go wrong. */
const deliveriesWithFaults = 8;

/** A call that the RGS has an answer to: what it told of each transaction, null for one that it voided. */
interface Settled {
  readonly call: readonly Transaction[];
  readonly told: readonly string[] | null;
}

/**
 * One round as an RGS plays it against a store whose every trip may go wrong: what is answered 5xx is marked and
 * voided, what is left out of a call without a debit is sent again, some calls arrive twice at once, and what the
 * store does late, it does at any moment.
 */
export class FaultyRound {
  readonly settled: Settled[] = [];
  /** Voids that were not answered as processed. */
  readonly failedVoids: string[] = [];
  private readonly random;
  private readonly policy;
  private isOver = false;

  private constructor(
    readonly rig: Rig,
    seed: number,
  ) {
    this.random = createSeededRandom(seed);
    this.policy = {
      useBonusFirst: true,
      creditTo: this.below(2) === 0 ? 'real' : 'stakeShares',
    } as const;
  }

  /** Plays the round of a seed to its end, until the faults are over and all is definite. */
  static async play(seed: number): Promise<FaultyRound> {
    const round = new FaultyRound(await Rig.create(), seed);
    await round.send([first('d0', 100n), ...round.winnings(0)]);
    const calls = 2 + round.below(5);
    for (let at = 1; at <= calls && !round.isOver; at++) {
      const stake = BigInt(1 + round.below(900));
      const isWinAlone = round.below(3) === 0;
      await round.send([...(isWinAlone ? [] : [debit(`d${at}`, stake)]), ...round.winnings(at)]);
    }
    if (!round.isOver) await round.send([end('e')]);
    round.rig.store.heal();
    await round.rig.store.land();
    return round;
  }

  /** What the player must have, by what the RGS was told (O1, O4, O5). */
  get expectedUnits(): bigint {
    return this.settled.reduce((sum, { call, told }) => {
      return call.reduce((units, transaction, index) => {
        if (told?.[index] !== 'processed' || !('amount' in transaction)) return units;
        const amount = transaction.amount ?? 0n;
        return transaction.type === 'debit' ? units - amount : units + amount;
      }, sum);
    }, startUnits);
  }

  private winnings(at: number): Transaction[] {
    const all = [0, 1].map((index) => credit(`c${at}.${index}`, BigInt(this.below(120))));
    return all.slice(0, 1 + this.below(2));
  }

  private async send(call: readonly Transaction[]): Promise<void> {
    const hasDebit = call.some(({ type }) => type === 'debit');
    if (!hasDebit) return this.settle(call, await this.resend(call));
    const outcome = await this.deliver(call, false);
    if (outcome.unknown === null) return this.settle(call, outcome);
    await this.voidAll(call);
    this.settled.push({ call, told: null });
  }

  /** Sends a call until it has a definite answer; from some time on nothing goes wrong any more (O9). */
  private async resend(call: readonly Transaction[]): Promise<CallOutcome> {
    for (let sent = 1; sent <= 2 * deliveriesWithFaults; sent++) {
      const outcome = await this.deliver(call, sent > deliveriesWithFaults);
      if (outcome.unknown === null) return outcome;
    }
    throw new Error('A call stays unresolved, though nothing goes wrong any more.');
  }

  private settle(call: readonly Transaction[], { verdicts }: CallOutcome): void {
    const told = verdicts.map((one) => (one.outcome === 'refused' ? one.code : one.outcome));
    this.settled.push({ call, told });
    if (told[0] !== 'processed' && call[0]?.hash === 'd0') this.isOver = true;
  }

  /** The call arrives once, or twice at once; the RGS has one of the answers. */
  private async deliver(call: readonly Transaction[], isWell: boolean): Promise<CallOutcome> {
    const copies = this.below(4) === 0 ? 2 : 1;
    this.breakTrips(isWell);
    const answers = Array.from({ length: copies }, () => this.handle(call));
    const outcomes = await this.rig.clock.run(Promise.all(answers));
    return outcomes[this.below(copies)] as CallOutcome;
  }

  /** As the service does: what ends unknown with a debit is marked after the answer (D7). */
  private async handle(call: readonly Transaction[]): Promise<CallOutcome> {
    const delivery = this.rig.delivery();
    if (this.below(4) === 0) await this.rig.clock.pause(this.below(40));
    const outcome = await this.rig.start(call, { delivery, policy: this.policy });
    const hasDebit = call.some(({ type }) => type === 'debit');
    if (outcome.unknown !== null && hasDebit) await this.rig.startMark(call, delivery);
    return outcome;
  }

  private async voidAll(call: readonly Transaction[]): Promise<void> {
    const voids = call.filter(({ type }) => type === 'debit').map(({ hash }) => voidOf(hash));
    const { verdicts } = await this.resend(voids);
    const failed = verdicts.filter(({ outcome }) => outcome !== 'processed');
    this.failedVoids.push(...failed.map(({ hash }) => hash));
    if (call[0]?.hash === 'd0') this.isOver = true;
  }

  /** New faults for the next trips, none where the faults are over. */
  private breakTrips(isWell: boolean): void {
    const { store } = this.rig;
    store.heal();
    if (isWell || this.below(5) < 2) return;
    for (const method of ['load', 'commit'] satisfies Method[]) {
      store.next(method, ...Array.from({ length: 6 }, () => this.script()));
    }
  }

  private script(): Script {
    let drawn = this.below(100);
    for (const [share, script] of faults) {
      drawn -= share;
      if (drawn < 0) return script;
    }
    return drawn % 10 === 0 ? () => this.rig.store.land() : 'answers';
  }

  private below(limit: number): number {
    return wholeBelow(this.random, limit);
  }
}
