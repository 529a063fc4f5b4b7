import {
  amountText,
  count,
  counted,
  type Html,
  html,
  type HtmlPart,
  part,
  type ZonedTimes,
} from '../../../../platform/html';
import type { MoneyLack, MoneyPeriodView } from '../../view/money/read';
import type { Reader } from '../layout';
import { roundLink } from '../links';

/** What the figures lack, and what is in none of them. */
export function notes(view: MoneyPeriodView, { times }: Reader): Html {
  const { lacks, compared } = view;
  // The verdict says it already, unless there is worse to say.
  const [only] = lacks;
  const isSaid = lacks.length === 1 && (only === 'running' || only === 'just over');
  const isWorse = compared.some(({ word }) => word === 'differs');
  const lacking = (isSaid && !isWorse ? [] : lacks).map(
    (lack) => html`<li>${lackText(view, lack, times)}</li>`,
  );
  const card = html`<div class="card"><ul class="plain">${lacking}</ul></div>`;
  const listed = lacking.length === 0 ? null : part('lacks', 'What is missing', null, card);
  return html`${listed}${voidedText(view)}`;
}

function lackText(view: MoneyPeriodView, lack: MoneyLack, times: ZonedTimes): HtmlPart {
  const { since, countedUntil, span, gaps, moreGaps } = view;
  switch (lack) {
    case 'running':
      return `The ${span} is not over.`;
    case 'just over':
      return `The ${span} ended less than an hour ago: events may still come.`;
    case 'waiting':
      return html`Events from ${countedUntil === null ? '' : times.time(countedUntil)} on wait to be counted: is a wallet with <code>serve --totals</code> running?`;
    case 'begun within':
      return html`The totals begin at ${times.time(since)}: what was before is in no figure.`;
    default: {
      const shown = gaps.map(({ at, kind, ...round }) => {
        const link = roundLink({ operatorId: view.operatorId, ...round });
        const why =
          kind === 'round lost' ? 'was deleted before its event was read' : 'lacks its beginning';
        return html`<br>${times.time(at)}: round ${link} ${why}`;
      });
      const more = moreGaps === 0 ? null : html`<br>${counted(moreGaps, 'more quarter')}`;
      return html`Quarters of an hour that are not whole:${shown}${more}`;
    }
  }
}

function voidedText({ figures, currency }: MoneyPeriodView): Html | null {
  if (figures === null || currency === null) return null;
  const { rounds, taken, won } = figures.voided;
  if (rounds === 0 && taken === '0' && won === '0') return null;
  const amount = (text: string): string => amountText(text, currency);
  return html`<p class="dim"><small>Voids took ${count(rounds)} whole ${rounds === 1 ? 'round' : 'rounds'} out of these figures, and in all ${amount(taken)} ${currency} that was taken and ${amount(won)} ${currency} that was given. A void counts on the day of its round, also if it comes later.</small></p>`;
}
