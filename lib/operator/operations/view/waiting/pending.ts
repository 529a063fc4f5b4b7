import type { Clock } from '../../../../platform';
import type { PendingPost } from '../../../gameround';
import type { RoundKey, RoundReport, WalletStore } from '../../../wallet';
import { currencySums } from '../currency-sums';
import { answerMs, freshly, queryStore } from '../query-store';

/** Rounds that are read and shown, rounds that are counted, and rounds that are read at once. */
const [rowsShown, maxCounted, readAtOnce] = [50, 10_000, 10];

/** A round with work that the ledger has not answered. */
export interface PendingRow extends RoundKey {
  /** When the first of it was written: ISO 8601, UTC. */
  readonly since: string;
  readonly gameCode: string | null;
  /** Debits, credits and ends that are to be posted, by their hashes. */
  readonly posts: readonly string[];
  /** Postings that are to be undone. */
  readonly reversals: readonly string[];
  /** The sum of the posts' amounts, by currency; reversals are not in it. */
  readonly amounts: Readonly<Record<string, string>>;
}

/** The rounds with work pending at the platform's own ledger. */
export interface PendingView {
  readonly asOf: string;
  readonly total: number;
  /** The sums of the rows' amounts, by currency. */
  readonly amounts: Readonly<Record<string, string>>;
  /** Since when the oldest of the rows waits; null without rows. */
  readonly oldest: string | null;
  /** As many as were asked for, 50 on the page; the oldest of these first. */
  readonly rows: readonly PendingRow[];
  /** False if there are more than `total`. */
  readonly isWhole: boolean;
}

interface PendingPorts {
  readonly store: WalletStore;
  readonly clock: Clock;
  readonly operators: readonly string[];
}

/**
 * The rounds with work pending at a ledger, read once in five seconds; null for a store that keeps the money itself, which has none.
 * @throws StoreUnavailableError
 */
export async function viewPending(ports: PendingPorts): Promise<PendingView | null> {
  const { store, clock, operators } = ports;
  const { lists } = store;
  if (lists.unfinished === undefined || store.players !== undefined) return null;
  const asked = `pending ${JSON.stringify(operators)}`;
  return freshly(lists, asked, clock, () => gather(ports, rowsShown));
}

/**
 * The rounds with something pending, whatever the store is: also the journal of a ledger by itself.
 * @param most Rounds that are read and shown.
 * @throws StoreUnavailableError
 */
export function listPending(ports: PendingPorts, most: number): Promise<PendingView> {
  return queryStore(ports.clock, gather(ports, most));
}

async function gather(ports: PendingPorts, most: number): Promise<PendingView> {
  const { clock, operators, store } = ports;
  const deadline = clock.monotonicMs() + answerMs * 0.5;
  const keys: RoundKey[] = [];
  let [total, isWhole] = [0, true];
  for (const operatorId of operators) {
    for await (const key of store.lists.unfinished?.(operatorId) ?? []) {
      total += 1;
      if (keys.length < most) keys.push(key);
      if (total < maxCounted && clock.monotonicMs() < deadline) continue;
      isWhole = false;
      break;
    }
  }
  const found: RoundReport[] = [];
  for (let at = 0; at < keys.length; at += readAtOnce) {
    const read = keys.slice(at, at + readAtOnce).map((key) => store.rounds.readRound(key));
    found.push(...(await Promise.all(read)).filter((one) => one !== null));
  }
  const rows = found
    .flatMap((one) => rowOf(one, store.decimals))
    .toSorted((one, other) => (one.since < other.since ? -1 : 1));
  const asOf = new Date(clock.now()).toISOString();
  const posts = found.flatMap(({ head }) => head.pending?.posts ?? []);
  return {
    asOf,
    // Those that were finished since they were listed do not wait any more.
    total: total - keys.length + rows.length,
    amounts: amountsOf(posts, store.decimals),
    oldest: rows[0]?.since ?? null,
    rows,
    isWhole,
  };
}

/** No row for a round that was finished since it was listed. */
function rowOf(report: RoundReport, decimals: number): PendingRow[] {
  const { operatorId, playerId, gameRound, head } = report;
  const { pending, gameCode } = head;
  if (pending === null) return [];
  return [
    {
      operatorId,
      playerId,
      gameRound,
      since: new Date(pending.since).toISOString(),
      gameCode,
      posts: pending.posts.map(({ hash }) => hash),
      reversals: pending.reversals,
      amounts: amountsOf(pending.posts, decimals),
    },
  ];
}

function amountsOf(posts: readonly PendingPost[], decimals: number): Record<string, string> {
  const amounts = posts.flatMap(({ record }) =>
    record.type === 'debit' || record.type === 'credit'
      ? [[record.currency, record.amount] as const]
      : [],
  );
  return currencySums(amounts, decimals);
}
