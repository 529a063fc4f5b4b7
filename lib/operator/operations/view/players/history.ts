import type { OperationsSettings } from '../../configuration/options';
import { type Coverage, viewCoverage } from '../rounds/coverage';
import type { FilterTexts } from '../rounds/filter';
import { type NotableView, viewNotable } from '../rounds/notable';
import { filterOf, readRounds, type RoundsView, viewRounds } from '../rounds/list';
import { playerOf, type RequestFields, shownOperator } from '../request';

/** The rounds of a player in a period, and whether they are all. */
export interface HistoryView {
  readonly asOf: string;
  readonly operatorId: string;
  /** Null before one is asked for. */
  readonly playerId: string | null;
  /** The notable rounds of all players; null unless a kind of them was asked for, and no player. */
  readonly notable: NotableView | null;
  /** Null without a player. */
  readonly rounds: RoundsView | null;
  /** Null without a list of rounds. */
  readonly coverage: Coverage | null;
}

/** @throws RequestFault for a player, a filter or a place that is not valid, StoreUnavailableError. */
export async function viewHistory(
  request: RequestFields &
    Pick<OperationsSettings, 'store' | 'clock' | 'booksZone' | 'archiveCheck'>,
  filter: FilterTexts,
): Promise<HistoryView> {
  const { fields, clock } = request;
  const asOf = new Date(clock.now()).toISOString();
  if ((fields.get('player') ?? '') === '') {
    const operatorId = shownOperator(request);
    const isAsked = (fields.get('kind') ?? '') !== '';
    const notable = isAsked ? await viewNotable(request, operatorId) : null;
    return { asOf, operatorId, playerId: null, notable, rounds: null, coverage: null };
  }
  const player = playerOf(request);
  const rounds = await viewRounds(
    request,
    readRounds(request, player, fields.get('rounds') || null, filter),
  );
  if (rounds.history !== 'on') return { asOf, ...player, notable: null, rounds, coverage: null };
  const { from, to } = filterOf(filter, request);
  const coverage = await viewCoverage(request, {
    operatorId: player.operatorId,
    keptSince: rounds.keptSince,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  });
  return { asOf, ...player, notable: null, rounds, coverage };
}
