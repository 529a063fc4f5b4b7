import type { Repair, RoundHead } from '../../gameround';
import type { RoundKey } from '../player/round-key';
import type { Unknown } from '../player/store-errors';

/** A repair, and the round that it is of. */
export interface RepairEntry extends RoundKey {
  readonly gameCode: string | null;
  /** The round's version now: a proposal with another one is stale (D11.2). */
  readonly version: number;
  /** As it is now. */
  readonly repair: Repair;
}

/** Which repairs of an operator to list. */
export interface RepairsQuery {
  /** The `next` of a page before: the repairs that were proposed earlier. */
  readonly cursor?: string;
  /** Most repairs of the page, 1 to 200; 50 unless set. */
  readonly limit?: number;
}

/** The answer to {@link RepairList.list}. */
export type RepairsPageResult =
  | {
      readonly kind: 'known';
      readonly repairs: readonly RepairEntry[];
      /** The cursor of the next page; null if this was the last. */
      readonly next: string | null;
    }
  | Unknown;

/**
 * The repairs of a store (D11). A store that has them writes `RoundHead.repairs` with a commit, returns it unchanged with a
 * load, and keeps rounds with it for ever. Without them no repair can be proposed: a repair whose record is lost could be
 * made twice.
 */
export interface RepairList {
  /**
   * Every repair ever proposed, whatever its outcome, a page at a time: the latest proposal first. A repair
   * keeps its place, so it is listed once, whatever is written between two pages; it is shown as of the reading
   * of its page. The cost is that of the page, not of rounds without repairs.
   * @throws TypeError for wrong use, and for a cursor that this store did not give for this operator.
   */
  list(operatorId: string, query?: RepairsQuery): Promise<RepairsPageResult>;
}

/** The entry of a repair, for a store's `repairs.list`; null if the round has none with this id. */
export function createRepairEntry(
  { operatorId, playerId, gameRound }: RoundKey,
  { version, gameCode, repairs }: Pick<RoundHead, 'version' | 'gameCode' | 'repairs'>,
  id: string,
): RepairEntry | null {
  const repair = repairs?.list.find((one) => one.id === id);
  if (repair === undefined) return null;
  return { operatorId, playerId, gameRound, gameCode, version, repair };
}
