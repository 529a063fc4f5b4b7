import type { LoopTime } from '../../platform';

/** Limits of the turns of the event loop, in milliseconds in which it does not sleep. */
export interface TurnLimits {
  /** What a turn may take while the process is overloaded; half of it is divided evenly among the operators. */
  readonly turnBudgetMs: number;
  /** What a single turn may take at other times. */
  readonly turnSpikeMs: number;
  /** The process is overloaded once every turn of such a time was over the budget. */
  readonly turnWindowMs: number;
}

/** How new rounds are shed. */
export interface Shed {
  readonly as: 'void' | 'refuse';
  readonly limits: TurnLimits;
}

/** Null if none is shed. @throws TypeError for limits without `shed`, which would do nothing, and as {@link turnLimitsOf}. */
export function shedOf(
  maker: string,
  { shed: as, ...limits }: Partial<TurnLimits> & { readonly shed?: Shed['as'] },
): Shed | null {
  if (as !== undefined) return Object.freeze({ as, limits: turnLimitsOf(maker, limits) });
  const name = (['turnBudgetMs', 'turnSpikeMs', 'turnWindowMs'] as const).find(
    (each) => limits[each] !== undefined,
  );
  if (name !== undefined) throw new TypeError(`${maker}: ${name} has no effect without shed`);
  return null;
}

/** The limits, with defaults. @throws TypeError if a single turn may take less than a turn under overload. */
export function turnLimitsOf(
  maker: string,
  {
    turnBudgetMs = 500,
    turnSpikeMs = Math.max(500, turnBudgetMs),
    turnWindowMs = 100,
  }: Partial<TurnLimits>,
): TurnLimits {
  if (turnSpikeMs < turnBudgetMs) {
    throw new TypeError(`${maker}: turnSpikeMs must be at least turnBudgetMs`);
  }
  return Object.freeze({ turnBudgetMs, turnSpikeMs, turnWindowMs });
}

/**
 * Says when the current turn of the event loop is used up, and which operator has used its share (P12). Neither the calls in
 * flight nor their answers show that: what waits is in the kernel.
 *
 * A turn is measured from the first call after the loop has slept, or from the end of the turn before. Its end is watched only if
 * calls follow each other without sleep: a process with little to do pays for two readings of the time.
 */
export class TurnBudget {
  private readonly shareMs: number;
  private readonly places = new Map<string, number>();
  /** What each operator has used of this turn, by its place; last what callers did who were not verified. */
  private readonly used: Float64Array;
  /** When the turn of each operator began, by its place. */
  private readonly began: Float64Array;
  private readonly strangers: number;
  private turnBegan = 0;
  private windowBegan = 0;
  private windowSleptMs = 0;
  private shortestMs = Number.POSITIVE_INFINITY;
  private sleptMs = 0;
  private callBegan = 0;
  private limitMs = 0;
  private isWatched = false;
  private isOver = false;

  /** @param onTurn Gets what each watched turn took, in milliseconds. */
  constructor(
    private readonly loop: LoopTime,
    private readonly limits: TurnLimits,
    operatorIds: readonly string[],
    private readonly onTurn?: (ms: number) => void,
  ) {
    for (const id of operatorIds) this.places.set(id, this.places.size);
    this.strangers = operatorIds.length;
    this.used = new Float64Array(operatorIds.length + 1);
    this.began = new Float64Array(operatorIds.length);
    this.shareMs = limits.turnBudgetMs / 2 / operatorIds.length;
  }

  /** A call begins. Returns whether the turn is used up. */
  begin(): boolean {
    const { loop, limits } = this;
    const sleptMs = loop.sleptMs();
    this.callBegan = loop.nowMs();
    const busy = this.callBegan - sleptMs;
    if (sleptMs === 0) return false; // not measured
    if (sleptMs !== this.sleptMs) this.wake(busy, sleptMs);
    else if (!this.isWatched) {
      this.isWatched = true;
      loop.afterTurn(this.endTurn);
    }
    this.limitMs = this.isOver ? limits.turnBudgetMs : limits.turnSpikeMs;
    return busy - this.turnBegan > this.limitMs;
  }

  /**
   * The synchronous part of the call that began last is over. Returns what it took, in milliseconds.
   * @param callerId Verified; any other is a stranger.
   */
  charge(callerId: string): number {
    const now = this.loop.nowMs();
    const place = this.places.get(callerId) ?? this.strangers;
    const took = now - this.callBegan;
    this.used[place] = (this.used[place] ?? 0) + took;
    this.callBegan = now;
    return took;
  }

  /** All calls of an operator have begun that waited, though others still wait in this turn: its own begins, and its share is whole again. */
  renewShare(operatorId: string): void {
    const place = this.places.get(operatorId);
    if (place === undefined) return;
    this.used[place] = 0;
    this.began[place] = this.loop.nowMs() - this.sleptMs;
  }

  /** Whether for the call that began last, if it is of this operator, the turn is used up, and its share: what others wait for does not count. */
  isUsedUpFor(operatorId: string): boolean {
    if (!this.hasUsedShare(operatorId)) return false;
    const began = this.began[this.places.get(operatorId) as number] as number;
    return this.callBegan - this.sleptMs - began > this.limitMs;
  }

  /** Whether an operator has used its share of the turn; never for an unknown one. */
  hasUsedShare(operatorId: string): boolean {
    const place = this.places.get(operatorId);
    return place !== undefined && (this.used[place] ?? 0) > this.shareMs;
  }

  /** The loop has slept since the last call: a turn begins, and a process that sleeps long enough is not overloaded. */
  private wake(busy: number, sleptMs: number): void {
    this.sleptMs = sleptMs;
    this.beginTurn(busy);
    if (sleptMs - this.windowSleptMs <= this.limits.turnBudgetMs) return;
    this.isOver = false;
    this.beginWindow(busy);
  }

  private readonly endTurn = (): void => {
    this.isWatched = false;
    const busy = this.loop.nowMs() - this.sleptMs;
    const took = busy - this.turnBegan;
    this.onTurn?.(took);
    this.shortestMs = Math.min(this.shortestMs, took);
    this.beginTurn(busy);
    const { turnBudgetMs, turnWindowMs } = this.limits;
    if (busy - this.windowBegan < turnWindowMs) return;
    this.isOver = this.shortestMs > turnBudgetMs;
    this.beginWindow(busy);
  };

  private beginTurn(busy: number): void {
    this.turnBegan = busy;
    this.used.fill(0);
    this.began.fill(busy);
  }

  private beginWindow(busy: number): void {
    this.windowBegan = busy;
    this.windowSleptMs = this.sleptMs;
    this.shortestMs = Number.POSITIVE_INFINITY;
  }
}

/** A turn as long as it would be if it were not cut: until those have begun that waited when the one before ended. */
export class WholeTurn {
  /** Calls that wait. */
  waiting = 0;
  private number = 0;
  /** Of them, those that belong to this turn. */
  private left = 0;
  private works: (() => void)[] = [];

  /** A call begins to wait. Returns the number of its turn: the next. */
  add(): number {
    this.waiting += 1;
    return this.number + 1;
  }

  /** A call that waited begins. */
  begin(number: number): void {
    this.waiting -= 1;
    if (number === this.number) this.left -= 1;
  }

  /** Does work at the end of the turn: at once if no call waits. */
  atEnd(work: () => void): void {
    if (this.waiting > 0) this.works.push(work);
    else work();
  }

  /** Returns whether the turn was over. */
  endIfThrough(): boolean {
    if (this.left > 0) return false;
    for (const work of this.works.splice(0)) work();
    this.number += 1;
    this.left = this.waiting;
    return true;
  }
}

/** So many answers are looked at before they are called late. */
const fewAnswers = 16;

interface Answers {
  /** Calls at the store. */
  waiting: number;
  /** When one began or ended last. */
  changedAt: number;
  count: number;
  windowBegan: number;
  shortestMs: number;
  areLate: boolean;
}

/**
 * Says whose calls the store answers late, all of them: while a slow store is waited for, the loop sleeps, and no turn is long (P12).
 * What a call has waited here does not count: an operator's line may be long beside a fast store.
 */
export class AnswerTimes {
  private readonly operators = new Map<string, Answers>();

  constructor(
    private readonly limits: Pick<TurnLimits, 'turnBudgetMs' | 'turnWindowMs'>,
    operatorIds: readonly string[],
  ) {
    for (const id of operatorIds) {
      const none = { waiting: 0, changedAt: 0, count: 0, windowBegan: 0, areLate: false };
      this.operators.set(id, { ...none, shortestMs: Number.POSITIVE_INFINITY });
    }
  }

  /** A verified call goes to the store. If none was there for longer than the budget, what was before says nothing. */
  begin(operatorId: string, nowMs: number): void {
    const answers = this.operators.get(operatorId);
    if (answers === undefined) return;
    const isAnew = answers.waiting === 0 && nowMs - answers.changedAt > this.limits.turnBudgetMs;
    answers.waiting += 1;
    answers.changedAt = nowMs;
    if (isAnew) beginWindow(answers, false, nowMs);
  }

  /** The store has answered it, or is not waited for any more. @param tookMs Since it went there. */
  end(operatorId: string, tookMs: number, nowMs: number): void {
    const answers = this.operators.get(operatorId);
    if (answers === undefined) return;
    answers.waiting -= 1;
    answers.changedAt = nowMs;
    answers.count += 1;
    answers.shortestMs = Math.min(answers.shortestMs, tookMs);
    if (tookMs <= this.limits.turnBudgetMs) answers.areLate = false;
    if (answers.count < fewAnswers || nowMs - answers.windowBegan < this.limits.turnWindowMs)
      return;
    beginWindow(answers, answers.shortestMs > this.limits.turnBudgetMs, nowMs);
  }

  /**
   * Whether all of the last ones were; never while none is waited for, or for an unknown operator. If no call came or
   * went for longer than the budget one is let in: what is waited for may hang beside a store that is well again.
   */
  areLate(operatorId: string, nowMs: number): boolean {
    const answers = this.operators.get(operatorId);
    if (answers === undefined || !answers.areLate || answers.waiting === 0) return false;
    return nowMs - answers.changedAt <= this.limits.turnBudgetMs;
  }
}

function beginWindow(answers: Answers, areLate: boolean, nowMs: number): void {
  answers.areLate = areLate;
  answers.count = 0;
  answers.windowBegan = nowMs;
  answers.shortestMs = Number.POSITIVE_INFINITY;
}
