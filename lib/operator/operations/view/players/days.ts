import { daysBetween, ZoneDays } from '../../../../platform/time/zone-days';
import { formatAmount } from '../../../../protocol/money/amount';
import type { PlayerKey, RoundsPageResult, RoundSummary, Unknown } from '../../../wallet';
import type { OperationsSettings } from '../../configuration/options';
import { dayAfter } from '../money/period';
import { freshly } from '../query-store';

/** The last days are read, today among them. */
export const playedDays = 30;

/** Rounds that are read for every reader, at most when one asks for more, and at once: each costs the process some 25 microseconds. */
const [usualRounds, roundsAtOnce] = [50, 200];

/** Most rounds that are summed when a reader asks for it. */
export const mostPlayed = 2_000;

/** What rounds took and gave, with repairs, real and bonus together: decimal texts. */
interface Played {
  /** Rounds that began then. */
  readonly rounds: number;
  readonly taken: string;
  readonly given: string;
  /** Given less taken. */
  readonly result: string;
}

/** The same in one currency, and by the day of the books on which a round began, such as `2026-11-24`: the oldest first, from that of `since` on. */
export interface PlayedCurrency extends Played {
  readonly currency: string;
  readonly days: readonly (Played & { readonly day: string })[];
}

/** What a player bet and won in the last 30 days of the books. */
export interface PlayedView {
  /** The first of the days. */
  readonly firstDay: string;
  /** From when on every round that the store lists is in it: the time of the oldest round that was read, or of what is kept; null if all are. ISO 8601, UTC. */
  readonly since: string | null;
  /** How many rounds are summed. */
  readonly rounds: number;
  /** Rounds that were read and began after today, since a clock is ahead: they count once that day is there. */
  readonly ahead: number;
  /** Whether there are older rounds in these days that were not read, and that cannot have been deleted. */
  readonly isCut: boolean;
  /** That of most rounds first. What people paid in another currency than the round's is in that one. */
  readonly currencies: readonly PlayedCurrency[];
}

type Ports = Pick<OperationsSettings, 'store' | 'clock' | 'booksZone'>;

/** What of a player is summed. */
interface PlayedQuery {
  /** Whether the reader asked for as many rounds as can be read, not for the few that every reader sees. */
  readonly asksAll: boolean;
  /** The player's newest rounds of any time, where they are read for a list, too; else null. */
  readonly newest: Promise<RoundsPageResult | null> | null;
}

/**
 * The newest rounds of the last 30 days, summed; null where the store lists no rounds.
 * @throws StoreUnavailableError
 */
export async function viewPlayed(
  ports: Ports,
  player: PlayerKey,
  { asksAll, newest }: PlayedQuery,
): Promise<PlayedView | null> {
  const { store, clock, booksZone } = ports;
  const { history, lists } = store;
  if (history === undefined) return null;
  const zone = new ZoneDays(booksZone);
  const last = zone.dayOf(clock.now());
  const most = asksAll ? mostPlayed : usualRounds;
  const asked = `played ${JSON.stringify([player.operatorId, player.playerId, booksZone, last, most])}`;
  const read = (cursor: string | null, number: number) => {
    const limit = Math.min(roundsAtOnce, most - number);
    return history.rounds(player, { limit, ...(cursor !== null && { cursor }) });
  };
  // A repair changes it, and forgets what was read of the lists.
  return freshly(lists, asked, clock, () =>
    readPlayed(ports, newest ?? read(null, 0), read, { zone, most }),
  );
}

async function readPlayed(
  { store, clock }: Ports,
  newest: Promise<RoundsPageResult | null>,
  read: (cursor: string, number: number) => Promise<RoundsPageResult>,
  { zone, most }: { readonly zone: ZoneDays; readonly most: number },
): Promise<PlayedView | null | Unknown> {
  const now = clock.now();
  const last = zone.dayOf(now);
  const firstDay = dayAfter(last, 1 - playedDays);
  const { from } = zone.boundsOf(firstDay);
  const retentionMs = store.retentionMs?.();
  const kept = retentionMs === undefined ? from : Math.max(from, now - retentionMs);
  const found: RoundSummary[] = [];
  let cursor: string | null = null;
  for (
    let page: RoundsPageResult | null = await newest;
    ;
    page = await read(cursor, found.length)
  ) {
    if (page === null || page.kind === 'off') return null;
    if (page.kind === 'unknown') return page;
    found.push(...page.rounds);
    cursor = page.next;
    const oldest = page.rounds.at(-1)?.openedAt;
    // What is older than a page of deleted rounds may have been deleted, too.
    if (cursor === null || found.length >= most || oldest === undefined || oldest < from) break;
  }
  const oldest = found.at(-1)?.openedAt ?? kept;
  const isCut = cursor !== null && found.length >= most && oldest > kept;
  const since = isCut ? oldest : kept;
  const { to } = zone.boundsOf(last);
  // Of what may have been deleted, those that are there still would be a part.
  const rounds = found.filter(({ openedAt }) => openedAt >= since && openedAt < to);
  const days = daysBetween(zone.dayOf(since), last);
  return {
    firstDay,
    since: since > from ? new Date(since).toISOString() : null,
    rounds: rounds.length,
    ahead: found.filter(({ openedAt }) => openedAt >= to).length,
    isCut,
    currencies: currenciesOf(rounds, days, { decimals: store.decimals, zone }),
  };
}

/** What is summed, in units. */
interface Sum {
  rounds: number;
  taken: bigint;
  given: bigint;
}

class Sums {
  readonly all: Sum = { rounds: 0, taken: 0n, given: 0n };
  readonly days = new Map<string, Sum>();

  add(day: string, { rounds, taken, given }: Sum): void {
    const ofDay = this.days.get(day) ?? { rounds: 0, taken: 0n, given: 0n };
    this.days.set(day, ofDay);
    for (const sum of [this.all, ofDay]) {
      sum.rounds += rounds;
      sum.taken += taken;
      sum.given += given;
    }
  }
}

function currenciesOf(
  rounds: readonly RoundSummary[],
  days: readonly string[],
  { decimals, zone }: { readonly decimals: number; readonly zone: ZoneDays },
): PlayedCurrency[] {
  const sums = new Map<string, Sums>();
  const add = (currency: string, day: string, sum: Sum): void => {
    const known = sums.get(currency) ?? new Sums();
    sums.set(currency, known);
    known.add(day, sum);
  };
  for (const { openedAt, currency, debits, credits, otherCredits = [] } of rounds) {
    const day = zone.dayOf(openedAt);
    const [taken, given] = [debits.real + debits.bonus, credits.real + credits.bonus];
    if (currency !== null) add(currency, day, { rounds: 1, taken, given });
    for (const other of otherCredits) {
      add(other.currency, day, {
        rounds: 0,
        taken: 0n,
        given: other.purse.real + other.purse.bonus,
      });
    }
  }
  const found = [...sums].toSorted(([, one], [, other]) => other.all.rounds - one.all.rounds);
  return found.map(([currency, { all, days: known }]) => ({
    currency,
    ...textsOf(all, decimals),
    days: days.map((day) => ({ day, ...textsOf(known.get(day), decimals) })),
  }));
}

function textsOf(
  { rounds, taken, given }: Sum = { rounds: 0, taken: 0n, given: 0n },
  decimals: number,
): Played {
  return {
    rounds,
    taken: formatAmount(taken, decimals),
    given: formatAmount(given, decimals),
    result: formatAmount(given - taken, decimals),
  };
}
