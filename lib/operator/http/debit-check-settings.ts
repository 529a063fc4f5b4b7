import type { DebitCheck, DebitChecksParts } from '../wallet';

/**
 * The settings of the check before a debit; null if there is none.
 * @throws TypeError for options that do not fit each other
 */
export function debitCheckOf(
  place: string,
  check: DebitCheck | undefined,
  {
    debitCheckMs,
    debitCheckSilence,
    deadlineMs,
    clock,
  }: Partial<Pick<DebitChecksParts, 'debitCheckMs' | 'debitCheckSilence'>> &
    Pick<DebitChecksParts, 'clock'> & { readonly deadlineMs: number },
): Omit<DebitChecksParts, 'onChecked'> | null {
  const isSet = debitCheckMs !== undefined || debitCheckSilence !== undefined;
  if (check === undefined && isSet) {
    throw new TypeError(`${place}: debitCheckMs and debitCheckSilence are for a debitCheck`);
  }
  if (check === undefined) return null;
  const most = deadlineMs / 2;
  if (debitCheckMs !== undefined && debitCheckMs > most) {
    throw new TypeError(`${place}: debitCheckMs must be at most half of deadlineMs`);
  }
  return {
    check,
    debitCheckMs: debitCheckMs ?? Math.min(500, most),
    debitCheckSilence: debitCheckSilence ?? 'refuse',
    clock,
  };
}
