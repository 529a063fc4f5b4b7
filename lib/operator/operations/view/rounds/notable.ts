import { isIdentifier } from '../../../../protocol/identifiers';
import {
  createRoundSummary,
  type NotableKind,
  notableKinds,
  type NotablePlace,
  type RoundKey,
} from '../../../wallet';
import type { OperationsSettings } from '../../configuration/options';
import { countedOf } from '../money/counted';
import { queryStore } from '../query-store';
import { RequestFault } from '../request';
import type { FilterTexts } from './filter';
import { filterOf, rowOf, type RoundRow } from './list';

/** A notable round, as it is now. */
export interface NotableRow extends RoundKey {
  /** When it began: ISO 8601, UTC. */
  readonly beganAt: string;
  /** Null if the store has deleted it since. */
  readonly round: RoundRow | null;
}

/** The notable rounds of a kind, of all players. */
export interface NotableView {
  readonly kind: NotableKind;
  /** `off`: nobody keeps totals. `empty`: nothing is counted yet. `missing`: the store cannot keep any. */
  readonly totals: 'on' | 'off' | 'empty' | 'missing';
  /** From when on all events are counted, ISO 8601 in UTC; null where none are. */
  readonly since: string | null;
  /** When the oldest event that waits to be counted was committed; null without any. */
  readonly countedUntil: string | null;
  /** Those that began last first. */
  readonly rounds: readonly NotableRow[];
  /** The `rounds` of the next page; null on the last. */
  readonly next: string | null;
}

const roundsOnPage = 20;

/** @throws RequestFault for a kind, a period or a place that is not valid; StoreUnavailableError. */
export async function viewNotable(
  request: Pick<OperationsSettings, 'store' | 'clock' | 'booksZone'> & {
    readonly fields: URLSearchParams;
  },
  operatorId: string,
  filter: FilterTexts,
): Promise<NotableView> {
  const { store, clock, fields } = request;
  const kind = notableKinds.find((one) => one === fields.get('kind'));
  if (kind === undefined) {
    throw new RequestFault(400, `The kind must be one of ${notableKinds.join(', ')}.`, 'kind');
  }
  const { from, to } = filterOf(filter, request);
  const after = placeOf(fields.get('rounds') || null);
  const nothing = { kind, since: null, countedUntil: null, rounds: [], next: null };
  const { totals, events } = store;
  if (totals === undefined || events === undefined) return { ...nothing, totals: 'missing' };
  const counted = await countedOf({ clock, totals, events }, operatorId);
  if (typeof counted === 'string') return { ...nothing, totals: counted };
  const query = {
    kind,
    limit: roundsOnPage + 1,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(after !== null && { after }),
  };
  const places = await queryStore(clock, totals.notable(operatorId, query));
  const shown = places.slice(0, roundsOnPage);
  const rounds = shown.map(async ({ at, ...place }): Promise<NotableRow> => {
    const key = { operatorId, ...place };
    const report = await store.rounds.readRound(key);
    const round = report === null ? null : rowOf(createRoundSummary(key, report), store.decimals);
    return { ...key, beganAt: new Date(at).toISOString(), round };
  });
  const last = shown.at(-1);
  return {
    kind,
    totals: 'on',
    since: new Date(counted.since).toISOString(),
    countedUntil: counted.until === null ? null : new Date(counted.until).toISOString(),
    rounds: await queryStore(clock, Promise.all(rounds)),
    next: places.length > shown.length && last !== undefined ? placeText(last) : null,
  };
}

function placeText({ at, playerId, gameRound }: NotablePlace): string {
  return JSON.stringify([at, playerId, gameRound]);
}

/** @throws RequestFault */
function placeOf(text: string | null): NotablePlace | null {
  if (text === null) return null;
  try {
    const [at, playerId, gameRound] = JSON.parse(text) as unknown[];
    if (Number.isSafeInteger(at) && isIdentifier(playerId) && isIdentifier(gameRound)) {
      return { at: at as number, playerId, gameRound };
    }
  } catch {
    // Not a place of this page.
  }
  throw new RequestFault(400, 'The place in the rounds is not valid: begin at the first page.');
}
