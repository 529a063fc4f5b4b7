import type { Clock, LoopTime } from '../../platform';
import { afterThisTurn } from '../../platform/turn';
import { WholeTurn } from './turn-budget';

/** Calls that begin in one turn of the event loop: as many as leave for Redis in one write. */
export const callsAtOnce = 16;

/** What the calls that begin in one turn of the loop may take together, in milliseconds, by what those of their operators took. */
const sliceMs = 8;

/** The least that a call is taken to cost, in milliseconds. */
const leastMs = 0.05;

/**
 * Beside other operators, what the calls of one that are at the store may have taken here together, in milliseconds: it serves all in
 * order. Of short ones more are there, for a store that takes long for each, such as one far away: so many of 1 ms, four times as
 * many of half of that, and never more than the last.
 */
const [atStoreMs, atStoreOfOneMs, mostAtStore] = [10, 16, 256];

/**
 * A store that answers nothing for so long hangs: what waits may then begin, and end with its deadline. A call that waits for the store
 * for so long to twice as long no longer holds others: a part of the store that hangs does not stop the rest.
 */
const silenceMs = 100;

/**
 * Spreads calls that arrive together over several turns of the event loop. Between two turns the loop takes answers of the
 * store, answers probes, and accepts a connection: one, however many wait. With hundreds of calls in one turn
 * all of these would wait for the last call.
 *
 * The calls of one operator begin in order. Of several operators the one begins next whose calls have taken the least time while
 * others waited: one with many long calls makes another wait for a slice, not for all of them (P12).
 */
export class TurnSlices {
  private readonly lines = new Map<string, Line>();
  /** Who claims an id that nobody has. */
  private readonly strangers = new Line();
  private readonly all: readonly Line[];
  private readonly turn = new WholeTurn();
  private begun = 0;
  private begunMs = 0;
  private isWatched = false;
  private isSilenceWatched = false;
  /** Calls at the store. */
  private atStore = 0;
  /** When the store answered last, or was asked while it had nothing to answer. */
  private answeredAt = 0;
  /** What the line had been served that was served last. */
  private servedMs = 0;

  /**
   * @param onTurn Gets an operator whose calls have all begun that waited when its turn before ended, while those of others wait longer.
   */
  constructor(
    operatorIds: readonly string[],
    private readonly clock: Pick<Clock, 'monotonicMs' | 'after'>,
    private readonly onTurn?: (operatorId: string) => void,
  ) {
    for (const id of operatorIds) this.lines.set(id, new Line());
    this.all = [...this.lines.values(), this.strangers];
  }

  /**
   * Null if a call may begin now.
   * @param claimedId Not verified yet.
   */
  wait(claimedId: string): Waiting | null {
    this.watch();
    const line = this.lineOf(claimedId);
    if (this.turn.waiting === 0 && this.hasRoom && this.mayBegin(line)) {
      this.note(line);
      return null;
    }
    if (line.turn.waiting === 0) line.servedMs = Math.max(line.servedMs, this.servedMs);
    let leave!: Waiting['leave'];
    const begins = new Promise<void>((begin, reject) => {
      const call = line.add(begin, this.turn.add());
      leave = (error) => {
        if (!line.leave(call)) return;
        this.turn.begin(call.turn);
        reject(error);
      };
    });
    return { begins, leave };
  }

  /** The synchronous part of a call of this operator took so long. */
  took(operatorId: string, ms: number): void {
    const line = this.lineOf(operatorId);
    line.callMs = average(line.callMs, ms);
    line.verifiedMs = average(line.verifiedMs, ms);
  }

  /**
   * That of a call took so long that was not verified, or shed: it may make the operator's calls dearer, never cheaper, and not those
   * at the store, where it does not go.
   */
  tookUnverified(claimedId: string, ms: number): void {
    const line = this.lineOf(claimedId);
    line.callMs = Math.max(line.callMs, average(line.callMs, ms));
  }

  /** A call of this operator goes to the store. Returns what to call once the store has answered, or the call's time is over. */
  enter(operatorId: string): (isAnswered: boolean) => void {
    const line = this.lineOf(operatorId);
    const giveBack = line.enterStore();
    if (this.atStore === 0) this.answeredAt = this.clock.monotonicMs();
    this.atStore += 1;
    return (isAnswered) => {
      this.atStore -= 1;
      giveBack();
      if (isAnswered) this.answeredAt = this.clock.monotonicMs();
      if (this.turn.waiting > 0) this.watch();
    };
  }

  /**
   * The loop with longer turns: one ends once all calls have begun that waited when the one before ended. So it is as long as a
   * turn would be if it were not cut.
   */
  whole(loop: LoopTime): LoopTime {
    return Object.freeze({
      nowMs: () => loop.nowMs(),
      sleptMs: () => loop.sleptMs(),
      afterTurn: (work: () => void) => loop.afterTurn(() => this.turn.atEnd(work)),
    });
  }

  private lineOf(id: string): Line {
    return this.lines.get(id) ?? this.strangers;
  }

  private get hasRoom(): boolean {
    return this.begun < callsAtOnce && this.begunMs < sliceMs;
  }

  /** Whether less of this operator is at the store than another one should wait for. */
  private mayBegin(line: Line): boolean {
    if (this.lines.size < 2 || line.atStore + line.begun < 1) return true;
    return this.clock.monotonicMs() - this.answeredAt >= silenceMs;
  }

  private note(line: Line): void {
    this.begun += 1;
    this.begunMs += line.callMs;
    line.begun += line.callAtStore;
  }

  private watch(): void {
    if (this.isWatched) return;
    this.isWatched = true;
    afterThisTurn(this.goOn);
  }

  private readonly goOn = (): void => {
    this.isWatched = false;
    this.begun = 0;
    this.begunMs = 0;
    for (const line of this.all) line.begun = 0;
    const isOver = this.turn.endIfThrough();
    for (const [id, { turn }] of this.lines) if (turn.endIfThrough() && !isOver) this.onTurn?.(id);
    this.strangers.turn.endIfThrough();
    let line = this.nextLine();
    while (this.hasRoom && line !== null) {
      this.beginNext(line);
      line = this.nextLine();
    }
    if (this.turn.waiting === 0) return;
    // What has begun may go to the store or not: the next turn knows.
    if (line !== null || this.begun > 0) this.watch();
    this.watchSilence();
  };

  /** If the store answers nothing, no call that leaves it lets the next begin. */
  private watchSilence(): void {
    if (this.isSilenceWatched) return;
    this.isSilenceWatched = true;
    this.clock.after(silenceMs, () => {
      this.isSilenceWatched = false;
      for (const line of this.all) line.age();
      this.watch();
    });
  }

  /** Of the lines whose next call may begin, the one that was served least; null if none may. */
  private nextLine(): Line | null {
    let next: Line | null = null;
    for (const line of this.all) {
      if (line.turn.waiting === 0 || (next !== null && next.servedMs <= line.servedMs)) continue;
      if (this.mayBegin(line)) next = line;
      // It waits for itself: the others owe it nothing for that.
      else line.servedMs = Math.max(line.servedMs, this.servedMs);
    }
    return next;
  }

  private beginNext(line: Line): void {
    const call = line.next();
    this.servedMs = line.servedMs;
    line.servedMs += line.callMs;
    this.turn.begin(call.turn);
    this.note(line);
    call.begin();
  }
}

/** A call that waits in its line. */
export interface Waiting {
  /** Resolves when it begins. */
  readonly begins: Promise<void>;
  /** It leaves the line, and `begins` rejects; nothing happens once it has begun. */
  leave(error: Error): void;
}

interface WaitingCall {
  readonly begin: () => void;
  readonly turn: number;
  readonly turnOfLine: number;
  isOut: boolean;
}

function average(before: number, ms: number): number {
  return before + (Math.max(leastMs, ms) - before) / 8;
}

/** The calls of one operator that wait, the oldest first. */
class Line {
  readonly turn = new WholeTurn();
  /** What one of its calls takes, by those that have begun. */
  callMs = leastMs;
  /** The same of those that were verified. */
  verifiedMs = leastMs;
  /** What its calls have taken while they waited for others; one that did not wait has no arrears. */
  servedMs = 0;
  /** What part of its places at the store its calls take that begin in this turn of the loop. */
  begun = 0;
  private calls: WaitingCall[] = [];
  private at = 0;
  /** What part of them those take that went to the store in this period, and in the one before. */
  private young = 0;
  private old = 0;
  private period = 0;

  /** What part of its places at the store a call takes. */
  get callAtStore(): number {
    const ms = this.verifiedMs;
    return Math.max(1 / mostAtStore, Math.min(ms / atStoreMs, ms ** 2 / atStoreOfOneMs));
  }

  /** What part of them is taken, without calls that the store has had for long; a call may begin below 1. */
  get atStore(): number {
    return this.young + this.old;
  }

  /** Returns what to call once the call has left the store. */
  enterStore(): () => void {
    const { callAtStore: part, period } = this;
    this.young += part;
    return () => {
      if (period === this.period) this.young -= part;
      else if (period === this.period - 1) this.old -= part;
    };
  }

  /** A period ends. */
  age(): void {
    this.old = this.young;
    this.young = 0;
    this.period += 1;
  }

  /** A call comes, which belongs to this whole turn. */
  add(begin: () => void, turn: number): WaitingCall {
    const call = { begin, turn, turnOfLine: this.turn.add(), isOut: false };
    this.calls.push(call);
    return call;
  }

  /** Takes the oldest out; there must be one. */
  next(): WaitingCall {
    let call = this.calls[this.at] as WaitingCall;
    while (call.isOut) call = this.calls[(this.at += 1)] as WaitingCall;
    this.leave(call);
    if (this.at > callsAtOnce && 2 * this.at > this.calls.length) {
      this.calls = this.calls.slice(this.at);
      this.at = 0;
    }
    return call;
  }

  /** Takes a call out; returns whether it was there. */
  leave(call: WaitingCall): boolean {
    if (call.isOut) return false;
    call.isOut = true;
    this.turn.begin(call.turnOfLine);
    if (this.turn.waiting === 0) [this.calls, this.at] = [[], 0];
    return true;
  }
}
