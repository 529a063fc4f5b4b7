import { createHash } from 'node:crypto';

import { createSeededRandom } from '../../../../lib/platform';
import { wholeBelow } from '../../../../lib/platform/random';
import { idOf, isUnknown, Seat, type SeatParts, type Table } from './seat';
import { close, type Entry, undo } from './studio-book';

/** What a player does with a round, and how often of 100. */
const plans = [
  ['plain', 22],
  ['severalDebits', 14],
  ['gamble', 14],
  ['spins', 12],
  ['freePlay', 10],
  ['voided', 8],
  ['atOnce', 6],
  ['voidAfterCredit', 4],
  ['tooDear', 3],
  ['abandoned', 7],
] as const;
type Plan = (typeof plans)[number][0];

const stake = 100n;
const ticketStake = 10n;

/** Plays rounds at one seat, by a seed. */
export class Player {
  readonly seat: Seat;
  readonly #random;
  #packages = 0;
  #rounds = 0;

  constructor(
    readonly playerId: string,
    private readonly parts: SeatParts,
    seed: number,
    private readonly runId: string,
  ) {
    this.seat = new Seat(playerId, parts);
    this.#random = createSeededRandom(seed);
  }

  /** Plays so many rounds, fewer if one is left open: the player has gone. How many were played. */
  async play(rounds: number): Promise<number> {
    for (let played = 1; played <= rounds; played++) {
      const plan = this.pick();
      this.seat.count(plan);
      if (plan === 'freePlay') await this.mayGrant();
      const entry = this.parts.studio.book.asked(this.nextId(), this.playerId);
      await this.playRound(entry, plan);
      if (entry.state === 'open') return played;
    }
    return rounds;
  }

  /** Closes the rounds that the player left open, as for one who has gone. */
  async closeLeft(): Promise<void> {
    const own = this.parts.studio.book.unsettled.filter(
      ({ playerId }) => playerId === this.playerId,
    );
    for (const entry of own) await this.seat.closeNow(entry);
  }

  private async playRound(entry: Entry, plan: Plan): Promise<void> {
    if (plan === 'atOnce' || plan === 'voidAfterCredit') return this.playCredited(entry, plan);
    const table = await this.open(entry, plan);
    if (table === null) return;
    await this.playOn(table, plan);
    if (entry.state === 'open' && table.isCut) await this.seat.closeNow(entry);
  }

  /** The first bet; null if it was not taken, or the round is over already. */
  private async open(entry: Entry, plan: Plan): Promise<Table | null> {
    const bet = plan === 'tooDear' ? 9_000_000n : plan === 'freePlay' ? ticketStake : stake;
    const useTicket = plan === 'freePlay';
    const taken = (): void => {
      entry.state = 'open';
      entry.stake = bet;
      entry.free = useTicket ? bet : 0n;
    };
    try {
      const opening = { stake: bet, currency: 'EUR', id: entry.gameRound, useTicket };
      const round = await this.parts.studio.rgs.openRound({
        token: await this.seat.token(),
        ...opening,
      });
      taken();
      return { entry, round, isCut: false };
    } catch (error) {
      if (isUnknown(error) && (await this.seat.wasTaken(entry))) {
        taken();
        await this.seat.closeNow(entry);
        return null;
      }
      if (!isUnknown(error)) this.seat.refused(entry, error);
      entry.state = 'notTaken';
      return null;
    }
  }

  private async playOn(table: Table, plan: Plan): Promise<void> {
    const { entry } = table;
    switch (plan) {
      case 'severalDebits':
        await this.addBets(table);
        break;
      case 'gamble':
        await this.gamble(table);
        break;
      case 'spins':
        await this.spin(table);
        break;
      case 'voided':
        if (this.upTo(2) === 0) await this.win(table, false);
        if (!isLive(table)) return;
        await this.seat.act(
          table,
          () => table.round.void(),
          () => undo(entry),
        );
        return;
      case 'abandoned':
        if (this.upTo(2) === 0) await this.win(table, false);
        if (this.upTo(2) === 0) {
          const collect = this.upTo(2) === 0;
          entry.left = { winAmount: BigInt(this.upTo(300)), collect };
        }
        if (!table.isCut) this.seat.leave();
        return;
      default:
    }
    await this.finish(table);
  }

  private async finish(table: Table): Promise<void> {
    const { entry, round } = table;
    while (isLive(table)) {
      if (this.upTo(3) > 0) await this.win(table, true);
      else
        await this.seat.act(
          table,
          () => round.end(),
          () => close(entry),
        );
    }
  }

  private async win(table: Table, collect: boolean): Promise<void> {
    const { entry, round } = table;
    const winAmount = BigInt(this.upTo(400));
    await this.seat.act(
      table,
      () => round.addWin({ winAmount, collect }),
      () => {
        entry.open += winAmount;
        if (collect) close(entry);
      },
    );
  }

  private async addBets(table: Table): Promise<void> {
    const { entry, round } = table;
    for (let nth = 2; nth <= 2 + this.upTo(3) && isLive(table); nth++) {
      const bet = BigInt(10 + this.upTo(90));
      const isTaken = await this.seat.act(
        table,
        () => round.addBet({ stake: bet }),
        () => {
          entry.stake += bet;
        },
      );
      if (!isTaken || !isLive(table) || this.upTo(4) > 0) continue;
      await this.seat.act(
        table,
        () => round.void({ bet: nth }),
        () => {
          entry.stake -= bet;
        },
      );
    }
  }

  private async gamble(table: Table): Promise<void> {
    const { entry, round } = table;
    await this.win(table, false);
    for (let turns = this.upTo(4); turns > 0 && isLive(table) && entry.open > 0n; turns--) {
      const wagerAmount = entry.open;
      const winAmount = this.upTo(2) === 0 ? wagerAmount * 2n : 0n;
      await this.seat.act(
        table,
        () => round.wager({ wagerAmount, winAmount }),
        () => {
          entry.open = winAmount;
        },
      );
    }
  }

  private async spin(table: Table): Promise<void> {
    const { round } = table;
    const counterType = 'free';
    let left = 0;
    const award = () => round.spins({ counterType, awarded: 3 });
    if (await this.seat.act(table, award, nothing)) left = 3;
    while (left > 0 && isLive(table)) {
      left--;
      await this.seat.act(table, () => round.spins({ counterType, used: 1 }), nothing);
      if (isLive(table) && this.upTo(2) === 0) await this.win(table, false);
    }
  }

  /** A start with a credit: over at once, or open and not to be voided any more (E7.4, 26). */
  private async playCredited(entry: Entry, plan: 'atOnce' | 'voidAfterCredit'): Promise<void> {
    const { rgs } = this.parts.studio;
    const credit = BigInt(1 + this.upTo(200));
    const request = {
      token: await this.seat.token(),
      rngResult: {},
      debitInformation: { debitAmount: stake, currency: 'EUR' },
      creditInformation: { creditAmount: credit, currency: 'EUR' },
      endGame: plan === 'atOnce',
      externalGameProviderRoundId: entry.gameRound,
    };
    let isTaken: boolean | null = true;
    try {
      await rgs.startGameRound(request);
    } catch (error) {
      if (isUnknown(error)) {
        const lost = { call: 'start', request } as const;
        isTaken = await this.seat.recover(entry, lost, null);
        isTaken ??= await this.seat.wasTaken(entry);
      } else {
        this.seat.refused(entry, error);
        isTaken = false;
      }
    }
    if (!isTaken) {
      entry.state = 'notTaken';
      return;
    }
    entry.state = 'open';
    entry.stake = stake;
    entry.win = credit;
    if (plan === 'atOnce') return close(entry);
    await this.voidInVain(entry);
    await this.seat.closeNow(entry);
  }

  private async voidInVain(entry: Entry): Promise<void> {
    const { gameRound } = entry;
    try {
      await this.parts.studio.rgs.voidGameRound({ token: await this.seat.token(), gameRound });
      this.seat.violation(gameRound, 'a round with a credit was voided (E13.2)');
    } catch (error) {
      if (!isUnknown(error)) this.seat.refused(entry, error, [26]);
      if (idOf(error) === 26) this.seat.count('voids refused with 26');
    }
  }

  private async mayGrant(): Promise<void> {
    if (this.upTo(3) > 0) return;
    const serial = `${this.runId}-${this.playerId}-${++this.#packages}`;
    await this.parts.casino.grant(this.playerId, serial, ticketStake, 3);
    this.seat.count('packages');
  }

  private pick(): Plan {
    let at = this.upTo(plans.reduce((sum, [, weight]) => sum + weight, 0));
    for (const [plan, weight] of plans) {
      if (at < weight) return plan;
      at -= weight;
    }
    return 'plain';
  }

  /** 32 hexadecimal digits, never one twice. */
  private nextId(): string {
    const text = `${this.runId} ${this.playerId} ${++this.#rounds}`;
    return createHash('sha256').update(text).digest('hex').slice(0, 32);
  }

  private upTo(limit: number): number {
    return wholeBelow(this.#random, limit);
  }
}

/** Counters are not in the book: they move no money. */
function nothing(): void {}

function isLive({ entry, isCut }: Table): boolean {
  return entry.state === 'open' && !isCut;
}
