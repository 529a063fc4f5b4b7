import type { Clock } from '../../../../platform';
import { formatAmount } from '../../../../protocol/money/amount';
import type { RoundState } from '../../../gameround';
import { isMade } from '../../../gameround/repair';
import { isUnpaid } from '../../../gameround/repairs/pay';
import { givenBy } from '../../../gameround/repairs/standing';
import {
  createRoundSummary,
  type PlayerKey,
  type PurseJson,
  type RoundJson,
  type RoundKey,
  type RoundReport,
  type RoundsPageResult,
  type RoundsQuery,
  type RoundSummary,
  type WalletStore,
} from '../../../wallet';
import { givenJson, purseJson } from '../../../wallet/round-report';
import { currencySums } from '../currency-sums';
import { queryStore } from '../query-store';
import { misplaced, RequestFault } from '../request';
import type { OperationsSettings } from '../../configuration/options';
import { type FilterError, filterLabels, type FilterTexts, readFilter } from './filter';

/** Rounds on a page; one with fewer that is not the last ended because enough was read. */
export const roundsOnPage = 20;

/** A round of a player; times are ISO 8601 in UTC, amounts decimal texts. */
export interface RoundRow extends RoundKey {
  readonly openedAt: string;
  readonly lastAt: string;
  readonly state: RoundState;
  readonly gameCode: string | null;
  /** Null for a round that never started. */
  readonly currency: string | null;
  /** What the effective debits took. */
  readonly debits: PurseJson;
  /** What the effective credits gave, and people paid by repairs. */
  readonly credits: PurseJson;
  /** What people paid in other currencies; absent without any. */
  readonly otherCredits?: readonly ({ readonly currency: string } & PurseJson)[];
  /** What it gave less what it took in its own currency, real and bonus together. */
  readonly result: string;
  /** Whether a repair by people is made; absent otherwise. */
  readonly isRepaired?: true;
}

/** What the rounds of a page took and gave in one currency, real and bonus together. */
export interface RoundsSum {
  readonly currency: string;
  readonly rounds: number;
  readonly taken: string;
  readonly given: string;
  readonly result: string;
}

/** A page of a player's rounds, the newest first. */
export type RoundsView =
  | {
      readonly history: 'on';
      readonly rounds: readonly RoundRow[];
      /** Of the rounds of this page, by currency; what people paid in another currency is not in them. */
      readonly sums: readonly RoundsSum[];
      /** The `rounds` of the next page; null on the last. */
      readonly next: string | null;
      /** Rounds that were over before this time are deleted: ISO 8601, UTC; null where the store does not say. */
      readonly keptSince: string | null;
    }
  /** `off`: the store's option `history` is not set. `missing`: the store cannot list rounds. */
  | { readonly history: 'off' | 'missing' };

/** The answer to a search for a hash that was not found. */
export interface NotFoundView extends PlayerKey {
  readonly hash: string;
  /** How many rounds were searched, by this call. */
  readonly searched: number;
  /** The `from` of the next search; null if all were searched. */
  readonly next: string | null;
}

interface RoundPorts {
  readonly store: WalletStore;
  readonly clock: Clock;
}

/** Reads a page of a player's rounds; null if the store cannot list rounds. @throws RequestFault as {@link viewRounds}. */
export async function readRounds(
  { store, booksZone }: Pick<OperationsSettings, 'store' | 'booksZone'>,
  player: PlayerKey,
  cursor: string | null,
  filter: FilterTexts,
): Promise<RoundsPageResult | null> {
  if (store.history === undefined) return null;
  const place = cursor === null ? {} : { cursor };
  const query = { ...filterOf(filter, { store, booksZone }), limit: roundsOnPage, ...place };
  return store.history.rounds(player, query).catch(misplaced('rounds'));
}

/** A page of a player's rounds. @throws RequestFault for a filter or place that is not valid, StoreUnavailableError. */
export async function viewRounds(
  { store, clock }: RoundPorts,
  read: ReturnType<typeof readRounds>,
): Promise<RoundsView> {
  const page = await queryStore(clock, read);
  if (page === null) return { history: 'missing' };
  if (page.kind === 'off') return { history: 'off' };
  const rounds = page.rounds.map((one) => rowOf(one, store.decimals));
  const sums = sumsOf(page.rounds, store.decimals);
  const retentionMs = store.retentionMs?.();
  const keptSince =
    retentionMs === undefined
      ? null
      : new Date(Math.max(0, clock.now() - retentionMs)).toISOString();
  return { history: 'on', rounds, sums, next: page.next, keptSince };
}

function sumsOf(rounds: readonly RoundSummary[], decimals: number): RoundsSum[] {
  const sums = new Map<string, { rounds: number; taken: bigint; given: bigint }>();
  for (const { currency, debits, credits } of rounds) {
    if (currency === null) continue;
    const sum = sums.get(currency) ?? { rounds: 0, taken: 0n, given: 0n };
    sum.rounds += 1;
    sum.taken += debits.real + debits.bonus;
    sum.given += credits.real + credits.bonus;
    sums.set(currency, sum);
  }
  return [...sums].map(([currency, { rounds: number, taken, given }]) => ({
    currency,
    rounds: number,
    taken: formatAmount(taken, decimals),
    given: formatAmount(given, decimals),
    result: formatAmount(given - taken, decimals),
  }));
}

/** The filter of a form. @throws RequestFault that names the field that is wrong. */
export function filterOf(
  filter: FilterTexts,
  { store, booksZone: zone }: Pick<OperationsSettings, 'store' | 'booksZone'>,
): RoundsQuery {
  const labels = filterLabels(zone);
  try {
    return readFilter(filter, { zone, decimals: store.decimals }, (name) => `"${labels[name]}"`);
  } catch (error) {
    const { message, field } = error as FilterError;
    throw new RequestFault(400, `${message}.`, field);
  }
}

/**
 * The player's round with a hash: its key, or how far was searched.
 * @throws RequestFault for a place that is not valid, and where rounds cannot be searched; StoreUnavailableError.
 */
export async function findRound(
  { store, clock }: RoundPorts,
  player: PlayerKey,
  { hash, cursor }: { readonly hash: string; readonly cursor: string | null },
): Promise<RoundKey | NotFoundView> {
  if (store.history === undefined) {
    throw new RequestFault(
      501,
      'This store does not list rounds: a round is found by its id alone.',
    );
  }
  const query = { ...player, hash, ...(cursor === null ? {} : { cursor }) };
  const found = await queryStore(clock, store.history.findRound(query).catch(misplaced('rounds')));
  if (found.kind === 'off') {
    throw new RequestFault(
      501,
      'History is off: the store was made without its option history, so a round is found by its id alone.',
    );
  }
  if (found.kind === 'notFound') {
    const { operatorId, playerId } = player;
    return { operatorId, playerId, hash, searched: found.searched, next: found.next };
  }
  const { operatorId, playerId, gameRound } = found.round;
  return { operatorId, playerId, gameRound };
}

/**
 * The player's round just before or after this one; null where this is the first or the last.
 * @throws RequestFault where it cannot be found, StoreUnavailableError.
 */
export async function findBeside(
  ports: RoundPorts,
  round: RoundKey,
  side: 'before' | 'after',
): Promise<RoundKey | null> {
  const { store, clock } = ports;
  if (store.history === undefined) throw new RequestFault(501, 'This store does not list rounds.');
  const { openedAt } = createRoundSummary(round, await readRound(ports, round));
  const found = await queryStore(clock, store.history.beside(round, openedAt));
  if (found.kind === 'off') {
    throw new RequestFault(
      501,
      'History is off: the store was made without its option history (serve --history), so no round leads to another.',
    );
  }
  if (found.kind === 'notFound') {
    throw new RequestFault(404, "The round is not in its player's list of rounds.");
  }
  return found[side];
}

/** A round as a row of a list. */
export function rowOf(one: RoundSummary, decimals: number): RoundRow {
  const { operatorId, playerId, gameRound, state, gameCode, currency } = one;
  return {
    operatorId,
    playerId,
    gameRound,
    openedAt: new Date(one.openedAt).toISOString(),
    lastAt: new Date(one.lastAt).toISOString(),
    state,
    gameCode,
    currency,
    debits: purseJson(one.debits, decimals),
    result: formatAmount(resultOf(one), decimals),
    ...givenJson({ credits: one.credits, others: one.otherCredits ?? [] }, decimals),
    ...(one.isRepaired === true && { isRepaired: true }),
  };
}

function resultOf({ credits, debits }: Pick<RoundSummary, 'credits' | 'debits'>): bigint {
  return credits.real + credits.bonus - debits.real - debits.bonus;
}

/** A round as its page shows it. */
export interface RoundPageView {
  readonly round: RoundJson;
  /** Hashes of the credits that were refused for good and that no repair has paid. */
  readonly unpaid: readonly string[];
  /** Whether a repair by people is made. */
  readonly isRepaired: boolean;
  /** What they would have given, by currency. */
  readonly unpaidSums: Readonly<Record<string, string>>;
  /** What the round gave less what it took in its own currency, real and bonus together. */
  readonly result: string;
}

/** A whole round. @throws RequestFault 404, StoreUnavailableError. */
export async function readRound(
  { store, clock }: { readonly store: WalletStore; readonly clock: Clock },
  round: RoundKey,
): Promise<RoundReport> {
  const report = await queryStore(clock, store.rounds.readRound(round));
  if (report !== null) return report;
  throw new RequestFault(
    404,
    'The store has no such round: it never arrived, or it was deleted after its retention.',
  );
}

/** What is written of a round on its page. */
export function roundPageView(report: RoundReport, decimals: number): RoundPageView {
  const { head, entries } = report;
  const paid = new Set(
    (head.repairs?.list ?? [])
      .filter((one) => one.kind === 'pay' && isMade(one))
      .map(({ hash }) => hash),
  );
  const unpaid = [...entries].flatMap(([hash, { transaction }]) =>
    transaction === undefined || paid.has(hash) || !isUnpaid(hash, transaction, head)
      ? []
      : [{ hash, owed: [transaction.currency, transaction.amount] as const }],
  );
  const { credits } = givenBy(head);
  return {
    round: report.toJSON(),
    unpaid: unpaid.map(({ hash }) => hash),
    isRepaired: head.repairs?.list.some(isMade) === true,
    unpaidSums: currencySums(
      unpaid.map(({ owed }) => owed),
      decimals,
    ),
    result: formatAmount(resultOf({ credits, debits: head.debits }), decimals),
  };
}
