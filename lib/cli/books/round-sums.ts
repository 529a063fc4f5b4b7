import { type RoundBooks, roundBooksDifference } from '../../operator/ledger';
import type { PlayerKey } from '../../operator/wallet';
import { addPurses, emptyPurse, isEmptyPurse, type Purse } from '../../protocol/money/purse';
import { drawTable, sumRows, unitsText } from '../rounds/text';
import { purseJson } from '../../operator/wallet/round-report';
import { counted } from '../terminal/failure';
import { plain } from '../../protocol/json/printable';

const parts = ['posted', 'round', 'repairs'] as const;

type Parts = Readonly<Record<(typeof parts)[number], Purse>>;

const noSums: Sums = {
  posted: emptyPurse,
  round: emptyPurse,
  repairs: emptyPurse,
  rounds: 0,
  differing: 0,
};

/** The sums of rounds, and how many differ. */
type Sums = Parts & { readonly rounds: number; readonly differing: number };

/** The sums of a player's rounds in one currency. */
export type PlayerSums = Sums & PlayerKey & { readonly currency: string };

/** The sums of the rounds so far. */
export class RoundSums {
  rounds = 0;
  readonly #currencies = new Map<string, Sums>();
  readonly #own = new Map<string, Sums>();
  #player: PlayerKey | null = null;
  #differing = 0;
  #moving = 0;
  #unsettled = 0;

  /** @param listsRounds Whether rounds without a posting were looked for. */
  constructor(
    readonly decimals: number,
    private readonly listsRounds: boolean,
  ) {}

  /** Adds a round; returns whether it differs. */
  add(books: RoundBooks): boolean {
    const { standing } = books;
    this.rounds += 1;
    if (this.#player === null || !isSame(this.#player, books)) this.#own.clear();
    this.#player = books;
    if (standing === 'unsettled') {
      this.#unsettled += 1;
      return false;
    }
    const isDifferent = !isEmptyPurse(roundBooksDifference(books));
    addTo(this.#currencies, books, isDifferent);
    addTo(this.#own, books, isDifferent);
    if (!isDifferent) return false;
    if (standing === 'moving') this.#moving += 1;
    else this.#differing += 1;
    return true;
  }

  /**
   * The sums of the player whose rounds were added last, by currency: those in which a round differs, or all.
   * Empty if the next round is of the same player.
   */
  ofPlayer(next: RoundBooks | null, all: boolean): readonly PlayerSums[] {
    const player = this.#player;
    if (player === null || (next !== null && isSame(player, next))) return [];
    const { operatorId, playerId } = player;
    return sorted(this.#own)
      .filter(([, { differing }]) => all || differing > 0)
      .map(([currency, sums]) => ({ operatorId, playerId, currency, ...sums }));
  }

  /** Whether every round that could be compared is whole. */
  get isWhole(): boolean {
    return this.#differing === 0 && this.#moving === 0;
  }

  toText(): string {
    const rows = sorted(this.#currencies).flatMap(([currency, sums]) =>
      sumRows(
        currency,
        parts.map((part) => sums[part]),
        this.decimals,
        [String(sums.rounds), String(sums.differing)],
      ),
    );
    const lines = rows.length === 0 ? [] : drawTable(['', ...parts, 'rounds', 'differ'], rows);
    const end = this.isWhole ? 'the books are whole' : `${this.#differing} differ`;
    lines.push(`In all: ${counted(this.rounds, 'round')}, ${end}.`);
    if (this.#unsettled > 0) {
      lines.push(
        `${counted(this.#unsettled, 'round')} not compared: a posting is pending, or the round waits for its void.`,
      );
    }
    if (this.#moving > 0) {
      lines.push(`${counted(this.#moving, 'round')} did not rest while it was read: run it again.`);
    }
    if (!this.listsRounds) {
      lines.push(
        "Rounds without any posting were not looked for: the store keeps no list of a player's rounds.",
      );
    }
    return lines.join('\n');
  }

  toJSON(): object {
    const currencies = sorted(this.#currencies).map(([currency, sums]) => {
      return { currency, ...sumsJson(sums, this.decimals) };
    });
    return {
      whole: this.isWhole,
      rounds: this.rounds,
      differing: this.#differing,
      notAtRest: this.#moving,
      unsettled: this.#unsettled,
      withoutPosting: this.listsRounds ? 'looked for' : 'not looked for',
      currencies,
    };
  }
}

function addTo(sums: Map<string, Sums>, books: RoundBooks, isDifferent: boolean): void {
  const { currency } = books;
  const { rounds, differing, ...before } = sums.get(currency) ?? noSums;
  const added = Object.fromEntries(
    parts.map((part) => [part, addPurses(before[part], books[part])]),
  ) as unknown as Parts;
  sums.set(currency, { ...added, rounds: rounds + 1, differing: differing + Number(isDifferent) });
}

function sorted(sums: ReadonlyMap<string, Sums>): (readonly [string, Sums])[] {
  return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function isSame(one: PlayerKey, other: PlayerKey): boolean {
  return one.operatorId === other.operatorId && one.playerId === other.playerId;
}

/** A player's sums in a currency, as a line for a person. */
export function playerText(sums: PlayerSums, decimals: number): string {
  const { operatorId, playerId, currency } = sums;
  const { rounds, differing } = sums;
  const said = `${partsText(sums, currency, decimals)}; ${counted(rounds, 'round')}`;
  const end = differing === 0 ? '' : `, ${differing} differ`;
  return plain(`Player ${playerId} of operator ${operatorId}: ${said}${end}`);
}

/** The same as JSON. */
export function playerJson(sums: PlayerSums, decimals: number): object {
  const { operatorId, playerId, currency } = sums;
  return { player: { operatorId, playerId, currency, ...sumsJson(sums, decimals) } };
}

function partsText(sums: Parts, currency: string, decimals: number): string {
  return parts.map((part) => `${part} ${unitsText(sums[part], currency, decimals)}`).join(', ');
}

function sumsJson(sums: Sums, decimals: number): object {
  const { rounds, differing } = sums;
  return { rounds, differing, ...partsJson(sums, decimals) };
}

/** A round that differs, as a line for a person. */
export function roundText(books: RoundBooks, decimals: number): string {
  const { operatorId, playerId, gameRound, currency, standing } = books;
  const shown = partsText(books, currency, decimals);
  const more = unitsText(roundBooksDifference(books), currency, decimals);
  const note = notes[standing];
  return plain(
    `DIFFERS${note}: operator ${operatorId}, player ${playerId}, round ${gameRound}: the ledger posted ${more} more than the round says (${shown})`,
  );
}

const notes = {
  compared: '',
  unsettled: '',
  unknown: ' (the store does not know the round)',
  moving: ' (it did not rest)',
} as const;

/** The same as JSON. */
export function roundJson(books: RoundBooks, decimals: number): object {
  const { operatorId, playerId, gameRound, currency, standing } = books;
  const difference = purseJson(roundBooksDifference(books), decimals);
  const names = { operatorId, playerId, gameRound, currency };
  return { ...names, difference, standing, ...partsJson(books, decimals) };
}

function partsJson(sums: Parts, decimals: number): object {
  return Object.fromEntries(parts.map((part) => [part, purseJson(sums[part], decimals)]));
}
