import type { World } from '../world/scheduler';

/** A round as the service books it. */
interface BookedRound {
  /** What it adds to the purse, in units. */
  readonly net: number;
}

/** A place in what was seen of a balance: the sum at its beginning, and every one behind it. */
export interface Sighting {
  /** Into the sums of the purse. */
  readonly since: number;
  /** Into what limits left for debits. */
  readonly rooms: number;
  /** Into the blocks. */
  readonly blocks: number;
  /** By the world's clock. */
  readonly at: number;
}

/** Whether a player is blocked. */
interface BlockState {
  readonly isBlocked: boolean;
  /** When the block ends by itself, by the clock of who looks; null if it does not. */
  readonly until: number | null;
}

/** Clocks of processes are at most so far behind. */
const behindMs = 1000;

/** Places in what was seen of a balance, from one to another, both of them in it. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * The purse of one player: what must be in it by the player's own reckoning, and what the wallet has in it.
 * It knows the start, the cash that was acknowledged, and the rounds as the service was answered.
 */
export class Purse {
  /** The sum of both balances, as last seen. */
  sum: number;
  /** Whether the player was blocked, in the order in which that was said. */
  private readonly blockStates: BlockState[] = [{ isBlocked: false, until: null }];
  /** What limits left for debits, in the order in which it was seen. */
  private readonly rooms = [Number.POSITIVE_INFINITY];
  /** The balances by themselves, as last seen. */
  private parts: readonly [real: bigint, bonus: bigint] = [0n, 0n];
  /** What acknowledged cash and corrections have added to each balance. */
  readonly cash = { real: 0, bonus: 0 };
  /** Of rounds that are over. */
  private settled = 0;
  private readonly playing = new Set<BookedRound>();
  /** Every sum that was seen, in its order: a watch is a place in it. */
  private readonly sums: number[];
  /** The bonus of each of them. */
  private readonly bonuses: number[];
  private busy = 0;

  constructor(
    private readonly world: World,
    readonly playerId: string,
    readonly currency: string,
    readonly start: { readonly real: number; readonly bonus: number },
  ) {
    this.sum = start.real + start.bonus;
    this.sums = [this.sum];
    this.bonuses = [start.bonus];
  }

  /** Something begins that may move money. Call {@link leave} when it has, or never will. */
  enter(): void {
    this.busy += 1;
  }

  /** When nothing is in flight, the purse must be right to the unit (O1, O2). */
  leave(): void {
    this.busy -= 1;
    if (this.busy === 0) this.check();
  }

  /** A round begins. */
  begin(round: BookedRound): void {
    this.playing.add(round);
    this.enter();
  }

  /** Everything of a round is settled. */
  end(round: BookedRound): void {
    this.playing.delete(round);
    this.settled += round.net;
    this.leave();
  }

  /** People looked after a round, which may be settled: it adds so much more than it did. */
  amend(round: BookedRound, by: number): void {
    if (!this.playing.has(round)) this.settled += by;
  }

  /** The operator has blocked the player, perhaps until a time, or no longer. */
  block(isBlocked: boolean, until: number | null): void {
    this.blockStates.push({ isBlocked, until });
  }

  /** How often the player was blocked, or it was lifted. */
  get blocks(): number {
    return this.blockStates.length;
  }

  /** As the world's clock has it. */
  get blockNow(): { readonly isBlocked: boolean; readonly blockedUntil: number | null } {
    const isBlocked = this.isBlockedFor(0);
    return { isBlocked, blockedUntil: isBlocked ? (this.blockStates.at(-1)?.until ?? null) : null };
  }

  /** Whether the player is blocked also by a clock that is so far ahead (D13.2). */
  isBlockedFor(aheadMs: number): boolean {
    const { isBlocked = false, until = null } = this.blockStates.at(-1) ?? {};
    return isBlocked && (until === null || this.world.clock.now() + aheadMs < until);
  }

  /** Whether some process may have taken the player for blocked since then. */
  mayHaveBeenBlocked({ blocks, at }: Sighting): boolean {
    return this.blockStates.slice(blocks).some(({ isBlocked, until }) => {
      return isBlocked && (until === null || at - behindMs < until);
    });
  }

  /** What the player's limits leave for debits now. */
  seeRoom(room: number): void {
    if (room !== this.rooms.at(-1)) this.rooms.push(room);
  }

  /** The least that limits left for debits since then. */
  leastRoom({ rooms }: Sighting): number {
    return Math.min(...this.rooms.slice(rooms));
  }

  /** An operator's order was acknowledged. */
  moveCash(units: number, balance: 'real' | 'bonus' = 'real'): void {
    this.cash[balance] += units;
  }

  /** The balances that a store or ledger has now; `isTaken`: after a debit, which never overdraws. */
  see(real: bigint, bonus: bigint, isTaken: boolean): void {
    this.sum = Number(real + bonus);
    this.sums.push(this.sum);
    this.bonuses.push(Number(bonus));
    const [realBefore, bonusBefore] = this.parts;
    this.parts = [real, bonus];
    const isLess = (real < 0n && real < realBefore) || (bonus < 0n && bonus < bonusBefore);
    if (isTaken && isLess) {
      this.world.fail('no overdraft', `${this.name} has ${real} and ${bonus} after a debit`);
    }
  }

  /** Watches the balance from now on. */
  watch(): Sighting {
    return {
      since: this.sums.length - 1,
      rooms: this.rooms.length - 1,
      blocks: this.blockStates.length - 1,
      at: this.world.clock.now(),
    };
  }

  /** Whether the sum was this one since then; `later`: after something moved. */
  had(sum: number, { since }: Pick<Sighting, 'since'>, later: boolean): boolean {
    return this.sums.indexOf(sum, later ? since + 1 : since) >= 0;
  }

  /** What was seen since then. */
  stretch({ since }: Sighting): Stretch {
    return { from: since, to: this.sums.length - 1 };
  }

  /** Whether the balances by themselves were some of these, within the stretch. */
  hadParts({ from, to }: Stretch, are: (real: number, bonus: number) => boolean): boolean {
    for (let at = from; at <= to; at++) {
      const [sum = 0, bonus = 0] = [this.sums[at], this.bonuses[at]];
      if (are(sum - bonus, bonus)) return true;
    }
    return false;
  }

  /** The balances of a stretch, for a message. */
  partsIn({ from, to }: Stretch): string {
    const sums = this.sums.slice(from, to + 1);
    return sums
      .map((sum, at) => {
        const bonus = this.bonuses[from + at] ?? 0;
        return `${sum - bonus} and ${bonus}`;
      })
      .join(', ');
  }

  /** The lowest sum since then. */
  lowest({ since }: Sighting): number {
    let low = this.sums[since] ?? this.sum;
    for (let at = since + 1; at < this.sums.length; at++) low = Math.min(low, this.sums[at] ?? low);
    return low;
  }

  /** The sums since then, for a message. */
  sumsSince({ since }: Sighting): string {
    return this.sums.slice(since).join(', ');
  }

  /** For a message. */
  get name(): string {
    return `${this.playerId} in ${this.currency}`;
  }

  /** What must be in it. */
  get must(): number {
    const { start, cash } = this;
    let must = start.real + start.bonus + cash.real + cash.bonus + this.settled;
    for (const round of this.playing) must += round.net;
    return must;
  }

  private check(): void {
    const { must, sum, world, name } = this;
    if (sum !== must) world.fail('O1', `${name} has ${sum}, and must have ${must}`);
  }
}
