import { randomUUID } from 'node:crypto';
import {
  balanceRequest,
  centsMoved,
  type Movement,
  movement,
  newRound,
  roundEnd,
  signedRequest,
} from '../load/signed-call';
import { players } from '../terms';
import { type Lines, type Outcome, silenceMs } from './lines';
import type { ServerTime } from './server-time';
import type { Book, Tally } from './tally';

const creditAfterMs = 30;
const creditRepeats = 5;
const voidEveryMs = 500;
const voidSends = 20;
const roundsForBalance = 5;
const largeCredits = 498;

/** Plays rounds as an RGS does (operator-api 3 and 4.1): [debit], 30 ms later [credit, end]; a balance with every fifth. */
export class Rgs {
  /** Rounds that are played now. */
  active = 0;
  private played = 0;

  constructor(
    private readonly lines: Lines,
    private readonly time: ServerTime,
    private readonly book: Book,
    private readonly caller: string,
  ) {}

  /** Begins a round at each of these times, whatever was answered. */
  async begin(times: Float64Array, tally: Tally): Promise<void> {
    const startedAt = this.time.now();
    tally.endsAt = startedAt + tally.seconds * 1000;
    for (const at of times) {
      const early = startedAt + at - this.time.now();
      if (early > 0) await this.time.pause(early);
      void this.playRound(tally, startedAt + at);
    }
  }

  /** Plays rounds one after the other in so many lanes, without a pause; resolves to how many were played. */
  async playClosed(lanes: number, seconds: number, tally: Tally): Promise<number> {
    const endAt = this.time.now() + seconds * 1000;
    const lane = async () => {
      while (this.time.now() < endAt) await this.playRound(tally, this.time.now(), 0);
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    return tally.wholeRounds;
  }

  /** Plays rounds of 500 transactions in one call, one after the other in so many lanes, until `progress` is over; resolves to how many were paid. */
  async playLarge(lanes: number, tally: Tally, progress: { isOver: boolean }): Promise<number> {
    let paid = 0;
    const lane = async () => {
      while (!progress.isOver) {
        const player = anyPlayer();
        const call = newRound(players[player] ?? '', largeCredits);
        const [debit] = call.movements;
        const outcome = await this.send(player, call.gameRound, call.movements, true);
        if (outcome === 200) {
          paid += 1;
          this.book.move(player, centsMoved(call));
        } else {
          this.book.withoutBet[player]?.push(call.gameRound);
          if (debit && isUnknown(outcome)) {
            await this.takeBack(tally, player, call.gameRound, debit);
          }
        }
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    return paid;
  }

  private async playRound(tally: Tally, dueAt: number, pauseMs = creditAfterMs): Promise<void> {
    this.active += 1;
    tally.rounds += 1;
    const player = anyPlayer();
    const gameRound = randomUUID();
    this.played += 1;
    if (this.played % roundsForBalance === 0) void this.askBalance(player);
    const debit = movement('debit', gameRound);
    const outcome = await this.send(player, gameRound, [debit], false);
    const tookMs = this.time.now() - dueAt;
    tally.debit(String(outcome));
    if (outcome === 200) {
      this.book.move(player, -debit.cents);
      tally.debitMs.push(tookMs);
      const isInTime = tookMs <= silenceMs;
      if (isInTime) tally.debitsInTime += 1;
      if (pauseMs > 0) await this.time.pause(pauseMs);
      const isPaidInTime = await this.pay(tally, player, gameRound);
      if (isInTime && isPaidInTime && this.time.now() <= tally.endsAt) tally.wholeRounds += 1;
    } else {
      this.book.withoutBet[player]?.push(gameRound);
      if (isUnknown(outcome)) await this.takeBack(tally, player, gameRound, debit);
    }
    this.active -= 1;
  }

  /** Sends a credit until it is answered 200; at once five times, then when all is over. Returns whether it was in time. */
  private async pay(tally: Tally, player: number, gameRound: string): Promise<boolean> {
    const dueAt = this.time.now();
    const credit = movement('credit');
    const end = roundEnd();
    tally.credits += 1;
    const once = async () => {
      const outcome = await this.send(player, gameRound, [credit, end], true);
      if (Number(outcome) >= 500) tally.credits5xx += 1;
      if (outcome === 200) this.book.move(player, credit.cents);
      return outcome === 200;
    };
    for (let sent = 0; sent <= creditRepeats; sent += 1) {
      if (!(await once())) continue;
      const isInTime = this.time.now() - dueAt <= silenceMs;
      if (isInTime) tally.creditsInTime += 1;
      return isInTime;
    }
    this.book.open.add(once);
    return false;
  }

  /** Sends a void until it is answered 200. */
  private async takeBack(tally: Tally, player: number, gameRound: string, debit: Movement) {
    tally.voidedRounds += 1;
    const once = async () => {
      tally.voidsSent += 1;
      const outcome = await this.send(player, gameRound, [{ ...debit, type: 'void' }], true);
      if (Number(outcome) >= 500) tally.voids5xx += 1;
      return outcome === 200;
    };
    for (let sent = 0; sent < voidSends; sent += 1) {
      if (await once()) return;
      await this.time.pause(voidEveryMs);
    }
    this.book.open.add(once);
  }

  private send(
    player: number,
    gameRound: string,
    movements: readonly Movement[],
    isUrgent: boolean,
  ) {
    const { caller } = this;
    const call = { playerId: players[player] ?? '', gameRound, movements };
    return this.lines.send(() => signedRequest(call, { caller }), isUrgent);
  }

  private async askBalance(player: number): Promise<void> {
    const { caller } = this;
    await this.lines.send(() => balanceRequest(players[player] ?? '', { caller }), false);
  }
}

function anyPlayer(): number {
  return Math.floor(Math.random() * players.length);
}

/** Whether a debit may have been taken. */
function isUnknown(outcome: Outcome): boolean {
  return outcome === 'silent' || Number(outcome) >= 500;
}
