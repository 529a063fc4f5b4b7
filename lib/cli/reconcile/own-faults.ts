import {
  type BooksComparison,
  type BooksFault,
  compareBooks,
} from '../../operator/reconciliation/books/compare';
import type { AmountTerms } from '../../protocol/money/amount';
import type { SpooledLog } from '../../operator/reconciliation/rounds/log';
import type { OwnCheck, OwnFault } from '../../operator/reconciliation/rounds/own-check';
import { type TotalsFlags, withReadStore } from './totals-source';

/** What the own check found: the events contradict each other, or the books of the store. */
export interface OwnFindings {
  readonly events: OwnCheck;
  /** Null if they were not compared. */
  readonly books: BooksComparison | null;
  /** What is to be said of the check if nothing is wrong. */
  readonly notes: readonly string[];
}

/**
 * Finishes the own check: where a store is given, its books are compared with what the events say.
 * @throws CommandFailure, ReconciliationFailure if the store cannot be read.
 */
export async function ownFindings(
  events: OwnCheck,
  flags: TotalsFlags & AmountTerms,
  operatorId: string,
  log: SpooledLog,
): Promise<OwnFindings> {
  const none = { events, books: null, notes: [] };
  if (events.faults.length > 0 || flags.store === undefined || log.events === 0) return none;
  if (flags.store === 'memory:') {
    return { ...none, notes: ['books: a store in memory: has no accounts here: not compared'] };
  }
  return withReadStore(flags, async ({ accounts, address }) => {
    if (accounts === null) {
      const note = `books: the store ${address} does not keep the money: not compared`;
      return { ...none, notes: [note] };
    }
    const books = await compareBooks(accounts, operatorId, events, log);
    return { events, books, notes: [booksNote(books)] };
  });
}

function booksNote({ compared, unsettled }: BooksComparison): string {
  const rest = unsettled === 0 ? '' : `; ${unsettled} moved since, and the store does not list why`;
  return `books: of ${compared} accounts the store has what the events say${rest}`;
}

/** Whether the RGS need not be asked. */
export function hasOwnFaults({ events, books }: OwnFindings): boolean {
  return events.faults.length > 0 || (books !== null && books.faults.length > 0);
}

/** What the own check found, as lines for a person. */
export function ownFaultLines({ events, books }: OwnFindings): string[] {
  const more = events.more + (books?.more ?? 0);
  const what =
    books === null ? 'events contradict each other' : "store's books contradict the events";
  return [
    ...events.faults.map((fault) => `own check: ${faultText(fault)}`),
    ...(books?.faults ?? []).map((fault) => `own check: ${booksText(fault)}`),
    ...(more === 0 ? [] : [`own check: ${more} more`]),
    `Not compared: the ${what}, so the RGS was not asked.`,
  ];
}

function faultText({ place, player, round, before }: OwnFault): string {
  const what =
    before === null
      ? 'its accounts are no amounts'
      : `the balance jumps: it does not follow from ${before} by what the event moved`;
  return `${place}: ${ownerText(player, round)}: ${what}`;
}

function booksText({ player, round, currency, reason }: BooksFault): string {
  return `${ownerText(player, round)}: ${currency}: ${reason}`;
}

function ownerText(player: string, round: string | null): string {
  return `player ${player}${round === null ? '' : ` round ${round}`}`;
}

/** The same as one JSON value. */
export function ownFaultsJson({ events, books }: OwnFindings): object {
  const own = [...events.faults, ...(books?.faults ?? [])];
  return { verdict: 'contradictory', own, more: events.more + (books?.more ?? 0) };
}
