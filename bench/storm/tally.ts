/** What was counted of the rounds that began in one phase. */
export class Tally {
  rounds = 0;
  /** Debits that were answered 200 within the patience of an RGS, and all those. */
  debitsInTime = 0;
  /** By status, `silent` or `unsent`. */
  readonly debits = new Map<string, number>();
  credits = 0;
  creditsInTime = 0;
  credits5xx = 0;
  /** Played in time, before the phase was over. */
  wholeRounds = 0;
  endsAt = Number.POSITIVE_INFINITY;
  voidedRounds = 0;
  voidsSent = 0;
  voids5xx = 0;
  readonly debitMs: number[] = [];
  readonly healthMs: number[] = [];

  /** @param seconds How long the phase was, as the server has time. */
  constructor(
    readonly name: string,
    readonly factor: number,
    readonly seconds: number,
  ) {}

  debit(outcome: string): void {
    this.debits.set(outcome, this.of(outcome) + 1);
  }

  of(outcome: string): number {
    return this.debits.get(outcome) ?? 0;
  }

  /** Debits that were shed. */
  get shed(): number {
    return this.of('503') + this.of('400');
  }
}

/** What each player should have won or lost, in cents, and what is still open. */
export class Book {
  readonly moved: number[];
  /** The rounds of each player in which the RGS has no bet: refused or voided. */
  readonly withoutBet: string[][];
  /** Sent again until they are answered 200. */
  readonly open = new Set<() => Promise<boolean>>();

  constructor(players: number) {
    this.moved = Array.from({ length: players }, () => 0);
    this.withoutBet = Array.from({ length: players }, () => []);
  }

  move(player: number, cents: number): void {
    this.moved[player] = (this.moved[player] ?? 0) + cents;
  }
}
