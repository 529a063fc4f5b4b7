import type { RoundState } from '../../gameround';
import { proposalLifeMs } from '../../gameround/repairs';
import type { AttentionEntry } from '../../wallet';
import { comparePositions, type Position } from './cursor';

/** The first entries behind a position, and the sums of all. */
export class Gathered {
  total = 0;
  proposals = 0;
  isWhole = true;
  oldest: number | undefined;
  readonly states: Partial<Record<RoundState, number>> = {};
  readonly atStake = new Map<string, bigint>();
  private kept: AttentionEntry[] = [];

  constructor(
    private readonly after: Position | null,
    private readonly most: number,
    private readonly only: 'proposed' | null,
    /** Milliseconds since 1970. */
    private readonly now: number,
  ) {}

  add(entry: AttentionEntry): void {
    const { state, stateSince, currency, atStake } = entry;
    this.total += 1;
    this.states[state] = (this.states[state] ?? 0) + 1;
    if (stateSince !== undefined) this.oldest = Math.min(this.oldest ?? stateSince, stateSince);
    if (typeof currency === 'string' && atStake !== undefined) {
      this.atStake.set(currency, (this.atStake.get(currency) ?? 0n) + atStake);
    }
    if (this.isProposed(entry)) this.proposals += 1;
    else if (this.only === 'proposed') return;
    if (this.after !== null && comparePositions(positionOf(entry), this.after) <= 0) return;
    this.kept.push(entry);
    if (this.kept.length >= this.most * 2) this.kept = this.first();
  }

  /** Whether a repair waits for its approval: a proposal can be approved for a day. */
  isProposed({ proposal }: AttentionEntry): boolean {
    return proposal !== undefined && proposal.proposedAt + proposalLifeMs > this.now;
  }

  /** In order. */
  first(): AttentionEntry[] {
    return this.kept
      .toSorted((one, other) => comparePositions(positionOf(one), positionOf(other)))
      .slice(0, this.most);
  }
}

/** A store of a user's own may not say since when: such rounds come first. */
export function positionOf({
  operatorId,
  playerId,
  gameRound,
  stateSince = 0,
}: AttentionEntry): Position {
  return { at: stateSince, ids: [operatorId, playerId, gameRound] };
}
