import type { SavedDay } from '../../operator/reconciliation/saved/day';
import { daysOfResult, uncheckedDays } from '../../operator/reconciliation/saved/days-of-result';
import type { Reconciliation } from '../../operator/reconciliation/counting/result';
import type { AmountTerms } from '../../protocol/money/amount';
import { systemClock } from '../../platform';
import { CommandFailure, counted, keptStore, messageOf } from '../terminal/failure';
import type { OwnFindings } from './own-faults';
import { type TotalsFlags, withReadStore } from './totals-source';

/** Flags of a comparison that is saved. */
export interface SaveFlags extends TotalsFlags, AmountTerms {
  readonly save?: true;
  readonly from: string;
  readonly to?: string;
  readonly export?: string;
}

/** @throws CommandFailure if there is no store to save in. */
export function checkSave(flags: SaveFlags): void {
  if (flags.save !== true) return;
  if (flags.store === undefined) {
    throw new CommandFailure(
      "--save needs the wallet's store: name it with --store or WALLET_STORE.",
    );
  }
  keptStore(flags);
}

/** Saves what was found of each day. @returns what was done, for a person. @throws CommandFailure */
export async function saveResult(
  flags: SaveFlags,
  operatorId: string,
  result: Reconciliation | OwnFindings,
): Promise<string> {
  const { from, to = from, decimals } = flags;
  const period = { from, to, decimals };
  const days =
    'books' in result ? uncheckedDays(period, countOf(result)) : daysOfResult(result, period);
  const saved = await saveDays(flags, operatorId, days);
  return `Saved: ${counted(saved, 'day')}.`;
}

async function saveDays(
  flags: SaveFlags,
  operatorId: string,
  days: ReadonlyMap<string, SavedDay>,
): Promise<number> {
  const source = flags.export === undefined ? 'statistics' : 'export';
  const at = systemClock.now();
  let saved = 0;
  try {
    await withReadStore(flags, async ({ store }) => {
      for (const [day, found] of days) {
        const text = JSON.stringify(found);
        await store.reconciliations.save({ operatorId, day, source, at, text });
        saved += 1;
      }
    });
  } catch (error) {
    const done =
      saved === 0
        ? 'its result was not saved'
        : `only ${counted(saved, 'day')} of ${days.size} saved`;
    throw new CommandFailure(`The comparison is done, but ${done}: ${messageOf(error)}`);
  }
  return saved;
}

function countOf({ events, books }: OwnFindings): number {
  const ofBooks = books === null ? 0 : books.faults.length + books.more;
  return events.faults.length + events.more + ofBooks;
}
