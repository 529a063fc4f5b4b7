import { beforeVoids, type PlayedRound, repairedOf } from '../rounds/round';
import type { CellDifference } from '../counting/fit';
import type { NamedRound } from '../counting/difference';

/** Most candidates that are listed of a cell. */
const mostListed = 10;

/** Most rounds of a cell among which pairs are looked for. */
const mostPaired = 5_000;

/** Why a round may be the cause, in the order in which candidates are listed. */
const reasons: readonly (readonly [
  string,
  (round: PlayedRound, cell: CellDifference) => boolean,
])[] = [
  ['repaired here', isRepair],
  ['a credit twice', isCreditTwice],
  ['voided here', (round, cell) => isVoidedHere(round, cell)],
  ['stranded, crashed or cancelled', isStuck],
  ['voided after its day', (round, cell) => round.voids.length > 0 && isWhole(round, cell)],
  ['a free play', (round, cell) => round.isFree && isWhole(round, cell)],
  ['the whole round', isWhole],
  ['its bet or its win', isOneAmount],
];

/** Collects the rounds that may be the cause of one cell's difference. */
export class Candidates {
  readonly #byReason = reasons.map((): PlayedRound[] => []);
  readonly #counts = reasons.map(() => 0);
  readonly #rounds: PlayedRound[] = [];

  constructor(private readonly cell: CellDifference) {}

  /** Takes a round of the cell. */
  add(round: PlayedRound): void {
    if (this.#rounds.length < mostPaired) this.#rounds.push(round);
    const at = reasons.findIndex(([, fits]) => fits(round, this.cell));
    if (at < 0) return;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    if ((this.#byReason[at]?.length ?? 0) < mostListed) this.#byReason[at]?.push(round);
  }

  /** At most {@link mostListed} rounds, the likeliest first, and how many others fit as well. */
  result(): { readonly rounds: NamedRound[]; readonly more: number } {
    const all = this.#byReason.flatMap((rounds, at) =>
      rounds.map((round) => named(round, reasons[at]?.[0] ?? '')),
    );
    const count = this.#counts.reduce((sum, one) => sum + one, 0);
    if (count === 0) return this.#pairs();
    const listed = all.slice(0, mostListed);
    return { rounds: listed, more: count - listed.length };
  }

  /** Two rounds that together are the difference. */
  #pairs(): { rounds: NamedRound[]; more: number } {
    const { games, bet, win } = this.cell;
    const sign = games < 0 ? -1n : 1n;
    if (Math.abs(games) !== 2) return { rounds: [], more: 0 };
    const before = new Map<string, PlayedRound>();
    const found: NamedRound[] = [];
    let pairs = 0;
    for (const round of this.#rounds) {
      const is = beforeVoids(round);
      const partner = before.get(`${sign * bet - is.bet} ${sign * win - is.win}`);
      before.set(`${is.bet} ${is.win}`, round);
      if (partner === undefined) continue;
      pairs += 1;
      if (found.length + 2 > mostListed) continue;
      found.push(named(partner, 'a pair'), named(round, 'a pair'));
    }
    return { rounds: found, more: 2 * pairs - found.length };
  }
}

/** A round as a candidate. */
export function named(round: PlayedRound, reason: string): NamedRound {
  const { currency, bet, win, state, player } = round;
  const by = round.repairs.flatMap((one) => (one.by === null ? [] : [`${one.id} by ${one.by}`]));
  const people = reason === 'repaired here' && by.length > 0 ? `: ${by.join('; ')}` : '';
  const ours = { currency, bet, win, state };
  const kind = 'candidate';
  return { round: round.round, player, kind, reason: reason + people, ours, theirs: null };
}

function isRepair(round: PlayedRound, { games, bet, win }: CellDifference): boolean {
  const repaired = repairedOf(round);
  return repaired !== 0n && games === 0 && bet === 0n && (win === -repaired || win === repaired);
}

function isCreditTwice({ credits }: PlayedRound, { games, bet, win }: CellDifference): boolean {
  if (games !== 0 || bet !== 0n || credits.length < 2) return false;
  const size = win < 0n ? -win : win;
  return credits.filter((one) => one === size).length > 1;
}

function isVoidedHere(round: PlayedRound, { games, bet, win }: CellDifference): boolean {
  if (round.games !== 0 || games !== -1) return false;
  const was = beforeVoids(round);
  return bet === -was.bet && win === -was.win;
}

function isStuck(round: PlayedRound, cell: CellDifference): boolean {
  if (!/^(?:stranded|crashed|cancelled)$/.test(round.state)) return false;
  const { games, bet, win } = cell;
  const isRefused = round.refusedCredits.some((one) => win === -one);
  return isWhole(round, cell) || (games === 0 && bet === 0n && isRefused);
}

function isWhole(round: PlayedRound, { games, bet, win }: CellDifference): boolean {
  const sign = games < 0 ? -1n : 1n;
  if (Math.abs(games) !== 1) return false;
  const was = beforeVoids(round);
  return bet === sign * was.bet && win === sign * was.win;
}

function isOneAmount(round: PlayedRound, { games, bet, win }: CellDifference): boolean {
  if (games !== 0) return false;
  const was = beforeVoids(round);
  if (bet === 0n) return was.win !== 0n && (win === was.win || win === -was.win);
  return win === 0n && was.bet !== 0n && (bet === was.bet || bet === -was.bet);
}
