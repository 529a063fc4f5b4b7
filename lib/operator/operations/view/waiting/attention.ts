import type { Clock } from '../../../../platform';
import { formatAmount } from '../../../../protocol/money/amount';
import type { RepairKind, RoundState } from '../../../gameround';
import type { Actor, AttentionEntry, RoundKey, WalletStore } from '../../../wallet';
import { answerMs, freshly, freshlyOrLate } from '../query-store';
import { proposalLifeMs } from '../../../gameround/repairs/standing';
import { type Ask, fits, placeOf, readPlace, comparePlaces, type Place, writePlace } from './order';
import { timeOrNull, timeText } from '../../../../platform/time/iso';

/** Rounds on a page of the list, and rounds that are listed for it: what a page costs has a limit. */
const [rowsOnPage, mostListed] = [50, 10_000];

/** Characters in the ids of a row that counts once, as they are in a link. */
const shortRow = 150;

/** Rounds on the page that people see first: the verdict and the figures are near. */
export const rowsOnOverview = 10;

/** A round that waits for a person. */
export interface AttentionRow extends RoundKey {
  readonly state: RoundState;
  /** When it entered this state: ISO 8601, UTC. Null if the store does not say. */
  readonly since: string | null;
  readonly gameCode: string | null;
  readonly currency: string | null;
  /** The money at stake, as a decimal text; null if the store does not say. */
  readonly atStake: string | null;
  /** Why the credit at stake was refused for good; null if none was, or if the store does not say. */
  readonly refusal: string | null;
  /** The repair that waits for its approval, or null. */
  readonly proposal: ProposalView | null;
}

/** A repair that was proposed. */
interface ProposalView {
  readonly kind: RepairKind;
  readonly by: Actor;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** The rounds that wait for a person: how many, and one page of them. */
export interface AttentionView {
  readonly asOf: string;
  readonly total: number;
  /** How many have a proposal that waits for its approval. */
  readonly proposals: number;
  /** How many are in each state. */
  readonly states: Readonly<Partial<Record<RoundState, number>>>;
  /** The money at stake in all of them, by currency. */
  readonly atStake: Readonly<Record<string, string>>;
  /** Since when the oldest of them waits: ISO 8601, UTC; null if none waits, or the store does not say. */
  readonly oldest: string | null;
  /** How many fit what was asked for; the rows are of these. */
  readonly fitting: number;
  readonly rows: readonly AttentionRow[];
  /** The cursor of the next page; null on the last. */
  readonly next: string | null;
  /** False if more than `total` may wait: 10,000 were listed, or the store took too long to list all. */
  readonly isWhole: boolean;
  /** Whether the store does not answer now, so that this is what it listed at `asOf`, at most five minutes ago. */
  readonly isLate: boolean;
}

/** Where the list comes from. */
interface AttentionPorts {
  readonly store: WalletStore;
  readonly clock: Clock;
  readonly operators: readonly string[];
}

/** What was listed: at most 10,000 rounds. */
interface Listing {
  readonly entries: readonly AttentionEntry[];
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly isWhole: boolean;
  readonly isLate: boolean;
}

/**
 * The rounds that wait for a person, as the store listed them in the last five seconds: every page of what waits is made of
 * this list. Where the store does not answer, the last list of five minutes.
 * @throws StoreUnavailableError
 */
export function listWaiting(ports: AttentionPorts): Promise<Listing> {
  const { clock, operators } = ports;
  const { lists } = ports.store;
  const read = () => gather(ports, (operatorId) => lists.attention(operatorId));
  const late = (listing: Listing) => ({ ...listing, isLate: true });
  return freshlyOrLate(lists, JSON.stringify(operators), clock, read, late);
}

/**
 * A page of the rounds that wait for a person, the oldest first.
 * @param ask Which rows, in which order; the sums are of all.
 * @param most Rows.
 * @throws RequestFault for a cursor that is not valid, StoreUnavailableError.
 */
export async function viewAttention(
  ports: AttentionPorts,
  cursor: string | null,
  ask: Ask = {},
  most = rowsOnPage,
): Promise<AttentionView> {
  const gathered = new Gathered(readPlace(cursor), most, ask, ports.clock.now());
  return viewOf(gathered, await listWaiting(ports), ports);
}

/**
 * A page of the rounds without an end for longer than `openHours`, the oldest first, read once in five seconds; null if the
 * store has no index of them.
 * @throws as `viewAttention`.
 */
export async function viewOpenRounds(
  ports: AttentionPorts & { readonly openHours: number },
  cursor: string | null,
): Promise<AttentionView | null> {
  const { store, clock, operators, openHours } = ports;
  const { lists } = store;
  if (lists.openRounds === undefined) return null;
  const gathered = new Gathered(readPlace(cursor), rowsOnPage, {}, clock.now());
  const before = clock.now() - openHours * 3_600_000;
  const read = () => gather(ports, (operatorId) => lists.openRounds?.(operatorId, before) ?? []);
  const listing = await freshly(lists, JSON.stringify([operators, openHours]), clock, read);
  return viewOf(gathered, listing, ports);
}

function viewOf(
  gathered: Gathered,
  { entries, at, isWhole, isLate }: Listing,
  { store }: AttentionPorts,
): AttentionView {
  for (const entry of entries) gathered.add(entry);
  const { shown, isMore } = gathered.first();
  const last = shown.at(-1);
  return {
    asOf: timeText(at),
    total: entries.length,
    proposals: gathered.proposals,
    states: gathered.states,
    atStake: Object.fromEntries(
      [...gathered.atStake].map(([currency, sum]) => [currency, formatAmount(sum, store.decimals)]),
    ),
    oldest: timeOrNull(gathered.oldest),
    fitting: gathered.fitting,
    rows: shown.map(({ entry }) => rowOf(entry, store.decimals, gathered.isProposed(entry))),
    next: isMore && last !== undefined ? writePlace(last.place) : null,
    isWhole,
    isLate,
  };
}

/** As how many rows one counts: its links have its ids, so a page of long ones would be above 100 KB. */
function weightOf({ playerId, gameRound, gameCode }: AttentionEntry): number {
  const texts = encodeURIComponent(
    `${playerId}${gameRound}${gameCode ?? ''}`.toWellFormed(),
  ).length;
  return Math.max(1, Math.ceil(texts / shortRow));
}

/** Lists rounds until three quarters of the time limit of the page. */
async function gather(
  { clock, operators }: AttentionPorts,
  list: (operatorId: string) => AsyncIterable<AttentionEntry> | Iterable<AttentionEntry>,
): Promise<Listing> {
  const deadline = clock.monotonicMs() + answerMs * 0.75;
  const entries: AttentionEntry[] = [];
  const listing = { entries, at: clock.now(), isLate: false };
  for (const operatorId of operators) {
    for await (const entry of list(operatorId)) {
      if (entries.length >= mostListed || clock.monotonicMs() >= deadline) {
        return { ...listing, isWhole: false };
      }
      entries.push(entry);
    }
  }
  return { ...listing, isWhole: true };
}

function rowOf(entry: AttentionEntry, decimals: number, isProposed: boolean): AttentionRow {
  const { operatorId, playerId, gameRound, state, stateSince } = entry;
  const { gameCode = null, currency = null, atStake, refusal = null, proposal } = entry;
  return {
    operatorId,
    playerId,
    gameRound,
    state,
    since: timeOrNull(stateSince),
    gameCode,
    currency,
    atStake: atStake === undefined ? null : formatAmount(atStake, decimals),
    refusal,
    proposal: proposal !== undefined && isProposed ? proposalView(proposal) : null,
  };
}

function proposalView({
  kind,
  proposedBy,
  proposedAt,
}: NonNullable<AttentionEntry['proposal']>): ProposalView {
  return { kind, by: proposedBy, at: timeText(proposedAt) };
}

/** An entry, and where it is in the list that is asked for. */
interface Placed {
  readonly entry: AttentionEntry;
  readonly place: Place;
}

/** The first entries after a position, and the sums of all. */
class Gathered {
  fitting = 0;
  proposals = 0;
  oldest: number | undefined;
  readonly states: Partial<Record<RoundState, number>> = {};
  readonly atStake = new Map<string, bigint>();
  private kept: Placed[] = [];
  /** The place of the last entry that can be among the first; null while every one can. */
  private last: Place | null = null;

  constructor(
    private readonly after: Place | null,
    private readonly most: number,
    private readonly ask: Ask,
    /** Milliseconds since 1970. */
    private readonly now: number,
  ) {}

  add(entry: AttentionEntry): void {
    const { state, stateSince, currency, atStake } = entry;
    this.states[state] = (this.states[state] ?? 0) + 1;
    if (stateSince !== undefined) this.oldest = Math.min(this.oldest ?? stateSince, stateSince);
    if (typeof currency === 'string' && atStake !== undefined) {
      this.atStake.set(currency, (this.atStake.get(currency) ?? 0n) + atStake);
    }
    const isProposed = this.isProposed(entry);
    if (isProposed) this.proposals += 1;
    if (!fits(entry, this.ask, { isProposed, now: this.now })) return;
    this.fitting += 1;
    const place = placeOf(entry, this.ask.sort ?? 'age');
    if (this.after !== null && comparePlaces(place, this.after) <= 0) return;
    if (this.last !== null && comparePlaces(place, this.last) > 0) return;
    this.kept.push({ entry, place });
    if (this.kept.length > this.most * 2) this.cut();
  }

  /** Whether a repair waits for its approval: a proposal can be approved for a day. */
  isProposed({ proposal }: AttentionEntry): boolean {
    return proposal !== undefined && proposal.proposedAt + proposalLifeMs > this.now;
  }

  /** In order, and whether more follow: at least one, and fewer than asked for where their ids are long. */
  first(): { readonly shown: readonly Placed[]; readonly isMore: boolean } {
    this.cut();
    let left = this.most;
    const end = this.kept.findIndex(({ entry }, at) => {
      left -= weightOf(entry);
      return at > 0 && left < 0;
    });
    const shown = end === -1 ? this.kept.slice(0, this.most) : this.kept.slice(0, end);
    return { shown, isMore: this.kept.length > shown.length };
  }

  /** Keeps one more than is shown. */
  private cut(): void {
    const most = this.most + 1;
    this.kept.sort((one, other) => comparePlaces(one.place, other.place));
    this.kept.length = Math.min(this.kept.length, most);
    if (this.kept.length === most) this.last = this.kept.at(-1)?.place ?? null;
  }
}
