import { type Html, html } from '../../../../platform/html';
import type { TimelineLine } from './timeline';

/** Where the balance stands before and after a line, in per cent of the width; before is null where it is not known. */
export interface BalanceStep {
  readonly from: number | null;
  readonly to: number;
  /** Of a line that was not accepted. */
  readonly isRefused: boolean;
  /** Of a line without a balance between two at which it is the same: the line continues, without a point. */
  readonly isBetween?: boolean;
}

/** The amounts stand at the right. */
const [least, most] = [4, 88];

/**
 * The steps of the balance in a currency, for the lines that have one or stand between two. Positions are for the eye: the exact amounts
 * are beside them.
 */
export function balanceSteps(
  lines: readonly TimelineLine[],
  currency: string | null,
): ReadonlyMap<TimelineLine, BalanceStep> {
  const known = lines.flatMap((line, row) => {
    const { balance } = line;
    if (balance === null || balance.currency !== currency) return [];
    return [
      {
        line,
        row,
        after: Number(balance.real),
        before: Number(balance.real) - Number(line.moved?.real ?? 0),
      },
    ];
  });
  const values = known.flatMap(({ before, after }) => [before, after]);
  const low = values.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const high = values.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  const place = (value: number): number => {
    const share = high > low ? (value - low) / (high - low) : 0.5;
    return Math.round((least + share * (most - least)) * 100) / 100;
  };
  const steps = new Map<TimelineLine, BalanceStep>();
  for (const [at, { line, row, before, after }] of known.entries()) {
    const isRefused = line.what !== 'void' && !/^(?:accepted|done|proposed)$/.test(line.outcome);
    const former = known[at - 1];
    const from =
      line.moved === null ? (former === undefined ? null : place(former.after)) : place(before);
    steps.set(line, { from, to: place(after), isRefused });
    if (former === undefined || former.after !== before) continue;
    const to = place(before);
    for (const one of lines.slice(former.row + 1, row))
      steps.set(one, { from: to, to, isRefused: false, isBetween: true });
  }
  return steps;
}

/** A line down to where it was, along to where it is, and further down. */
export function stepFigure({ from, to, isRefused, isBetween = false }: BalanceStep): Html {
  if (isBetween) return drawn(html`<line class="base" x1="${to}%" x2="${to}%" y1="0" y2="100%"/>`);
  const start = from ?? to;
  const tone = isRefused ? 'b' : to === start ? 's3' : to > start ? 'g' : 's1';
  const above =
    from === null ? null : html`<line class="base" x1="${start}%" x2="${start}%" y1="0" y2="50%"/>`;
  const move =
    to === start
      ? null
      : html`<line class="move ${tone}" x1="${start}%" x2="${to}%" y1="50%" y2="50%"/>`;
  return drawn(
    html`${above}${move}<line class="base" x1="${to}%" x2="${to}%" y1="50%" y2="100%"/><circle class="${tone}" cx="${to}%" cy="50%" r="4"/>`,
  );
}

function drawn(shapes: Html): Html {
  return html`<svg class="step" width="100%" height="100%" aria-hidden="true" focusable="false">${shapes}</svg>`;
}
