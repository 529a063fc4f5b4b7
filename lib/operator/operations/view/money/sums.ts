import type { TotalsName, TotalsSums } from '../../../wallet';
import { formatAmount } from '../../../../protocol/money/amount';
import type { PeriodPart } from './period';

/** What rounds moved; amounts are decimal texts. */
export interface MoneySums {
  /** Rounds by their start, without those that were voided as a whole; free ones included. */
  readonly rounds: number;
  readonly freeRounds: number;
  /** What these took: debits less discounts and voids. */
  readonly taken: string;
  /** What these gave: credits less voids, without repairs. */
  readonly won: string;
  /** What people paid by repairs meanwhile, for whichever rounds. */
  readonly repaired: string;
  /** What was won, and repaired. */
  readonly given: string;
  /** What was taken, less what was given. */
  readonly kept: string;
}

/** An hour of a day, or a day of a longer period. */
export interface MoneyPart extends MoneySums {
  /** `02`, or `02a` and `02b` where the hour comes twice; or the day. */
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly from: string;
  /** When the next one begins. */
  readonly to: string;
}

/** A game. */
export interface MoneyGame extends MoneySums {
  /** Null where the store does not know it. */
  readonly gameCode: string | null;
  /** What it gave of a hundred that it took, to one decimal; null if it took nothing. */
  readonly returned: string | null;
}

/** What voids took out of the rounds of the period, whenever they came: it is in no other figure. */
export interface MoneyVoided {
  readonly rounds: number;
  readonly taken: string;
  readonly won: string;
}

/** The money of a currency in a period; amounts are decimal texts. */
export interface MoneyFigures extends MoneySums {
  /** Openings and deposits. */
  readonly cashIn: string;
  /** Withdrawals. */
  readonly cashOut: string;
  /** cashIn - cashOut. */
  readonly cash: string;
  /** Corrections by people; below zero if they took money. */
  readonly corrected: string;
  /** What all this added to the accounts: cash + corrected - taken + won + repaired. */
  readonly added: string;
  readonly returned: string | null;
  readonly voided: MoneyVoided;
  readonly parts: readonly MoneyPart[];
  /** Those that took most first. */
  readonly games: readonly MoneyGame[];
}

const names = ['games', 'freePlays', 'bet', 'win', 'repaired'] as const;
type Played = Record<(typeof names)[number], bigint>;

function nothing(): Played {
  return { games: 0n, freePlays: 0n, bet: 0n, win: 0n, repaired: 0n };
}

/** The sums of a currency, added up. */
interface CurrencySums {
  readonly all: Partial<Record<TotalsName, bigint>>;
  readonly parts: Played[];
  readonly games: Map<string, Played>;
}

/** Adds up totals: rounds by their start, cash and repairs by their own time. */
export class PeriodSums {
  readonly #currencies = new Map<string, CurrencySums>();
  readonly #places = new Map<number, number>();

  constructor(private readonly parts: readonly PeriodPart[]) {
    for (const [place, { from }] of parts.entries()) this.#places.set(from, place);
  }

  /** @param sums Of parts of the period. */
  add({ parts, games }: Pick<TotalsSums, 'parts' | 'games'>): void {
    for (const { quarter, currency, sums } of parts) {
      const of = this.#of(currency);
      for (const [name, units] of Object.entries(sums) as [TotalsName, bigint][]) {
        of.all[name] = (of.all[name] ?? 0n) + units;
      }
      const place = this.#places.get(quarter);
      if (place === undefined) throw new Error('a part of the totals is not of the period');
      addPlayed((of.parts[place] ??= nothing()), sums);
    }
    for (const { game, currency, sums } of games) {
      const { games: known } = this.#of(currency);
      const ofGame = known.get(game) ?? nothing();
      known.set(game, ofGame);
      addPlayed(ofGame, sums);
    }
  }

  /** Those of which any sum is not zero, in order. */
  get currencies(): string[] {
    const found = [...this.#currencies].filter(([, { all }]) =>
      Object.values(all).some((units) => units !== 0n),
    );
    return found.map(([currency]) => currency).toSorted();
  }

  /** The currency with the most rounds, of several the first one; null without any. */
  get busiest(): string | null {
    const rounds = (currency: string): bigint => this.#of(currency).all.games ?? 0n;
    const [first = null] = this.currencies.toSorted((one, other) =>
      Number(rounds(other) - rounds(one)),
    );
    return first;
  }

  figures(currency: string, decimals: number): MoneyFigures {
    const { all, parts, games } = this.#of(currency);
    const of = (name: TotalsName): bigint => all[name] ?? 0n;
    const text = (units: bigint): string => formatAmount(units, decimals);
    const played = nothing();
    for (const name of names) played[name] = of(name);
    const cash = of('cashIn') - of('cashOut');
    return {
      cashIn: text(of('cashIn')),
      cashOut: text(of('cashOut')),
      cash: text(cash),
      corrected: text(of('corrected')),
      added: text(cash + of('corrected') - of('bet') + of('win') + of('repaired')),
      ...textsOf(played, decimals),
      returned: returnedOf(played),
      voided: {
        rounds: Number(of('voidedGames')),
        taken: text(of('voidedBet')),
        won: text(of('voidedWin')),
      },
      parts: this.parts.map(({ name, from, to }, at) => ({
        name,
        from: timeOf(from),
        to: timeOf(to),
        ...textsOf(parts[at] ?? nothing(), decimals),
      })),
      games: [...games]
        .filter(([, one]) => names.some((name) => one[name] !== 0n))
        .toSorted(byTaken)
        .map(([game, one]) => ({
          gameCode: game === '' ? null : game,
          ...textsOf(one, decimals),
          returned: returnedOf(one),
        })),
    };
  }

  #of(currency: string): CurrencySums {
    const known = this.#currencies.get(currency);
    if (known !== undefined) return known;
    const made = { all: {}, parts: [], games: new Map<string, Played>() };
    this.#currencies.set(currency, made);
    return made;
  }
}

function addPlayed(to: Played, sums: TotalsSums['parts'][number]['sums']): void {
  for (const name of names) to[name] += sums[name] ?? 0n;
}

function textsOf({ games, freePlays, bet, win, repaired }: Played, decimals: number): MoneySums {
  const text = (units: bigint): string => formatAmount(units, decimals);
  return {
    rounds: Number(games),
    freeRounds: Number(freePlays),
    taken: text(bet),
    won: text(win),
    repaired: text(repaired),
    given: text(win + repaired),
    kept: text(bet - win - repaired),
  };
}

function returnedOf({ bet, win, repaired }: Played): string | null {
  const given = win + repaired;
  if (bet <= 0n || given < 0n) return null;
  return formatAmount((given * 2_000n + bet) / (2n * bet), 1);
}

function byTaken([one, { bet }]: [string, Played], [other, { bet: next }]: [string, Played]) {
  if (bet !== next) return bet > next ? -1 : 1;
  return one < other ? -1 : 1;
}

function timeOf(quarter: number): string {
  return new Date(quarter * 900_000).toISOString();
}
