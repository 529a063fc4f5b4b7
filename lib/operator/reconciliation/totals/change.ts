import { readExactAmount } from '../../../protocol/json/exact';
import type {
  CashEvent,
  NotableKind,
  NotableRound,
  RoundEvent,
  Totals,
  TotalsChange,
  TotalsGap,
  TotalsName,
  TotalsRound,
  TotalsRow,
  WalletEvent,
} from '../../wallet';
import { type Part, type PartSums, partsOf } from '../counting/cells';
import { brokenQuarters } from '../counting/days';
import { readEvent } from '../rounds/event-line';
import type { PlayedRound } from '../rounds/round';
import { RoundDraft } from '../rounds/round-draft';
import { quarterOf } from '../../../platform/time/zone-days';

/** What the sums of a part are called in totals. */
export const partNames = {
  counted: { games: 'games', freePlays: 'freePlays', bet: 'bet', win: 'win' },
  voided: {
    games: 'voidedGames',
    freePlays: 'voidedFreePlays',
    bet: 'voidedBet',
    win: 'voidedWin',
  },
  back: { games: 'backGames', freePlays: 'backFreePlays', bet: 'backBet', win: 'backWin' },
} as const satisfies Record<Part, Record<keyof PartSums, TotalsName>>;

/** How events are counted. */
export interface CountingTerms {
  readonly operatorId: string;
  readonly decimals: number;
  /** How long the store keeps rounds that are over: what is kept of them here stays a day longer. */
  readonly retentionMs: number;
  /** See TotalsChange. */
  readonly since: number;
  readonly isLookup?: boolean;
  /** By currency, from which sum on what a round gave is a large win, in units. */
  readonly notableFrom?: ReadonlyMap<string, bigint>;
}

const dayMs = 86_400_000;

/**
 * What events change in the totals that have all events before them.
 * @throws StoreUnavailableError
 */
export async function changeOfEvents(
  events: readonly WalletEvent[],
  totals: Pick<Totals, 'rounds'>,
  terms: CountingTerms,
): Promise<TotalsChange> {
  const sums = new RowSums();
  const gaps = new Map<number, TotalsGap>();
  const byRound = new Map<string, RoundEvent[]>();
  for (const event of events) {
    if (event.type === 'cash') sums.addCash(event, terms.decimals);
    if (event.type !== 'round') continue;
    if (event.round === null) {
      noteGap(gaps, 'round lost', quarterOf(Date.parse(event.at)), event);
      continue;
    }
    const key = `${event.playerId.length} ${event.playerId}${event.gameRound}`;
    const list = byRound.get(key) ?? [];
    byRound.set(key, list);
    list.push(event);
  }
  const lists = [...byRound.values()].flatMap((list) =>
    list[0] ? [[list[0], list] as const] : [],
  );
  const kept = await totals.rounds(
    terms.operatorId,
    lists.map(([first]) => first),
  );
  const notable: NotableRound[] = [];
  const rounds = lists.map(([{ playerId, gameRound }, list], at): TotalsRound => {
    const counted = countRound(kept[at] ?? null, list, terms, sums);
    notable.push(...counted.notable);
    for (const one of counted.rounds) {
      for (const quarter of brokenQuarters(one)) {
        noteGap(gaps, 'beginning missing', quarter, { playerId, gameRound });
      }
    }
    return { playerId, gameRound, text: counted.text, expiresAt: counted.expiresAt };
  });
  const { since, isLookup = false } = terms;
  return { rows: sums.rows(), rounds, gaps: [...gaps.values()], since, notable, isLookup };
}

/** Adds what the events of a round change, and answers the round after them. */
function countRound(
  kept: string | null,
  events: readonly RoundEvent[],
  { decimals, retentionMs, notableFrom = new Map() }: CountingTerms,
  sums: RowSums,
): { rounds: PlayedRound[]; text: string; expiresAt: number | null; notable: NotableRound[] } {
  const notable: NotableRound[] = [];
  const before = restored(kept, events);
  let draft = before.draft;
  let listed = draft === null ? new Set<NotableKind>() : reasonsOf(draft, notableFrom);
  if (draft !== null) sums.addDraft(draft, -1n);
  let lastAt = 0;
  for (const event of events) {
    const { text, at } = readEvent(event, decimals);
    if (text === null) continue;
    lastAt = Math.max(lastAt, at);
    if (draft?.isUsedAgainBy(text)) {
      sums.addDraft(draft, 1n);
      draft = null;
      listed = new Set();
    }
    draft ??= RoundDraft.begin(text, true);
    draft.add(text);
    // A later event of the same page may undo the reason.
    for (const kind of reasonsOf(draft, notableFrom)) {
      if (!listed.has(kind)) notable.push({ kind, ...draft.place });
      listed.add(kind);
    }
  }
  if (draft === null) throw new TypeError('a round without events cannot be counted');
  sums.addDraft(draft, 1n);
  const isOver = /^(?:closed|voided|none)$/.test(draft.state);
  // Never earlier than before: a store may look first among those that are kept longest.
  const until = Math.max(before.until, lastAt + retentionMs + dayMs);
  const expiresAt = isOver && draft.repairs.length === 0 ? until : null;
  return { rounds: draft.rounds(), text: `${until} ${draft.keep()}`, expiresAt, notable };
}

/** What a text of {@link countRound} keeps: until when it was kept at least, and the round. */
function restored(
  kept: string | null,
  [first]: readonly RoundEvent[],
): { readonly until: number; readonly draft: RoundDraft | null } {
  if (kept === null || first === undefined) return { until: 0, draft: null };
  const end = kept.indexOf(' ');
  const draft = RoundDraft.restore(kept.slice(end + 1), first.gameRound, first.playerId);
  return { until: Number(kept.slice(0, end)), draft };
}

/** Why a round is notable as it is now. People pay only wins that were refused for good (D11). */
function reasonsOf(draft: RoundDraft, notableFrom: ReadonlyMap<string, bigint>): Set<NotableKind> {
  // Also of a round that never began, and so counts in no sum but that of repairs.
  const isRepaired = draft.repairs.length > 0;
  const reasons = new Set<NotableKind>(isRepaired || isStuck(draft.state) ? ['refused'] : []);
  if (isRepaired) reasons.add('repaired');
  for (const { win, currency, games } of draft.rounds()) {
    const large = notableFrom.get(currency);
    if (large !== undefined && win >= large) reasons.add('won');
    if (games === 0) reasons.add('voided');
  }
  return reasons;
}

function isStuck(state: string): boolean {
  return state === 'stranded' || state === 'crashed';
}

function noteGap(
  gaps: Map<number, TotalsGap>,
  kind: TotalsGap['kind'],
  quarter: number,
  { playerId, gameRound }: Pick<RoundEvent, 'playerId' | 'gameRound'>,
): void {
  if (!gaps.has(quarter)) gaps.set(quarter, { quarter, kind, playerId, gameRound });
}

/** Collects what is added to rows. */
class RowSums {
  readonly #rows = new Map<string, TotalsRow & { sums: Sums }>();

  addDraft(draft: RoundDraft, sign: 1n | -1n): void {
    for (const one of draft.rounds()) this.#addRound(one, sign);
    for (const { at, currency, units } of draft.repairs) {
      const row = { quarter: quarterOf(at), by: 'own', game: draft.game, currency } as const;
      add(this.#sumsOf(row), 'repaired', sign * units);
    }
  }

  #addRound(round: PlayedRound, sign: 1n | -1n): void {
    const { game, currency } = round;
    for (const by of ['start', 'end'] as const) {
      for (const { at, part, sums } of partsOf(round, by)) {
        const names = partNames[part];
        const row = this.#sumsOf({ quarter: quarterOf(at), by, game, currency });
        add(row, names.games, sign * BigInt(sums.games));
        add(row, names.freePlays, sign * BigInt(sums.freePlays));
        add(row, names.bet, sign * sums.bet);
        add(row, names.win, sign * sums.win);
      }
    }
  }

  addCash({ at, kind, movements }: CashEvent, decimals: number): void {
    for (const { currency, real, bonus } of movements) {
      const units = readExactAmount(real, decimals) + readExactAmount(bonus, decimals);
      const quarter = quarterOf(Date.parse(at));
      const row = this.#sumsOf({ quarter, by: 'own', game: '', currency });
      if (kind === 'withdrawal') add(row, 'cashOut', -units);
      else add(row, kind === 'correction' ? 'corrected' : 'cashIn', units);
    }
  }

  /** Those that change anything. */
  rows(): TotalsRow[] {
    return [...this.#rows.values()].flatMap(({ sums, ...row }) => {
      const changed = Object.entries(sums).filter(([, units]) => units !== 0n);
      return changed.length === 0 ? [] : [{ ...row, sums: Object.fromEntries(changed) }];
    });
  }

  #sumsOf(row: Omit<TotalsRow, 'sums'>): Sums {
    const key = `${row.quarter} ${row.by} ${row.currency} ${row.game}`;
    const known = this.#rows.get(key) ?? { ...row, sums: {} };
    this.#rows.set(key, known);
    return known.sums;
  }
}

type Sums = Partial<Record<TotalsName, bigint>>;

function add(sums: Sums, name: TotalsName, units: bigint): void {
  if (units !== 0n) sums[name] = (sums[name] ?? 0n) + units;
}
