import { emptyPurse } from '../../../protocol/money/purse';
import { isEffective } from '../../gameround/void';
import type { TakenBack } from '../../gameround/change';
import type { RoundView } from '../../gameround';
import { type WindowNumbers, windowsOf } from './windows';

/** What the limits of a player need to be counted at one moment, in each of their zones. */
export interface LimitMoment {
  /** Milliseconds since 1970, by the clock of the process. */
  readonly now: number;
  readonly zones: readonly ZoneMoment[];
  /** What voids take back, none of them of a whole round: see {@link takenBackOf}. */
  readonly takenBack: readonly TakenBack[];
}

/** A moment in one zone. */
export interface ZoneMoment {
  readonly zone: string;
  readonly now: WindowNumbers;
  /** When each of what is taken back moved, in its order: it counts where it is the number of the limit's window. */
  readonly takenBack: readonly WindowNumbers[];
}

/** @throws TypeError for a zone that this system does not know */
export function limitMoment(
  zones: readonly string[],
  now: number,
  takenBack: readonly TakenBack[] = [],
): LimitMoment {
  const inZone = (zone: string): ZoneMoment => {
    const windows = windowsOf(zone);
    const times = takenBack.map(({ at }) => windows.numbersOf(at));
    return { zone, now: windows.numbersOf(now), takenBack: times };
  };
  return { now, takenBack, zones: zones.map(inZone) };
}

/** Whether the whole round must be loaded to say when what is taken back moved. */
export function needsWholeRound(takenBack: readonly TakenBack[] = []): boolean {
  return takenBack.some(({ isWholeRound }) => isWholeRound);
}

/**
 * What is taken back, with one entry for each debit and credit in place of a whole round. `view` is the round with all its
 * records, of the version that the change was decided on.
 */
export function takenBackOf(takenBack: readonly TakenBack[], view: RoundView): TakenBack[] {
  return takenBack.flatMap((one) => (one.isWholeRound ? eachOf(view) : [one]));
}

/** What each debit and credit of a round moved, of those that were not taken back one by one. */
export function eachOf({ entries }: Pick<RoundView, 'entries'>): TakenBack[] {
  return [...entries.values()].flatMap(({ transaction: one, void: voided }): TakenBack[] => {
    if (one?.type === 'debit' && isEffective(one) && voided === undefined) {
      return [{ currency: one.currency, at: one.at, debits: one.purse, credits: emptyPurse }];
    }
    if (one?.type !== 'credit' || one.outcome !== 'accepted') return [];
    return [{ currency: one.currency, at: one.at, debits: emptyPurse, credits: one.purse }];
  });
}
