import { csvCell } from '../../operator/reconciliation/by-round/csv';
import type {
  Difference,
  NamedRound,
  RoundSide,
} from '../../operator/reconciliation/counting/difference';
import {
  countingText,
  type Reconciliation,
  verdictOf,
} from '../../operator/reconciliation/counting/result';
import { formatAmount } from '../../protocol/money/amount';
import { plain, withoutControls } from '../../protocol/json/printable';
import { counted } from '../terminal/failure';
import { moneyText } from '../rounds/text';

/** The result as lines for a person: one for each difference and round. */
export function textLines(result: Reconciliation, decimals: number): string[] {
  const { fit, isFitted, days, differences, noted, notes, left } = result;
  const next = fit.next === null ? '' : `; the next way has ${fit.next}`;
  const fitted = isFitted ? ` (found by trying: ${fit.differing} differ${next})` : '';
  const lines = [
    `Days compared: ${days.length}, counted in ${countingText(fit.counting)}${fitted}.`,
    ...notes.map((note) => `note: ${note}`),
    ...uncomparedLines(result),
    ...differences.flatMap((one) => differenceLines(one, decimals)),
    ...noted.map((one) => `note: ${roundText(one, decimals)}`),
    ...(left === 0 ? [] : [`${left} more rounds differ`]),
    summary(result),
  ];
  return lines.map(plain);
}

/** The days and the rows that were not compared, a line each. */
export function uncomparedLines({ incomplete, faults, faulty }: Reconciliation): string[] {
  return [
    ...incomplete.map(({ day, reason }) => `not complete: ${day}: ${reason}`),
    ...faults.map((fault) => `export: ${fault}`),
    ...(faulty > faults.length ? [`export: ${faulty} rows in all`] : []),
  ];
}

function summary(result: Reconciliation): string {
  const { compared, differences, incomplete, faulty } = result;
  const verdict = verdictOf(result);
  if (verdict === 'equal') return `Equal: ${compared} compared.`;
  if (verdict === 'incomplete')
    return `Not compared: ${counted(incomplete.length, 'day')} not complete.`;
  const count = differences.filter(({ isTolerated }) => !isTolerated).length;
  if (verdict === 'unreadable') {
    const rows = `${counted(faulty, 'row')} of the export cannot be read`;
    return `Not whole: ${rows}. Of ${compared} compared ${count} ${count === 1 ? 'differs' : 'differ'}.`;
  }
  return `Different: ${count} of ${compared} compared.`;
}

function differenceLines(one: Difference, decimals: number): string[] {
  const { day, game, currency, games, bet, win, rounds, more, notes, isTolerated } = one;
  const of = game === '' ? '' : ` ${game}`;
  const sums = `games ${games}, bet ${moneyText(bet, currency, decimals)}, win ${moneyText(win, currency, decimals)}`;
  const word = isTolerated ? 'tolerated' : 'difference';
  const said = notes.map((note) => `; ${note}`).join('');
  return [
    `${word}: ${day ?? 'day unknown'} ${currency}${of}: ${sums} more here than there${said}`,
    ...rounds.map((round) => `  ${roundText(round, decimals)}`),
    ...(more === 0 ? [] : [`  ${more} others fit as well`]),
  ];
}

function roundText(
  { round, player, kind, reason, ours, theirs }: NamedRound,
  decimals: number,
): string {
  const who = player === null ? '' : ` of ${player}`;
  const why = reason === null ? '' : ` (${reason})`;
  const sides = [
    ...(ours === null ? [] : [`here ${sideText(ours, decimals)}`]),
    ...(theirs === null ? [] : [`there ${sideText(theirs, decimals)}`]),
  ];
  const amounts = sides.length === 0 ? '' : `: ${sides.join('; ')}`;
  return `${kind}: round ${round}${who}${why}${amounts}`;
}

function sideText({ currency, bet, win, state }: RoundSide, decimals: number): string {
  const amounts = `bet ${moneyText(bet, currency, decimals)}, win ${moneyText(win, currency, decimals)}`;
  return state === null ? amounts : `${amounts}, ${state}`;
}

/** The result as one JSON value: amounts are decimal texts. */
export function jsonOf(result: Reconciliation, decimals: number): object {
  const amountsOf = <T extends { bet: bigint; win: bigint }>(one: T) => ({
    ...one,
    bet: formatAmount(one.bet, decimals),
    win: formatAmount(one.win, decimals),
  });
  const roundOf = (one: NamedRound) => ({
    ...one,
    ours: one.ours && amountsOf(one.ours),
    theirs: one.theirs && amountsOf(one.theirs),
  });
  const { fit, isFitted, days, incomplete, compared, differences, left, noted } = result;
  const { faults, faulty, notes } = result;
  return {
    verdict: verdictOf(result),
    days,
    incomplete,
    ...fit.counting,
    fitted: isFitted,
    differing: fit.differing,
    next: fit.next,
    compared,
    differences: differences.map((one) => ({ ...amountsOf(one), rounds: one.rounds.map(roundOf) })),
    left,
    rounds: noted.map(roundOf),
    faults,
    faulty,
    notes,
  };
}

const header =
  'day,game,currency,kind,reason,round,player,our_currency,our_bet,our_win,our_state,their_currency,their_bet,their_win,their_state';

/** The rounds of all differences as CSV; of a cell without any, the cell. */
export function csvLines({ differences }: Reconciliation, decimals: number): string[] {
  const side = (one: RoundSide | null): string[] => {
    if (one === null) return ['', '', '', ''];
    const amounts = [one.bet, one.win].map((units) => formatAmount(units, decimals));
    return [one.currency, ...amounts, one.state ?? ''];
  };
  const rows = differences.flatMap(({ day, game, currency, rounds }) => {
    const cell = [day ?? '', game, currency];
    if (rounds.length === 0) return [[...cell, 'unexplained', ...Array<string>(10).fill('')]];
    return rounds.map(({ kind, reason, round, player, ours, theirs }) => {
      const names = [kind, reason ?? '', round, player ?? ''];
      return [...cell, ...names, ...side(ours), ...side(theirs)];
    });
  });
  return [
    header,
    ...rows.map((row) => row.map((cell) => csvCell(withoutControls(cell))).join(',')),
  ];
}
