import { cellKey, type Counting } from '../../../../lib/operator/reconciliation/counting/cells';
import type {
  FullStore,
  RoundJson,
  TransactionJson,
  WalletEvent,
} from '../../../../lib/operator/wallet';
import { dayIn } from '../histories';
import { operatorId } from './random-play';

/** A round by what the store says of it in the end, and when it counts by its events. */
export interface TrueRound {
  readonly game: string;
  readonly currency: string;
  readonly startedAt: number;
  /** Null if it is open still. */
  readonly endedAt: number | null;
  readonly isFree: boolean;
  readonly games: 0 | 1;
  readonly bet: bigint;
  readonly win: bigint;
  readonly repaired: bigint;
  /** What its voids took of it, and when. */
  readonly taken: readonly Taken[];
}

interface Taken {
  readonly at: number;
  readonly games: 0 | 1;
  readonly bet: bigint;
  readonly win: bigint;
}

/** Units of a decimal text with at most four decimals. */
export function unitsOf(text: string): bigint {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return BigInt(sign + whole + part.padEnd(4, '0'));
}

function both({ real, bonus }: { readonly real: string; readonly bonus: string }): bigint {
  return unitsOf(real) + unitsOf(bonus);
}

/** What a debit took. */
function netOf({ amount = '0', discount = '0' }: TransactionJson): bigint {
  return unitsOf(amount) - unitsOf(discount);
}

/**
 * What each void took. It takes the stakes that it names, the void of the first debit all that are left; what it moved is
 * these less the wins that went with them. A void after that takes nothing, and none takes a debit that was never accepted.
 */
function takenOf({ transactions }: RoundJson, first: TransactionJson): Taken[] {
  const stakes = new Map(
    transactions
      .filter(({ type, outcome }) => type === 'debit' && outcome === 'accepted')
      .map((one) => [one.hash, netOf(one)] as const),
  );
  const voids = transactions.filter(({ type }) => type === 'void');
  const whole = voids.find(({ hash }) => hash === first.hash);
  const isLast = (one: TransactionJson): boolean => one === whole;
  // Of one time in any order: the sums of that time are the same.
  const inTime = [...voids.filter((one) => !isLast(one)), ...voids.filter(isLast)].filter(
    ({ at }) => whole === undefined || at <= whole.at,
  );
  return inTime.flatMap((order): Taken[] => {
    const named = isLast(order)
      ? [...stakes.keys()]
      : [order.hash].filter((one) => stakes.has(one));
    if (named.length === 0) return [];
    const bet = named.reduce((sum, hash) => sum + (stakes.get(hash) ?? 0n), 0n);
    for (const hash of named) stakes.delete(hash);
    const win = bet - both(order.moved ?? { real: '0', bonus: '0' });
    return [{ at: Date.parse(order.at), games: isLast(order) ? 1 : 0, bet, win }];
  });
}

/** Every round that had an accepted first debit: its sums are those of the round as it is in the end. */
export async function trueRounds(
  store: FullStore,
  events: readonly WalletEvent[],
): Promise<TrueRound[]> {
  const endedAt = new Map<string, number>();
  const players = new Map<string, string>();
  const repaired = new Map<string, bigint>();
  for (const event of events) {
    if (event.type !== 'round') continue;
    players.set(event.gameRound, event.playerId);
    for (const one of event.movements) {
      if (!one.hash.startsWith('repair#')) continue;
      repaired.set(event.gameRound, (repaired.get(event.gameRound) ?? 0n) + both(one));
    }
    const isOver = event.state !== 'open' && event.state !== 'none';
    if (isOver && !endedAt.has(event.gameRound)) {
      endedAt.set(event.gameRound, Date.parse(event.at));
    }
  }
  const rounds: TrueRound[] = [];
  for (const [gameRound, playerId] of players) {
    const report = await store.rounds.readRound({ operatorId, playerId, gameRound });
    const round = report?.toJSON();
    const first = round?.transactions.find(
      (one) => one.type === 'debit' && one.outcome === 'accepted' && one.isFirstDebit === true,
    );
    if (round === undefined || first === undefined) continue;
    const paid = round.repairs?.filter((one) => one.kind === 'pay' && one.status === 'done') ?? [];
    const fixed = paid.reduce((sum, one) => sum + both(one.moves), 0n);
    rounds.push({
      game: round.gameCode ?? '',
      currency: round.currency ?? '',
      startedAt: Date.parse(first.at),
      endedAt: endedAt.get(gameRound) ?? null,
      isFree: first.serial !== undefined,
      games: round.state === 'voided' ? 0 : 1,
      bet: both(round.debits),
      win: both(round.credits) - fixed,
      repaired: fixed,
      taken: takenOf(round, first),
    });
  }
  return rounds;
}

/** The cells of days, by adding up rounds; those that are not zero, as text. */
export function cellsOf(
  rounds: readonly TrueRound[],
  { zone, by, voids }: Pick<Counting, 'zone' | 'by' | 'voids'>,
): Map<string, string> {
  const sums = new Map<string, [number, bigint, bigint]>();
  const add = (one: TrueRound, at: number, sign: 1 | -1, part: Omit<Taken, 'at'>): void => {
    const key = cellKey(dayIn(zone, at), one.game, one.currency);
    const [games, bet, win] = sums.get(key) ?? [0, 0n, 0n];
    const units = BigInt(sign);
    sums.set(key, [games + sign * part.games, bet + units * part.bet, win + units * part.win]);
  };
  for (const one of rounds) {
    const at = by === 'start' ? one.startedAt : one.endedAt;
    if (at === null) continue;
    add(one, at, 1, one);
    if (voids === 'restated') continue;
    for (const part of one.taken) {
      add(one, at, 1, part);
      add(one, part.at, -1, part);
    }
  }
  return textOf(sums);
}

/** Sums as text, without those that are zero. */
export function textOf(sums: Iterable<readonly [string, readonly unknown[]]>): Map<string, string> {
  const texts = [...sums].map(([key, units]) => [key, units.join(' ')] as const);
  const found = texts.filter(([, text]) => text !== '0 0 0');
  return new Map(found.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
